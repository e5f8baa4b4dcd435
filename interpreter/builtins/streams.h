// Standard streams: sys.stdout and sys.stderr before anybody replaces them.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/program/front.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// A text stream on a file descriptor: buffered; by lines on a terminal. Where a front owns the
// streams, standard output and error go to it at once.
class StandardStream : public Object {
 public:
  StandardStream(int descriptor, std::string name);
  ~StandardStream() override;
  static Type& type_object();
  void write(std::string_view text);
  void flush();
  // From now on the program writes no more; the descriptor stays, for what is told of errors.
  void close();
  bool closed() const { return closed_; }
  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }
  // When texts are written out, and what becomes of characters that have no bytes.
  bool by_line() const { return by_line_; }
  bool at_once() const { return at_once_; }
  const std::string& errors() const { return errors_; }
  void write_by_line(bool by_line) { by_line_ = by_line; }
  void write_at_once(bool at_once) { at_once_ = at_once; }
  void handle_errors(std::string errors) { errors_ = std::move(errors); }

 private:
  int descriptor_;
  Front* front() const;
  std::string name_;
  std::string buffer_;
  std::string errors_;
  bool by_line_, at_once_, closed_ = false;
};

// Standard input, read line by line.
class StandardInput : public Object {
 public:
  StandardInput();
  static Type& type_object();
  // The next line with its newline; empty at the end. An interrupt raises KeyboardInterrupt.
  // A front that owns the streams is asked, with a prompt.
  std::string read_line(const std::string& prompt = {}, bool hidden = false);
  std::string read_all();
  // The next `count` characters, or as many as there are.
  std::string read_some(std::size_t count);
  // As read_line(), but no more than `limit` characters of the line.
  std::string read_part_of_line(std::size_t limit);
  void close() { closed_ = true; }
  bool closed() const { return closed_; }
  // The stream of its bytes, made when it is first asked for; texts come out of it from then on.
  const Value& bytes();

 private:
  void check_open() const;
  std::string read_bytes();
  std::string take(std::size_t bytes);
  bool fill();
  bool ask(const std::string& prompt, bool hidden);
  std::string buffer_;
  std::size_t position_ = 0;
  std::string undecoded_;  // the beginning of a character whose rest is still to be read
  Value bytes_;            // Empty: nobody has asked for it
  bool closed_ = false;
};

// The front that the program's streams belong to, or null.
Front* stream_front();
// Writes to whatever sys.stdout (or another file-like object) is.
void write_to(const Value& stream, std::string_view text);
// The present value of sys.stdout / sys.stderr / sys.stdin.
Value standard_output();
Value standard_error();
// Writes out what is buffered; errors (a closed pipe) are ignored.
void flush_standard_streams();

}  // namespace strider::lang
