// DiskCache: machine code of kernels, kept in files for later runs. Whatever is wrong with the
// folder or a file, a lookup then finds nothing and nothing is stored: never an error. Many
// processes may use one folder. Knows nothing of what the contents mean.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace strider::nd::cuda {

class DiskCache {
 public:
  // Keeps files in `folder`, which is made where it is missing and used only if it belongs to this
  // user and nobody else may write there; at most `limit` bytes, of which those that were not used
  // for longest go first.
  DiskCache(const std::string& folder, std::size_t limit);
  ~DiskCache();
  DiskCache(const DiskCache&) = delete;

  // What was stored under this key, which may be a text of any length.
  std::optional<std::string> find(const std::string& key) const;
  void store(const std::string& key, std::string_view content);

  // Why nothing is kept; empty where the folder is in use.
  const std::string& reason() const { return reason_; }

 private:
  void open(const std::string& folder);
  bool write(const std::string& name, std::string_view record) const;
  void make_room(std::size_t size);
  std::size_t remove_oldest(std::size_t keep) const;

  int folder_ = -1;
  std::size_t limit_;
  std::string reason_;
  std::mutex lock_;        // of what follows
  std::size_t held_ = 0;   // bytes of all files, as far as this process knows
  int until_counted_ = 0;  // stores until the files are counted again
};

// The folder for kernels: kernels/ in STRIDER_CACHE_DIR, $XDG_CACHE_HOME/strider or
// ~/.cache/strider; empty where there is none of them.
std::string kernel_cache_folder();
// STRIDER_CACHE_LIMIT, or 256 MiB.
std::size_t kernel_cache_limit();

}  // namespace strider::nd::cuda
