// The cache of compiled loops. Its keys hold everything that the code depends on: steps, types,
// which inputs are still, which values are wanted and how they are stored; neither shapes nor
// scalars.
#include <strider/nd/eval.h>

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include "kernels/backend/cpu/assembler/assembled.h"
#include "kernels/core/log.h"

namespace strider::nd {
namespace {

constexpr std::size_t kMostEntries = 512;
// Simple instructions that a structure is worth before it is compiled: about what its compilation
// saves, so that the time spent on either is never more than twice what was needed.
constexpr std::int64_t kCompileWork = 1 << 17;

void append(std::string& key, std::initializer_list<int> values) {
  for (int value : values) key.push_back(static_cast<char>(value));
}

std::string make_key(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted,
                     const std::vector<bool>& still, Stores stores) {
  std::string key;
  key.reserve(4 * loop.inputs.size() + 16 * loop.steps.size() + 2 * wanted.size() + 4);
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    bool counts = loop.inputs[i].kind == LoopInput::Kind::kRange && !still[i];
    append(key, {static_cast<int>(loop.inputs[i].dtype), counts ? 2 : still[i],
                 loop.inputs[i].neighbour, loop.inputs[i].shift});
  }
  append(key, {-1, static_cast<int>(stores)});
  for (const Step& step : loop.steps) {
    append(key, {static_cast<int>(step.kind), static_cast<int>(step.op), step.count,
                 static_cast<int>(step.result), step.watched});
    for (int k = 0; k < step.count; ++k) {
      append(key, {static_cast<int>(step.types[k]), step.arguments[k], step.arguments[k] >> 8});
    }
  }
  append(key, {-1});
  for (std::uint16_t value : wanted) append(key, {value, value >> 8});
  return key;
}

class Cache {
 public:
  std::shared_ptr<const Assembled> find(const FusedLoop& loop,
                                        const std::vector<std::uint16_t>& wanted,
                                        const std::vector<bool>& still, Stores stores,
                                        std::int64_t work) {
    std::string key = make_key(loop, wanted, still, stores);
    std::lock_guard<std::mutex> guard(lock_);
    Entry& entry = touch(std::move(key));
    entry.work += work;
    if (entry.tried) {
      if (entry.assembled) note_hit();
      return entry.assembled;
    }
    if (entry.work < kCompileWork) return nullptr;
    entry.tried = true;
    compile(entry, loop, wanted, still, stores);
    return entry.assembled;
  }

  // The work that a structure has been worth so far; enough to be compiled if it was tried.
  std::int64_t work_so_far(const std::string& key) {
    std::lock_guard<std::mutex> guard(lock_);
    auto found = entries_.find(key);
    if (found == entries_.end()) return 0;
    return found->second->tried ? kCompileWork : found->second->work;
  }

  CompilationCounts counts() {
    std::lock_guard<std::mutex> guard(lock_);
    CompilationCounts counts = counts_;
    counts.hits = hits_.load(std::memory_order_relaxed);
    return counts;
  }
  void note_hit() { hits_.fetch_add(1, std::memory_order_relaxed); }

 private:
  struct Entry {
    const std::string* key = nullptr;
    bool tried = false;
    std::int64_t work = 0;
    std::shared_ptr<const Assembled> assembled;
  };
  using Order = std::list<Entry>;  // used last first

  void compile(Entry& entry, const FusedLoop& loop, const std::vector<std::uint16_t>& wanted,
               const std::vector<bool>& still, Stores stores) {
    Stopwatch watch;
    std::string refusal;
    entry.assembled = Assembled::make(loop, wanted, still, best_target(), stores, &refusal);
    entry.assembled ? ++counts_.compiled : ++counts_.refused;
    if (entry.assembled) counts_.bytes += entry.assembled->bytes();
    if (!is_logged(LogSubject::kRendering)) return;
    std::string steps = std::to_string(loop.steps.size()) + " step(s)";
    log_line(entry.assembled
                 ? "compile " + steps + ", " + std::to_string(entry.assembled->bytes()) +
                       " bytes of code, " + time_text(watch.seconds())
                 : "no code for " + steps + ": " + refusal);
  }

  Entry& touch(std::string key) {
    auto [found, is_new] = entries_.try_emplace(std::move(key));
    if (!is_new) {
      order_.splice(order_.begin(), order_, found->second);
      return order_.front();
    }
    order_.emplace_front();
    order_.front().key = &found->first;
    found->second = order_.begin();
    if (order_.size() > kMostEntries) drop_last();
    return order_.front();
  }
  void drop_last() {
    if (order_.back().assembled) counts_.bytes -= order_.back().assembled->bytes();
    entries_.erase(entries_.find(*order_.back().key));
    order_.pop_back();
  }

  std::mutex lock_;
  std::unordered_map<std::string, Order::iterator> entries_;
  Order order_;
  CompilationCounts counts_;
  std::atomic<std::int64_t> hits_{0};
};

Cache& cache() {
  static Cache* instance = new Cache;  // outlives threads that still compute at exit
  return *instance;
}

}  // namespace

std::shared_ptr<const Assembled> Assembled::find(const FusedLoop& loop,
                                                 const std::vector<std::uint16_t>& wanted,
                                                 const std::vector<bool>& still, Stores stores,
                                                 std::int64_t work) {
  return cache().find(loop, wanted, still, stores, work);
}

void Assembled::note_hit() { cache().note_hit(); }

std::string Assembled::find_obstacle(const FusedLoop& loop,
                                     const std::vector<std::uint16_t>& wanted,
                                     const std::vector<bool>& still, Stores stores,
                                     std::int64_t work) {
  std::string refusal;
  if (!make(loop, wanted, still, best_target(), stores, &refusal)) return refusal;
  bool pays = cache().work_so_far(make_key(loop, wanted, still, stores)) + work >= kCompileWork;
  return pays ? "" : "it has not had enough work to be worth compiling";
}

CompilationCounts compilation_counts() { return cache().counts(); }

}  // namespace strider::nd
