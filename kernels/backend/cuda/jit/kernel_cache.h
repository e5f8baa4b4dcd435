// KernelCache: texts become kernels once. They are compiled by whoever waits for them or by a
// thread beside the program, and kept in memory and on disk; some are there beforehand. Knows
// nothing of devices.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "kernels/backend/backend.h"
#include "kernels/backend/cuda/jit/digest.h"
#include "kernels/backend/cuda/jit/disk_cache.h"

namespace strider::nd::cuda {

// The entry points of one compiled text.
class Kernel {
 public:
  virtual ~Kernel() = default;
  // What launches take. Throws where the text has no such entry.
  virtual const void* entry(const std::string& name) = 0;
};

// How texts become kernels. Called by several threads.
class KernelMaker {
 public:
  virtual ~KernelMaker() = default;
  // What results depend on beside the text: architecture, options, versions.
  virtual std::string identity() = 0;
  virtual std::string compile(const std::string& text) = 0;
  virtual std::shared_ptr<Kernel> load(const std::string& machine_code) = 0;
};

// Kernels that need no text.
class ReadyKernels {
 public:
  virtual ~ReadyKernels() = default;
  // Null if there is none of this key. Called by several threads.
  virtual std::shared_ptr<Kernel> find(const std::string& key) = 0;
};

class KernelCache {
 public:
  using MakeText = std::function<std::string()>;

  // Keeps at most `limit` kernels in memory; those that were not used for longest go first. `ready`
  // may be null. At most so many threads compile beside the program.
  KernelCache(KernelMaker& maker, DiskCache& disk, std::size_t limit = 2048,
              ReadyKernels* ready = nullptr, std::size_t most_workers = 1);
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;

  // The kernel of this key if it is in memory or there beforehand; else null.
  std::shared_ptr<Kernel> find(const std::string& key);
  // The kernel of this key if it is there, on disk at last; else null, and it is compiled beside
  // the program. `make_text` runs at once, if at all. Throws what compiling it threw.
  std::shared_ptr<Kernel> find_or_start(const std::string& key, const MakeText& make_text);
  // The kernel of this key, once it is there. Throws what compiling it threw.
  std::shared_ptr<Kernel> wait(const std::string& key, const MakeText& make_text);

  // Ends the threads beside the program: they go on for a quarter of a second at most with what was
  // not begun, which is then compiled by those who wait for it.
  void stop();
  KernelCounts counts() const;

 private:
  struct Entry;
  using EntryPointer = std::shared_ptr<Entry>;

  EntryPointer find_entry(const std::string& key);
  std::shared_ptr<Kernel> find_ready(const std::string& key);
  std::shared_ptr<Kernel> find_on_disk(const std::string& disk_key);
  std::string disk_key(const std::string& text) { return maker_.identity() + "\n" + digest(text); }
  EntryPointer add(const std::string& key, std::string text);
  std::shared_ptr<Kernel> keep(const std::string& key, std::shared_ptr<Kernel> kernel,
                               std::int64_t KernelCounts::*counter);
  std::shared_ptr<Kernel> result(Entry& entry);
  void make(Entry& entry, std::unique_lock<std::mutex>& guard);
  std::shared_ptr<Kernel> make_kernel(const std::string& text);
  std::string compile(const std::string& text);
  void drop_oldest(std::size_t count);
  void work();
  void call_worker();

  KernelMaker& maker_;
  DiskCache& disk_;
  ReadyKernels* ready_;
  const std::size_t limit_, most_workers_;
  mutable std::mutex lock_;  // guards what follows
  std::condition_variable changed_;
  std::unordered_map<std::string, EntryPointer> entries_;
  std::list<Entry*> by_use_;  // the latest first
  std::deque<EntryPointer> queue_;
  std::vector<std::thread> workers_;
  std::size_t idle_ = 0;  // workers that wait for something to do
  bool stopping_ = false;
  std::chrono::steady_clock::time_point last_start_;  // of a compilation, once it is stopping
  KernelCounts counts_;
};

}  // namespace strider::nd::cuda
