// Checks shapes, since the plug-in trusts what it is given.
#include "interpreter/builtins/pictures/pixels.h"

#include <cstring>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"

namespace strider::lang {
namespace {

pictures::Sample sample_of(nd::DType dtype) {
  switch (dtype) {
    case nd::DType::kUInt8:
      return pictures::Sample::kByte;
    case nd::DType::kUInt16:
      return pictures::Sample::kShort;
    case nd::DType::kInt32:
      return pictures::Sample::kInt;
    case nd::DType::kFloat32:
      return pictures::Sample::kFloat;
    default:
      raise(errors::ValueError, "samples of pixels are uint8, uint16, int32 or float32");
  }
}

}  // namespace

PixelRows::PixelRows(const Value& value) : array_(to_array(value)) {
  raster_.sample = sample_of(array_.dtype());
  const int rank = array_.rank();
  if (rank != 2 && !(rank == 3 && array_.shape()[2] >= 1 && array_.shape()[2] <= 4))
    raise(errors::ValueError, "pixels have rows and columns, and up to four samples each");
  if (rank == 3 && raster_.sample != pictures::Sample::kByte)
    raise(errors::ValueError, "pixels of several samples have bytes");
  raster_.height = array_.shape()[0];
  raster_.width = array_.shape()[1];
  raster_.bands = rank == 3 ? static_cast<int>(array_.shape()[2]) : 1;
}

PixelRows PixelRows::of_source(const Value& value) {
  PixelRows rows(value);
  rows.array_ = rows.array_.contiguous();
  rows.raster_.data = const_cast<std::byte*>(rows.array_.data());  // read alone
  return rows;
}

PixelRows PixelRows::of_target(const Value& value) {
  PixelRows rows(value);
  if (!rows.array_.is_c_contiguous())
    raise(errors::ValueError, "pixels that are written to must lie without gaps");
  rows.raster_.data = rows.array_.mutable_data();
  return rows;
}

void PixelRows::check_fits(const PixelRows& other, bool same_size) const {
  const pictures::Raster &a = raster_, &b = other.raster_;
  const bool fits = a.sample == b.sample && a.bands == b.bands;
  const bool same = a.width == b.width && a.height == b.height;
  if (!fits || (same_size && !same))
    raise(errors::ValueError, "source and target are pictures of different kinds");
  if (array_.same_storage(other.array_))
    raise(errors::ValueError, "source and target are the same pixels");
}

void PixelRows::require_size(const PixelRows& other) const {
  if (raster_.width != other.raster_.width || raster_.height != other.raster_.height)
    raise(errors::ValueError, "images do not match");
}

Value pixel_array(const pictures::Decoded& picture) {
  nd::Dims shape = {picture.height, picture.width};
  if (picture.bands > 1) shape = {picture.height, picture.width, picture.bands};
  nd::Array array = nd::Array::empty(shape, nd::DType::kUInt8);
  std::memcpy(array.mutable_data(), picture.bytes.data(), picture.bytes.size());
  return wrap(array);
}

}  // namespace strider::lang
