// Session: one running program as the fronts (command line, REPL, notebook kernel) see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strider {

// How an execution ended.
struct Outcome {
  enum class Status { kOk, kError, kExit, kInterrupted };
  Status status = Status::kOk;
  int exit_code = 0;      // of kExit
  std::string error;      // "ValueError: …", the last line of the traceback
  std::string traceback;  // the whole text, for standard error
};

struct SessionOptions {
  std::vector<std::string> arguments;  // sys.argv
  std::string search_folder;           // first entry of sys.path
  bool single_precision = false;       // float32 is the default float type
  std::string device = "auto";         // where arrays are computed: auto, cpu, cuda, cuda:N
  bool eager = false;                  // array operations run at once instead of being fused
  long fusion_threshold = 0;           // results with so many elements are fused; 0: as measured
  // Keeps the program from files, descriptors, waiting and the settings of the process. It has
  // no standard input; what it prints still goes to the standard streams.
  bool isolated = false;
  std::size_t array_memory = SIZE_MAX;  // bytes that the process's large arrays may take in all
};

class Session {
 public:
  // Throws std::runtime_error where the device is not there.
  explicit Session(SessionOptions options);
  ~Session();
  Session(const Session&) = delete;

  // Runs a whole program as __main__.
  Outcome run(std::string file_name, std::string text);
  // Runs one entry of an interactive prompt; values of expressions are shown.
  Outcome execute(std::string_view text);
  // Whether a prompt entry is whole; otherwise the indent of its next line (or -1 when it is
  // broken).
  enum class Completeness { kComplete, kIncomplete, kInvalid };
  Completeness is_complete(std::string_view text, int* indent = nullptr) const;
  // Names that continue the word before the end of `text`; nothing is run to find them.
  std::vector<std::string> complete(std::string_view text) const;
  // Asks the running program to stop with KeyboardInterrupt; safe in a signal handler.
  void interrupt();
  // Takes back an interrupt that came while nothing ran.
  void forget_interrupt();
  // Ends the running program: like interrupt(), but it cannot go on by catching the exception.
  void stop();
  // Writes out what the program has printed.
  void flush();

 private:
  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace strider
