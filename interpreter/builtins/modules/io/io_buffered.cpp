// Buffers around a raw stream, whose methods are called as a program wrote them.
#include "interpreter/builtins/modules/io/io_buffered.h"

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"

namespace strider::lang {
namespace {

// Up to `size` bytes of a stream by one call; none where it ends or has nothing yet.
std::string read_once(const Value& raw, std::size_t size) {
  Ref<ByteArray> target = make<ByteArray>(std::string(size, '\0'));
  Value count = call_method(raw, intern("readinto"), Value(target));
  if (count.is_none()) return {};
  std::int64_t read = to_int64(count);
  if (read < 0 || static_cast<std::size_t>(read) > size)
    raise(errors::OSError,
          "raw readinto() returned invalid length {} (should have been between 0 and {})", read,
          size);
  return target->bytes.substr(0, static_cast<std::size_t>(read));
}

}  // namespace

BufferedFile::~BufferedFile() {
  if (!Interpreter::exists()) return;
  RaisedAside aside;
  try {
    close();
  } catch (const std::exception&) {  // nobody is left to hear of it
  } catch (const Raised&) {
  }
}

void BufferedFile::attach(const Value& raw, std::int64_t size) {
  if (size <= 0) raise(errors::ValueError, "buffer size must be strictly positive");
  auto require = [&](const char* method) {
    if (truth(call_method(raw, intern(method)))) return;
    raise(unsupported_operation, "File or stream is not {}.", method);
  };
  if (access_.read && access_.write) require("seekable");
  if (access_.read) require("readable");
  if (access_.write) require("writable");
  raw_ = raw;
  size_ = static_cast<std::size_t>(size);
  input_.clear();
  output_.clear();
  position_ = 0;
}

Value BufferedFile::detach() {
  flush();
  Value raw = stream();
  raw_ = Value();
  input_.clear();
  position_ = 0;
  return raw;
}

const Value& BufferedFile::stream() const {
  check_stack();  // streams may stand on each other in a ring
  if (raw_.is_empty()) raise(errors::ValueError, "raw stream has been detached");
  return raw_;
}

bool BufferedFile::asks(const char* method) const {
  return truth(call_method(stream(), intern(method)));
}

bool BufferedFile::closed() const { return truth(get_attribute(stream(), intern("closed"))); }

int BufferedFile::descriptor() const {
  return static_cast<int>(to_int64(call_method(stream(), intern("fileno"))));
}

void BufferedFile::check_open(const char* use) const {
  if (closed()) raise(errors::ValueError, "{} closed file", use);
}

void BufferedFile::begin_reading(const char* use) {
  check_open(use);
  if (!access_.read) raise_unsupported("read");
  write_out();
}

// Reads on until so many bytes wait; false where the stream has no more.
bool BufferedFile::fill(std::size_t wanted) {
  while (ahead() < wanted) {
    std::string more = read_once(stream(), std::max(size_, wanted - ahead()));
    if (more.empty()) return false;
    input_.erase(0, position_);
    position_ = 0;
    input_ += more;
  }
  return true;
}

std::string BufferedFile::take(std::size_t size) {
  std::string bytes = input_.substr(position_, size);
  position_ += bytes.size();
  return bytes;
}

std::string BufferedFile::read(std::int64_t size) {
  begin_reading("read of");
  if (size < -1) raise(errors::ValueError, "read length must be non-negative or -1");
  if (size >= 0) {
    fill(static_cast<std::size_t>(size));
    return take(static_cast<std::size_t>(size));
  }
  while (fill(ahead() + size_)) {
  }
  return take(input_.npos);
}

std::string BufferedFile::read_available(std::int64_t size) {
  begin_reading("read of");
  std::size_t most = size < 0 ? size_ : static_cast<std::size_t>(size);
  if (most > 0) fill(1);
  return take(most);
}

std::string BufferedFile::read_line(std::int64_t limit) {
  begin_reading("readline of");
  std::size_t most = limit < 0 ? input_.npos : static_cast<std::size_t>(limit);
  std::size_t looked = 0;
  for (;;) {
    std::size_t end = input_.find('\n', position_ + looked);
    if (end != input_.npos) return take(std::min(most, end + 1 - position_));
    looked = ahead();
    if (looked >= most || !fill(looked + 1)) return take(most);
  }
}

std::string BufferedFile::peek() {
  begin_reading("peek of");
  fill(1);
  return input_.substr(position_);
}

void BufferedFile::write(std::string_view bytes) {
  check_open("write to");
  if (!access_.write) raise_unsupported("write");
  forget_read_ahead();
  std::size_t waiting = output_.size();
  output_ += bytes;
  if (output_.size() <= size_) return;
  try {
    write_out();
  } catch (const Raised& raised) {  // whoever tries again writes these bytes again
    std::size_t left = output_.size(), older = left > bytes.size() ? left - bytes.size() : 0;
    if (!raised.exception->type()->is_subclass_of(&errors::BlockingIOError()))
      output_.resize(std::min(older, waiting));
    throw;
  }
}

// Bytes that the stream does not take stay for the next time.
void BufferedFile::write_out() {
  while (!output_.empty()) {
    Value count = call_method(stream(), names().write, make<Bytes>(output_));
    if (count.is_none())
      raise(errors::BlockingIOError, "write could not complete without blocking");
    std::int64_t written = to_int64(count);
    if (written < 0 || static_cast<std::size_t>(written) > output_.size())
      raise(errors::OSError,
            "raw write() returned invalid length {} (should have been between 0 and {})", written,
            output_.size());
    output_.erase(0, static_cast<std::size_t>(written));
  }
}

// Moves the stream back to where the reader of this file is.
void BufferedFile::forget_read_ahead() {
  if (ahead() > 0)
    call_method(stream(), intern("seek"), Value::integer(-static_cast<std::int64_t>(ahead())),
                Value::integer(1));
  input_.clear();
  position_ = 0;
}

std::int64_t BufferedFile::seek(std::int64_t offset, int whence) {
  check_open("seek of");
  if (!seekable()) raise_unsupported("seek");
  write_out();
  if (whence == 1) offset -= static_cast<std::int64_t>(ahead());
  Value place =
      call_method(stream(), intern("seek"), Value::integer(offset), Value::integer(whence));
  input_.clear();
  position_ = 0;
  return to_int64(place);
}

std::int64_t BufferedFile::tell() {
  std::int64_t place = to_int64(call_method(stream(), intern("tell")));
  return place - static_cast<std::int64_t>(ahead()) + static_cast<std::int64_t>(output_.size());
}

void BufferedFile::truncate(std::int64_t size) {
  check_open("truncate of");
  if (!access_.write) raise_unsupported("truncate");
  flush();
  call_method(stream(), intern("truncate"), Value::integer(size));
}

void BufferedFile::flush() {
  check_open("flush of");
  write_out();
  if (access_.write && access_.read) forget_read_ahead();
  call_method(stream(), names().flush);
}

void BufferedFile::close() {
  if (raw_.is_empty() || closed()) return;
  Ref<Exception> failure;
  try {
    flush();
  } catch (const Raised& raised) {
    failure = raised.exception;
  }
  call_method(stream(), names().close);
  if (failure) throw Raised{failure};
}

}  // namespace strider::lang
