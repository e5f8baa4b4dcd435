// An entry goes from queued to being made to done; whoever makes it does so without the lock.
#include "kernels/backend/cuda/jit/kernel_cache.h"

#include "kernels/backend/cuda/jit/digest.h"
#include "kernels/core/blocked_signals.h"

namespace strider::nd::cuda {

struct KernelCache::Entry {
  enum class State { kQueued, kBeingMade, kDone };

  std::string key;
  std::string text;  // until it is compiled
  State state = State::kQueued;
  std::shared_ptr<Kernel> kernel;
  std::exception_ptr failure;
  std::list<Entry*>::iterator place;  // in by_use_
};

KernelCache::KernelCache(KernelMaker& maker, DiskCache& disk, std::size_t limit)
    : maker_(maker), disk_(disk), limit_(limit) {}

KernelCache::~KernelCache() { stop(); }

std::shared_ptr<Kernel> KernelCache::find_or_start(const std::string& key,
                                                   const MakeText& make_text) {
  std::unique_lock<std::mutex> guard(lock_);
  if (EntryPointer entry = find(key)) return result(*entry);
  guard.unlock();
  std::string text = make_text();
  guard.lock();
  if (EntryPointer entry = find(key)) return result(*entry);
  queue_.push_back(add(key, std::move(text)));
  if (!worker_.joinable() && !stopping_) {
    BlockedSignals blocked;
    worker_ = std::thread([this] { work(); });
  }
  changed_.notify_all();
  return nullptr;
}

std::shared_ptr<Kernel> KernelCache::wait(const std::string& key, const MakeText& make_text) {
  std::unique_lock<std::mutex> guard(lock_);
  EntryPointer entry = find(key);
  if (!entry) {
    guard.unlock();
    std::string text = make_text();
    guard.lock();
    entry = find(key);
    if (!entry) entry = add(key, std::move(text));
  }
  if (entry->state == Entry::State::kQueued) make(*entry, guard);
  changed_.wait(guard, [&] { return entry->state == Entry::State::kDone; });
  return result(*entry);
}

void KernelCache::stop() {
  std::unique_lock<std::mutex> guard(lock_);
  stopping_ = true;
  changed_.notify_all();
  guard.unlock();
  if (worker_.joinable()) worker_.join();
}

KernelCounts KernelCache::counts() const {
  std::lock_guard<std::mutex> guard(lock_);
  return counts_;
}

KernelCache::EntryPointer KernelCache::find(const std::string& key) {
  auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  by_use_.splice(by_use_.begin(), by_use_, found->second->place);
  return found->second;
}

KernelCache::EntryPointer KernelCache::add(const std::string& key, std::string text) {
  if (entries_.size() >= limit_) drop_oldest(limit_ / 8 + 1);
  auto entry = std::make_shared<Entry>();
  entry->key = key;
  entry->text = std::move(text);
  by_use_.push_front(entry.get());
  entry->place = by_use_.begin();
  entries_[key] = entry;
  return entry;
}

// Forgets the kernels that were not used for longest, several at once: it may wait for a device.
void KernelCache::drop_oldest(std::size_t count) {
  for (auto at = by_use_.end(); count > 0 && at != by_use_.begin();) {
    Entry* entry = *--at;
    if (entry->state != Entry::State::kDone) continue;
    at = by_use_.erase(at);
    std::string key = entry->key;
    entries_.erase(key);
    ++counts_.dropped;
    --count;
  }
}

// Null while it is not done.
std::shared_ptr<Kernel> KernelCache::result(Entry& entry) const {
  if (entry.failure) std::rethrow_exception(entry.failure);
  return entry.kernel;
}

void KernelCache::make(Entry& entry, std::unique_lock<std::mutex>& guard) {
  entry.state = Entry::State::kBeingMade;
  guard.unlock();
  std::shared_ptr<Kernel> kernel;
  std::exception_ptr failure;
  try {
    kernel = make_kernel(entry.text);
  } catch (...) {
    failure = std::current_exception();
  }
  guard.lock();
  entry.text = std::string();
  entry.kernel = std::move(kernel);
  entry.failure = failure;
  entry.state = Entry::State::kDone;
  if (failure) ++counts_.failed;
  changed_.notify_all();
}

std::shared_ptr<Kernel> KernelCache::make_kernel(const std::string& text) {
  std::string key = maker_.identity() + "\n" + digest(text);
  auto count = [this](std::int64_t KernelCounts::*counter) {
    std::lock_guard<std::mutex> guard(lock_);
    ++(counts_.*counter);
  };
  if (std::optional<std::string> kept = disk_.find(key)) {
    try {
      std::shared_ptr<Kernel> kernel = maker_.load(*kept);
      count(&KernelCounts::from_disk);
      return kernel;
    } catch (const std::exception&) {
      // Code that is whole but cannot be loaded is made anew, and replaced.
    }
  }
  std::string machine_code = maker_.compile(text);
  count(&KernelCounts::compiled);
  std::shared_ptr<Kernel> kernel = maker_.load(machine_code);
  disk_.store(key, machine_code);
  return kernel;
}

void KernelCache::work() {
  std::unique_lock<std::mutex> guard(lock_);
  for (;;) {
    changed_.wait(guard, [&] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    EntryPointer entry = std::move(queue_.front());
    queue_.pop_front();
    if (entry->state == Entry::State::kQueued) make(*entry, guard);
  }
}

}  // namespace strider::nd::cuda
