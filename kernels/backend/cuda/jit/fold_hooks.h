// What text/totals.h leaves to a fold: whether its combinations are watched, and whether its
// results are kept for later loops of a pass.
#pragma once

#include <string_view>

namespace strider::nd::cuda {

// What a combination raises, where somebody wants to hear.
inline constexpr std::string_view kNote = R"(template <class T>
inline bool may_raise(T result) {
  return is_odd<0>(result);
}
template <class T>
inline void note_combination(T x, T y, T result, Seen& seen) {
  if (may_raise(result)) {
    note_fold(seen, find_conditions<Row<kFoldOp>, kFoldOp, Conditions::kHardware>(x, y, result));
  }
}
template <class T>
inline void note_rounding(T value, Element result, Seen& seen) {
  if constexpr (std::is_same_v<Element, Half>) {
    if (may_raise(result)) note_fold(seen, narrowing(value));
  }
}
)";
inline constexpr std::string_view kNoNote = R"(template <class T>
inline bool may_raise(T) {
  return false;
}
template <class T>
inline void note_combination(T, T, T, Seen&) {}
template <class T>
inline void note_rounding(T, Element, Seen&) {}
)";

// A result that later loops of a pass read is in shared memory, too.
inline constexpr std::string_view kKeep = R"(template <class T>
inline void keep_result(const Arguments& a, T value) {
  store<T>(row_memory(a.row_bytes) + a.fold_slot, value);
}
)";
inline constexpr std::string_view kNoKeep = R"(template <class T>
inline void keep_result(const Arguments&, T) {}
)";

}  // namespace strider::nd::cuda
