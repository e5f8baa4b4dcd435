// Session: one running program as the fronts (command line, REPL, notebook kernel) see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/program/front.h"
#include "interpreter/session/history.h"

namespace strider {

// How an execution ended.
struct Outcome {
  enum class Status { kOk, kError, kExit, kInterrupted };
  Status status = Status::kOk;
  int exit_code = 0;      // of kExit
  std::string error;      // "ValueError: …", the last line of the traceback
  std::string traceback;  // the whole text, for standard error
  std::string kind;       // the exception's class: "ValueError"
  std::string message;    // its text, without the class
  int number = 0;         // of the entry: In[number]
};

// How an entry is run.
struct EntryOptions {
  bool silent = false;      // shows no value, is not numbered and not remembered
  bool kept = true;         // goes into the history
  bool last_value = false;  // only a last expression shows its value, as in a cell
};

// What may stand in place of text[start, end).
struct Completions {
  struct Item {
    std::string text;
    std::string type;    // "function", "module", "instance", "keyword", "path", …
    std::string detail;  // "(64, 128) float32" of an array, a signature; may be empty
  };
  std::vector<Item> items;
  std::size_t start = 0, end = 0;  // bytes
};

// What is known about a name; empty forms: nothing.
struct Inspection {
  bool found = false;
  MimeBundle text;
};

// The value of an expression, for whoever shows it beside the program's output.
struct Evaluation {
  Outcome outcome;
  MimeBundle value;
};

struct SessionOptions {
  std::vector<std::string> arguments;        // sys.argv
  std::string search_folder;                 // first entry of sys.path
  std::vector<std::string> module_folders;   // entries of sys.path behind it
  std::vector<std::string> warning_filters;  // sys.warnoptions, the last one first in effect
  bool single_precision = false;             // float32 is the default float type
  std::string device = "auto";               // where arrays are computed: auto, cpu, cuda, cuda:N
  bool eager = false;                        // array operations run at once instead of being fused
  long fusion_threshold = 0;  // results with so many elements are fused; 0: as measured
  // Keeps the program from files, descriptors, waiting and the settings of the process. It has
  // no standard input; what it prints still goes to the standard streams.
  bool isolated = false;
  bool unbuffered = false;  // what is printed is written at once
  int optimize = 0;         // 1: assertions are not tested; 2: nor are docstrings kept
  std::size_t array_memory = SIZE_MAX;  // bytes that the process's large arrays may take in all
  Front* front = nullptr;               // outlives the session; null: values go to standard output
  std::string history_file;             // where entries are kept across sessions; empty: nowhere
};

class Session {
 public:
  // Throws std::runtime_error where the device is not there.
  explicit Session(SessionOptions options);
  ~Session();
  Session(const Session&) = delete;

  // Runs a whole program as __main__.
  Outcome run(std::string file_name, std::string text);
  // Runs one entry of an interactive prompt: statements of the language, `%commands`, `!commands`,
  // `name?`. Values of expressions are shown, unless a `;` ends the entry, and kept as `_` and
  // Out[number].
  Outcome execute(std::string_view text, EntryOptions options = {});
  // The value of one expression; nothing is shown or kept.
  Evaluation evaluate(std::string_view expression);
  // The number of the latest entry.
  int entry_count() const;
  // Whether a prompt entry is whole; otherwise the indent of its next line (or -1 when it is
  // broken).
  enum class Completeness { kComplete, kIncomplete, kInvalid };
  Completeness is_complete(std::string_view text, int* indent = nullptr) const;
  // What continues the word before the byte `cursor`: names, attributes, keyword arguments, element
  // types, paths in texts, commands. Nothing of the program is run to find it.
  Completions complete(std::string_view text, std::size_t cursor) const;
  // Signature, documentation and, of values, type, shape and place of the name or call at the byte
  // `cursor`. `detail` 1 adds the source, where it is known. Nothing is run or computed.
  Inspection inspect(std::string_view text, std::size_t cursor, int detail) const;
  // What was entered, now and in earlier sessions.
  const History& history() const;
  // Asks the running program to stop with KeyboardInterrupt; safe in a signal handler.
  void interrupt();
  // Takes back an interrupt that came while nothing ran.
  void forget_interrupt();
  // Whether an interrupt waits for the program to notice it.
  bool is_interrupted() const;
  // Ends the running program: like interrupt(), but it cannot go on by catching the exception.
  void stop();
  // Writes out what the program has printed.
  void flush();

 private:
  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace strider
