// Binary files: reading, writing and positions.
#include "interpreter/builtins/modules/io/io_binary.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/bytes/buffer.h"

namespace strider::lang {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;

// How many bytes were read; none where the descriptor does not wait and has nothing yet.
std::optional<std::size_t> read_descriptor(int descriptor, char* target, std::size_t size) {
  for (;;) {
    wait_for_descriptor(Interpreter::current(), descriptor, POLLIN);
    ssize_t got = ::read(descriptor, target, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {};
    if (errno != EINTR) raise_os_error(errno);
    poll_interrupt(Interpreter::current());
  }
}

void write_descriptor(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    bytes.remove_prefix(static_cast<std::size_t>(written_bytes(descriptor, bytes)));
    if (!bytes.empty()) poll_interrupt(Interpreter::current());  // what may have ended the call
  }
}

std::size_t limited(std::size_t size, std::int64_t limit) {
  return limit < 0 ? size : std::min(size, static_cast<std::size_t>(limit));
}

}  // namespace

// --- On a descriptor ---

DescriptorFile::DescriptorFile(int descriptor, Access access, const Value& name, std::string mode,
                               Type* type)
    : BinaryFile(type),
      descriptor_(descriptor),
      access_(access),
      name_(name),
      mode_(std::move(mode)) {}

void DescriptorFile::adopt(DescriptorFile& opened) {
  if (!closed()) close();
  descriptor_ = std::exchange(opened.descriptor_, -1);
  access_ = opened.access_;
  name_ = opened.name_;
  mode_ = opened.mode_;
}

DescriptorFile::~DescriptorFile() {
  try {
    close();
  } catch (const Raised&) {  // nobody is left to hear of it
  }
}

void DescriptorFile::check_readable() {
  if (closed()) raise(errors::ValueError, "read of closed file");
  if (!access_.read) raise_unsupported("read");
  if (!output_.empty()) flush();
}

void DescriptorFile::check_writable() {
  if (closed()) raise(errors::ValueError, "write to closed file");
  if (!access_.write) raise_unsupported("write");
}

// Reads more into the buffer, which others may use while this waits; false at the end of the file,
// and where nothing is there yet.
bool DescriptorFile::fill(std::size_t wanted) {
  std::size_t room = access_.buffered ? std::max(wanted, kBufferSize) : wanted;
  ReadBytes read(room);
  std::optional<std::size_t> got = read_descriptor(descriptor_, read.data(), read.room());
  has_nothing_yet_ = !got;
  input_.erase(0, position_);
  position_ = 0;
  input_.append(read.data(), got.value_or(0));
  return got.value_or(0) > 0;
}

std::string DescriptorFile::take(std::size_t size) {
  std::string bytes = input_.substr(position_, size);
  position_ += bytes.size();
  ++taken_;
  return bytes;
}

std::string DescriptorFile::read(std::int64_t size) {
  check_readable();
  if (size < 0) {
    struct stat status;
    if (fstat(descriptor_, &status) == 0 && status.st_size > 0)
      input_.reserve(static_cast<std::size_t>(status.st_size) + kBufferSize);
    while (fill(kBufferSize)) {
    }
  } else if (access_.buffered) {
    while (ahead() < static_cast<std::size_t>(size) &&
           fill(std::min<std::size_t>(static_cast<std::size_t>(size) - ahead(), 1 << 24))) {
    }
  }
  return read_available(size);
}

std::string DescriptorFile::read_available(std::int64_t size) {
  check_readable();
  if (ahead() == 0 && size != 0)
    fill(access_.buffered || size < 0 ? kBufferSize : static_cast<std::size_t>(size));
  return take(limited(ahead(), size));
}

std::string DescriptorFile::read_line(std::int64_t limit) {
  check_readable();
  std::size_t searched = 0;
  for (;;) {
    std::size_t newline = input_.find('\n', position_ + searched);
    if (newline != input_.npos) return take(limited(newline + 1 - position_, limit));
    searched = ahead();
    unsigned taken = taken_;
    bool enough = limit >= 0 && searched >= static_cast<std::size_t>(limit);
    bool more = !enough && fill(access_.buffered ? kBufferSize : 1);
    if (taken != taken_) searched = 0;  // others have read meanwhile
    if (!more) return take(limited(ahead(), limit));
  }
}

std::string DescriptorFile::peek() {
  check_readable();
  if (ahead() == 0) fill(kBufferSize);
  return input_.substr(position_);
}

// The descriptor's position moves back to where the reader is.
void DescriptorFile::forget_read_ahead() {
  if (ahead() > 0) ::lseek(descriptor_, -static_cast<off_t>(ahead()), SEEK_CUR);
  input_.clear();
  position_ = 0;
}

void DescriptorFile::write(std::string_view bytes) {
  check_writable();
  forget_read_ahead();
  output_ += bytes;
  if (!access_.buffered || output_.size() >= most_kept_) flush();
}

void DescriptorFile::flush() {
  if (closed()) raise(errors::ValueError, "flush of closed file");
  if (output_.empty()) return;
  std::string pending = std::move(output_);
  output_.clear();
  write_descriptor(descriptor_, pending);
}

std::int64_t DescriptorFile::seek(std::int64_t offset, int whence) {
  if (closed()) raise(errors::ValueError, "seek of closed file");
  flush();
  forget_read_ahead();
  off_t position = ::lseek(descriptor_, offset, whence);
  if (position < 0) raise_os_error(errno);
  return position;
}

std::int64_t DescriptorFile::tell() {
  if (closed()) raise(errors::ValueError, "tell of closed file");
  off_t position = ::lseek(descriptor_, 0, SEEK_CUR);
  if (position < 0) raise_os_error(errno);
  return position - static_cast<off_t>(ahead()) + static_cast<off_t>(output_.size());
}

void DescriptorFile::truncate(std::int64_t size) {
  if (closed()) raise(errors::ValueError, "truncate of closed file");
  if (!access_.write) raise_unsupported("truncate");
  flush();
  forget_read_ahead();
  if (::ftruncate(descriptor_, size) != 0) raise_os_error(errno);
}

void DescriptorFile::close() {
  if (closed()) return;
  int descriptor = descriptor_;
  auto finish = [&] {
    descriptor_ = -1;
    return access_.owned && ::close(descriptor) != 0 && errno != EINTR ? errno : 0;
  };
  try {
    flush();
  } catch (...) {
    finish();
    throw;
  }
  if (int error = finish()) raise_os_error(error);
}

bool DescriptorFile::seekable() {
  if (closed()) raise_closed_file();
  return ::lseek(descriptor_, 0, SEEK_CUR) >= 0;
}

// --- In memory ---

std::string MemoryFile::read(std::int64_t size) {
  if (closed_) raise_closed_file();
  if (position >= bytes.size()) return {};
  std::string result = bytes.substr(position, limited(bytes.size() - position, size));
  position += result.size();
  return result;
}

std::string MemoryFile::read_line(std::int64_t limit) {
  if (closed_) raise_closed_file();
  if (position >= bytes.size()) return {};
  std::size_t newline = bytes.find('\n', position);
  std::size_t end = newline == bytes.npos ? bytes.size() : newline + 1;
  return read(static_cast<std::int64_t>(limited(end - position, limit)));
}

void MemoryFile::check_free() const { require_no_exports(exports); }

void MemoryFile::write(std::string_view more) {
  if (closed_) raise_closed_file();
  check_free();
  if (more.empty()) return;
  if (position > bytes.size()) bytes.resize(position, '\0');
  if (position == bytes.size())
    bytes += more;
  else
    bytes.replace(position, std::min(more.size(), bytes.size() - position), more);
  position += more.size();
}

std::int64_t MemoryFile::seek(std::int64_t offset, int whence) {
  if (closed_) raise_closed_file();
  if (whence == 0 && offset < 0) raise(errors::ValueError, "negative seek value {}", offset);
  std::int64_t base = whence == 0   ? 0
                      : whence == 1 ? static_cast<std::int64_t>(position)
                                    : static_cast<std::int64_t>(bytes.size());
  position = static_cast<std::size_t>(std::max<std::int64_t>(0, base + offset));
  return static_cast<std::int64_t>(position);
}

std::int64_t MemoryFile::tell() {
  if (closed_) raise_closed_file();
  return static_cast<std::int64_t>(position);
}

void MemoryFile::truncate(std::int64_t size) {
  if (closed_) raise_closed_file();
  if (size < 0) raise(errors::ValueError, "negative size value {}", size);
  check_free();
  if (static_cast<std::size_t>(size) < bytes.size()) bytes.resize(static_cast<std::size_t>(size));
}

void MemoryFile::close() {
  check_free();
  closed_ = true;
  bytes.clear();
  bytes.shrink_to_fit();
}

BinaryFile* as_binary_file(const Value& value) {
  bool ours =
      value.is_object() &&
      (is_instance(value, bytes_io_type()) || is_instance(value, file_io_type()) ||
       is_instance(value, buffered_reader_type()) || is_instance(value, buffered_writer_type()) ||
       is_instance(value, buffered_random_type()));
  return ours ? value.as<BinaryFile>() : nullptr;
}

}  // namespace strider::lang
