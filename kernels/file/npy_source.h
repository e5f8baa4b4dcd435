// Reading one .npy array from any source.
#pragma once

#include "kernels/file/source.h"

namespace strider::nd::file {

Array read_npy_from(const Source& source, std::size_t* consumed);

}  // namespace strider::nd::file
