// memoryview: its methods and attributes.
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/element_codec.h"
#include "interpreter/types/bytes/memory_view_object.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value tobytes(const Parameters& p) { return make<Bytes>(content_of(view_of(p[0]))); }
Value tolist(const Parameters& p) { return list_elements(view_of(p[0])); }

Value hex(const Parameters& p) {
  static const Name method = intern("hex");
  Value bytes = tobytes(p);
  if (p[1].is_empty()) return call_method(bytes, method);
  return call_method(bytes, method, p[1], p[2]);
}

Value release(const Parameters& p) {
  view_of(p[0]).release();
  return Value::none();
}

Value enter(const Parameters& p) {
  require_alive(view_of(p[0]));
  return p[0];
}

Value toreadonly(const Parameters& p) {
  const MemoryView& view = view_of(p[0]);
  require_alive(view);
  Buffer buffer = view.buffer;
  buffer.writable = false;
  return make<MemoryView>(view.owner, view.offer, std::move(buffer), view.start);
}

// The shape that cast() was given, or all elements in one row.
Extents cast_shape(const Value& given, std::int64_t count) {
  if (given.is_empty()) return {count};
  Extents shape;
  Iteration lengths(given);
  Value length;
  while (lengths.next(length)) shape.push_back(to_int64(length));
  if (element_count(shape) != count)
    raise(errors::TypeError, "memoryview: product(shape) * itemsize != buffer size");
  return shape;
}

Value cast(const Parameters& p) {
  const MemoryView& view = view_of(p[0]);
  require_alive(view);
  if (!is_packed(view))
    raise(errors::TypeError, "memoryview: casts are restricted to C-contiguous views");
  std::string_view format = to_text(p[1], "format");
  if (format.starts_with('@')) format.remove_prefix(1);
  int size = format.size() == 1 && format[0] != 'u' ? element_size(format[0]) : 0;
  if (!size)
    raise(errors::ValueError,
          "memoryview: destination format must be a native single character format prefixed with "
          "an optional '@'");
  auto is_byte = [](std::string_view text) { return text == "B" || text == "b" || text == "c"; };
  if (!is_byte(format) && !is_byte(view.buffer.format))
    raise(errors::TypeError, "memoryview: cannot cast between two non-byte formats");
  std::int64_t bytes = element_count(view.buffer.shape) * view.buffer.item_size;
  if (bytes % size != 0)
    raise(errors::TypeError, "memoryview: length is not a multiple of itemsize");
  Extents shape = cast_shape(p[2], bytes / size);
  Extents strides = packed_strides(shape, size);
  Buffer buffer{std::string(format), size, shape, strides, view.buffer.writable};
  return make<MemoryView>(view.owner, view.offer, std::move(buffer), view.start);
}

constexpr NativeRow kMethods[] = {
    {"tobytes(self, /, order='C')", tobytes, "The bytes as a bytes object."},
    {"tolist(self, /)", tolist, "The elements as a list, nested along the axes."},
    {"hex(self, /, sep=<none>, bytes_per_sep=1)", hex, "The bytes as hexadecimal digits."},
    {"cast(self, /, format, shape=<none>)", cast, "The same bytes with another format or shape."},
    {"toreadonly(self, /)", toreadonly, "The same view, but read-only."},
    {"release(self, /)", release, "Let go of the object behind."},
    {"__enter__(self, /)", enter, "The view itself."},
    {"__exit__(self, /, *exc_info)", release, "Let go of the object behind."},
};

const MemoryView& alive(const Value& self) {
  require_alive(view_of(self));
  return view_of(self);
}

Value tuple_of(const Extents& extents) {
  Values values;
  for (std::int64_t extent : extents) values.push_back(Value::integer(extent));
  return make_tuple(std::move(values));
}

// Whether the elements follow each other with the first axis fastest.
bool is_columns_packed(const MemoryView& view) {
  std::int64_t step = view.buffer.item_size;
  for (std::size_t axis = 0; axis < rank_of(view); ++axis) {
    if (view.buffer.shape[axis] > 1 && view.buffer.strides[axis] != step) return false;
    step *= view.buffer.shape[axis];
  }
  return true;
}

constexpr PropertyRow kProperties[] = {
    {"nbytes",
     [](const Value& self) {
       return Value::integer(element_count(alive(self).buffer.shape) *
                             view_of(self).buffer.item_size);
     },
     nullptr, "Number of bytes."},
    {"itemsize", [](const Value& self) { return Value::integer(alive(self).buffer.item_size); },
     nullptr, "Bytes of one element."},
    {"ndim",
     [](const Value& self) {
       return Value::integer(static_cast<std::int64_t>(rank_of(alive(self))));
     },
     nullptr, "Number of dimensions."},
    {"format", [](const Value& self) { return Value(make_str(alive(self).buffer.format)); },
     nullptr, "Format of an element."},
    {"obj", [](const Value& self) { return alive(self).owner; }, nullptr, "The object behind."},
    {"readonly", [](const Value& self) { return Value::boolean(!alive(self).buffer.writable); },
     nullptr, "Whether the memory cannot be changed."},
    {"shape", [](const Value& self) { return tuple_of(alive(self).buffer.shape); }, nullptr,
     "Number of elements along each axis."},
    {"strides", [](const Value& self) { return tuple_of(alive(self).buffer.strides); }, nullptr,
     "Bytes from one element to the next along each axis."},
    {"c_contiguous", [](const Value& self) { return Value::boolean(is_packed(alive(self))); },
     nullptr, "Whether the elements follow each other."},
    {"f_contiguous",
     [](const Value& self) { return Value::boolean(is_columns_packed(alive(self))); }, nullptr,
     "Whether the elements follow each other, the first axis fastest."},
    {"suboffsets", [](const Value& self) { return (alive(self), tuple_of({})); },
     nullptr, "Always empty: nothing is reached through pointers."},
    {"contiguous",
     [](const Value& self) {
       return Value::boolean(is_packed(alive(self)) || is_columns_packed(view_of(self)));
     },
     nullptr, "Whether the elements follow each other."},
};

}  // namespace

void add_memory_view_methods(Type& type) {
  type.add(kMethods);
  type.add(kProperties);
}

}  // namespace strider::lang
