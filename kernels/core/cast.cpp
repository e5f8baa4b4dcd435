// The cast loops: one per pair of element types.
#include <cstring>

#include "kernels/core/convert.h"
#include "kernels/core/copy.h"

namespace strider::nd {
namespace {

template <class From, class To>
void cast_row(const std::byte* source, std::int64_t source_step, std::byte* target,
              std::int64_t target_step, std::int64_t count) {
  if (source_step == sizeof(From) && target_step == sizeof(To)) {
    auto* in = reinterpret_cast<const From*>(source);
    auto* out = reinterpret_cast<To*>(target);
    for (std::int64_t i = 0; i < count; ++i) out[i] = convert<To>(in[i]);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    From value = *reinterpret_cast<const From*>(source + i * source_step);
    *reinterpret_cast<To*>(target + i * target_step) = convert<To>(value);
  }
}

// Loops of one type to itself keep the bits: a bool stays a byte.
template <class T>
void copy_row(const std::byte* source, std::int64_t source_step, std::byte* target,
              std::int64_t target_step, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(target + i * target_step, source + i * source_step, sizeof(T));
  }
}

template <class From, class To>
constexpr CastLoop pick() {
  if constexpr (std::is_same_v<From, To>)
    return copy_row<From>;
  else
    return cast_row<From, To>;
}

struct CastRow {
  CastLoop to[kDTypeCount];
};

template <class From>
constexpr CastRow casts_from() {
  return {{
#define DTYPE(id, type, name, kind, code, category) pick<From, type>(),
#include "kernels/table/dtypes.def"
  }};
}

constexpr CastRow kCasts[kDTypeCount] = {
#define DTYPE(id, type, name, kind, code, category) casts_from<type>(),
#include "kernels/table/dtypes.def"
};

}  // namespace

CastLoop cast_loop(DType from, DType to) {
  return kCasts[static_cast<int>(from)].to[static_cast<int>(to)];
}

bool cast_may_raise(DType from, DType to) {
  if (to == DType::kBool) return false;
  if (is_inexact(from) && !is_inexact(to)) return true;
  if (to == DType::kFloat16) return from != DType::kFloat16;
  return is_inexact(from) && item_size(real_of(to)) < item_size(real_of(from));
}

}  // namespace strider::nd
