// memoryview over anything with a buffer: elements of one format along any number of axes.
#include "interpreter/types/bytes/memory_view.h"

#include <algorithm>

#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/bytes/element_codec.h"
#include "interpreter/types/bytes/memory_view_object.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Visits every element's place, the last axis quickest.
template <class Visit>
void visit_elements(const MemoryView& view, char* place, std::size_t axis, const Visit& visit) {
  if (axis == rank_of(view)) return visit(place);
  for (std::int64_t i = 0; i < view.buffer.shape[axis]; ++i)
    visit_elements(view, place + i * view.buffer.strides[axis], axis + 1, visit);
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
  Value owner = view.owner;  // the bounds may be objects whose __index__ releases the view
  const BufferOffer* offer = view.offer;
  Buffer buffer = view.buffer;
  std::int64_t start = view.start;
  SliceBounds bounds = resolve_slice(slice, buffer.shape[0]);
  start += bounds.start * buffer.strides[0];
  buffer.shape[0] = bounds.count;
  buffer.strides[0] *= bounds.step;
  return make<MemoryView>(owner, offer, std::move(buffer), start);
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
    require_alive(view);
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
  bool is_index = rank_of(view) > 1 && try_index(key, index);
  require_alive(view);
  if (is_index)
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
  require_alive(view);
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
  require_alive(view);  // indices of the slice run code of the program
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

Value view_iterate(const Value& self) {
  if (rank_of(view_of(self)) != 1)
    raise(errors::NotImplementedError, "multi-dimensional sub-views are not implemented");
  return iterate(list_elements(view_of(self)));
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
                   : equal(list_elements(view_of(self)), list_elements(view_of(right))));
  return Value::boolean(same == (op == CompareOperator::kEq));
}

std::int64_t view_hash(const Value& self) {
  const MemoryView& view = view_of(self);
  require_alive(view);
  if (view.buffer.writable) raise(errors::ValueError, "cannot hash writable memoryview object");
  return hash_bytes(content_of(view));
}

// A view of memory, format, bytes of an element and shape.
Value view_as_told(const Tuple& told) {
  const BufferOffer* offer = told.size() == 4 ? find_buffer(told[0]) : nullptr;
  if (!offer || !is_str(told[1]) || !is_tuple(told[3]))
    raise(errors::TypeError, "__buffer__ told of no memory");
  const Value& memory = told[0];
  Buffer buffer = offer->describe(memory);
  Extents shape;
  for (const Value& length : told[3].as<Tuple>()->items()) shape.push_back(to_int64(length));
  buffer.format = std::string(text_of(told[1]));
  buffer.item_size = to_int64(told[2]);
  bool reaches = buffer.item_size < 0 || std::ranges::any_of(shape, [](auto n) { return n < 0; });
  if (reaches) raise(errors::TypeError, "__buffer__ told of no memory");
  if (buffer.shape != shape) buffer.strides = packed_strides(shape, buffer.item_size);
  buffer.shape = std::move(shape);
  return make<MemoryView>(memory, offer, std::move(buffer), 0);
}

Value view_construct(Type*, const Arguments& arguments) {
  static const Signature& signature = *new Signature("memoryview(object)");
  Value given;
  bind_constructor(signature, arguments, &given);
  Value object = memory_source(given, true);
  if (is_tuple(object) && !is_tuple(given)) return view_as_told(*object.as<Tuple>());
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

}  // namespace

void require_alive(const MemoryView& view) {
  if (view.owner.is_none())
    raise(errors::ValueError, "operation forbidden on released memoryview object");
}

char* place_of(const MemoryView& view, bool writing) {
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
  if (!code)
    raise(errors::NotImplementedError, "memoryview: unsupported format {}", view.buffer.format);
  if (!element_size(code))
    raise(errors::NotImplementedError, "memoryview: format {} not supported", view.buffer.format);
  return code;
}

bool is_packed(const MemoryView& view) {
  return element_count(view.buffer.shape) <= 1 ||
         view.buffer.strides == packed_strides(view.buffer.shape, view.buffer.item_size);
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

Value list_elements(const MemoryView& view) { return nested_list(view, place_of(view), 0); }

bool is_memory_view(const Value& value) { return is_exactly(value, memory_view_type()); }

std::string_view memory_view_bytes(const Value& value) {
  const MemoryView& view = view_of(value);
  if (!is_packed(view))
    raise(errors::BufferError, "memoryview: underlying buffer is not C-contiguous");
  auto count = element_count(view.buffer.shape);
  return {place_of(view), static_cast<std::size_t>(count * view.buffer.item_size)};
}

std::string copy_memory_view(const Value& value) { return content_of(view_of(value)); }

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
               {[](const Value& value) {
                  require_alive(view_of(value));
                  return view_of(value).buffer;
                },
                [](const Value& value, bool writing) { return place_of(view_of(value), writing); },
                [](const Value& value) {
                  return static_cast<std::int64_t>(memory_view_bytes(value).size());
                },
                nullptr});
  add_memory_view_methods(type);
  return type;
}

}  // namespace strider::lang
