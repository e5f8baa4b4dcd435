// Text files: characters over a binary file (TextIOWrapper) or in memory (StringIO).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

class BinaryFile;

// What text streams can do in C++. Sizes count characters; below 0 means everything.
class TextStream : public Container {
 public:
  virtual std::string read(std::int64_t size) = 0;
  virtual std::string read_line(std::int64_t limit) = 0;
  virtual void write(std::string_view text) = 0;
  virtual std::int64_t seek(std::int64_t offset, std::int64_t whence) = 0;
  virtual std::int64_t tell() = 0;
  virtual std::int64_t truncate(const Value& size) = 0;
  virtual void flush() = 0;
  virtual void close() = 0;
  virtual bool closed() = 0;
  virtual bool readable() = 0;
  virtual bool writable() = 0;
  virtual bool seekable() = 0;
  unsigned seen_ends() const { return seen_ends_; }

 protected:
  unsigned seen_ends_ = 0;  // line ends that were read, where more than one kind is looked for
  explicit TextStream(Type* type) : Container(Layout::kFile, type) {}
};

// How lines end: which ends are seen when reading, what is written for '\n'.
struct Newlines {
  bool universal = true;   // \r and \r\n end lines too
  bool translate = true;   // every end is read as \n
  std::string end = "\n";  // the only end when not universal
  std::string written = "\n";
};

struct TextSettings {
  std::string encoding = "utf-8";
  std::string shown_encoding = "UTF-8";
  std::string errors = "strict";
  Newlines newlines;
  bool by_line = false, at_once = false;
};

// Checked arguments of open() and TextIOWrapper(); LookupError, ValueError, TypeError.
TextSettings read_text_settings(const Value& encoding, const Value& errors, const Value& newline);
Newlines read_newlines(const Value& newline);
// The end of the first line of `text` (behind its line end), or npos. `complete`: no more text
// will follow.
std::size_t find_line_end(std::string_view text, const Newlines& newlines, bool complete);
// A line or text as the reader shall see it: \r\n and \r as \n when translating.
std::string translate_ends(std::string text, const Newlines& newlines);

// Which kinds of line ends a text has: bits of \r, \n and \r\n, added to `seen`.
void note_line_ends(std::string_view text, unsigned& seen);
// These as the attribute `newlines` tells them: None, one of them, or a tuple.
Value told_line_ends(unsigned seen);

class TextFile : public TextStream {
 public:
  TextFile(const Value& buffer, TextSettings settings, Type* type);
  // A file without a buffer is closed until it is given one.
  explicit TextFile(Type* type) : TextFile(Value(), TextSettings(), type) {}
  void attach(const Value& buffer, TextSettings settings);
  // Gives the buffer back; the file is closed from then on.
  Value detach();
  ~TextFile() override;
  std::string read(std::int64_t size) override;
  std::string read_line(std::int64_t limit) override;
  void write(std::string_view text) override;
  std::int64_t seek(std::int64_t offset, std::int64_t whence) override;
  std::int64_t tell() override;
  std::int64_t truncate(const Value& size) override;
  void flush() override;
  void close() override;
  bool closed() override;
  bool readable() override;
  bool writable() override;
  bool seekable() override;
  void traverse(Visitor& visitor) override { visitor.visit(buffer_); }
  void clear_references() override {}

  const Value& buffer() const { return buffer_; }
  const TextSettings& settings() const { return settings_; }
  // Takes over other settings; UnsupportedOperation where what was read could not be read so.
  void change(TextSettings settings, bool reads_otherwise);
  std::string mode;

 private:
  void check_open();
  void check_readable();
  bool fill();
  bool await(std::size_t bytes);
  std::string decode(std::string_view bytes, std::size_t offset);
  std::string take(std::size_t size);
  bool ask(const char* method);
  void write_encoded(std::string_view text);
  std::string_view waiting() const { return std::string_view(raw_).substr(position_); }

  Value buffer_;
  BinaryFile* binary_;  // buffer_ when it is a file of ours, else null
  TextSettings settings_;
  bool byte_wise_;  // line ends can be seen in the bytes: UTF-8, ASCII, Latin-1
  bool ended_ = false;
  bool at_start_ = true;  // nothing written yet: an encoding's mark comes first
  std::string raw_;       // bytes read ahead; used up to position_
  std::size_t position_ = 0;
};

class StringFile : public TextStream {
 public:
  explicit StringFile(Type* type) : TextStream(type) {}
  std::string read(std::int64_t size) override;
  std::string read_line(std::int64_t limit) override;
  void write(std::string_view text) override;
  std::int64_t seek(std::int64_t offset, std::int64_t whence) override;
  std::int64_t tell() override;
  std::int64_t truncate(const Value& size) override;
  void flush() override { check_open(); }
  void close() override { closed_ = true; }
  bool closed() override { return closed_; }
  bool readable() override { return true; }
  bool writable() override { return true; }
  bool seekable() override { return true; }
  void traverse(Visitor&) override {}
  void clear_references() override {}
  void check_open();
  // Begins again, before the first character of this text.
  void restart(std::string given);

  std::string text;
  std::size_t position = 0;  // in bytes
  std::size_t beyond = 0;    // characters that the position lies behind the end
  Newlines newlines;
  Value given_newline = Value::none();  // the argument that these come from

 private:
  // A place in the text, in bytes and in characters.
  struct Place {
    std::size_t bytes = 0;
    std::int64_t characters = 0;
  };
  std::size_t offset_after(std::size_t start, std::int64_t characters) const;
  Place place_at(std::size_t bytes);
  Place place_of(std::int64_t character);
  void forget_places_behind(std::size_t bytes);
  bool closed_ = false;
  Place known_;  // the last one that was asked for: the next one is counted from there
};

Type& text_io_wrapper_type();
Type& string_io_type();

}  // namespace strider::lang
