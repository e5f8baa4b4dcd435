// Input: where a prompt gets entries and programs get lines from: a terminal, edited, or plain
// lines of standard input.
#pragma once

#include <string>

namespace strider {

class Session;

class Input {
 public:
  enum class Result { kText, kEnd, kInterrupted };

  virtual ~Input() = default;
  // A whole entry of one or more lines (a broken one is whole: running it tells why).
  virtual Result read_entry(Session& session, std::string& entry) = 0;
  // A line for a program, without its newline; `hidden`: nobody is to see it.
  virtual Result read_line(const std::string& prompt, bool hidden, std::string& line) = 0;
};

// Lines as they come: for pipes, and for terminals that cannot move their cursor.
class PlainInput : public Input {
 public:
  Result read_entry(Session& session, std::string& entry) override;
  Result read_line(const std::string& prompt, bool hidden, std::string& line) override;
};

}  // namespace strider
