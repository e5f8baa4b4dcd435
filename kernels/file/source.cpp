// Sources, and the clean-up of foreign bytes.
#include "kernels/file/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace strider::nd {

FileError::FileError(int number, std::string path)
    : std::runtime_error(std::string(std::strerror(number)) + ": '" + path + "'"),
      number_(number),
      path_(std::move(path)) {}

namespace file {
namespace {

// An open descriptor, closed at the end.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) throw FileError(errno, path);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(fd_); }
  int get() const { return fd_; }

 private:
  int fd_;
};

class FileSource final : public Source {
 public:
  explicit FileSource(const std::string& path) : descriptor_(path, O_RDONLY), path_(path) {
    struct stat status;
    if (::fstat(descriptor_.get(), &status) != 0) throw FileError(errno, path);
    if (S_ISDIR(status.st_mode)) throw FileError(EISDIR, path);
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t offset, void* out, std::size_t count) const override {
    std::size_t done = 0;
    while (done < count) {
      ssize_t got = ::pread(descriptor_.get(), static_cast<char*>(out) + done, count - done,
                            static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw FileError(errno, path_);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

 private:
  Descriptor descriptor_;
  std::string path_;
  std::uint64_t size_ = 0;
};

class MemorySource final : public Source {
 public:
  explicit MemorySource(std::string content) : owned_(std::move(content)) {
    bytes_ = {reinterpret_cast<const std::byte*>(owned_.data()), owned_.size()};
  }
  explicit MemorySource(Bytes content) : bytes_(content) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t offset, void* out, std::size_t count) const override {
    if (offset >= bytes_.size()) return 0;
    count = std::min<std::size_t>(count, bytes_.size() - static_cast<std::size_t>(offset));
    if (count > 0) std::memcpy(out, bytes_.data() + offset, count);
    return count;
  }

 private:
  std::string owned_;
  Bytes bytes_;
};

// Pipes and devices tell no size: they are read to their end.
std::string read_stream(int fd, const std::string& path) {
  std::string content;
  char block[65536];
  for (;;) {
    ssize_t got = ::read(fd, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(errno, path);
    if (got == 0) return content;
    content.append(block, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::string Source::text(std::uint64_t offset, std::size_t count) const {
  std::uint64_t left = offset < size() ? size() - offset : 0;
  std::string result(static_cast<std::size_t>(std::min<std::uint64_t>(count, left)), '\0');
  result.resize(read(offset, result.data(), result.size()));
  return result;
}

std::shared_ptr<const Source> Source::open(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    return of_bytes(read_file(path));
  return std::make_shared<FileSource>(path);
}

std::shared_ptr<const Source> Source::of_bytes(std::string content) {
  return std::make_shared<MemorySource>(std::move(content));
}

std::shared_ptr<const Source> Source::of_span(Bytes content) {
  return std::make_shared<MemorySource>(content);
}

void swap_bytes(std::byte* data, std::int64_t byte_count, DType dtype) {
  int size = is_complex(dtype) ? item_size(dtype) / 2 : item_size(dtype);
  for (std::int64_t i = 0; size > 1 && i + size <= byte_count; i += size)
    std::reverse(data + i, data + i + size);
}

void normalise_bools(std::byte* data, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) data[i] = std::byte{data[i] != std::byte{0}};
}

void adopt_bytes(const Array& array, bool swapped) {
  std::byte* data = array.mutable_data();
  if (swapped) swap_bytes(data, array.byte_count(), array.dtype());
  if (array.dtype() == DType::kBool) normalise_bools(data, array.size());
}

}  // namespace file

std::string read_file(const std::string& path) {
  file::Descriptor descriptor(path, O_RDONLY);
  struct stat status;
  if (::fstat(descriptor.get(), &status) != 0) throw FileError(errno, path);
  if (S_ISDIR(status.st_mode)) throw FileError(EISDIR, path);
  return file::read_stream(descriptor.get(), path);
}

void write_file(const std::string& path, std::string_view content, bool append) {
  file::Descriptor descriptor(path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC));
  while (!content.empty()) {
    ssize_t put = ::write(descriptor.get(), content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw FileError(errno, path);
    content.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace strider::nd
