// io.BufferedReader and its kin around any raw stream: an object with readinto() or write().
#pragma once

#include <string>
#include <string_view>

#include "interpreter/builtins/modules/io/io_binary.h"

namespace strider::lang {

// Bytes read ahead of a raw stream, and such as have not yet been written to it. Without a stream
// (before __init__, after detach) every use is a ValueError.
class BufferedFile : public BinaryFile {
 public:
  struct Access {
    bool read, write;
  };
  BufferedFile(Access access, Type* type) : BinaryFile(type), access_(access) {}
  ~BufferedFile() override;

  // UnsupportedOperation where the stream cannot do what this file is for.
  void attach(const Value& raw, std::int64_t size);
  Value detach();
  const Value& raw() const { return raw_; }

  std::string read(std::int64_t size) override;
  std::string read_available(std::int64_t size) override;
  std::string read_line(std::int64_t limit) override;
  std::string peek() override;
  void write(std::string_view bytes) override;
  std::int64_t seek(std::int64_t offset, int whence) override;
  std::int64_t tell() override;
  void truncate(std::int64_t size) override;
  void flush() override;
  void close() override;
  bool closed() const override;
  bool readable() const override { return access_.read && asks("readable"); }
  bool writable() const override { return access_.write && asks("writable"); }
  bool seekable() override { return asks("seekable"); }
  int descriptor() const override;

  void traverse(Visitor& visitor) override { visitor.visit(raw_); }
  void clear_references() override {}

 private:
  const Value& stream() const;
  bool asks(const char* method) const;
  // ValueError: "<use> closed file".
  void check_open(const char* use) const;
  void begin_reading(const char* use);
  bool fill(std::size_t wanted);
  std::string take(std::size_t size);
  void write_out();
  void forget_read_ahead();
  std::size_t ahead() const { return input_.size() - position_; }

  Value raw_;
  Access access_;
  std::size_t size_ = 0;  // bytes asked for at once, and kept before they are written
  std::string input_;     // read ahead; used up to position_
  std::size_t position_ = 0;
  std::string output_;  // not yet written
};

}  // namespace strider::lang
