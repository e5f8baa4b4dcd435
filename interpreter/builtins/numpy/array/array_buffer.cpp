// Arrays as buffers: what memoryview, hashing, files and compression see of them.
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/types/bytes/buffer.h"

namespace strider::lang {
namespace {

// The element type as the module struct writes it.
std::string format_of(nd::DType dtype) {
  if (dtype == nd::DType::kComplex64) return "Zf";
  if (dtype == nd::DType::kComplex128) return "Zd";
  return std::string(1, nd::facts(dtype).code);
}

Buffer describe(const Value& value) {
  const nd::Array& array = array_of(value);
  Buffer buffer{format_of(array.dtype()), nd::item_size(array.dtype()), {}, {}, array.writeable()};
  for (int axis = 0; axis < array.rank(); ++axis) {
    buffer.shape.push_back(array.shape()[axis]);
    buffer.strides.push_back(array.strides()[axis]);
  }
  return buffer;
}

char* place(const Value& value, bool writing) {
  const nd::Array& array = array_of(value);
  if (writing) return reinterpret_cast<char*>(array.mutable_data());
  return const_cast<char*>(reinterpret_cast<const char*>(array.data()));
}

}  // namespace

void offer_array_buffer(const Type& type) {
  offer_buffer(type, {describe, place, nullptr, nullptr});
}

}  // namespace strider::lang
