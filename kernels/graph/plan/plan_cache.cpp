// A kept plan names what it reads and writes by the numbers of its signature's walk.
#include "kernels/graph/plan/plan_cache.h"

#include <algorithm>

#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

constexpr std::size_t kMostPlans = 512;
constexpr std::size_t kMostWords = 1 << 20;
// Plans for graphs that are alike.
constexpr std::size_t kMostAlike = 8;

}  // namespace

bool KeptPlan::link(const Signature& signature, Plan& made) {
  for (const Pass& pass : made) {
    for (const PlannedLoop& planned : pass.loops) {
      if (!link_loop(signature, planned)) return false;
    }
  }
  words_.assign(signature.words().begin(), signature.words().end());
  plan = std::move(made);
  bind(signature);
  return true;
}

bool KeptPlan::link_loop(const Signature& signature, const PlannedLoop& planned) {
  Links& links = links_.emplace_back();
  const std::vector<const Scalar*>& scalars = signature.scalars();
  for (const PlannedInput& planned_input : planned.inputs) {
    Input input;
    if (planned_input.storage) {
      input.storage = signature.place(*planned_input.storage);
      if (input.storage < 0) return false;
      input.offset =
          planned_input.offset - signature.offsets()[static_cast<std::size_t>(input.storage)];
    } else if (const Scalar* scalar = planned_input.scalar) {
      auto found = std::find_if(scalars.begin(), scalars.end(),
                                [&](const Scalar* each) { return each->is_same_as(*scalar); });
      if (found == scalars.end()) return false;
      input.scalar = found - scalars.begin();
    }
    links.inputs.push_back(input);
  }
  bool met = true;
  auto number = [&](const Expression* expression) {
    std::int64_t place = signature.place(*expression->storage);
    met &= place >= 0;
    return place;
  };
  for (const PlannedOutput& output : planned.outputs)
    links.outputs.push_back(number(output.promise));
  for (const Expression* inlined : planned.inlined) links.inlined.push_back(number(inlined));
  for (const StepOrigin& origin : planned.origins) {
    links.origins.push_back(number(origin.expression));
  }
  if (planned.folded) links.folded = number(planned.folded);
  return met;
}

// Scalars are copied: the promise that had one may go with a pass before the one that reads it.
void KeptPlan::bind(const Signature& signature) {
  scalars_.clear();
  for (const Scalar* scalar : signature.scalars()) scalars_.push_back(*scalar);
  std::size_t next = 0;
  for (Pass& pass : plan) {
    for (PlannedLoop& planned : pass.loops) bind_loop(signature, links_[next++], planned);
  }
}

void KeptPlan::bind_loop(const Signature& signature, const Links& links, PlannedLoop& planned) {
  auto storage = [&](std::int64_t place) {
    return signature.storages()[static_cast<std::size_t>(place)];
  };
  for (std::size_t i = 0; i < links.inputs.size(); ++i) {
    const Input& input = links.inputs[i];
    PlannedInput& target = planned.inputs[i];
    if (input.storage >= 0) {
      target.storage = storage(input.storage);
      target.offset = input.offset + signature.offsets()[static_cast<std::size_t>(input.storage)];
    } else if (input.scalar >= 0) {
      target.scalar = &scalars_[static_cast<std::size_t>(input.scalar)];
    }
  }
  for (std::size_t i = 0; i < links.outputs.size(); ++i) {
    planned.outputs[i].promise = storage(links.outputs[i])->expression();
  }
  for (std::size_t i = 0; i < links.inlined.size(); ++i) {
    planned.inlined[i] = storage(links.inlined[i])->expression();
  }
  for (std::size_t i = 0; i < links.origins.size(); ++i) {
    planned.origins[i].expression = storage(links.origins[i])->expression();
  }
  if (links.folded >= 0) planned.folded = storage(links.folded)->expression();
}

PlanCache& PlanCache::instance() {
  thread_local PlanCache cache;
  return cache;
}

KeptPlan* PlanCache::find(const Signature& signature) {
  if (!signature.reusable()) return nullptr;
  auto [first, last] = by_hash_.equal_range(signature.hash());
  for (; first != last; ++first) {
    KeptPlan& kept = first->second->second;
    if (kept.in_use || !kept.fits(signature)) continue;
    entries_.splice(entries_.begin(), entries_, first->second);
    kept.bind(signature);
    ++graph_counts().plan_hits;
    return &kept;
  }
  return nullptr;
}

KeptPlan* PlanCache::keep(const Signature& signature, Plan& plan) {
  std::uint64_t hash = signature.hash();
  if (!signature.reusable() || by_hash_.count(hash) >= kMostAlike) return nullptr;
  KeptPlan& kept = entries_.emplace_front(hash, KeptPlan()).second;
  if (!kept.link(signature, plan)) {
    entries_.pop_front();
    return nullptr;
  }
  by_hash_.emplace(hash, entries_.begin());
  words_ += kept.word_count();
  make_room();
  return &kept;
}

// Drops plans that have not been used for longest, but never the newest.
void PlanCache::make_room() {
  auto last = entries_.end();
  while (entries_.size() > kMostPlans || words_ > kMostWords) {
    --last;
    if (last == entries_.begin()) return;
    if (last->second.in_use) continue;
    words_ -= last->second.word_count();
    auto [first, after] = by_hash_.equal_range(last->first);
    by_hash_.erase(std::find_if(first, after, [&](auto& each) { return each.second == last; }));
    last = entries_.erase(last);
  }
}

}  // namespace strider::nd
