// numpy.lib.npyio.NpzFile: an archive of arrays, read when asked for.
#pragma once

#include <strider/nd/file.h>

#include <string>

#include "interpreter/runtime/value.h"

namespace strider::lang {

// `label` names the file in its repr.
Value make_npz(nd::NpzFile file, std::string label);

}  // namespace strider::lang
