// Plans that are found again by the structure of their graphs. One cache for each thread.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kernels/graph/plan/passes.h"
#include "kernels/graph/plan/signature.h"

namespace strider::nd {

// A plan, and how it is bound to the storages, promises and scalars of a graph with its signature.
class KeptPlan {
 public:
  Plan plan;
  std::int64_t delay = -1;  // of a plan that writes to a target
  bool in_use = false;

  // Takes the plan over; false if it names something that the signature did not meet.
  bool link(const Signature& signature, Plan& made);
  void bind(const Signature& signature);
  bool fits(const Signature& signature) const {
    return std::ranges::equal(words_, signature.words());
  }
  std::size_t word_count() const { return words_.size(); }

 private:
  struct Input {
    std::int64_t storage = -1;
    std::int64_t scalar = -1;
    std::int64_t offset = 0;  // from the storage's in the signature
  };
  struct Links {
    std::vector<Input> inputs;
    std::vector<std::int64_t> outputs, inlined, origins;  // numbers of storages
    std::int64_t folded = -1;
  };

  bool link_loop(const Signature& signature, const PlannedLoop& planned);
  void bind_loop(const Signature& signature, const Links& links, PlannedLoop& planned);

  std::vector<std::uint64_t> words_;
  std::vector<Scalar> scalars_;  // by the numbers of the signature's
  std::vector<Links> links_;     // of the loops of all passes
};

class PlanCache {
 public:
  static PlanCache& instance();

  // The plan for a graph with this signature, bound to it; null if there is none at hand.
  KeptPlan* find(const Signature& signature);
  // Keeps a plan, which may be another one for a graph like those whose plans are in use; null, and
  // the plan stays, where that is impossible.
  KeptPlan* keep(const Signature& signature, Plan& plan);

 private:
  using Entries = std::list<std::pair<std::uint64_t, KeptPlan>>;  // the last used first

  void make_room();

  Entries entries_;
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;
  std::size_t words_ = 0;
};

// Marks a kept plan while it runs: programs may compute arrays on the way, in handlers of
// floating-point conditions.
class PlanUse {
 public:
  explicit PlanUse(KeptPlan* kept) : kept_(kept) {
    if (kept_) kept_->in_use = true;
  }
  ~PlanUse() {
    if (kept_) kept_->in_use = false;
  }
  PlanUse(const PlanUse&) = delete;
  PlanUse& operator=(const PlanUse&) = delete;

 private:
  KeptPlan* kept_;
};

}  // namespace strider::nd
