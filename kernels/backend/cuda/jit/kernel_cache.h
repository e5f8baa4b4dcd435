// KernelCache: texts become kernels once. They are compiled by whoever waits for them or by a
// thread beside the program, and kept in memory and on disk. Knows nothing of devices.
#pragma once

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

struct KernelCounts {
  std::int64_t compiled = 0;
  std::int64_t from_disk = 0;
  std::int64_t failed = 0;
  std::int64_t dropped = 0;  // because there were too many
};

class KernelCache {
 public:
  using MakeText = std::function<std::string()>;

  // Keeps at most `limit` kernels in memory; those that were not used for longest go first.
  KernelCache(KernelMaker& maker, DiskCache& disk, std::size_t limit = 2048);
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;

  // The kernel of this key if it is there; else null, and it is compiled beside the program.
  // `make_text` runs at once, if at all. Throws what compiling it threw.
  std::shared_ptr<Kernel> find_or_start(const std::string& key, const MakeText& make_text);
  // The kernel of this key, once it is there. Throws what compiling it threw.
  std::shared_ptr<Kernel> wait(const std::string& key, const MakeText& make_text);

  // Ends the thread beside the program; what was not begun is compiled by those who wait for it.
  void stop();
  KernelCounts counts() const;

 private:
  struct Entry;
  using EntryPointer = std::shared_ptr<Entry>;

  EntryPointer find(const std::string& key);
  EntryPointer add(const std::string& key, std::string text);
  std::shared_ptr<Kernel> result(Entry& entry) const;
  void make(Entry& entry, std::unique_lock<std::mutex>& guard);
  std::shared_ptr<Kernel> make_kernel(const std::string& text);
  void drop_oldest(std::size_t count);
  void work();

  KernelMaker& maker_;
  DiskCache& disk_;
  const std::size_t limit_;
  mutable std::mutex lock_;  // guards what follows
  std::condition_variable changed_;
  std::unordered_map<std::string, EntryPointer> entries_;
  std::list<Entry*> by_use_;  // the latest first
  std::deque<EntryPointer> queue_;
  std::thread worker_;
  bool stopping_ = false;
  KernelCounts counts_;
};

}  // namespace strider::nd::cuda
