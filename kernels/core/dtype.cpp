// The facts of element types: promotion, safe casts, names.
#include <strider/nd/dtype.h>

#include <array>
#include <bit>

namespace strider::nd {

constexpr DTypeFacts kDTypeFacts[kDTypeCount] = {
#define DTYPE(id, type, name, kind, code, category) \
  {name, kind, code, sizeof(type), Category::category},
#include "kernels/table/dtypes.def"
};

namespace {

// numpy.promote_types, by type characters: row and column in the order ?bBhHiIlLefdFD.
constexpr std::string_view kPromotion[kDTypeCount] = {
    "?bBhHiIlLefdFD",  // ?
    "bbhhiilldefdFD",  // b
    "BhBhHiIlLefdFD",  // B
    "hhhhiilldffdFD",  // h
    "HiHiHiIlLffdFD",  // H
    "iiiiiillddddDD",  // i
    "IlIlIlIlLdddDD",  // I
    "llllllllddddDD",  // l
    "LdLdLdLdLdddDD",  // L
    "eeeffddddefdFD",  // e
    "fffffddddffdFD",  // f
    "ddddddddddddDD",  // d
    "FFFFFDDDDFFDFD",  // F
    "DDDDDDDDDDDDDD",  // D
};

std::optional<DType> from_code(char code) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kDTypeFacts[i].code == code) return static_cast<DType>(i);
  }
  switch (code) {
    case 'n':
    case 'p':
    case 'q':
      return DType::kInt64;
    case 'N':
    case 'P':
    case 'Q':
      return DType::kUInt64;
    case 'g':  // as where C's long double is its double
      return DType::kFloat64;
    case 'G':
      return DType::kComplex128;
    default:
      return std::nullopt;
  }
}

struct Alias {
  std::string_view text;
  DType dtype;
};

constexpr Alias kAliases[] = {
    {"bool_", DType::kBool},
    {"int", DType::kInt64},
    {"int_", DType::kInt64},
    {"uint", DType::kUInt64},
    {"intp", DType::kInt64},
    {"uintp", DType::kUInt64},
    {"byte", DType::kInt8},
    {"ubyte", DType::kUInt8},
    {"short", DType::kInt16},
    {"ushort", DType::kUInt16},
    {"intc", DType::kInt32},
    {"uintc", DType::kUInt32},
    {"long", DType::kInt64},
    {"ulong", DType::kUInt64},
    {"longlong", DType::kInt64},
    {"ulonglong", DType::kUInt64},
    {"half", DType::kFloat16},
    {"single", DType::kFloat32},
    {"float", DType::kFloat64},
    {"double", DType::kFloat64},
    {"csingle", DType::kComplex64},
    {"complex", DType::kComplex128},
    {"cdouble", DType::kComplex128},
    {"longdouble", DType::kFloat64},
    {"clongdouble", DType::kComplex128},
};

// "f8": a kind and a size in bytes.
std::optional<DType> from_kind_and_size(std::string_view text) {
  int size = 0;
  for (char digit : text.substr(1)) {
    if (digit < '0' || digit > '9' || size > 16) return std::nullopt;
    size = size * 10 + (digit - '0');
  }
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kDTypeFacts[i].kind == text[0] && kDTypeFacts[i].item_size == size)
      return static_cast<DType>(i);
  }
  return std::nullopt;
}

}  // namespace

DType real_of(DType dtype) {
  if (dtype == DType::kComplex64) return DType::kFloat32;
  if (dtype == DType::kComplex128) return DType::kFloat64;
  return dtype;
}

DType complex_of(DType dtype) { return promote(dtype, DType::kComplex64); }

std::optional<DType> parse_dtype(std::string_view text, bool* swapped) {
  if (swapped) *swapped = false;
  if (text.size() == 2 && text[1] >= '0' && text[1] <= '9') return from_kind_and_size(text);
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kDTypeFacts[i].name == text) return static_cast<DType>(i);
  }
  for (const Alias& alias : kAliases) {
    if (alias.text == text) return alias.dtype;
  }
  bool other_order = false;
  if (!text.empty() && std::string_view("<>=|").find(text[0]) != std::string_view::npos) {
    other_order = text[0] == '>';
    text.remove_prefix(1);
  }
  if (text.empty()) return std::nullopt;
  std::optional<DType> found = text.size() == 1 ? from_code(text[0]) : from_kind_and_size(text);
  if (found && swapped) *swapped = other_order && item_size(*found) > 1;
  return found;
}

DType promote(DType a, DType b) {
  static const auto& table = *[] {
    auto* made = new std::array<std::array<DType, kDTypeCount>, kDTypeCount>;
    for (std::size_t i = 0; i < kDTypeCount; ++i)
      for (std::size_t j = 0; j < kDTypeCount; ++j) (*made)[i][j] = *from_code(kPromotion[i][j]);
    return made;
  }();
  return table[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

bool can_cast(DType from, DType to, Casting casting) {
  switch (casting) {
    case Casting::kNo:
    case Casting::kEquiv:
      return from == to;
    case Casting::kSafe:
      return promote(from, to) == to;
    case Casting::kSameKind:
      return category(from) <= category(to) || promote(from, to) == to;
    default:
      return true;
  }
}

}  // namespace strider::nd
