// numpy.load and numpy.save of one array, and raw bytes of arrays.
#include <strider/nd/error.h>
#include <strider/nd/file.h>

#include <cstring>

#include "kernels/file/npy_header.h"
#include "kernels/file/npy_source.h"

namespace strider::nd {
namespace {

using file::NpyHeader;
using file::Source;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kFileFormat, message); }

std::string tuple_text(const Dims& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

// The number of elements a header promises; false when no memory could hold them.
bool promised_count(const NpyHeader& header, std::int64_t& count) {
  count = 1;
  for (std::int64_t extent : header.shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count)) return false;
  std::int64_t bytes = 0;
  return !__builtin_mul_overflow(count, item_size(header.dtype), &bytes);
}

void check_length(const Source& source, const NpyHeader& header) {
  std::int64_t count = 0;
  if (!promised_count(header, count)) fail("shape is not valid: " + tuple_text(header.shape));
  std::uint64_t present =
      source.size() > header.data_offset ? source.size() - header.data_offset : 0;
  auto size = static_cast<std::uint64_t>(item_size(header.dtype));
  if (static_cast<std::uint64_t>(count) <= present / size) return;
  fail("Failed to read all data for array. Expected " + tuple_text(header.shape) + " = " +
       std::to_string(count) + " elements, could only read " + std::to_string(present / size) +
       " elements. (file seems not fully written?)");
}

Dims reversed(const Dims& shape) {
  Dims result(shape.size());
  for (int axis = 0; axis < shape.size(); ++axis) result[axis] = shape[shape.size() - 1 - axis];
  return result;
}

}  // namespace

Array file::read_npy_from(const Source& source, std::size_t* consumed) {
  NpyHeader header = read_npy_header(source);
  check_length(source, header);
  Dims shape = header.fortran_order ? reversed(header.shape) : header.shape;
  Array array = Array::empty(shape, header.dtype);
  auto wanted = static_cast<std::size_t>(array.byte_count());
  if (wanted > 0) {
    if (source.read(header.data_offset, array.mutable_data(), wanted) != wanted)
      fail("EOF: reading array data, expected " + std::to_string(wanted) + " bytes");
    adopt_bytes(array, header.swapped);
  }
  if (consumed) *consumed = static_cast<std::size_t>(header.data_offset) + wanted;
  return header.fortran_order ? array.transpose() : array;
}

Array read_npy(Bytes content, std::size_t* consumed) {
  return file::read_npy_from(*Source::of_span(content), consumed);
}

std::string tobytes(const Array& array, Order order) {
  bool fortran = order == Order::kF ||
                 (order == Order::kAny && array.is_f_contiguous() && !array.is_c_contiguous());
  Array flat = fortran ? array.transpose().contiguous() : array.contiguous();
  std::string bytes(static_cast<std::size_t>(flat.byte_count()), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), flat.data(), bytes.size());
  return bytes;
}

std::string npy_bytes(const Array& array) {
  return file::npy_header_text(array) + tobytes(array, Order::kAny);
}

void save_npy(const std::string& path, const Array& array) {
  Array kept = array;
  bool fortran = kept.is_f_contiguous() && !kept.is_c_contiguous();
  Array flat = fortran ? kept.transpose() : kept.contiguous();
  write_file(path, file::npy_header_text(array));
  write_file(path,
             {reinterpret_cast<const char*>(flat.size() > 0 ? flat.data() : nullptr),
              static_cast<std::size_t>(flat.byte_count())},
             true);
}

FileKind kind_of(Bytes content) {
  std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  if (text.empty()) return FileKind::kEmpty;
  if (text.substr(0, 4) == "PK\x03\x04" || text.substr(0, 4) == "PK\x05\x06") return FileKind::kNpz;
  return text.substr(0, 6) == "\x93NUMPY" ? FileKind::kNpy : FileKind::kOther;
}

}  // namespace strider::nd
