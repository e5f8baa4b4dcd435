// The header of a .npy file: read strictly, written as NumPy writes it. Knows nothing of the data.
#pragma once

#include <strider/nd/array.h>

#include <cstdint>
#include <string>

#include "kernels/file/source.h"

namespace strider::nd::file {

struct NpyHeader {
  DType dtype = DType::kFloat64;
  bool swapped = false;
  bool fortran_order = false;
  Dims shape;
  std::uint64_t data_offset = 0;  // from the start of the file
};

// Reads the header at the start of the source; kFileFormat with NumPy's messages.
NpyHeader read_npy_header(const Source& source);
// Magic, version, length and dictionary for an array.
std::string npy_header_text(const Array& array);

}  // namespace strider::nd::file
