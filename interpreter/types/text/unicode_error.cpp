// The messages of Unicode errors, made from (encoding, object, start, end, reason).
#include "interpreter/types/text/unicode_error.h"

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

template <std::size_t index>
Value argument(const Value& self) {
  const Tuple& args = *self.as<Exception>()->args;
  return index < args.size() ? args[index] : Value::none();
}

std::string escaped(char32_t code) {
  const char* pattern = code < 0x100 ? "\\x{:02x}" : code < 0x10000 ? "\\u{:04x}" : "\\U{:08x}";
  return fmt::format(fmt::runtime(pattern), static_cast<std::uint32_t>(code));
}

// What could not be converted: "character '\xe9' in position 0" or "bytes in position 1-3".
std::string culprit(const Value& object, std::int64_t start, std::int64_t end) {
  bool text = is_str(object);
  const char* what = text ? "character" : "byte";
  std::int64_t size =
      text ? object.as<Str>()->size() : static_cast<std::int64_t>(to_bytes(object).size());
  if (end != start + 1 || start < 0 || start >= size)
    return fmt::format("{}s in position {}-{}", what, start, end - 1);
  if (!text) {
    auto byte = static_cast<unsigned char>(to_bytes(object)[static_cast<std::size_t>(start)]);
    return fmt::format("byte 0x{:02x} in position {}", byte, start);
  }
  std::size_t offset = object.as<Str>()->offset(start);
  char32_t code = decode_code_point(text_of(object), offset);
  return fmt::format("character '{}' in position {}", escaped(code), start);
}

Value coding_str(const Value& self) {
  const Tuple& args = *self.as<Exception>()->args;
  bool usable = args.size() == 5 && (is_str(args[1]) || is_bytes_like(args[1])) &&
                args[2].is_int() && args[3].is_int() && args[2].as_int() >= 0 &&
                args[2].as_int() < length(args[1]);
  if (!usable) return errors::ValueError().slots.str(self);
  bool encoding = is_instance(self, errors::UnicodeEncodeError());
  return make_str(
      fmt::format("'{}' codec can't {} {}: {}", str_text(args[0]), encoding ? "encode" : "decode",
                  culprit(args[1], args[2].as_int(), args[3].as_int()), str_text(args[4])));
}

Value translate_str(const Value& self) {
  const Tuple& args = *self.as<Exception>()->args;
  bool usable = args.size() == 4 && is_str(args[0]) && args[1].is_int() && args[2].is_int();
  if (!usable) return errors::ValueError().slots.str(self);
  return make_str(fmt::format("can't translate {}: {}",
                              culprit(args[0], args[1].as_int(), args[2].as_int()),
                              str_text(args[3])));
}

// Checks arguments: U a text, B bytes, n a number.
void check_arguments(const Value& self, const Arguments& arguments, std::string_view kinds) {
  if (arguments.keyword_count)
    raise(errors::TypeError, "{}() takes no keyword arguments", type_name(self));
  if (arguments.count != kinds.size())
    raise(errors::TypeError, "function takes exactly {} arguments ({} given)", kinds.size(),
          arguments.count);
  for (std::size_t index = 0; index < kinds.size(); ++index) {
    const Value& given = arguments.values[index];
    if (kinds[index] == 'U' && !is_str(given))
      raise(errors::TypeError, "argument {} must be str, not {}", index + 1,
            given.is_none() ? "None" : type_name(given));
    if (kinds[index] == 'B' && !is_bytes_like(given))
      raise(errors::TypeError, "a bytes-like object is required, not '{}'", type_name(given));
    if (kinds[index] == 'n') to_int64(given);
  }
}

template <char kObject>
void coding_initialize(const Value& self, const Arguments& arguments) {
  constexpr char kKinds[] = {'U', kObject, 'n', 'n', 'U'};
  errors::ValueError().slots.initialize(self, arguments);
  check_arguments(self, arguments, std::string_view(kKinds, 5));
}

void translate_initialize(const Value& self, const Arguments& arguments) {
  errors::ValueError().slots.initialize(self, arguments);
  check_arguments(self, arguments, "UnnU");
}

template <std::size_t kIndex>
void set_argument(const Value& self, const Value& value) {
  Exception& error = *self.as<Exception>();
  std::span<const Value> old = error.args->items();
  Values changed(old.begin(), old.end());
  if (kIndex < changed.size() && !value.is_empty()) changed[kIndex] = value;
  error.args = make_tuple(std::move(changed));
}

template <std::size_t kIndex>
void set_place(const Value& self, const Value& value) {
  if (!value.is_int()) raise(errors::TypeError, "an integer is required");
  set_argument<kIndex>(self, value);
}

constexpr PropertyRow kAttributes[] = {
    {"encoding", argument<0>, set_argument<0>, "The encoding."},
    {"object", argument<1>, set_argument<1>, "What was to be converted."},
    {"start", argument<2>, set_place<2>, "The index of the first bad item."},
    {"end", argument<3>, set_place<3>, "The index after the last bad item."},
    {"reason", argument<4>, set_argument<4>, "Why it could not be converted."},
};

constexpr PropertyRow kTranslateAttributes[] = {
    {"object", argument<0>, set_argument<0>, "What was to be translated."},
    {"start", argument<1>, set_place<1>, "The index of the first bad item."},
    {"end", argument<2>, set_place<2>, "The index after the last bad item."},
    {"reason", argument<3>, set_argument<3>, "Why it could not be translated."},
};

}  // namespace

void set_up_unicode_error(Type& type) {
  bool translates = type.name() == "UnicodeTranslateError";
  if (translates) {
    type.slots.str = translate_str;
    type.slots.initialize = translate_initialize;
    type.add(kTranslateAttributes);
  } else if (type.name() == "UnicodeEncodeError" || type.name() == "UnicodeDecodeError") {
    bool encodes = type.name() == "UnicodeEncodeError";
    type.slots.str = coding_str;
    type.slots.initialize = encodes ? coding_initialize<'U'> : coding_initialize<'B'>;
    type.add(kAttributes);
  }
}

}  // namespace strider::lang
