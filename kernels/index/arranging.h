// Arrays arranged on a device: where such work is done, what it reads and writes there, and lists
// of positions as arrays that recorded operations compute. Waits for a device only to check
// positions that were computed there.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/index.h>

#include <initializer_list>
#include <vector>

#include "kernels/backend/arranger.h"
#include "kernels/core/resident.h"

namespace strider::nd {

class Device;

// A device and what arranges elements on it; null where the host should.
struct Workbench {
  Device* device = nullptr;
  Arranger* arranger = nullptr;
  DeviceWork work = {};  // what was read or written stays there as long as a bench

  explicit operator bool() const { return arranger != nullptr; }
  // A new C-ordered array on the device, its elements not set.
  Array make(const Dims& shape, DType dtype) const;
  // The first element, computed or copied there if need be.
  const std::byte* read(const Array& array) const;
  template <class T>
  const T* read_as(const Array& array) const {
    return reinterpret_cast<const T*>(read(array));
  }
  // The same for writing: the elements lie nowhere else, and nothing pending reads the old ones.
  std::byte* write(const Array& array) const;
  template <class T>
  T* write_as(const Array& array) const {
    return reinterpret_cast<T*>(write(array));
  }
};

// The bench for work on these arrays: they are large, or away already.
Workbench find_workbench(std::initializer_list<const Array*> arrays);

// The positions of what is not zero, a packed array for each axis.
std::vector<Array> position_columns(const Array& array);

// A new C-ordered array that will be written to in parts: on the device that should have what is
// made of these arrays, or in host memory.
Array empty_for(std::span<const Array> arrays, const Dims& shape, DType dtype);
// The same of an array's shape and type, laid out as the array is.
Array empty_as(const Array& array);

// Indices as positions in [0, extent), negative ones counting from the end. Those that are not in
// range stay so.
Array wrap_negative(const Array& indices, std::int64_t extent);
// The number of the first of `positions` that is not in [0, extent); -1 if all are.
std::int64_t find_outside(const Array& positions, std::int64_t extent);
// The numbers i of 0 … count - 1 modulo `period`.
Array count_cyclically(std::int64_t count, std::int64_t period);
// Packed elements as often as needed to have `count` of them.
Array repeated_to(const Array& packed, std::int64_t count);

// C-order positions as one array per axis.
std::vector<Array> split_positions(Array positions, const Dims& shape);

// The range of offsets along axes that are indexed.
void widen(Places& places, std::int64_t extent, std::int64_t stride);

// The elements of `array` at places from `start` bytes on, which have these offsets (int64). Null
// where the device has nothing for it.
Array gather_there(const Workbench& bench, const Array& array, std::int64_t start, Places places,
                   const Array& offsets, const Dims& shape);
// Writes packed elements, or one for all. False where the device has nothing for it.
bool scatter_there(const Workbench& bench, const Array& array, std::int64_t start, Places places,
                   const Array& offsets, const Array& packed);
// Writes packed elements, or one for all, to positions (int64) of a C-contiguous array.
bool put_there(const Workbench& bench, const Array& array, const Array& positions,
               const Array& packed, bool distinct);
// The positions of the true elements of a contiguous mask; null where the device has nothing.
Array list_there(const Workbench& bench, const Array& mask);

}  // namespace strider::nd
