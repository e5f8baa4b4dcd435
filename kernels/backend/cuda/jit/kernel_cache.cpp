// An entry goes from queued to being made to done; whoever makes it does so without the lock.
#include "kernels/backend/cuda/jit/kernel_cache.h"

#include <utility>

#include "kernels/core/blocked_signals.h"
#include "kernels/core/log.h"

namespace strider::nd::cuda {
namespace {

// How long compilations are still begun when the program ends.
constexpr std::chrono::milliseconds kFinishing{250};

}  // namespace

struct KernelCache::Entry {
  enum class State { kQueued, kBeingMade, kDone };

  std::string key;
  std::string text;  // until it is compiled
  State state = State::kQueued;
  std::shared_ptr<Kernel> kernel;
  std::exception_ptr failure;
  std::list<Entry*>::iterator place;  // in by_use_
};

KernelCache::KernelCache(KernelMaker& maker, DiskCache& disk, std::size_t limit,
                         ReadyKernels* ready, std::size_t most_workers)
    : maker_(maker), disk_(disk), ready_(ready), limit_(limit), most_workers_(most_workers) {}

KernelCache::~KernelCache() { stop(); }

std::shared_ptr<Kernel> KernelCache::find(const std::string& key) {
  {
    std::lock_guard<std::mutex> guard(lock_);
    if (EntryPointer entry = find_entry(key)) {
      if (entry->kernel) ++counts_.hits;
      return entry->kernel;
    }
  }
  return find_ready(key);
}

std::shared_ptr<Kernel> KernelCache::find_ready(const std::string& key) {
  std::shared_ptr<Kernel> kernel = ready_ ? ready_->find(key) : nullptr;
  return kernel ? keep(key, std::move(kernel), &KernelCounts::ready) : nullptr;
}

std::shared_ptr<Kernel> KernelCache::find_or_start(const std::string& key,
                                                   const MakeText& make_text) {
  std::unique_lock<std::mutex> guard(lock_);
  if (EntryPointer entry = find_entry(key)) return result(*entry);
  guard.unlock();
  if (std::shared_ptr<Kernel> ready = find_ready(key)) return ready;
  std::string text = make_text();
  if (std::shared_ptr<Kernel> kept = find_on_disk(disk_key(text)))
    return keep(key, std::move(kept), &KernelCounts::from_disk);
  guard.lock();
  if (EntryPointer entry = find_entry(key)) return result(*entry);
  if (stopping_) return nullptr;
  queue_.push_back(add(key, std::move(text)));
  ++counts_.compiling;
  call_worker();
  return nullptr;
}

// Has a thread look at the queue: another one, while all have something to do.
void KernelCache::call_worker() {
  if (idle_ < queue_.size() && workers_.size() < most_workers_) {
    BlockedSignals blocked;
    workers_.emplace_back([this] { work(); });
  }
  changed_.notify_all();
}

std::shared_ptr<Kernel> KernelCache::wait(const std::string& key, const MakeText& make_text) {
  std::unique_lock<std::mutex> guard(lock_);
  EntryPointer entry = find_entry(key);
  if (!entry) {
    guard.unlock();
    if (std::shared_ptr<Kernel> ready = find_ready(key)) return ready;
    std::string text = make_text();
    guard.lock();
    entry = find_entry(key);
    if (!entry) {
      entry = add(key, std::move(text));
      ++counts_.compiling;
    }
  }
  if (entry->state != Entry::State::kDone) ++counts_.waited;
  if (entry->state == Entry::State::kQueued) make(*entry, guard);
  changed_.wait(guard, [&] { return entry->state == Entry::State::kDone; });
  return result(*entry);
}

// Keeps a kernel that was found, unless another thread was faster.
std::shared_ptr<Kernel> KernelCache::keep(const std::string& key, std::shared_ptr<Kernel> kernel,
                                          std::int64_t KernelCounts::*counter) {
  std::lock_guard<std::mutex> guard(lock_);
  EntryPointer entry = find_entry(key);
  if (!entry) {
    entry = add(key, "");
    entry->kernel = kernel;
    entry->state = Entry::State::kDone;
    ++(counts_.*counter);
  }
  return kernel;
}

void KernelCache::stop() {
  std::unique_lock<std::mutex> guard(lock_);
  stopping_ = true;
  last_start_ = std::chrono::steady_clock::now() + kFinishing;
  changed_.notify_all();
  std::vector<std::thread> workers = std::exchange(workers_, {});
  guard.unlock();
  for (std::thread& worker : workers) worker.join();
}

KernelCounts KernelCache::counts() const {
  std::lock_guard<std::mutex> guard(lock_);
  return counts_;
}

KernelCache::EntryPointer KernelCache::find_entry(const std::string& key) {
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
std::shared_ptr<Kernel> KernelCache::result(Entry& entry) {
  if (entry.failure) std::rethrow_exception(entry.failure);
  if (entry.kernel) ++counts_.hits;
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
  --counts_.compiling;
  if (failure) ++counts_.failed;
  changed_.notify_all();
}

// Code that is whole but cannot be loaded counts as missing, and is replaced.
std::shared_ptr<Kernel> KernelCache::find_on_disk(const std::string& disk_key) {
  std::optional<std::string> kept = disk_.find(disk_key);
  if (!kept) return nullptr;
  try {
    return maker_.load(*kept);
  } catch (const std::exception&) {
    return nullptr;
  }
}

std::shared_ptr<Kernel> KernelCache::make_kernel(const std::string& text) {
  std::string key = disk_key(text);
  if (std::shared_ptr<Kernel> kept = find_on_disk(key)) {
    std::lock_guard<std::mutex> guard(lock_);
    ++counts_.from_disk;
    return kept;
  }
  std::string machine_code = compile(text);
  std::shared_ptr<Kernel> kernel = maker_.load(machine_code);
  disk_.store(key, machine_code);
  return kernel;
}

std::string KernelCache::compile(const std::string& text) {
  Stopwatch watch;
  std::string machine_code;
  try {
    machine_code = maker_.compile(text);
  } catch (const std::exception& error) {
    if (is_logged(LogSubject::kPasses)) log_line(error.what());
    throw;
  }
  std::lock_guard<std::mutex> guard(lock_);
  ++counts_.compiled;
  counts_.compile_seconds += watch.seconds();
  return machine_code;
}

void KernelCache::work() {
  std::unique_lock<std::mutex> guard(lock_);
  for (;;) {
    ++idle_;
    changed_.wait(guard, [&] { return stopping_ || !queue_.empty(); });
    --idle_;
    bool late = stopping_ && std::chrono::steady_clock::now() >= last_start_;
    if (late || queue_.empty()) return;
    EntryPointer entry = std::move(queue_.front());
    queue_.pop_front();
    if (entry->state == Entry::State::kQueued) make(*entry, guard);
  }
}

}  // namespace strider::nd::cuda
