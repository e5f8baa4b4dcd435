// Follows the contents of arrays through the loops: each is made by one, or read first by one, and
// lives until the last that reads it. Contents whose lives do not meet share their bytes; those
// that another takes the place of in memory are never written there. Results of folds, one for a
// row, are so small that there is always room for them; they are in memory as well.
#include "kernels/backend/cuda/jit/kept_rows.h"

#include <algorithm>
#include <cstdlib>

namespace strider::nd::cuda {
namespace {

constexpr std::int64_t kAlignment = 16;
// Shared memory hands out so many bytes at once, of different addresses modulo these.
constexpr std::int64_t kBankBytes = 128, kWarp = 32;

std::int64_t round_up(std::int64_t bytes, std::int64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// The bytes of a fold's results, the first and after the last.
std::pair<std::int64_t, std::int64_t> reach_of_results(const Request& request) {
  auto begin = reinterpret_cast<std::intptr_t>(request.memory.outputs.back());
  return {begin, begin + request.layout.rows * item_size(request.loop.folds[0].result())};
}

struct Use {
  std::size_t loop = 0, operand = 0;
  bool writes = false;
};

// What an array's rows hold, from the loop that makes or first reads it on.
struct Contents {
  const Operand* array = nullptr;
  std::vector<Use> uses;  // in order
  bool replaced = false;  // in memory, by a later loop's
  bool chosen = false;
  std::int64_t slot = 0;

  bool made() const { return uses.front().writes; }
  std::size_t first() const { return uses.front().loop; }
  std::size_t last() const { return uses.back().loop; }
};

// A fold's results and the operands of later loops that read the row's.
struct Results {
  std::size_t loop = 0;
  std::vector<Operand*> readers;
  std::vector<LoopLayout*> layouts;  // of the readers
};

struct Slot {
  std::int64_t bytes = 0, offset = 0;
  std::size_t last = 0;  // the loop that needs it last
};

bool in_memory(const Operand& operand) {
  return operand.steps != Steps::kScalar && operand.steps != Steps::kRange;
}

// Whether a row of the operand is as dense as the loop's points.
bool is_row(const LoopLayout& layout, const Operand& operand, std::int64_t points) {
  int rank = layout.rank();
  bool dense = operand.steps == Steps::kPairs || operand.steps == Steps::kDense;
  if (!dense || layout.rows == 1 || rank < 2 || layout.points != layout.rows * points) return false;
  for (int axis = 1; axis + 1 < rank; ++axis) {
    if (operand.strides[axis] != operand.strides[axis + 1] * layout.extents[axis + 1]) return false;
  }
  return true;
}

// Whether loops may change some of these bytes.
bool writes_into(const Request& request, std::int64_t low, std::int64_t high) {
  const LoopLayout& layout = request.layout;
  for (const Operand& output : layout.outputs) {
    auto [begin, end] = layout.reach(output);
    if (begin < high && low < end) return true;
  }
  if (request.loop.folds.empty()) return false;
  auto [begin, end] = reach_of_results(request);
  return begin < high && low < end;
}

bool is_same(const Operand& a, const Operand& b) {
  return a.address == b.address && a.dtype == b.dtype && a.strides[0] == b.strides[0];
}

class Keeping {
 public:
  Keeping(std::span<Request> pass, std::int64_t most_bytes, std::int64_t team)
      : pass_(pass), most_(most_bytes), team_(team) {
    for (const Request& request : pass) {
      const LoopLayout& layout = request.layout;
      if (layout.rows > 1) points_ = std::max(points_, layout.points / layout.rows);
    }
  }

  KeptRows find() {
    for (std::size_t loop = 0; loop < pass_.size(); ++loop) follow(loop);
    for (Contents& each : contents_) each.chosen = each.last() > each.first() && stands_alone(each);
    for (std::size_t loop = 0; loop < pass_.size(); ++loop) follow_results(loop);
    while (!place()) drop();
    return note();
  }

 private:
  // Notes who reads the results of a fold until others are written there.
  void follow_results(std::size_t loop) {
    const Request& request = pass_[loop];
    if (request.loop.folds.empty() || request.layout.rows == 1) return;
    DType type = request.loop.folds[0].result();
    auto [low, high] = reach_of_results(request);
    Results results{loop, {}, {}};
    for (std::size_t i = loop + 1; i < pass_.size(); ++i) {
      LoopLayout& layout = pass_[i].layout;
      for (Operand& input : layout.inputs) {
        if (!in_memory(input) || layout.rows != request.layout.rows || !layout.is_still(input) ||
            reinterpret_cast<std::intptr_t>(input.address) != low || input.dtype != type ||
            input.strides[0] != item_size(type))
          continue;
        results.readers.push_back(&input);
        results.layouts.push_back(&layout);
      }
      if (writes_into(pass_[i], low, high)) break;
    }
    if (!results.readers.empty()) results_.push_back(std::move(results));
  }

  void follow(std::size_t loop) {
    const LoopLayout& layout = pass_[loop].layout;
    for (bool writes : {false, true}) {
      const std::vector<Operand>& operands = writes ? layout.outputs : layout.inputs;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (in_memory(operands[i]) && is_row(layout, operands[i], points_))
          add(operands[i], {loop, i, writes});
      }
    }
  }

  void add(const Operand& operand, Use use) {
    auto latest = std::find_if(contents_.rbegin(), contents_.rend(),
                               [&](const Contents& each) { return is_same(*each.array, operand); });
    bool known = latest != contents_.rend();
    if (known && !use.writes) {
      latest->uses.push_back(use);
      return;
    }
    if (known) latest->replaced = true;
    contents_.push_back({&operand, {use}});
  }

  // Whether no operand reaches into the array other than by the same rows.
  bool stands_alone(const Contents& contents) const {
    auto [low, high] = pass_[contents.first()].layout.reach(*contents.array);
    for (const Request& request : pass_) {
      const LoopLayout& layout = request.layout;
      for (const auto* list : {&layout.inputs, &layout.outputs}) {
        for (const Operand& operand : *list) {
          if (!in_memory(operand)) continue;
          auto [begin, end] = layout.reach(operand);
          bool same = is_row(layout, operand, points_) && is_same(operand, *contents.array);
          if (begin < high && low < end && !same) return false;
        }
      }
    }
    return true;
  }

  // Gives each chosen one a slot; false where they are too many. A loop's results may lie where it
  // reads the same points.
  bool place() {
    std::vector<Slot> slots;
    std::int64_t widest = 0;
    total_ = 0;
    for (Contents& each : contents_) {
      if (!each.chosen) continue;
      std::int64_t bytes = points_ * item_size(each.array->dtype);
      auto slot = std::find_if(slots.begin(), slots.end(), [&](const Slot& other) {
        return other.bytes == bytes && other.last < each.first() + (each.made() ? 1 : 0);
      });
      if (slot == slots.end()) {
        slots.push_back({bytes, total_, 0});
        slot = slots.end() - 1;
        total_ += round_up(bytes, kAlignment);
      }
      slot->last = each.last();
      each.slot = slot->offset;
      widest = std::max<std::int64_t>(widest, item_size(each.array->dtype));
    }
    bool fits = total_ <= most_;
    results_at_ = total_;
    total_ += static_cast<std::int64_t>(results_.size()) * kAlignment;
    // The teams of a warp read at the same places of different banks.
    if (team_ < kWarp && total_ > 0) {
      std::int64_t apart = round_up(team_ * widest, kAlignment);
      total_ = round_up(total_, kBankBytes) + apart % kBankBytes;
    }
    return fits;
  }

  // Gives up the one that is used least.
  void drop() {
    Contents* least = nullptr;
    for (Contents& each : contents_) {
      if (each.chosen && (!least || each.uses.size() < least->uses.size())) least = &each;
    }
    least->chosen = false;
  }

  KeptRows note() {
    KeptRows kept;
    kept.bytes = total_;
    kept.points = points_;
    for (const Contents& each : contents_) {
      if (!each.chosen) continue;
      if (!each.made()) kept.copies.push_back({each.first(), each.uses.front().operand});
      for (const Use& use : each.uses) {
        LoopLayout& layout = pass_[use.loop].layout;
        Operand& operand = (use.writes ? layout.outputs : layout.inputs)[use.operand];
        layout.row_bytes = total_;
        operand.slot = each.slot;
        if (use.writes) operand.kept = !each.replaced;
      }
    }
    std::int64_t slot = results_at_;
    for (const Results& each : results_) {
      LoopLayout& makes = pass_[each.loop].layout;
      makes.row_bytes = total_;
      makes.fold_slot = slot;
      for (LoopLayout* layout : each.layouts) layout->row_bytes = total_;
      for (Operand* reader : each.readers) reader->slot = slot;
      slot += kAlignment;
    }
    return kept;
  }

  std::span<Request> pass_;
  std::int64_t most_, team_;
  std::int64_t points_ = 0, total_ = 0, results_at_ = 0;
  std::vector<Contents> contents_;  // in the order in which they come to be
  std::vector<Results> results_;
};

}  // namespace

KeptRows keep_rows(std::span<Request> pass, std::int64_t most_bytes, std::int64_t team) {
  return Keeping(pass, most_bytes, team).find();
}

}  // namespace strider::nd::cuda
