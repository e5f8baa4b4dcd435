// What folds, sums and scans share: elements, their combination, the end of a result. Stands behind
// the loop's own functions; Element, kFoldOp, kFinds, kFromFirst and
// note_combination are the loop's.
#pragma once

namespace strider::nd::device {

// What is combined until the end: halves as floats; what a search has found.
template <class T>
struct Found {
  T value;
  Index place;
};
using Number = Compute<Element>;
using Total = std::conditional_t<kFinds, Found<Number>, Number>;

// Combines two numbers and notes what that raises.
template <class T>
inline T combine(T x, T y, Seen& seen) {
  T result;
  if constexpr (kFoldOp == Op::kMultiply)
    result = multiply_plainly(x, y);
  else
    result = static_cast<T>(Row<kFoldOp>::first(x, y, x));
  note_combination(x, y, result, seen);
  return result;
}

// The first of the extremes; NaN is extreme.
template <class T>
inline Found<T> combine(Found<T> x, Found<T> y, Seen&) {
  bool earlier = y.place < x.place;
  if (is_nan(x.value)) return is_nan(y.value) && earlier ? y : x;
  if (is_nan(y.value)) return y;
  bool wins = kFoldOp == Op::kMaximum ? less(x.value, y.value) : less(y.value, x.value);
  bool loses = kFoldOp == Op::kMaximum ? less(y.value, x.value) : less(x.value, y.value);
  return wins || (!loses && earlier) ? y : x;
}

// One element: the loop's steps at a point, with the outputs that are written there.
inline Element element(const Arguments& a, Index point, Seen&, bool writes = true) {
  const Place p = place(a, point);
  Inputs x;
  read(a, p, x);
  const Outputs results = compute(a, p, x);
  if (writes) write(a, p, results);
  return results.folded;
}

template <class T>
inline void set_total(T& total, T value, Index) {
  total = value;
}
template <class T>
inline void set_total(Found<T>& total, T value, Index place) {
  total.value = value;
  total.place = place;
}
inline Total total_at(const Arguments& a, Index base, Index position, Seen& seen) {
  Total total;
  set_total(total, load_as<Number>(element(a, base + fold_offset(a, position), seen)), position);
  return total;
}

// A result from all that was combined for it.
template <class T>
inline void finish(const Arguments& a, Index result, T total, bool any, Seen& seen) {
  T value = load_as<T>(a.start);
  if (any) value = kFromFirst ? total : combine(value, total, seen);
  store<Element>(a.out + result * sizeof(Element), static_cast<Element>(value));
}
template <class T>
inline void finish(const Arguments& a, Index result, Found<T> total, bool, Seen&) {
  store<std::int64_t>(a.out + result * sizeof(std::int64_t), total.place);
}

// Memory that the threads of a block share.
inline Total* shared_totals() {
  alignas(16) __shared__ char bytes[256 * sizeof(Total)];
  return reinterpret_cast<Total*>(bytes);
}

// Joins the totals of neighbouring lanes (a power of two of them), of which the first `count` have
// one, into the first lane's.
inline void join_lanes(Total& total, unsigned lanes, Index count, Seen& seen) {
  Total* shared = shared_totals();
  const unsigned lane = threadIdx.x & (lanes - 1);
  for (unsigned half = lanes / 2; half > 0; half /= 2) {
    __syncthreads();
    shared[threadIdx.x] = total;
    __syncthreads();
    if (lane < half && lane + half < count) {
      total = combine(total, shared[threadIdx.x + half], seen);
    }
  }
}

}  // namespace strider::nd::device
