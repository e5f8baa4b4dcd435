// DType: the element types and their facts, derived from dtypes.def.
#pragma once

#include <strider/nd/half.h>

#include <complex>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace strider::nd {

enum class DType : std::uint8_t {
#define DTYPE(id, type, name, kind, code, category) id,
#include "kernels/table/dtypes.def"
};
inline constexpr int kDTypeCount = 14;

enum class Category : std::uint8_t { kBoolean, kUnsigned, kSigned, kFloating, kComplex };

struct DTypeFacts {
  std::string_view name;  // "float64"
  char kind;              // 'f'
  char code;              // 'd'
  std::uint8_t item_size;
  Category category;
};
extern const DTypeFacts kDTypeFacts[kDTypeCount];
inline const DTypeFacts& facts(DType dtype) { return kDTypeFacts[static_cast<int>(dtype)]; }

inline std::string_view name(DType dtype) { return facts(dtype).name; }
inline int item_size(DType dtype) { return facts(dtype).item_size; }
inline Category category(DType dtype) { return facts(dtype).category; }
inline bool is_integer(DType d) {
  return category(d) == Category::kSigned || category(d) == Category::kUnsigned;
}
inline bool is_floating(DType d) { return category(d) == Category::kFloating; }
inline bool is_complex(DType d) { return category(d) == Category::kComplex; }
inline bool is_inexact(DType d) { return category(d) >= Category::kFloating; }

// The real type that holds the parts of a complex one (float64 for complex128); others are
// themselves.
DType real_of(DType dtype);
// The complex type whose parts hold `dtype` (complex64 up to float32, else complex128).
DType complex_of(DType dtype);

// Reads a NumPy type name or code: "float64", "f8", "<i4", "d", "?", "int", "single"…; none if
// unknown. `swapped` is set when the text asks for the other byte order ('>' on this machine).
std::optional<DType> parse_dtype(std::string_view text, bool* swapped = nullptr);

// The type both convert to without loss of kind (numpy.promote_types).
DType promote(DType a, DType b);

// numpy.can_cast's rules, from strictest to loosest.
enum class Casting : std::uint8_t { kNo, kEquiv, kSafe, kSameKind, kUnsafe };
bool can_cast(DType from, DType to, Casting casting);

template <DType kType>
struct CType;
template <class T>
struct DTypeOf;
#define DTYPE(id, ctype, name, kind, code, category) \
  template <>                                        \
  struct CType<DType::id> {                          \
    using Type = ctype;                              \
  };                                                 \
  template <>                                        \
  struct DTypeOf<ctype> {                            \
    static constexpr DType value = DType::id;        \
  };
#include "kernels/table/dtypes.def"
template <class T>
inline constexpr DType dtype_of = DTypeOf<std::remove_cv_t<T>>::value;

// Calls f(T{}) with the C++ type of `dtype`: one switch for every typed loop.
template <class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  switch (dtype) {
#define DTYPE(id, type, name, kind, code, category) \
  case DType::id:                                   \
    return f(type{});
#include "kernels/table/dtypes.def"
  }
  __builtin_unreachable();
}

}  // namespace strider::nd
