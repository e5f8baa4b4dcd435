// What folds, sums and scans share: elements, their combination, the end of a result. Stands behind
// the loop's own functions; Element, kFoldOp, kFinds (the result is a place), kPlaced (totals have
// places), kFromFirst, kAsTheyAre (elements are what is read), kBlockThreads, note_combination and
// keep_result are the loop's.
#pragma once

namespace strider::nd::device {

// What is combined until the end: halves as floats; what was found, and where.
template <class T>
struct Found {
  T value;
  Index place;
};
using Number = Compute<Element>;
using Total = std::conditional_t<kPlaced, Found<Number>, Number>;

// Combines two numbers.
template <class T>
inline T combine_plainly(T x, T y) {
  if constexpr (kFoldOp == Op::kMultiply)
    return multiply_plainly(x, y);
  else
    return static_cast<T>(Row<kFoldOp>::first(x, y, x));
}

// The same, and notes what that raises.
template <class T>
inline T combine(T x, T y, Seen& seen) {
  const T result = combine_plainly(x, y);
  note_combination(x, y, result, seen);
  return result;
}

// A number as results have it, and what rounding raises.
template <class T>
inline Element round_to_element(T value, Seen& seen) {
  const Element result = static_cast<Element>(value);
  note_rounding(value, result, seen);
  return result;
}

// Whether y is more extreme than x; NaN is the most extreme.
template <class T>
inline bool beats(T y, T x) {
  const bool ahead = kFoldOp == Op::kMaximum ? !less_equal(y, x) : !less_equal(x, y);
  return ahead & !is_nan(x);
}
// The first of the extremes.
template <class T>
inline Found<T> combine(Found<T> x, Found<T> y, Seen&) {
  const bool wins = beats(y.value, x.value), loses = beats(x.value, y.value);
  return wins | (!loses & (y.place < x.place)) ? y : x;
}
// The same of elements of a fold, where y comes later. Which of the extreme zeros a fold of floats
// has is free.
template <class T>
inline T combine_later(T x, T y, Seen& seen) {
  constexpr bool kFloats = std::is_same_v<Element, float>;
  if constexpr (kFloats && kFoldOp == Op::kMaximum)
    return larger(x, y);
  else if constexpr (kFloats && kFoldOp == Op::kMinimum)
    return smaller(x, y);
  else
    return combine(x, y, seen);
}
// The same in any order.
template <class T>
inline T combine_unordered(T x, T y, Seen& seen) {
  return combine_later(x, y, seen);
}
template <class T>
inline Found<T> combine_unordered(Found<T> x, Found<T> y, Seen& seen) {
  return combine(x, y, seen);
}
template <class T>
inline Found<T> combine_later(Found<T> x, Found<T> y, Seen&) {
  const bool wins = beats(y.value, x.value);
  return {wins ? y.value : x.value, wins ? y.place : x.place};
}

// One element: the loop's steps at a point, with the outputs that are written there.
inline Element element(const Arguments& a, Point point, Seen&, bool writes = true) {
  const Place p = place(a, point);
  Inputs x;
  read_still(a, p, x);
  read(a, p, x);
  bool odd = false;
  Outputs results = compute(a, x, odd);
  settle(a, p, odd, results);
  if (writes) write(a, p, results);
  return results.folded;
}

// Where an element of a result is among its others. Signed, so that what is constant of a sum of
// them can become part of an address; far fewer than 2³¹ where it has 32 bits.
using Position = std::conditional_t<kNear || sizeof(Index) == 4, int, long>;

// The point so many further along the last axis.
inline Index further(Index point, Position points) {
  return static_cast<Index>(static_cast<Position>(point) + points);
}
template <class P>
inline P further(P point, Position points) {
  return point + points;
}

template <unsigned kCount, bool kWhole>
struct Batch {
  Element values[kCount];
};
// The places in a batch that have an element, where `left` positions, so far apart, are before the
// end.
template <unsigned kCount, bool kWhole, class Use>
inline void each_place(const Batch<kCount, kWhole>&, Position step, Position left, Use use) {
#pragma unroll
  for (Position i = 0; i < Position(kCount); ++i) {
    if (kWhole || i == 0 || i * step < left) use(i);
  }
}

// The elements at `first`, `first` + `step`, …, all of them read before the first is computed, so
// that they are under way together; `point(position)` is where one is. Of a batch that is not
// whole, only those before `end`; the first is. What there is not is computed of `still` as it is.
// `raises(batch)` tells whether to look for conditions, before anything is written.
template <unsigned kCount, bool kWhole, class Where, class Raises>
inline Batch<kCount, kWhole> take_batch(const Arguments& a, const Inputs& still, Position first,
                                        Position step, Position end, Where point, Raises raises) {
  const Position left = end - first;
  const auto has = [&](Position i) { return kWhole || (kNear && i == 0) || i * step < left; };
  const auto place_of = [&](Position i) { return place(a, point(first + i * step)); };
  Inputs inputs[kCount];
  Outputs results[kCount];
#pragma unroll
  for (Position i = 0; i < Position(kCount); ++i) {
    inputs[i] = still;
    if (has(i)) read(a, place_of(i), inputs[i]);
  }
  bool odd = false;
  Batch<kCount, kWhole> batch;
#pragma unroll
  for (Position i = 0; i < Position(kCount); ++i) {
    bool meets = false;
    results[i] = compute(a, inputs[i], meets);
    odd |= meets & has(i);
    batch.values[i] = results[i].folded;
  }
  odd |= raises(batch);
  if (odd) {
#pragma unroll 1
    for (Position i = 0; i < Position(kCount); ++i) {
      Outputs same;  // folds take no quick steps
      if (has(i)) settle(a, place_of(i), true, same);
    }
  }
#pragma unroll
  for (Position i = 0; i < Position(kCount); ++i) {
    if (has(i)) write(a, place_of(i), results[i]);
  }
  return batch;
}
template <unsigned kCount, bool kWhole, class Where>
inline Batch<kCount, kWhole> take_batch(const Arguments& a, const Inputs& still, Position first,
                                        Position step, Position end, Where point) {
  return take_batch<kCount, kWhole>(a, still, first, step, end, point,
                                    [](const auto&) { return false; });
}

// Rows of a pass that few lanes share may be shorter than a batch.
inline constexpr bool kLongRows = !kNear || kBlockThreads > 8;

// Hands out the elements at `begin`, `begin` + `step`, … before `end`, in order, to
// `use(batch, first position)`. In a pass lanes begin side by side, and take whole batches
// together.
template <class Where, class Use>
inline void each_batch(const Arguments& a, Point base, Position begin, Position end, Position step,
                       Where point, Use use) {
  constexpr unsigned kRest = kNear && kLongRows ? kBatch : 1;
  const Position last = kNear ? Position(kBatch) * step - begin - 1 : Position(kBatch - 1) * step;
  Inputs still{};
  read_still(a, place(a, base), still);
  Position first = begin;
#pragma unroll 1
  for (; first + last < end; first += Position(kBatch) * step) {
    use(take_batch<kBatch, true>(a, still, first, step, end, point), first);
  }
#pragma unroll 1
  for (; first < end; first += Position(kRest) * step) {
    use(take_batch<kRest, kRest == 1>(a, still, first, step, end, point), first);
  }
}
template <class Where, class Use>
inline void each_element(const Arguments& a, Point base, Position begin, Position end,
                         Position step, Where point, Use use) {
  each_batch(a, base, begin, end, step, point, [&](const auto& batch, Position first) {
    each_place(batch, step, end - first,
               [&](Position i) { use(batch.values[i], first + i * step); });
  });
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

// All elements of a result at these positions in one, in order; what it holds without any is
// nothing.
inline Total fold_elements(const Arguments& a, Point base, Position begin, Position end,
                           Position step, Seen& seen) {
  Total total{};
  const FoldStart start = fold_start(a, base);
  const auto point = [&](Position position) { return fold_point(a, start, position); };
  each_batch(a, base, begin, end, step, point, [&](const auto& batch, Position first) {
    each_place(batch, step, end - first, [&](Position i) {
      Total next;
      set_total(next, load_as<Number>(batch.values[i]), first + i * step);
      total = i == 0 && first == begin ? next : combine_later(total, next, seen);
    });
  });
  return total;
}

// A result from all that was combined for it.
template <class T>
inline void finish(const Arguments& a, Index result, T total, bool any, Seen& seen) {
  T value = load_as<T>(a.start);
  if (any) value = kFromFirst ? total : combine(value, total, seen);
  const Element rounded = round_to_element(value, seen);
  store<Element>(a.out + result * sizeof(Element), rounded);
  keep_result(a, rounded);
}
template <class T>
inline void finish(const Arguments& a, Index result, Found<T> total, bool any, Seen& seen) {
  if constexpr (!kFinds) return finish(a, result, total.value, any, seen);
  const auto place = static_cast<std::int64_t>(total.place);
  store<std::int64_t>(a.out + result * sizeof(std::int64_t), place);
  keep_result(a, place);
}

// Memory that the threads of a block share.
inline Total* shared_totals() {
  alignas(16) __shared__ char bytes[kBlockThreads * sizeof(Total)];
  return reinterpret_cast<Total*>(bytes);
}

// The value of another thread of the warp, carried by words.
template <class T>
struct Carried {
  alignas(T) alignas(4) T value;
};
template <class T>
struct Words {
  unsigned list[sizeof(Carried<T>) / 4];
};
template <class T>
inline T from_lane(T value, unsigned lane, unsigned width) {
  auto words = std::bit_cast<Words<T>>(Carried<T>{value});
#pragma unroll
  for (unsigned i = 0; i < sizeof words / 4; ++i) {
    words.list[i] = __shfl_sync(~0u, words.list[i], lane, width);
  }
  return std::bit_cast<Carried<T>>(words).value;
}

// Joins the totals of neighbouring lanes (a power of two of them), of which the first `count` have
// one, into the first lane's: those half of the lanes apart, then those a quarter apart, ….
inline void join_lanes(Total& total, unsigned lanes, Index count, Seen& seen) {
  constexpr unsigned kWarps = 8;
  const unsigned lane = threadIdx.x & (lanes - 1);
  if (lanes > 32) {
    Total* shared = shared_totals();
    __syncthreads();
    shared[threadIdx.x] = total;
    __syncthreads();
    if (lane < 32) {
      Total parts[kWarps];
#pragma unroll
      for (unsigned i = 0; i < kWarps; ++i) {
        parts[i] = shared[threadIdx.x + (32 * i < lanes ? 32 * i : 0)];
      }
#pragma unroll
      for (unsigned half = kWarps / 2; half > 0; half /= 2) {
#pragma unroll
        for (unsigned i = 0; i < half; ++i) {
          const bool has = 64 * half <= lanes && lane + 32 * (i + half) < count;
          if (has) parts[i] = combine(parts[i], parts[i + half], seen);
        }
      }
      total = parts[0];
    }
  }
  if constexpr (kNear && !kNotes) {
    if (count >= lanes) {  // what other lanes than the first have in the end is free
#pragma unroll
      for (unsigned half = 16; half > 0; half /= 2) {
        const Total other = from_lane(total, threadIdx.x + half, 32);
        if (2 * half <= lanes) total = combine_unordered(total, other, seen);
      }
      return;
    }
  }
#pragma unroll
  for (unsigned half = 16; half > 0; half /= 2) {
    const Total other = from_lane(total, threadIdx.x + half, 32);
    if (lane < half && lane + half < count && 2 * half <= lanes) {
      total = combine(total, other, seen);
    }
  }
}

}  // namespace strider::nd::device
