// Sizes by layout; tables are as large as CPython would have made them for as many items.
#include "interpreter/runtime/type/object_size.h"

#include <algorithm>
#include <bit>

#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kHead = 16, kPointer = 8, kCollectorHead = 16;

// Digits of 30 bits behind a head with their number.
std::int64_t integer_size(const Value& value) {
  std::int64_t digits = (bit_length(exact_int(value)) + 29) / 30;
  return 24 + 4 * std::max<std::int64_t>(1, digits);
}

// One, two or four bytes for each code point, as the widest needs, and one to end them.
std::int64_t text_size(const Str& text) {
  if (text.is_ascii()) return 49 + text.size();
  unsigned char widest = 0;  // the first byte of its UTF-8
  for (char byte : text.text()) widest = std::max(widest, static_cast<unsigned char>(byte));
  std::int64_t width = widest < 0xc4 ? 1 : widest < 0xf0 ? 2 : 4;
  return (width == 1 ? 73 : width == 2 ? 74 : 76) + width * text.size();
}

// Room is made for an eighth more than a list that grows item by item needs; one that was made at
// once has none left over.
std::int64_t list_room(const Values& items) {
  auto count = static_cast<std::int64_t>(items.size());
  auto room = static_cast<std::int64_t>(items.capacity());
  if (room == count || static_cast<std::size_t>(room) == even_room(items.size())) return room;
  std::int64_t grown = 0;
  while (grown < count) grown = (grown + 1 + ((grown + 1) >> 3) + 6) & ~std::int64_t{3};
  return grown;
}

// A table of which two thirds are used: indices as wide as it needs, and entries, without hashes
// where all keys are texts.
std::int64_t dict_size(const Dict& dict) {
  if (dict.size() == 0) return 48;
  bool texts =
      std::all_of(dict.entries().begin(), dict.entries().end(), [](const Dict::Entry& entry) {
        return entry.key.is_empty() || entry.key.has_layout(Layout::kStr);
      });
  std::int64_t slots = 8;
  while (2 * slots / 3 < static_cast<std::int64_t>(dict.size())) slots *= 2;
  std::int64_t width = slots <= 128 ? 1 : slots <= 65536 ? 2 : 4;
  return 48 + 32 + slots * width + 2 * slots / 3 * (texts ? 16 : 24);
}

std::int64_t set_size(const Set& set) {
  auto slots = static_cast<std::int64_t>(set.entries().size());
  return 200 + (slots > 8 ? slots * 16 : 0);
}

// Slots, and weak references of those that have a dict, too, which lies before the object.
std::int64_t instance_size(const Value& value) {
  std::int64_t slots = 0;
  for (Type* type : type_of(value)->mro())
    if (const Value* names = type->own(intern("__slots__")))
      slots += names->has_layout(Layout::kStr) ? 1 : static_cast<std::int64_t>(length(*names));
  bool plain = type_of(value)->has(Type::kSlotsOnly);
  return kHead + slots * kPointer + (plain ? 0 : kPointer);
}

bool is_plain_object(const Value& value) { return type_of(value) == &Type::object_type(); }

std::int64_t size_by_layout(const Value& value) {
  switch (value.object()->layout()) {
    case Layout::kStr:
      return text_size(*value.as<Str>());
    case Layout::kBytes:
      return 33 + static_cast<std::int64_t>(value.as<Bytes>()->bytes().size());
    case Layout::kByteArray: {
      auto size = static_cast<std::int64_t>(value.as<ByteArray>()->bytes.size());
      return 56 + (size ? size + 1 : 0);
    }
    case Layout::kBigInt:
    case Layout::kIntBox:
      return integer_size(value);
    case Layout::kTuple:
      return 24 + kPointer * static_cast<std::int64_t>(value.as<Tuple>()->items().size());
    case Layout::kList:
      return 40 + kPointer * list_room(value.as<List>()->items);
    case Layout::kDict:
      return dict_size(*value.as<Dict>());
    case Layout::kSet:
    case Layout::kFrozenSet:
      return set_size(*value.as<Set>());
    case Layout::kInstance:
      return instance_size(value);
    case Layout::kFloatBox:
      return 24;
    case Layout::kComplex:
      return 32;
    case Layout::kSlice:
      return 40;
    case Layout::kFunction:
      return 136;
    case Layout::kGenerator:
      return 184;
    case Layout::kType:
      return value.as<Type>()->has(Type::kUserDefined) ? 1672 : 424;
    case Layout::kException:
      return 72;
    case Layout::kIterator:
      return 32;
    case Layout::kNativeFunction:
    case Layout::kModule:
      return 56;
    default:
      return 48;
  }
}

}  // namespace

std::int64_t object_size(const Value& value) {
  if (value.is_bool()) return 28;
  if (value.is_int()) return integer_size(value);
  if (value.is_float()) return 24;
  if (!value.is_object() || is_plain_object(value)) return kHead;
  return size_by_layout(value);
}

std::int64_t collector_head(const Value& value) {
  if (!value.is_object() || is_plain_object(value)) return 0;
  switch (value.object()->layout()) {
    case Layout::kStr:
    case Layout::kBytes:
    case Layout::kByteArray:
    case Layout::kBigInt:
    case Layout::kIntBox:
    case Layout::kFloatBox:
    case Layout::kComplex:
    case Layout::kRange:
    case Layout::kArray:
    case Layout::kNumpyScalar:
    case Layout::kDType:
    case Layout::kUfunc:
      return 0;
    case Layout::kType:
      return value.as<Type>()->has(Type::kUserDefined) ? kCollectorHead : 0;
    case Layout::kInstance:
      return type_of(value)->has(Type::kSlotsOnly) ? kCollectorHead : 2 * kCollectorHead;
    default:
      return kCollectorHead;
  }
}

}  // namespace strider::lang
