// The interactive prompt: a session and the front that shows it in a terminal.
#pragma once

#include <memory>
#include <string>

#include "interpreter/session/session.h"

namespace strider {

class Repl {
 public:
  // `options` without front and history, which are the prompt's own.
  explicit Repl(SessionOptions options);
  ~Repl();
  Repl(const Repl&) = delete;

  Session& session();
  // Runs a whole program; its names stay.
  void run_program(std::string file_name, std::string text);
  // Reads and runs entries until the end of input or exit(); returns the exit status. `starts_up`:
  // the user's start-up file runs first.
  int run(const std::string& banner, bool starts_up);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace strider
