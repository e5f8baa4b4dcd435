// One file for each key, named by the key's digest: a line that says what it is, the digest of all
// the rest, the key, the content. Files appear whole, by renaming. When a file is read its time is
// set, so that the oldest times are of what was not used for longest.
#include "kernels/backend/cuda/jit/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <vector>

#include "kernels/backend/cuda/jit/digest.h"
#include "kernels/backend/cuda/sizes.h"

namespace strider::nd::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "strider kernel 1\n";
constexpr std::string_view kEnding = ".kernel";
constexpr std::string_view kUnfinished = ".unfinished-";
constexpr std::size_t kUsualLimit = 256u << 20;
constexpr std::size_t kLargestFile = 64u << 20;
constexpr int kStoresUntilCounted = 64;       // others store, too
constexpr std::time_t kAbandonedAfter = 600;  // seconds

// A file descriptor, closed with the scope.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

std::string file_name(const std::string& key) { return digest(key) + std::string(kEnding); }

std::string make_record(const std::string& key, std::string_view content) {
  std::string body = std::to_string(key.size()) + "\n" + key;
  body += content;
  return std::string(kFirstLine) + digest(body) + body;
}

constexpr std::size_t kDigestSize = 64;

// The content of a record of this key; nothing if it is damaged or another key's.
std::optional<std::string> read_record(const std::string& record, const std::string& key) {
  std::string_view rest = record;
  if (!rest.starts_with(kFirstLine) || rest.size() < kFirstLine.size() + kDigestSize) return {};
  std::string_view expected = rest.substr(kFirstLine.size(), kDigestSize);
  rest.remove_prefix(kFirstLine.size() + kDigestSize);
  std::string start = std::to_string(key.size()) + "\n" + key;
  if (!rest.starts_with(start) || digest(rest) != expected) return {};
  return std::string(rest.substr(start.size()));
}

std::optional<std::string> read_all(int descriptor, std::size_t size) {
  std::string content(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    ssize_t count = ::read(descriptor, content.data() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    done += static_cast<std::size_t>(count);
  }
  return content;
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    ssize_t count = ::write(descriptor, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Makes a folder and those above it; what is made is this user's alone.
void make_folders(const fs::path& folder) {
  fs::path made;
  for (const fs::path& part : folder) {
    made /= part;
    ::mkdir(made.c_str(), 0700);
  }
}

struct Entry {
  std::string name;
  std::size_t size;
  timespec used;
};

// The files of the folder that are ours. Unfinished ones that nobody writes any more are removed.
std::vector<Entry> list_entries(int folder) {
  std::vector<Entry> entries;
  int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* listing = again < 0 ? nullptr : ::fdopendir(again);
  if (!listing) {
    if (again >= 0) ::close(again);
    return entries;
  }
  while (const dirent* entry = ::readdir(listing)) {
    std::string_view name = entry->d_name;
    bool unfinished = name.starts_with(kUnfinished);
    if (!unfinished && !name.ends_with(kEnding)) continue;
    struct stat facts;
    if (::fstatat(folder, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!unfinished) {
      entries.push_back(
          {std::string(name), static_cast<std::size_t>(facts.st_size), facts.st_mtim});
    } else if (facts.st_mtim.tv_sec + kAbandonedAfter < std::time(nullptr)) {
      ::unlinkat(folder, entry->d_name, 0);
    }
  }
  ::closedir(listing);
  return entries;
}

std::size_t total_size(const std::vector<Entry>& entries) {
  std::size_t total = 0;
  for (const Entry& entry : entries) total += entry.size;
  return total;
}

}  // namespace

DiskCache::DiskCache(const std::string& folder, std::size_t limit) : limit_(limit) {
  if (limit == 0) {
    reason_ = "its limit is 0";
  } else if (folder.empty()) {
    reason_ = "there is no folder for it";
  } else {
    open(folder);
  }
}

DiskCache::~DiskCache() {
  if (folder_ >= 0) ::close(folder_);
}

void DiskCache::open(const std::string& folder) {
  make_folders(folder);
  int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat facts;
  if (opened < 0 || ::fstat(opened, &facts) != 0) {
    reason_ = folder + ": " + std::strerror(errno);
  } else if (facts.st_uid != ::geteuid()) {
    reason_ = folder + " belongs to somebody else";
  } else if (facts.st_mode & (S_IWGRP | S_IWOTH)) {
    reason_ = folder + " can be written by others";
  }
  if (reason_.empty()) {
    folder_ = opened;
  } else if (opened >= 0) {
    ::close(opened);
  }
}

std::optional<std::string> DiskCache::find(const std::string& key) const {
  if (folder_ < 0) return {};
  std::string name = file_name(key);
  File file(::openat(folder_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat facts;
  if (!file || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
  auto size = static_cast<std::size_t>(facts.st_size);
  if (facts.st_uid != ::geteuid() || size > kLargestFile) return {};
  std::optional<std::string> record = read_all(file.get(), size);
  std::optional<std::string> content = record ? read_record(*record, key) : std::nullopt;
  if (content) {
    ::futimens(file.get(), nullptr);
  } else {
    ::unlinkat(folder_, name.c_str(), 0);
  }
  return content;
}

void DiskCache::store(const std::string& key, std::string_view content) {
  if (folder_ < 0) return;
  std::string record = make_record(key, content);
  if (record.size() > std::min(limit_, kLargestFile)) return;
  make_room(record.size());
  write(file_name(key), record);
}

// Writes a file of its own and then gives it its name; leaves nothing behind when that fails.
bool DiskCache::write(const std::string& name, std::string_view record) const {
  static std::atomic<unsigned> number{0};
  std::string unfinished = std::string(kUnfinished) + std::to_string(::getpid()) + "-" +
                           std::to_string(std::time(nullptr)) + "-" + std::to_string(++number);
  bool written = false;
  {
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    File file(::openat(folder_, unfinished.c_str(), kFlags, 0600));
    if (!file) return false;
    written = write_all(file.get(), record);
  }
  written = written && ::renameat(folder_, unfinished.c_str(), folder_, name.c_str()) == 0;
  if (!written) ::unlinkat(folder_, unfinished.c_str(), 0);
  return written;
}

void DiskCache::make_room(std::size_t size) {
  std::lock_guard<std::mutex> guard(lock_);
  bool over = held_ + size > limit_;
  if (over || until_counted_ == 0) {
    held_ = total_size(list_entries(folder_));
    until_counted_ = kStoresUntilCounted;
  }
  if (held_ + size > limit_) held_ = remove_oldest(std::min(limit_ / 4 * 3, limit_ - size));
  held_ += size;
  --until_counted_;
}

// Removes what was not used for longest until at most `keep` bytes are left; returns how many are.
std::size_t DiskCache::remove_oldest(std::size_t keep) const {
  std::vector<Entry> entries = list_entries(folder_);
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    return left.used.tv_sec != right.used.tv_sec ? left.used.tv_sec < right.used.tv_sec
                                                 : left.used.tv_nsec < right.used.tv_nsec;
  });
  std::size_t left = total_size(entries);
  for (const Entry& entry : entries) {
    if (left <= keep) break;
    ::unlinkat(folder_, entry.name.c_str(), 0);
    left -= entry.size;
  }
  return left;
}

std::string kernel_cache_folder() {
  auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  std::string chosen = variable("STRIDER_CACHE_DIR");
  if (!chosen.empty()) return chosen + "/kernels";
  std::string shared = variable("XDG_CACHE_HOME");
  if (shared.starts_with('/')) return shared + "/strider/kernels";
  std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/strider/kernels";
}

std::size_t kernel_cache_limit() {
  return parse_bytes(std::getenv("STRIDER_CACHE_LIMIT"), kUsualLimit);
}

}  // namespace strider::nd::cuda
