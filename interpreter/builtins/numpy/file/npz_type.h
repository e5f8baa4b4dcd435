// numpy.lib.npyio.NpzFile: an archive of arrays, read when asked for.
#pragma once

#include <strider/nd/file.h>

#include <string>

#include "interpreter/runtime/type/type.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// The class of archives, np.lib.npyio.NpzFile.
Type& npz_type();
// `label` names the file in its repr.
Value make_npz(nd::NpzFile file, std::string label, bool allows_pickle);
// The array in the content of an .npy file; npx reads those of texts, records and objects.
Value read_npy_content(std::string content, bool allows_pickle);

}  // namespace strider::lang
