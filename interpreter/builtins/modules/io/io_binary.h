// Binary files: bytes behind a file descriptor, with one buffer, or in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// What a binary file can do in C++. Sizes below 0 mean everything.
class BinaryFile : public Container {
 public:
  virtual std::string read(std::int64_t size) = 0;
  // The next bytes that are there without waiting for more than one system call.
  virtual std::string read_available(std::int64_t size) { return read(size); }
  virtual std::string read_line(std::int64_t limit) = 0;
  // Whether the last reading gave less since nothing was there yet, not since the file ends.
  virtual bool has_nothing_yet() const { return false; }
  virtual std::string peek() = 0;
  virtual void write(std::string_view bytes) = 0;
  virtual std::int64_t seek(std::int64_t offset, int whence) = 0;
  virtual std::int64_t tell() = 0;
  virtual void truncate(std::int64_t size) = 0;
  virtual void flush() = 0;
  virtual void close() = 0;
  virtual bool closed() const = 0;
  virtual bool readable() const = 0;
  virtual bool writable() const = 0;
  virtual bool seekable() = 0;
  virtual int descriptor() const = 0;  // -1: none

  void traverse(Visitor&) override {}
  void clear_references() override {}

 protected:
  explicit BinaryFile(Type* type) : Container(Layout::kFile, type) {}
};

// A file descriptor with a buffer for reading ahead and one for pending writes.
class DescriptorFile : public BinaryFile {
 public:
  struct Access {
    bool read, write, append, buffered, owned;
  };
  DescriptorFile(int descriptor, Access access, const Value& name, std::string mode, Type* type);
  ~DescriptorFile() override;
  // Takes the place of a file that was just opened; closes what was open here.
  void adopt(DescriptorFile& opened);

  std::string read(std::int64_t size) override;
  std::string read_available(std::int64_t size) override;
  std::string read_line(std::int64_t limit) override;
  bool has_nothing_yet() const override { return has_nothing_yet_; }
  std::string peek() override;
  void write(std::string_view bytes) override;
  std::int64_t seek(std::int64_t offset, int whence) override;
  std::int64_t tell() override;
  void truncate(std::int64_t size) override;
  void flush() override;
  void close() override;
  bool closed() const override { return descriptor_ < 0; }
  bool readable() const override { return access_.read; }
  bool writable() const override { return access_.write; }
  bool seekable() override;
  int descriptor() const override { return descriptor_; }
  const Value& name() const { return name_; }  // Empty: it was taken away
  void rename(const Value& name) { name_ = name; }
  // So many bytes are kept before they are written.
  void keep_at_most(std::size_t bytes) { most_kept_ = bytes; }
  const std::string& mode() const { return mode_; }
  bool owned() const { return access_.owned; }

 private:
  void check_readable();
  void check_writable();
  bool fill(std::size_t wanted);
  void forget_read_ahead();
  std::size_t ahead() const { return input_.size() - position_; }

  int descriptor_;
  Access access_;
  Value name_;
  std::string mode_;
  // The next bytes of what was read ahead, behind which the reader moves.
  std::string take(std::size_t size);

  std::string input_;  // read ahead; used up to position_
  std::size_t position_ = 0;
  unsigned taken_ = 0;  // how often bytes were taken
  bool has_nothing_yet_ = false;
  std::string output_;  // not yet written
  std::size_t most_kept_ = 1 << 16;
};

// io.BytesIO.
class MemoryFile : public BinaryFile {
 public:
  explicit MemoryFile(Type* type) : BinaryFile(type) {}
  std::string read(std::int64_t size) override;
  std::string read_line(std::int64_t limit) override;
  std::string peek() override { return bytes.substr(std::min(position, bytes.size())); }
  void write(std::string_view more) override;
  std::int64_t seek(std::int64_t offset, int whence) override;
  std::int64_t tell() override;
  void truncate(std::int64_t size) override;
  void flush() override {}
  void close() override;
  bool closed() const override { return closed_; }
  bool readable() const override { return true; }
  bool writable() const override { return true; }
  bool seekable() override { return true; }
  int descriptor() const override { return -1; }

  // BufferError while views rely on the bytes.
  void check_free() const;

  std::string bytes;
  std::size_t position = 0;
  int exports = 0;  // how many views rely on the bytes

 private:
  bool closed_ = false;
};

Type& file_io_type();
Type& buffered_reader_type();
Type& buffered_writer_type();
Type& buffered_random_type();
Type& bytes_io_type();

// The file behind a value, or null if it is no binary file of ours.
BinaryFile* as_binary_file(const Value& value);
extern const NativeRow kBinaryMethods[];
extern const std::size_t kBinaryMethodCount;

}  // namespace strider::lang
