// Inexact sums along rows, by the tree of pairs that the CPU's follow (backend/cpu/reduction.cpp):
// blocks of up to 128 numbers in eight lanes, halves above. A lane is a thread; a node of the
// tree's last level but one is the work of one group of lanes. All nodes above have two children,
// so that their level is a list whose neighbours are added.
#pragma once

namespace strider::nd::device {

inline constexpr bool kComplexSum = is_complex_type<Number>;
inline constexpr unsigned kLanes = kComplexSum ? 4 : 8;  // elements side by side
inline constexpr unsigned kGroups = 256 / kLanes;
inline constexpr Index kLeafElements = kComplexSum ? 64 : 128;

// The first half of a node's elements, in whole blocks of eight numbers.
inline Index first_half(Index count) {
  if constexpr (kComplexSum)
    return (count - count % 8) / 2;
  else
    return count / 2 - count / 2 % 8;
}

// The depth of the tree's leaves.
inline unsigned level_count(Index count) {
  unsigned levels = 0;
  for (; count > kLeafElements; count -= first_half(count)) ++levels;
  return levels;
}

// What changes no sum.
template <class T>
inline T nothing() {
  if constexpr (is_complex_type<T>)
    return T(-0.0, -0.0);
  else
    return T(-0.0);
}

// Adds elements in order; whether the sum may tell of conditions. A sum that is not finite stays
// so: what additions raise is looked for after all of them.
template <unsigned kCount>
inline bool add_in_order(Total& total, const Total (&numbers)[kCount], Seen& seen) {
  Total sum = total;
#pragma unroll
  for (unsigned i = 0; i < kCount; ++i) total = combine_plainly(total, numbers[i]);
  if (!may_raise(total)) return false;
  Total again[kCount];
#pragma unroll
  for (unsigned i = 0; i < kCount; ++i) again[i] = numbers[i];
#pragma unroll 1
  for (unsigned i = 0; i < kCount; ++i) sum = combine(sum, again[i], seen);
  return true;
}

// Adds the sums of a group's lanes, neighbours first; every lane has the sum.
inline Total add_lanes(Total total, Seen& seen) {
  Total sum = total;
#pragma unroll
  for (unsigned other = 1; other < kLanes; other *= 2) {
    sum = combine_plainly(sum, from_lane(sum, threadIdx.x ^ other, 32));
  }
  if constexpr (kNotes) {
    if (__any_sync(~0u, may_raise(sum))) {
#pragma unroll 1
      for (unsigned other = 1; other < kLanes; other *= 2) {
        total = combine(total, from_lane(total, threadIdx.x ^ other, 32), seen);
      }
    }
  }
  return sum;
}

// Adds the last elements of a leaf, less than a group has lanes, one after the other; each is in
// the lane of its place, `count` of them.
inline Total add_last(Total total, Total last, unsigned count, Seen& seen) {
  if (!__any_sync(~0u, count != 0)) return total;
#pragma unroll 1
  for (unsigned i = 0; i + 1 < kLanes; ++i) {
    const Total next = from_lane(last, i, kLanes);
    if (i < count) total = combine(total, next, seen);
  }
  return total;
}

// The inputs of elements that there are not. What is added as it was read is nothing without them.
template <class T>
inline T absent_inputs() {
  T inputs{};
  if constexpr (kAsTheyAre) inputs.v0 = static_cast<Element>(nothing<Total>());
  return inputs;
}

// What of a leaf a batch takes: elements that are all there, those that are before the last ones,
// or one of the last.
enum class Part { kWhole, kFilling, kLast };

// A leaf on its way: elements before `after` fill all lanes of a group, the last ones some.
struct Leaf {
  const Arguments& a;
  const Point point;
  const Position after, end;
  Seen& seen;
  Total total = nothing<Total>(), last = nothing<Total>();
  Inputs still = absent_inputs<Inputs>();

  // Adds the elements of a batch, so many lanes apart. There is a first one.
  template <unsigned kCount, Part kPart>
  inline void take(Position first) {
    const auto place_of = [&](Position i) { return further(point, i); };
    take_batch<kCount, kPart != Part::kFilling>(
        a, still, first, kLanes, kPart == Part::kFilling ? after : end, place_of,
        [&](const auto& batch) { return add<kPart>(batch.values, first); });
  }

 private:
  // Whether the sum tells of conditions of the steps.
  template <Part kPart, unsigned kCount>
  inline bool add(const Element (&values)[kCount], Position first) {
    if constexpr (kPart == Part::kLast) {
      last = load_as<Number>(values[0]);
      return kTells && may_raise(last);
    }
    const Position left = after - first;
    Total numbers[kCount];
#pragma unroll
    for (unsigned i = 0; i < kCount; ++i) {
      const bool there = kPart == Part::kWhole || (kNear && i == 0) || Position(i * kLanes) < left;
      const bool adds = kAsTheyAre || there;
      numbers[i] = adds ? load_as<Number>(values[i]) : nothing<Total>();
    }
    return add_in_order(total, numbers, seen) && kTells;
  }
};

// Run by all threads of a warp together, each group with a leaf of its own; every lane has the sum.
inline Total add_leaf(const Arguments& a, Point point, Index count, Seen& seen) {
  constexpr Position kStride = kBatch * kLanes;
  const Index whole = count - count % kLanes;
  Leaf leaf{a, point, Position(whole), Position(count), seen};
  read_still(a, place(a, point), leaf.still);
  Position first = threadIdx.x % kLanes;
  const Position last = leaf.after + first;
  const auto is_inside = [&] { return first + (kStride - Position(kLanes)) < leaf.after; };
  if constexpr (!kNear) {
#pragma unroll 1
    for (; first < leaf.after; first += kStride) leaf.take<kBatch, Part::kFilling>(first);
  } else if constexpr (kLongRows) {
    // The groups of a warp do the same, so that none waits for others.
#pragma unroll 1
    for (; __any_sync(~0u, first < leaf.after); first += kStride) {
      if (!__any_sync(~0u, !is_inside()))
        leaf.take<kBatch, Part::kWhole>(first);
      else if (first < leaf.after)
        leaf.take<kBatch, Part::kFilling>(first);
    }
  } else {
#pragma unroll 1
    for (; is_inside(); first += kStride) leaf.take<kBatch, Part::kWhole>(first);
#pragma unroll 1
    for (; first < leaf.after; first += kLanes) leaf.take<1, Part::kWhole>(first);
  }
  if (last < leaf.end) leaf.take<1, Part::kLast>(last);
  const auto rest = static_cast<unsigned>(count - whole);
  return add_last(add_lanes(leaf.total, seen), leaf.last, rest, seen);
}

struct Line {
  Index result;
  Point point;
  Index length;
};
inline Line find_line(const Arguments& a, Index line) {
  const Index result = a.lines == 1 ? line : line / a.lines, rest = line - result * a.lines;
  const Index outer = a.chunks == 1 ? rest : rest / a.chunks, chunk = rest - outer * a.chunks;
  const Index begin = chunk * a.chunk, left = a.row - begin;
  const Point point = result_base(a, result) + (fold_offset(a, outer * a.row) + begin);
  return {result, point, left < a.chunk ? left : a.chunk};
}
// The depth of a line's nodes, of which there are two to the power of that.
inline unsigned node_depth(const Arguments& a, Index length) {
  const unsigned levels = length == a.chunk ? a.levels : level_count(length);
  return levels > 0 ? levels - 1 : 0;
}

// Adds the values of neighbouring groups of so many threads in the tree's order; the first of
// `values` groups (a power of two) gets the sum. Groups without a value have nothing.
template <unsigned kThreads>
inline void add_neighbours(Total& total, unsigned values, Seen& seen) {
  constexpr unsigned kInWarp = 32 / kThreads, kWarps = 8;
  const unsigned group = threadIdx.x / kThreads;
#pragma unroll
  for (unsigned apart = 1; apart < kInWarp; apart *= 2) {
    const Total other = from_lane(total, threadIdx.x + apart * kThreads, 32);
    if (apart < values && group % (2 * apart) == 0) total = combine(total, other, seen);
  }
  if (kBlockThreads <= 32 || values <= kInWarp) return;
  Total* shared = shared_totals();
  const unsigned warp = threadIdx.x / 32, warps = values / kInWarp;
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[warp] = total;
  __syncthreads();
  if (threadIdx.x % 32 != 0 || warp % warps != 0) return;
  Total parts[kWarps];
#pragma unroll
  for (unsigned i = 0; i < kWarps; ++i) parts[i] = shared[warp + (i < warps ? i : 0)];
#pragma unroll
  for (unsigned apart = 1; apart < kWarps; apart *= 2) {
#pragma unroll
    for (unsigned i = 0; i < kWarps; i += 2 * apart) {
      if (apart < warps && i < warps) parts[i] = combine(parts[i], parts[i + apart], seen);
    }
  }
  total = parts[0];
}

// A node of a line's tree: where it begins in the line, and its elements.
struct Span {
  Index begin, count;
};
inline unsigned reverse_bits(unsigned bits) { return __brev(bits); }
inline unsigned long reverse_bits(unsigned long bits) { return __brevll(bits); }

// The way to a node. Halves divide no block of as many elements as a group has lanes: of n blocks
// the first has n / 2, the second (n + 1) / 2, what is no whole block goes to the last. So a node's
// blocks are (n + b1 + 2 b2 + 4 b3 + …) >> depth, where the bits are those of its number, the
// highest first, and so are those of each first half that it comes behind.
struct Path {
  Index blocks, bits;

  inline Path(Index length, Index node, unsigned depth)
      : blocks(length / kLanes), bits(reverse_bits(node) >> 1 >> (8 * sizeof(Index) - 1 - depth)) {}
  // The blocks of the first half at a level, where the node comes behind it.
  inline Index skipped(unsigned level) const {
    const Index first = (blocks + (bits & ((Index(1) << level) - 1))) >> (level + 1);
    return bits >> level & 1 ? first : 0;
  }
  inline Span span(Index begin, Index length, Index node, unsigned depth, bool active) const {
    const bool is_last = node + 1 == Index(1) << depth;
    const Index rest = is_last ? length % kLanes : 0;
    return {begin * kLanes, active ? ((blocks + bits) >> depth) * kLanes + rest : 0};
  }
};
inline Span find_node(Index length, Index node, unsigned depth, bool active) {
  const Path path(length, node, depth);
  Index begin = 0;
#pragma unroll 4
  for (unsigned level = 0; level < depth; ++level) begin += path.skipped(level);
  return path.span(begin, length, node, depth, active);
}
// The same for the nodes of a warp, which are neighbours: those of a line that has as many differ
// in the last levels alone, and each lane looks at one of those above.
inline Span find_neighbours(Index length, Index node, unsigned depth, bool active) {
  constexpr unsigned kLast = kComplexSum ? 3 : 2;  // of 32 / kLanes nodes
  const Path path(length, node, depth);
  const unsigned lane = threadIdx.x % 32, above = depth > kLast ? depth - kLast : 0;
  Index begin = 0;
  if (above > 0) {
    if (lane < above) begin = path.skipped(lane);
#pragma unroll
    for (unsigned apart = 16; apart > 0; apart /= 2) begin += from_lane(begin, lane ^ apart, 32);
  }
#pragma unroll 1
  for (unsigned level = above; level < depth; ++level) begin += path.skipped(level);
  return path.span(begin, length, node, depth, active);
}
// The elements of its first leaf.
inline Index first_leaf(Index count) { return count > kLeafElements ? first_half(count) : count; }

// The sum of one leaf of a node, or of two.
inline Total add_leaves(const Arguments& a, Point point, Index count, unsigned first,
                        unsigned after, Seen& seen) {
  const Index half = first_leaf(count);
  Total total = nothing<Total>();
#pragma unroll 1
  for (unsigned leaf = first; leaf < after; ++leaf) {
    const Index begin = leaf ? half : 0, size = leaf ? count - half : half;
    const Total sum = add_leaf(a, point + begin, size, seen);
    if (size > 0) total = combine(total, sum, seen);
  }
  return total;
}
inline Total add_node(const Arguments& a, const Line& it, Index node, unsigned depth, bool active,
                      Seen& seen) {
  const Span span = find_neighbours(it.length, node, depth, active);
  const bool second = __any_sync(~0u, first_leaf(span.count) != span.count);
  return add_leaves(a, it.point + span.begin, span.count, 0, 1u + second, seen);
}

}  // namespace strider::nd::device
