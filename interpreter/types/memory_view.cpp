// memoryview over anything with a buffer: elements of one format along any number of axes.
#include "interpreter/types/memory_view.h"

#include <algorithm>

#include "interpreter/types/buffer.h"
#include "interpreter/types/bytes.h"
#include "interpreter/types/bytes_methods.h"
#include "interpreter/types/element_codec.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/str.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using Extents = std::vector<std::int64_t>;

class MemoryView final : public Object {
 public:
  MemoryView(const Value& owner, const BufferOffer* offer, Buffer buffer, std::int64_t start)
      : Object(Layout::kOther, &memory_view_type()),
        owner(owner),
        offer(offer),
        buffer(std::move(buffer)),
        start(start) {
    if (offer->hold) offer->hold(owner, +1);
  }
  ~MemoryView() override { release(); }
  void release() {
    if (!owner.is_none() && offer->hold) offer->hold(owner, -1);
    owner = Value::none();
  }
  Value owner;  // None once released
  const BufferOffer* const offer;
  const Buffer buffer;
  const std::int64_t start;  // bytes before the first element
};

MemoryView& view_of(const Value& value) { return *value.as<MemoryView>(); }

void require_alive(const MemoryView& view) {
  if (view.owner.is_none())
    raise(errors::ValueError, "operation forbidden on released memoryview object");
}

// The first element's place; ValueError once the view was released or its owner shrank.
char* place_of(const MemoryView& view, bool writing = false) {
  require_alive(view);
  std::int64_t low = view.start, high = view.start + view.buffer.item_size;
  for (std::size_t axis = 0; axis < view.buffer.shape.size(); ++axis) {
    std::int64_t reach = (view.buffer.shape[axis] - 1) * view.buffer.strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  bool empty = element_count(view.buffer.shape) == 0;
  bool fixed = !view.offer->size;
  if (!empty && !fixed && (low < 0 || high > view.offer->size(view.owner)))
    raise(errors::ValueError, "operation forbidden on released memoryview object");
  return view.offer->place(view.owner, writing) + (empty ? 0 : view.start);
}

char code_of(const MemoryView& view) {
  char code = view.buffer.format.size() == 1 ? view.buffer.format[0] : '\0';
  if (!element_size(code))
    raise(errors::NotImplementedError, "memoryview: format {} not supported", view.buffer.format);
  return code;
}

std::size_t rank_of(const MemoryView& view) { return view.buffer.shape.size(); }

bool is_packed(const MemoryView& view) {
  return element_count(view.buffer.shape) <= 1 ||
         view.buffer.strides == packed_strides(view.buffer.shape, view.buffer.item_size);
}

// Visits every element's place, the last axis quickest.
template <class Visit>
void visit_elements(const MemoryView& view, char* place, std::size_t axis, const Visit& visit) {
  if (axis == rank_of(view)) return visit(place);
  for (std::int64_t i = 0; i < view.buffer.shape[axis]; ++i)
    visit_elements(view, place + i * view.buffer.strides[axis], axis + 1, visit);
}

std::string content_of(const MemoryView& view) {
  char* place = place_of(view);
  auto size = static_cast<std::size_t>(view.buffer.item_size);
  if (is_packed(view))
    return {place, static_cast<std::size_t>(element_count(view.buffer.shape)) * size};
  std::string result;
  visit_elements(view, place, 0, [&](char* at) { result.append(at, size); });
  return result;
}

Value nested_list(const MemoryView& view, char* place, std::size_t axis) {
  if (axis == rank_of(view)) return read_element(place, code_of(view));
  Ref<List> list = make_list();
  for (std::int64_t i = 0; i < view.buffer.shape[axis]; ++i)
    list->items.push_back(nested_list(view, place + i * view.buffer.strides[axis], axis + 1));
  return list;
}

Value view_repr(const Value& self) {
  const char* kind =
      view_of(self).owner.is_none() ? "<released memory at 0x{:x}>" : "<memory at 0x{:x}>";
  return make_str(fmt::format(fmt::runtime(kind), reinterpret_cast<std::uintptr_t>(self.object())));
}

std::int64_t view_length(const Value& self) {
  const MemoryView& view = view_of(self);
  require_alive(view);
  if (rank_of(view) == 0) raise(errors::TypeError, "0-dim memory has no length");
  return view.buffer.shape[0];
}

Value sliced(const MemoryView& view, const Slice& slice) {
  require_alive(view);
  SliceBounds bounds = resolve_slice(slice, view.buffer.shape[0]);
  Buffer buffer = view.buffer;
  std::int64_t start = view.start + bounds.start * buffer.strides[0];
  buffer.shape[0] = bounds.count;
  buffer.strides[0] *= bounds.step;
  return make<MemoryView>(view.owner, view.offer, std::move(buffer), start);
}

// The distance of an element from the first, by one index per axis.
std::int64_t distance_of(const MemoryView& view, std::span<const Value> keys) {
  if (keys.size() < rank_of(view))
    raise(errors::NotImplementedError, "sub-views are not implemented");
  if (keys.size() > rank_of(view))
    raise(errors::TypeError, "cannot index {}-dimension view with {}-element tuple", rank_of(view),
          keys.size());
  std::int64_t distance = 0;
  for (std::size_t axis = 0; axis < keys.size(); ++axis) {
    std::int64_t index;
    if (!try_index(keys[axis], index)) raise(errors::TypeError, "memoryview: invalid slice key");
    if (index < 0) index += view.buffer.shape[axis];
    if (index < 0 || index >= view.buffer.shape[axis])
      raise(errors::IndexError, "index out of bounds on dimension {}", axis + 1);
    distance += index * view.buffer.strides[axis];
  }
  return distance;
}

std::int64_t distance_of(const MemoryView& view, const Value& key) {
  if (is_tuple(key)) return distance_of(view, key.as<Tuple>()->items());
  if (rank_of(view) == 0) raise(errors::TypeError, "invalid indexing of 0-dim memory");
  std::int64_t index;
  if (rank_of(view) > 1 && try_index(key, index))
    raise(errors::NotImplementedError, "multi-dimensional sub-views are not implemented");
  return distance_of(view, std::span(&key, 1));
}

Value view_get_item(const Value& self, const Value& key) {
  const MemoryView& view = view_of(self);
  if (key.has_layout(Layout::kSlice) && rank_of(view) > 0) return sliced(view, *key.as<Slice>());
  std::int64_t distance = distance_of(view, key);
  return read_element(place_of(view) + distance, code_of(view));
}

void store_element(const MemoryView& view, const Value& key, const Value& value) {
  std::int64_t distance = distance_of(view, key);
  char element[8], code = code_of(view);
  try {
    write_element(element, code, value);
  } catch (const Raised& raised) {
    Type* type = raised.exception->type();
    if (type->is_subclass_of(&errors::OverflowError()))
      raise(errors::ValueError, "memoryview: invalid value for format '{}'", code);
    if (type->is_subclass_of(&errors::TypeError()))
      raise(errors::TypeError, "memoryview: invalid type for format '{}'", code);
    throw;
  }
  std::copy_n(element, view.buffer.item_size, place_of(view, true) + distance);
}

void store_slice(const MemoryView& view, const Slice& slice, const Value& value) {
  constexpr const char* kError =
      "memoryview assignment: lvalue and rvalue have different structures";
  const BufferOffer* offer = find_buffer(value);
  if (!offer)
    raise(errors::TypeError, "a bytes-like object is required, not '{}'", type_name(value));
  Buffer given = is_memory_view(value) ? view_of(value).buffer : offer->describe(value);
  Value part = sliced(view, slice);
  const MemoryView& target = view_of(part);
  if (given.format != target.buffer.format || given.shape != target.buffer.shape)
    raise(errors::ValueError, "{}", kError);
  std::string fresh =
      is_memory_view(value) ? content_of(view_of(value)) : std::string(buffer_bytes(value, *offer));
  auto size = static_cast<std::size_t>(target.buffer.item_size);
  std::size_t from = 0;
  visit_elements(target, place_of(target, true), 0, [&](char* at) {
    fresh.copy(at, size, from);
    from += size;
  });
}

void view_set_item(const Value& self, const Value& key, const Value& value) {
  const MemoryView& view = view_of(self);
  require_alive(view);
  if (!view.buffer.writable) raise(errors::TypeError, "cannot modify read-only memory");
  if (value.is_empty()) raise(errors::TypeError, "cannot delete memory");
  if (key.has_layout(Layout::kSlice)) return store_slice(view, *key.as<Slice>(), value);
  store_element(view, key, value);
}

Value to_list_value(const Value& self) {
  return nested_list(view_of(self), place_of(view_of(self)), 0);
}

Value view_iterate(const Value& self) {
  if (rank_of(view_of(self)) != 1)
    raise(errors::NotImplementedError, "multi-dimensional sub-views are not implemented");
  return iterate(to_list_value(self));
}

Value view_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !find_buffer(other)) return Value();
  Value right = is_memory_view(other) ? other : call(Value(&memory_view_type()), other);
  const MemoryView &a = view_of(self), &b = view_of(right);
  if (a.owner.is_none() || b.owner.is_none())
    return Value::boolean((&a == &b) == (op == CompareOperator::kEq));
  bool same = a.buffer.shape == b.buffer.shape &&
              (a.buffer.format == b.buffer.format && a.buffer.format == "B"
                   ? content_of(a) == content_of(b)
                   : equal(to_list_value(self), to_list_value(right)));
  return Value::boolean(same == (op == CompareOperator::kEq));
}

std::int64_t view_hash(const Value& self) {
  const MemoryView& view = view_of(self);
  require_alive(view);
  if (view.buffer.writable) raise(errors::ValueError, "cannot hash writable memoryview object");
  return hash_bytes(content_of(view));
}

Value view_construct(Type*, const Arguments& arguments) {
  static const Signature& signature = *new Signature("memoryview(object)");
  Value object;
  signature.bind(arguments, &object);
  if (is_memory_view(object)) {
    const MemoryView& view = view_of(object);
    require_alive(view);
    return make<MemoryView>(view.owner, view.offer, view.buffer, view.start);
  }
  const BufferOffer* offer = find_buffer(object);
  if (!offer)
    raise(errors::TypeError, "memoryview: a bytes-like object is required, not '{}'",
          type_name(object));
  return make<MemoryView>(object, offer, offer->describe(object), 0);
}

Value tobytes(const Parameters& p) { return make<Bytes>(content_of(view_of(p[0]))); }
Value tolist(const Parameters& p) { return to_list_value(p[0]); }

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
    {"contiguous", [](const Value& self) { return Value::boolean(is_packed(alive(self))); },
     nullptr, "Whether the elements follow each other."},
};

}  // namespace

bool is_memory_view(const Value& value) { return is_exactly(value, memory_view_type()); }

std::string_view memory_view_bytes(const Value& value) {
  const MemoryView& view = view_of(value);
  if (!is_packed(view))
    raise(errors::BufferError, "memoryview: underlying buffer is not C-contiguous");
  auto count = element_count(view.buffer.shape);
  return {place_of(view), static_cast<std::size_t>(count * view.buffer.item_size)};
}

std::string copy_memory_view(const Value& value) { return content_of(view_of(value)); }

char* memory_view_place(const Value& value, std::size_t size) {
  const MemoryView& view = view_of(value);
  if (!view.buffer.writable)
    raise(errors::TypeError, "a read-write bytes-like object is required, not 'memoryview'");
  if (memory_view_bytes(value).size() < size) raise(errors::ValueError, "the view is too short");
  return place_of(view, true);
}

Type& memory_view_type() {
  static bool ready = false;
  static Type& type = new_type("memoryview", Type::object_type());
  if (ready) return type;
  ready = true;
  type.set(Type::kSequencePattern);
  type.doc = "A window on the memory of another object.";
  type.slots.repr = view_repr;
  type.slots.length = view_length;
  type.slots.get_item = view_get_item;
  type.slots.set_item = view_set_item;
  type.slots.iterate = view_iterate;
  type.slots.compare = view_compare;
  type.slots.hash = view_hash;
  type.slots.construct = view_construct;
  offer_buffer(type,
               {[](const Value& value) { return alive(value).buffer; },
                [](const Value& value, bool writing) { return place_of(alive(value), writing); },
                [](const Value& value) {
                  return static_cast<std::int64_t>(memory_view_bytes(value).size());
                },
                nullptr});
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

}  // namespace strider::lang
