// memoryview over bytes and bytearray, one byte an item.
#include "interpreter/types/memory_view.h"

#include "interpreter/types/bytes.h"
#include "interpreter/types/bytes_methods.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/str.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

class MemoryView final : public Object {
 public:
  MemoryView(const Value& owner, std::int64_t start, std::int64_t step, std::int64_t count)
      : Object(Layout::kOther, &memory_view_type()),
        owner(owner),
        start(start),
        step(step),
        count(count) {}
  Value owner;  // None once released
  const std::int64_t start, step, count;
};

MemoryView& view_of(const Value& value) { return *value.as<MemoryView>(); }

// The bytes behind the view; ValueError once it was released or its owner shrank.
std::string_view source_of(const MemoryView& view) {
  if (view.owner.is_none())
    raise(errors::ValueError, "operation forbidden on released memoryview object");
  std::string_view bytes = to_bytes(view.owner);
  std::int64_t last = view.start + (view.count - 1) * view.step;
  auto size = static_cast<std::int64_t>(bytes.size());
  if (view.count > 0 && (view.start >= size || last >= size))
    raise(errors::ValueError, "operation forbidden on released memoryview object");
  return bytes;
}

std::size_t place(const MemoryView& view, std::int64_t index) {
  return static_cast<std::size_t>(view.start + index * view.step);
}

std::string content_of(const MemoryView& view) {
  std::string_view source = source_of(view);
  std::string result;
  for (std::int64_t i = 0; i < view.count; ++i) result += source[place(view, i)];
  return result;
}

Value view_repr(const Value& self) {
  const char* kind =
      view_of(self).owner.is_none() ? "<released memory at 0x{:x}>" : "<memory at 0x{:x}>";
  return make_str(fmt::format(fmt::runtime(kind), reinterpret_cast<std::uintptr_t>(self.object())));
}

std::int64_t view_length(const Value& self) { return view_of(self).count; }

Value view_get_item(const Value& self, const Value& key) {
  const MemoryView& view = view_of(self);
  if (key.has_layout(Layout::kSlice)) {
    SliceBounds bounds = resolve_slice(*key.as<Slice>(), view.count);
    return make<MemoryView>(view.owner, view.start + bounds.start * view.step,
                            view.step * bounds.step, bounds.count);
  }
  std::int64_t index;
  if (!try_index(key, index)) raise(errors::TypeError, "memoryview: invalid slice key");
  if (index < 0) index += view.count;
  if (index < 0 || index >= view.count)
    raise(errors::IndexError, "index out of bounds on dimension 1");
  return Value::integer(static_cast<unsigned char>(source_of(view)[place(view, index)]));
}

void view_set_item(const Value& self, const Value& key, const Value& value) {
  const MemoryView& view = view_of(self);
  if (value.is_empty()) raise(errors::TypeError, "cannot delete memory");
  if (!view.owner.has_layout(Layout::kByteArray))
    raise(errors::TypeError, "cannot modify read-only memory");
  std::string& bytes = view.owner.as<ByteArray>()->bytes;
  if (!key.has_layout(Layout::kSlice)) {
    std::int64_t index = to_int64(key);
    if (index < 0) index += view.count;
    if (index < 0 || index >= view.count)
      raise(errors::IndexError, "index out of bounds on dimension 1");
    char byte = to_byte(value, "memoryview: invalid value for format 'B'");
    source_of(view);
    bytes[place(view, index)] = byte;
    return;
  }
  SliceBounds bounds = resolve_slice(*key.as<Slice>(), view.count);
  std::string fresh(is_memory_view(value) ? content_of(view_of(value))
                                          : std::string(to_bytes(value)));
  if (static_cast<std::int64_t>(fresh.size()) != bounds.count)
    raise(errors::ValueError, "memoryview assignment: lvalue and rvalue have different structures");
  source_of(view);
  for (std::int64_t i = 0; i < bounds.count; ++i)
    bytes[place(view, bounds.start + i * bounds.step)] = fresh[static_cast<std::size_t>(i)];
}

Value view_iterate(const Value& self) {
  return iterate(Value(make<Bytes>(content_of(view_of(self)))));
}

Value view_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_bytes_like(other)) return Value();
  std::string right =
      is_memory_view(other) ? content_of(view_of(other)) : std::string(to_bytes(other));
  return Value::boolean((content_of(view_of(self)) == right) == (op == CompareOperator::kEq));
}

std::int64_t view_hash(const Value& self) {
  if (view_of(self).owner.has_layout(Layout::kByteArray))
    raise(errors::ValueError, "cannot hash writable memoryview object");
  return hash_bytes(content_of(view_of(self)));
}

Value view_construct(Type*, const Arguments& arguments) {
  static const Signature& signature = *new Signature("memoryview(object)");
  Value object;
  signature.bind(arguments, &object);
  if (is_memory_view(object)) {
    const MemoryView& view = view_of(object);
    return make<MemoryView>(view.owner, view.start, view.step, view.count);
  }
  if (!is_bytes_like(object))
    raise(errors::TypeError, "memoryview: a bytes-like object is required, not '{}'",
          type_name(object));
  return make<MemoryView>(object, 0, 1, static_cast<std::int64_t>(to_bytes(object).size()));
}

Value tobytes(const Parameters& parameters) {
  return make<Bytes>(content_of(view_of(parameters[0])));
}

Value tolist(const Parameters& parameters) {
  return to_list(Value(make<Bytes>(content_of(view_of(parameters[0])))));
}

Value hex(const Parameters& parameters) {
  static const Name method = intern("hex");
  return call_method(Value(make<Bytes>(content_of(view_of(parameters[0])))), method);
}

Value release(const Parameters& parameters) {
  view_of(parameters[0]).owner = Value::none();
  return Value::none();
}

Value enter(const Parameters& parameters) {
  source_of(view_of(parameters[0]));
  return parameters[0];
}

constexpr NativeRow kMethods[] = {
    {"tobytes(self, /)", tobytes, "The bytes as a bytes object."},
    {"tolist(self, /)", tolist, "The bytes as a list of integers."},
    {"hex(self, /)", hex, "The bytes as hexadecimal digits."},
    {"release(self, /)", release, "Let go of the object behind."},
    {"__enter__(self, /)", enter, "The view itself."},
    {"__exit__(self, /, *exc_info)", release, "Let go of the object behind."},
};

constexpr PropertyRow kProperties[] = {
    {"nbytes", [](const Value& self) { return Value::integer(view_of(self).count); }, nullptr,
     "Number of bytes."},
    {"itemsize", [](const Value&) { return Value::integer(1); }, nullptr, "Bytes of one item."},
    {"ndim", [](const Value&) { return Value::integer(1); }, nullptr, "Number of dimensions."},
    {"format", [](const Value&) { return Value(make_str("B")); }, nullptr, "Format of an item."},
    {"obj", [](const Value& self) { return view_of(self).owner; }, nullptr, "The object behind."},
    {"readonly",
     [](const Value& self) {
       return Value::boolean(!view_of(self).owner.has_layout(Layout::kByteArray));
     },
     nullptr, "Whether the memory cannot be changed."},
    {"shape",
     [](const Value& self) { return Value(make_tuple({Value::integer(view_of(self).count)})); },
     nullptr, "Number of items in each dimension."},
    {"strides",
     [](const Value& self) { return Value(make_tuple({Value::integer(view_of(self).step)})); },
     nullptr, "Bytes from one item to the next."},
    {"contiguous", [](const Value& self) { return Value::boolean(view_of(self).step == 1); },
     nullptr, "Whether the items follow each other."},
};

}  // namespace

bool is_memory_view(const Value& value) { return is_exactly(value, memory_view_type()); }

std::string_view memory_view_bytes(const Value& value) {
  const MemoryView& view = view_of(value);
  if (view.step != 1 && view.count > 1)
    raise(errors::BufferError, "memoryview: underlying buffer is not C-contiguous");
  return source_of(view).substr(static_cast<std::size_t>(view.count ? view.start : 0),
                                static_cast<std::size_t>(view.count));
}

std::string copy_memory_view(const Value& value) { return content_of(view_of(value)); }

Type& memory_view_type() {
  static bool ready = false;
  static Type& type = new_type("memoryview", Type::object_type());
  if (ready) return type;
  ready = true;
  type.set(Type::kSequencePattern);
  type.doc = "A window on the bytes of another object.";
  type.slots.repr = view_repr;
  type.slots.length = view_length;
  type.slots.get_item = view_get_item;
  type.slots.set_item = view_set_item;
  type.slots.iterate = view_iterate;
  type.slots.compare = view_compare;
  type.slots.hash = view_hash;
  type.slots.construct = view_construct;
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

}  // namespace strider::lang
