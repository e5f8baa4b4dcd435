// Kernels that draw random numbers whose tries take one unit of the stream or several. A thread
// walks the tries that begin among some units in a row, its run. Where its first try begins depends
// on the run before; it supposes that nothing reaches over, and walks again when something does.
// Tries soon meet again, so that this does not go on from run to run. Then all runs count their
// numbers, and then write them. Compiled by nvcc, and on the host by tests. Knows no memory.
#pragma once

#include "kernels/backend/draws/rules.h"

namespace strider::nd::cuda {

constexpr unsigned kDrawThreads = 128, kScanThreads = 1024;

// Runs of rules that give many numbers are short: a block's fit its shared memory.
template <class Rule>
constexpr unsigned kRunUnits = Rule::kMost > 4 ? 8 : 32;
template <class Rule>
constexpr unsigned kBlockUnits = kDrawThreads* kRunUnits<Rule>;
template <class Rule>
constexpr unsigned kBlockNumbers = kBlockUnits<Rule>* Rule::kMost;

struct DrawnRun {
  std::uint32_t entry = 0;  // where its first try begins, counted from its first unit
  std::uint32_t count = 0;  // of its numbers
};

struct DrawnBlock {
  std::uint32_t entry = 0, count = 0;
};

// A number that the host makes of these bits.
struct DeferredNumber {
  std::int64_t place;
  std::uint64_t bits;
};

struct DrawOutcome {
  unsigned changed = 0;   // blocks whose entries were other than supposed
  unsigned doubts = 0;    // questions that only the host can answer
  unsigned deferred = 0;  // numbers
  unsigned unused = 0;
  std::int64_t total = 0;  // numbers that the blocks have
  std::int64_t end = 0;    // the unit behind the last number wanted, or behind the last block
};

template <class Cursor, class RuleType>
struct DrawWork {
  typename Cursor::Source source;
  RuleType rule;
  std::int64_t first = 0;  // the unit where block 0 begins: a try does, too
  std::int64_t wanted = 0;
  typename RuleType::Value* to = nullptr;
  unsigned blocks = 0;
  bool again = false;  // entries may have changed
  DrawnRun* runs = nullptr;
  DrawnBlock* counted = nullptr;
  std::uint32_t* exits_before = nullptr;  // of blocks: how far their last tries reach over
  std::uint32_t* exits = nullptr;
  std::int64_t* offsets = nullptr;  // the number of a block's first number; one more at the end
  DrawOutcome* outcome = nullptr;
  DeferredNumber* deferred = nullptr;
  unsigned deferred_room = 0;
  std::uint64_t* doubts = nullptr;
  unsigned doubt_room = 0;
  std::uint64_t* answered = nullptr;  // in order; the answer is the highest bit
  unsigned answers = 0;
  double doubtfulness = 1;  // how much wider than needed margins are: for tests
};

// Answers what is certain beyond all rounding by the device's functions, the rest by what the host
// has found, and lists what it has yet to.
template <class Work>
struct DeviceJudge {
  const Work& work;

  __device__ bool below(std::uint64_t asked, double height, double power) {
    return compare(asked, height, exp(power), 0x1p-48, false);
  }
  __device__ bool below(std::uint64_t asked, float height, float power) {
    double edge = exp(static_cast<double>(power));
    return compare(asked, static_cast<double>(height), edge, 0x1p-21, false);
  }
  __device__ bool fits_tail(std::uint64_t asked, double u, double v) {
    return fits(asked, u, v, 0x1p-47);
  }
  __device__ bool fits_tail(std::uint64_t asked, float u, float v) {
    return fits(asked, static_cast<double>(u), static_cast<double>(v), 0x1p-19);
  }

 private:
  __device__ bool fits(std::uint64_t asked, double u, double v, double margin) {
    double x = -drawing::kNormalInverseEdge * log1p(-u), y = -log1p(-v);
    return compare(asked, x * x, y + y, margin, true);
  }
  __device__ bool compare(std::uint64_t asked, double a, double b, double margin, bool supposed) {
    double gap = b - a, doubtful = margin * work.doubtfulness * (a + b);
    if (gap > doubtful) return true;
    if (gap < -doubtful) return false;
    return look_up(asked, supposed);
  }
  __device__ bool look_up(std::uint64_t asked, bool supposed) {
    constexpr std::uint64_t kAnswer = std::uint64_t{1} << 63;
    unsigned low = 0, high = work.answers;
    while (low < high) {
      unsigned middle = (low + high) / 2;
      std::uint64_t here = work.answered[middle];
      if ((here & ~kAnswer) == asked) return here >> 63;
      if ((here & ~kAnswer) < asked)
        low = middle + 1;
      else
        high = middle;
    }
    unsigned slot = atomicAdd(&work.outcome->doubts, 1u);
    if (slot < work.doubt_room) work.doubts[slot] = asked;
    return supposed;
  }
};

struct CountingSink {
  std::uint32_t count = 0;
  template <class Value>
  __device__ void put(Value) {
    ++count;
  }
  __device__ void defer(std::uint64_t) { ++count; }
  __device__ void end_try(std::int64_t) {}
};

// Keeps a block's numbers together; each 33rd place stays free, so that runs begin in other banks.
template <class Work, class Value>
struct StagingSink {
  const Work& work;
  Value* staged;
  std::int64_t base;
  std::uint32_t at;
  bool at_end = false;

  static __device__ std::uint32_t padded(std::uint32_t index) { return index + index / 32; }

  __device__ void put(Value value) { staged[padded(at++)] = value; }
  __device__ void defer(std::uint64_t bits) {
    if (base + at < work.wanted) {
      unsigned slot = atomicAdd(&work.outcome->deferred, 1u);
      if (slot < work.deferred_room) work.deferred[slot] = {base + at, bits};
    }
    put(Value());
  }
  __device__ void end_try(std::int64_t unit) {
    if (at_end || base + at < work.wanted) return;
    at_end = true;
    work.outcome->end = unit;
  }
};

// Makes the tries that begin in a run from `entry` on. Returns how far the last one reaches over.
template <class Cursor, class Rule, class Judge, class Sink>
__device__ std::uint32_t walk_run(const DrawWork<Cursor, Rule>& work, std::int64_t run,
                                  std::uint32_t entry, Judge& judge, Sink& sink) {
  constexpr unsigned kUnits = kRunUnits<Rule>;
  if (entry >= kUnits) return entry - kUnits;
  std::int64_t start = work.first + run * kUnits;
  Cursor cursor = Cursor::at(work.source, start + entry);
  while (entry < kUnits) {
    entry += work.rule(cursor, start + entry, judge, sink);
    sink.end_try(start + entry);
  }
  return entry - kUnits;
}

// The sum of the values of all threads before this one; `sum`: of all.
template <unsigned kThreads, class Value>
__device__ Value scan_block(Value value, Value& sum) {
  __shared__ Value sums[kThreads];
  unsigned thread = threadIdx.x;
  sums[thread] = value;
  __syncthreads();
  for (unsigned reach = 1; reach < kThreads; reach *= 2) {
    Value before = thread >= reach ? sums[thread - reach] : Value();
    __syncthreads();
    sums[thread] += before;
    __syncthreads();
  }
  sum = sums[kThreads - 1];
  return sums[thread] - value;
}

template <class Cursor, class Rule>
__global__ void __launch_bounds__(kDrawThreads)
    walk_draws(const __grid_constant__ DrawWork<Cursor, Rule> work) {
  __shared__ std::uint32_t exits[kDrawThreads + 1];
  unsigned block = blockIdx.x, thread = threadIdx.x;
  std::int64_t run = static_cast<std::int64_t>(block) * kDrawThreads + thread;
  std::uint32_t block_entry = 0, exit = 0;
  DrawnRun mine;
  bool stale = true;
  if (work.again) {
    block_entry = block > 0 ? work.exits_before[block - 1] : 0;
    exit = work.exits_before[block];
    if (block_entry == work.counted[block].entry) {
      if (thread == 0) work.exits[block] = exit;
      return;
    }
    mine = work.runs[run];
    if (thread + 1 < kDrawThreads) exit = work.runs[run + 1].entry;
    stale = false;
  }
  DeviceJudge<DrawWork<Cursor, Rule>> judge{work};
  do {
    if (stale) {
      CountingSink sink;
      exit = walk_run(work, run, mine.entry, judge, sink);
      mine.count = sink.count;
    }
    if (thread == 0) exits[0] = block_entry;
    exits[thread + 1] = exit;
    __syncthreads();
    stale = exits[thread] != mine.entry;
    mine.entry = exits[thread];
  } while (__syncthreads_or(stale));
  work.runs[run] = mine;
  std::uint32_t sum;
  scan_block<kDrawThreads>(mine.count, sum);
  if (thread + 1 < kDrawThreads) return;
  work.exits[block] = exit;
  work.counted[block] = {block_entry, sum};
  if (work.again) atomicAdd(&work.outcome->changed, 1u);
}

// One block: where each block's numbers begin.
template <class Cursor, class Rule>
__global__ void __launch_bounds__(kScanThreads)
    place_draws(const __grid_constant__ DrawWork<Cursor, Rule> work) {
  unsigned share = (work.blocks + kScanThreads - 1) / kScanThreads;
  unsigned begin = threadIdx.x * share, end = begin + share;
  if (end > work.blocks) end = work.blocks;
  std::int64_t count = 0, sum;
  for (unsigned block = begin; block < end; ++block) count += work.counted[block].count;
  std::int64_t offset = scan_block<kScanThreads>(count, sum);
  for (unsigned block = begin; block < end; ++block) {
    work.offsets[block] = offset;
    offset += work.counted[block].count;
  }
  if (threadIdx.x > 0) return;
  work.offsets[work.blocks] = sum;
  work.outcome->total = sum;
  work.outcome->end =
      work.first + std::int64_t{work.blocks} * kBlockUnits<Rule> + work.exits[work.blocks - 1];
}

template <class Cursor, class Rule>
__global__ void __launch_bounds__(kDrawThreads)
    write_draws(const __grid_constant__ DrawWork<Cursor, Rule> work) {
  using Value = typename Rule::Value;
  using Sink = StagingSink<DrawWork<Cursor, Rule>, Value>;
  __shared__ Value staged[kBlockNumbers<Rule> + kBlockNumbers<Rule> / 32];
  unsigned block = blockIdx.x, thread = threadIdx.x;
  std::int64_t run = static_cast<std::int64_t>(block) * kDrawThreads + thread;
  DrawnRun mine{0, kRunUnits<Rule> * Rule::kMost};
  std::uint32_t before = thread * mine.count, count = kBlockNumbers<Rule>;
  std::int64_t base = static_cast<std::int64_t>(block) * kBlockNumbers<Rule>;
  if (!work.rule.steady) {
    base = work.offsets[block];
    if (base >= work.wanted) return;
    mine = work.runs[run];
    before = scan_block<kDrawThreads>(mine.count, count);
  }
  DeviceJudge<DrawWork<Cursor, Rule>> judge{work};
  // A steady rule's end is known; where nothing is wanted any more, another run has told it.
  bool told = work.rule.steady || base + before >= work.wanted;
  Sink sink{work, staged, base, before, told};
  walk_run(work, run, mine.entry, judge, sink);
  __syncthreads();
  std::int64_t left = work.wanted - base;
  auto most = static_cast<std::uint32_t>(left < count ? left : count);
  for (std::uint32_t i = thread; i < most; i += kDrawThreads)
    work.to[base + i] = staged[Sink::padded(i)];
}

template <class Value>
struct PutWork {
  Value* to;
  const std::int64_t* places;
  const Value* values;
  unsigned count;
};

// Writes numbers that the host has made.
template <class Value>
__global__ void __launch_bounds__(kDrawThreads)
    put_draws(const __grid_constant__ PutWork<Value> work) {
  unsigned i = blockIdx.x * kDrawThreads + threadIdx.x;
  if (i < work.count) work.to[work.places[i]] = work.values[i];
}

}  // namespace strider::nd::cuda
