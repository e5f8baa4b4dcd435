// Place: where in a program an operation stands, so that what happens later can name its line.
// What a program is, its owner knows: the library only keeps places and asks for their lines.
#pragma once

#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace strider::nd {

// The text of a program, kept while a place in it is. Belongs to one thread.
class ProgramText {
 public:
  virtual ~ProgramText() = default;
  virtual const std::string& file() const = 0;
  // The number, from 1, of the line at this offset.
  virtual int line_at(std::uint32_t offset) const = 0;

  void retain() { ++references_; }
  void release() {
    if (--references_ == 0) delete this;
  }

 private:
  std::int64_t references_ = 1;
};

class Place {
 public:
  Place() = default;  // unknown
  Place(ProgramText& text, std::uint32_t offset) : text_(&text), offset_(offset) { text.retain(); }
  Place(const Place& other) : text_(other.text_), offset_(other.offset_) {
    if (text_) text_->retain();
  }
  Place(Place&& other) noexcept
      : text_(std::exchange(other.text_, nullptr)), offset_(other.offset_) {}
  Place& operator=(Place other) noexcept {
    std::swap(text_, other.text_);
    offset_ = other.offset_;
    return *this;
  }
  ~Place() {
    if (text_) text_->release();
  }

  bool known() const { return text_ != nullptr; }
  const ProgramText& text() const { return *text_; }
  int line() const { return text_->line_at(offset_); }

  friend bool operator==(const Place&, const Place&) = default;

 private:
  ProgramText* text_ = nullptr;
  std::uint32_t offset_ = 0;
};

// An error of an operation that was recorded at a place and computed later.
class LateError : public Error {
 public:
  LateError(const Error& error, const Place& place) : Error(error), place_(place) {}
  const Place& place() const { return place_; }

 private:
  Place place_;
};

// "program.npx:12"; empty if unknown.
std::string to_text(const Place& place);

// What the session does about conditions of an operation that was recorded at a place and computed
// later. Recording is on only while conditions are ignored or warned of, so these are to be warned
// of, whatever is in force by now.
using LateErrorHandler = void (*)(FloatingErrors errors, std::string_view operation,
                                  const Place& place);
// Installs this thread's handler; null: they are ignored.
void set_late_error_handler(LateErrorHandler handler);
void deliver_late_errors(FloatingErrors errors, std::string_view operation, const Place& place);

}  // namespace strider::nd
