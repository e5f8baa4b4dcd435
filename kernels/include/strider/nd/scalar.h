// Scalar: one element of any dtype, by value; and Operand: what an operation may be given.
#pragma once

#include <strider/nd/dtype.h>

#include <complex>
#include <cstdint>
#include <cstring>

namespace strider::nd {

// One element. The bytes of the value of type `dtype` stand at the start of `bytes`.
class Scalar {
 public:
  Scalar() : Scalar(0.0) {}
  template <class T>
  requires requires { DTypeOf<T>::value; }
  Scalar(T value) : dtype_(dtype_of<T>) { take<sizeof value>(&value); }
  // Reads one element of `dtype` from memory.
  Scalar(DType dtype, const void* bytes) : dtype_(dtype) {
    switch (item_size(dtype)) {
      case 1:
        take<1>(bytes);
        break;
      case 2:
        take<2>(bytes);
        break;
      case 4:
        take<4>(bytes);
        break;
      case 8:
        take<8>(bytes);
        break;
      default:
        take<16>(bytes);
        break;
    }
  }

  DType dtype() const { return dtype_; }
  const void* data() const { return bytes_; }
  // The value as T, which must be the C++ type of dtype().
  template <class T>
  T get() const {
    T value;
    std::memcpy(&value, bytes_, sizeof value);
    return value;
  }
  // The value converted as astype(dtype) converts (C conversion, defined for every input).
  Scalar as(DType dtype) const;
  // Whether both are the same bits of the same type.
  bool is_same_as(const Scalar& other) const {
    return dtype_ == other.dtype_ && std::memcmp(bytes_, other.bytes_, sizeof bytes_) == 0;
  }
  double to_double() const;  // real part
  std::complex<double> to_complex() const;
  bool truth() const;

 private:
  // Writes all bytes at once: a copy that follows reads them at once, and would wait for the end of
  // smaller writes.
  template <std::size_t kSize>
  void take(const void* value) {
    typedef std::uint64_t Words __attribute__((vector_size(16)));
    Words words = {};
    if constexpr (kSize < sizeof words) {
      std::uint64_t first = 0;
      std::memcpy(&first, value, kSize);
      words[0] = first;
    } else {
      std::memcpy(&words, value, kSize);
    }
    std::memcpy(bytes_, &words, sizeof words);
  }

  alignas(8) unsigned char bytes_[16];  // 0 behind the value
  DType dtype_;
};

}  // namespace strider::nd
