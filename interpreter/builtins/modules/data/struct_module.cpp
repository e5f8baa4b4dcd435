// The module struct: numbers packed into bytes.
#include <strider/nd/half.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/numbers/math_support.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Type& struct_error() {
  static Type& type = *[] {
    Ref<Dict> space = make_dict();
    space->set(names().module, Value(make_str("struct")));
    Ref<Type> made =
        make_class("error", {Ref<Type>(&errors::Exception())}, space, &Type::type_object());
    return made.detach();
  }();
  return type;
}

template <class... Args>
[[noreturn]] void raise_struct(fmt::format_string<Args...> message, Args&&... args) {
  raise_message(struct_error(), fmt::format(message, std::forward<Args>(args)...));
}

// One field of a format: a code, where it lies, and its size.
struct Field {
  char code;
  std::size_t offset, size;  // of 's' and 'p': the whole length
};

struct Format {
  std::vector<Field> fields;
  std::size_t size = 0;
  bool big_endian = false;
  bool native = true;  // sizes and order of this machine
};

std::size_t size_of_code(char code, bool native) {
  auto among = [code](std::string_view codes) { return codes.find(code) != codes.npos; };
  if (among("xcbB?sp")) return 1;
  if (among("hHe")) return 2;
  if (among("iIf")) return 4;
  if (among("lL")) return native ? 8 : 4;
  return among("qQd") || (native && among("nNP")) ? 8 : 0;
}

std::size_t read_count(std::string_view text, std::size_t& place) {
  std::size_t count = 0;
  for (; place < text.size() && std::isdigit(static_cast<unsigned char>(text[place])); ++place) {
    if (count > (std::size_t{1} << 40)) raise_struct("overflow in item count");
    count = count * 10 + static_cast<std::size_t>(text[place] - '0');
  }
  return count;
}

// Adds `count` fields of one code, aligned when the layout is native.
void add_fields(Format& format, char code, std::size_t count, bool aligned, std::size_t size) {
  if (aligned && code != 's' && code != 'p') format.size = (format.size + size - 1) / size * size;
  if (code == 's' || code == 'p') {
    format.fields.push_back({code, format.size, count});
    format.size += count;
    return;
  }
  if (code != 'x' && count > 100000000) raise(errors::MemoryError, "too many fields");
  for (std::size_t i = 0; code != 'x' && i < count; ++i)
    format.fields.push_back({code, format.size + i * size, size});
  format.size += count * size;
  if (format.size > (std::size_t{1} << 46)) raise_struct("total struct size too long");
}

Format parse_format(std::string_view text) {
  Format format;
  bool& native = format.native;
  bool aligned = true;
  std::size_t place = 0;
  if (!text.empty() && std::string_view("@=<>!").find(text[0]) != text.npos) {
    native = aligned = text[0] == '@';
    format.big_endian = text[0] == '>' || text[0] == '!';
    ++place;
  }
  while (place < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[place]))) {
      ++place;
      continue;
    }
    bool counted = std::isdigit(static_cast<unsigned char>(text[place]));
    std::size_t count = counted ? read_count(text, place) : 1;
    if (place == text.size()) raise_struct("repeat count given without format specifier");
    char code = text[place++];
    std::size_t size = size_of_code(code, native);
    if (size == 0) raise_struct("bad char in struct format");
    add_fields(format, code, count, aligned, size);
  }
  return format;
}

std::string_view format_text(const Value& value) {
  if (is_str(value)) return text_of(value);
  if (is_bytes(value)) return to_bytes(value);
  raise(errors::TypeError, "Struct() argument 1 must be a str or bytes object, not {}",
        type_name(value));
}

// The machine's own numbers have their least byte first.
void store(char* target, std::uint64_t bits, std::size_t size, bool big_endian) {
  if (big_endian) bits = __builtin_bswap64(bits) >> (64 - 8 * size);
  std::memcpy(target, &bits, size);
}

std::uint64_t load(const char* source, std::size_t size, bool big_endian) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, source, size);
  return big_endian ? __builtin_bswap64(bits) >> (64 - 8 * size) : bits;
}

bool is_signed(char code) { return code >= 'a' && code <= 'z'; }

// CPython reads a number as C's long, or as an unsigned one, before it looks at the format's range.
bool is_readable(const Field& field, const Integer& number, bool big_endian) {
  bool unsigned_long =
      !is_signed(field.code) && (field.size >= 4 || (field.size == 2 && big_endian));
  if (unsigned_long) return number >= 0 && number <= UINT64_MAX;
  return number >= INT64_MIN && number <= INT64_MAX;
}

[[noreturn]] void raise_range(const Field& field, const Integer& number, bool big_endian) {
  char code = field.code;
  std::size_t size = field.size;
  if (!is_readable(field, number, big_endian) || size == 8)
    raise_struct("{}",
                 size == 8 && big_endian ? "int too large to convert" : "argument out of range");
  std::uint64_t most = (std::uint64_t{1} << (8 * size - is_signed(code))) - 1;
  std::int64_t least = is_signed(code) ? -static_cast<std::int64_t>(most) - 1 : 0;
  std::string name = fmt::format("'{}'", code);
  if (size == 1) name = is_signed(code) ? "byte" : "ubyte";
  if (size == 2 && !big_endian) name = is_signed(code) ? "short" : "ushort";
  raise_struct("{} format requires {} <= number <= {}", name, least, most);
}

void pack_small(char* target, const Field& field, std::int64_t small, bool big_endian) {
  int bits = static_cast<int>(8 * field.size);
  bool fits = is_signed(field.code)
                  ? bits == 64 || (small >= -(std::int64_t{1} << (bits - 1)) &&
                                   small < (std::int64_t{1} << (bits - 1)))
                  : small >= 0 && (bits == 64 || small < (std::int64_t{1} << bits));
  if (!fits) raise_range(field, small, big_endian);
  store(target, static_cast<std::uint64_t>(small), field.size, big_endian);
}

void pack_integer(char* target, const Field& field, const Value& value, bool big_endian) {
  if (value.is_int()) return pack_small(target, field, value.as_int(), big_endian);
  if (!is_integer(value) && !type_of(value)->slots.to_index)
    raise_struct("required argument is not an integer");
  Value number = to_exact_int(value);
  if (number.is_int()) return pack_small(target, field, number.as_int(), big_endian);
  Integer large = to_integer(number);
  if (is_signed(field.code) || field.size < 8 || large < 0 || large > UINT64_MAX)
    raise_range(field, large, big_endian);
  store(target, static_cast<std::uint64_t>(large), 8, big_endian);
}

// A float beside the number, whose last bit is set where it is not exact: rounded once more, to a
// half, it gives what the number gives.
float rounded_to_odd(double number) {
  auto narrow = static_cast<float>(number);
  if (static_cast<double>(narrow) == number || std::isnan(number)) return narrow;
  auto bits = std::bit_cast<std::uint32_t>(narrow);
  if (std::fabs(static_cast<double>(narrow)) > std::fabs(number)) --bits;
  return std::bit_cast<float>(bits | 1u);
}

void pack_float(char* target, const Field& field, const Value& value, const Format& format) {
  if (!value.is_float() && !is_float(value) && !is_integer(value) &&
      !type_of(value)->slots.to_float)
    raise_struct("required argument is not a float");
  double number = value.is_float() ? value.as_float() : to_double(value);
  std::uint64_t bits;
  if (field.size == 8) {
    bits = std::bit_cast<std::uint64_t>(number);
  } else if (field.size == 4) {
    auto narrow = static_cast<float>(number);
    if (std::isinf(narrow) && std::isfinite(number) && !format.native)
      raise(errors::OverflowError, "float too large to pack with f format");
    bits = std::bit_cast<std::uint32_t>(narrow);
  } else {
    nd::Half half(rounded_to_odd(number));
    if (std::isfinite(number) && std::isinf(static_cast<float>(half)))
      raise(errors::OverflowError, "float too large to pack with e format");
    bits = half.bits;
  }
  store(target, bits, field.size, format.big_endian);
}

void pack_text(char* target, const Field& field, const Value& value) {
  if (!value.has_layout(Layout::kBytes) && !value.has_layout(Layout::kByteArray))
    raise_struct("argument for '{}' must be a bytes object", field.code);
  std::string_view bytes = to_bytes(value);
  std::size_t head = field.code == 'p' ? 1 : 0;
  if (field.size < head + 1) return;
  std::size_t size = std::min(bytes.size(), field.size - head);
  if (head) target[0] = static_cast<char>(std::min<std::size_t>(size, 255));
  std::memcpy(target + head, bytes.data(), size);
}

void pack_field(char* target, const Field& field, const Value& value, const Format& format) {
  switch (field.code) {
    case 's':
    case 'p':
      return pack_text(target, field, value);
    case 'c':
      if (!value.has_layout(Layout::kBytes) || to_bytes(value).size() != 1)
        raise_struct("char format requires a bytes object of length 1");
      target[0] = to_bytes(value)[0];
      return;
    case '?':
      target[0] = truth(value);
      return;
    case 'e':
    case 'f':
    case 'd':
      return pack_float(target, field, value, format);
    default:
      return pack_integer(target, field, value, format.big_endian);
  }
}

std::string pack(const Format& format, std::span<const Value> values, const char* function) {
  if (values.size() != format.fields.size())
    raise_struct("{} expected {} items for packing (got {})", function, format.fields.size(),
                 values.size());
  std::string bytes(format.size, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    pack_field(bytes.data() + format.fields[i].offset, format.fields[i], values[i], format);
  return bytes;
}

Value unpack_float(std::uint64_t bits, std::size_t size) {
  if (size == 8) return Value::real(std::bit_cast<double>(bits));
  if (size == 4) return Value::real(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return Value::real(nd::float_from_half(static_cast<std::uint16_t>(bits)));
}

Value unpack_integer(std::uint64_t bits, const Field& field) {
  if (!is_signed(field.code)) return from_uint64(bits);
  int shift = static_cast<int>(64 - 8 * field.size);
  return Value::integer(static_cast<std::int64_t>(bits << shift) >> shift);
}

Value unpack_field(const char* source, const Field& field, bool big_endian) {
  std::string_view text(source, field.size);
  switch (field.code) {
    case 's':
    case 'c':
      return make<Bytes>(std::string(text));
    case 'p': {
      if (text.empty()) return make<Bytes>("");
      std::size_t size = static_cast<unsigned char>(text[0]);
      return make<Bytes>(std::string(text.substr(1, size)));
    }
    case '?':
      return Value::boolean(source[0] != 0);
    case 'e':
    case 'f':
    case 'd':
      return unpack_float(load(source, field.size, big_endian), field.size);
    default:
      return unpack_integer(load(source, field.size, big_endian), field);
  }
}

Value unpack(const Format& format, const char* source) {
  Values values;
  values.reserve(format.fields.size());
  for (const Field& field : format.fields)
    values.push_back(unpack_field(source + field.offset, field, format.big_endian));
  return make_tuple(std::move(values));
}

Value unpack_exactly(const Format& format, const Value& buffer) {
  std::string_view bytes = to_bytes(buffer);
  if (bytes.size() == format.size) return unpack(format, bytes.data());
  raise_struct("unpack requires a buffer of {} bytes", format.size);
}

// An offset into a buffer, checked for room for the format.
std::size_t checked_offset(const Format& format, std::size_t buffer_size, const Value& given,
                           std::string_view function) {
  std::int64_t offset = to_int64(given), size = static_cast<std::int64_t>(buffer_size);
  auto needed = static_cast<std::int64_t>(format.size);
  bool unpacking = function == "unpack_from";
  if (offset < 0 && offset + needed > 0)
    raise_struct("{} {} bytes at offset {}",
                 unpacking ? "not enough data to unpack" : "no space to pack", needed, offset);
  if (offset < 0 && offset + size < 0)
    raise_struct("offset {} out of range for {}-byte buffer", offset, size);
  std::int64_t start = offset < 0 ? offset + size : offset;
  if (start > size || size - start < needed)
    raise_struct(
        "{} requires a buffer of at least {} bytes for {} {} bytes at offset {} "
        "(actual buffer size is {})",
        function, static_cast<std::uint64_t>(start) + format.size,
        unpacking ? "unpacking" : "packing", needed, start, size);
  return static_cast<std::size_t>(start);
}

Value unpack_from(const Format& format, const Value& buffer, const Value& offset) {
  std::string_view bytes = to_bytes(buffer);
  return unpack(format, bytes.data() + checked_offset(format, bytes.size(), offset, "unpack_from"));
}

Value pack_into(const Format& format, const Value& buffer, const Value& offset,
                std::span<const Value> values) {
  const BufferOffer* offer = find_buffer(buffer);
  if (!offer || !offer->describe(buffer).writable)
    raise(errors::TypeError, "pack_into() argument must be read-write bytes-like object, not {}",
          type_name(buffer));
  std::string packed = pack(format, values, "pack_into");
  std::size_t start =
      checked_offset(format, buffer_bytes(buffer, *offer).size(), offset, "pack_into");
  packed.copy(offer->place(buffer, true) + start, packed.size());
  return Value::none();
}

class UnpackIterator final : public Iterator {
 public:
  UnpackIterator(Format format, const Value& buffer)
      : Iterator(type()), format_(std::move(format)), buffer_(buffer) {}
  bool advance(Value& item) override {
    std::string_view bytes = to_bytes(buffer_);
    if (place_ + format_.size > bytes.size()) return false;
    item = unpack(format_, bytes.data() + place_);
    place_ += format_.size;
    return true;
  }
  std::int64_t remaining() const override {
    return static_cast<std::int64_t>((to_bytes(buffer_).size() - place_) / format_.size);
  }
  void traverse(Visitor& visitor) override { visitor.visit(buffer_); }
  void clear_references() override {}

 private:
  static Type* type() {
    static Type* type = make_iterator_type("unpack_iterator");
    return type;
  }
  Format format_;
  Value buffer_;
  std::size_t place_ = 0;
};

Value iterate_unpacking(const Format& format, const Value& buffer) {
  if (format.size == 0) raise_struct("cannot iteratively unpack with a struct of length 0");
  if (to_bytes(buffer).size() % format.size != 0)
    raise_struct("iterative unpacking requires a buffer of a multiple of {} bytes", format.size);
  return make<UnpackIterator>(format, buffer);
}

// struct.Struct: a format read once.
class Struct : public Object {
 public:
  Struct(Type* type) : Object(Layout::kOther, type) {}
  Format format;
  std::string text;
};

const Struct& struct_of(const Value& self) { return *self.as<Struct>(); }
const Format& own_format(const Parameters& p) { return struct_of(p[0]).format; }
std::span<const Value> rest(const Value& tuple) { return tuple.as<Tuple>()->items(); }
Value pack_as_bytes(const Format& format, const Value& values) {
  return make<Bytes>(pack(format, rest(values), "pack"));
}

const NativeRow kStructMethods[] = {
    {"pack(self, *values)",
     [](const Parameters& p) { return pack_as_bytes(own_format(p), p[1]); },
     "The values as bytes."},
    {"unpack(self, buffer, /)",
     [](const Parameters& p) { return unpack_exactly(own_format(p), p[1]); },
     "The bytes as values."},
    {"unpack_from(self, /, buffer, offset=0)",
     [](const Parameters& p) { return unpack_from(own_format(p), p[1], p[2]); },
     "The bytes at an offset as values."},
    {"pack_into(self, buffer, offset, /, *values)",
     [](const Parameters& p) { return pack_into(own_format(p), p[1], p[2], rest(p[3])); },
     "Writes the values into a buffer."},
    {"iter_unpack(self, buffer, /)",
     [](const Parameters& p) { return iterate_unpacking(own_format(p), p[1]); },
     "The values of each part of a buffer."},
};

const PropertyRow kStructProperties[] = {
    {"size",
     [](const Value& self) {
       return Value::integer(static_cast<std::int64_t>(struct_of(self).format.size));
     },
     nullptr, "The number of bytes."},
    {"format", [](const Value& self) { return Value(make_str(struct_of(self).text)); }, nullptr,
     "The format."},
};

Type& struct_type() {
  static Type& type = *[] {
    Type& made = make_module_type("Struct", "_struct");
    made.set(Type::kSubclassable);
    made.add(kStructMethods);
    made.add(kStructProperties);
    made.slots.construct = [](Type* cls, const Arguments&) {
      return Value(make_instance<Struct>(cls));
    };
    made.slots.initialize = [](const Value& self, const Arguments& arguments) {
      static const Signature signature("Struct(format)");
      Value slots[1];
      bind_constructor(signature, arguments, slots);
      auto* object = self.as<Struct>();
      object->text = format_text(slots[0]);
      object->format = parse_format(object->text);
    };
    return &made;
  }();
  return type;
}

// The format that a function is given first; what was read lately is not read again.
std::shared_ptr<const Format> format_argument(const Parameters& p) {
  constexpr std::size_t kMostKept = 100;
  static thread_local std::map<std::string, std::shared_ptr<const Format>, std::less<>> known;
  std::string_view text = format_text(p[0]);
  if (auto found = known.find(text); found != known.end()) return found->second;
  auto made = std::make_shared<const Format>(parse_format(text));
  if (known.size() == kMostKept) known.clear();
  known.emplace(text, made);
  return made;
}

Value pack_values(const Parameters& p) { return pack_as_bytes(*format_argument(p), p[1]); }
Value size_in_bytes(const Parameters& p) {
  return Value::integer(static_cast<std::int64_t>(format_argument(p)->size));
}

const NativeRow kFunctions[] = {
    {"pack(format, /, *values)", pack_values, "The values as bytes."},
    {"unpack(format, buffer, /)",
     [](const Parameters& p) { return unpack_exactly(*format_argument(p), p[1]); },
     "The bytes as values."},
    {"unpack_from(format, /, buffer, offset=0)",
     [](const Parameters& p) { return unpack_from(*format_argument(p), p[1], p[2]); },
     "The bytes at an offset as values."},
    {"pack_into(format, buffer, offset, /, *values)",
     [](const Parameters& p) { return pack_into(*format_argument(p), p[1], p[2], rest(p[3])); },
     "Writes the values into a buffer."},
    {"iter_unpack(format, buffer, /)",
     [](const Parameters& p) { return iterate_unpacking(*format_argument(p), p[1]); },
     "The values of each part of a buffer."},
    {"calcsize(format, /)", size_in_bytes, "The number of bytes of a format."},
};

const ConstantRow kConstants[] = {
    {"Struct", [] { return Value(&struct_type()); }},
    {"error", [] { return Value(&struct_error()); }},
};

}  // namespace

const NativeModule kStructModule = {"struct", "Numbers packed into bytes.", kFunctions, kConstants};

}  // namespace strider::lang
