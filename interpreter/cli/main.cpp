// The command line: strider FILE [args], -c CODE, - (standard input), a prompt, or `kernel …`.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "interpreter/cli/kernel_command.h"
#include "interpreter/notebook/run_notebook.h"
#include "interpreter/repl/repl.h"
#include "interpreter/session/environment.h"
#include "interpreter/session/highlight.h"
#include "interpreter/session/session.h"

namespace {

namespace fs = std::filesystem;

constexpr int kUsageError = 2;
constexpr int kInterrupted = 128 + SIGINT;
constexpr const char* kVersion = "Strider " STRIDER_VERSION;
constexpr const char* kBanner =
    "Strider " STRIDER_VERSION
    ": NumPy's dialect, without Python. help() and name? explain, Ctrl-D leaves.\n";

strider::Session* interrupted_session = nullptr;
bool ended_by_interrupt = false;

void on_interrupt(int) {
  if (interrupted_session) interrupted_session->interrupt();
}

// Where whoever started the program had interrupts ignored (a shell does for what it runs behind a
// script), they stay so, unless somebody sits at a terminal.
void install_interrupt_handler(strider::Session& session) {
  interrupted_session = &session;
  struct sigaction action = {}, before = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler != SIG_IGN || isatty(STDIN_FILENO)) sigaction(SIGINT, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

struct CommandLine {
  std::string file;
  std::string code;
  bool has_code = false;
  std::string module;
  std::vector<std::string> arguments;
  std::vector<std::string> warning_filters;
  std::string device;  // empty: as the environment says
  std::string precision = "float64";
  bool eager = false;
  std::string output;  // of a notebook
  bool in_place = false;
  bool allow_errors = false;
  bool prompts = false;
  bool skips_startup = false;
  bool unbuffered = false;
  int optimize = 0;
};

// What cannot be done as it was asked for: it ends the program with 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int report(const strider::Outcome& outcome) {
  std::string text = strider::wants_colour(STDERR_FILENO)
                         ? strider::colour_traceback(outcome.traceback)
                         : outcome.traceback;
  std::fwrite(text.data(), 1, text.size(), stderr);
  switch (outcome.status) {
    case strider::Outcome::Status::kOk:
      return 0;
    case strider::Outcome::Status::kExit:
      return outcome.exit_code;
    case strider::Outcome::Status::kInterrupted:
      ended_by_interrupt = true;
      return kInterrupted;
    default:
      return 1;
  }
}

// Filters of the environment, then those of the command line, which go before them.
std::vector<std::string> warning_filters(const CommandLine& line) {
  std::vector<std::string> filters;
  const char* variable = std::getenv("PYTHONWARNINGS");
  std::istringstream words(variable ? variable : "");
  for (std::string filter; std::getline(words, filter, ',');) filters.push_back(filter);
  filters.insert(filters.end(), line.warning_filters.begin(), line.warning_filters.end());
  return filters;
}

// How often -O is said, or what the environment says.
int optimize(const CommandLine& line) {
  const char* variable = std::getenv("PYTHONOPTIMIZE");
  if (!variable || !*variable) return line.optimize;
  return std::max(line.optimize, std::max(1, std::atoi(variable)));
}

bool is_device(const std::string& name) {
  return name == "auto" || name == "cpu" || name.starts_with("cuda");
}

// The device of the command line, else of the environment; UsageError for one that is none.
std::string device(const CommandLine& line) {
  const char* variable = std::getenv("STRIDER_DEVICE");
  if (!line.device.empty()) return line.device;
  if (!variable || !*variable) return "auto";
  if (!is_device(variable))
    throw UsageError("STRIDER_DEVICE: unknown device '" + std::string(variable) + "'");
  return variable;
}

// What every session of this command line is given.
strider::SessionOptions session_options(const CommandLine& line) {
  strider::SessionOptions options;
  options.device = device(line);
  options.single_precision = line.precision == "float32";
  options.eager = line.eager;
  const char* unbuffered = std::getenv("PYTHONUNBUFFERED");
  options.unbuffered = line.unbuffered || (unbuffered && *unbuffered);
  options.optimize = optimize(line);
  options.warning_filters = warning_filters(line);
  take_environment(options);
  return options;
}

// The prompt goes on with what the program has made.
int run_and_prompt(strider::SessionOptions options, std::string name, std::string text) {
  strider::Repl repl(std::move(options));
  install_interrupt_handler(repl.session());
  repl.run_program(std::move(name), std::move(text));
  int status = repl.run("", false);
  interrupted_session = nullptr;
  return status;
}

int run_text(const CommandLine& line, std::string shown_name, std::string name, std::string text,
             std::string folder) {
  strider::SessionOptions options = session_options(line);
  options.arguments = {std::move(shown_name)};
  options.arguments.insert(options.arguments.end(), line.arguments.begin(), line.arguments.end());
  options.search_folder = std::move(folder);
  if (line.prompts) return run_and_prompt(std::move(options), std::move(name), std::move(text));
  strider::Session session(std::move(options));
  install_interrupt_handler(session);
  int status = report(session.run(std::move(name), std::move(text)));
  interrupted_session = nullptr;
  return status;
}

int run_notebook_file(const CommandLine& line) {
  strider::NotebookRun run;
  run.file = line.file;
  run.output = line.in_place ? line.file : line.output;
  run.allow_errors = line.allow_errors;
  strider::SessionOptions options = session_options(line);
  options.arguments = {line.file};
  options.arguments.insert(options.arguments.end(), line.arguments.begin(), line.arguments.end());
  options.search_folder = fs::absolute(line.file).parent_path().string();
  return strider::run_notebook(run, std::move(options), [](strider::Session* session) {
    if (session)
      install_interrupt_handler(*session);
    else
      interrupted_session = nullptr;
  });
}

// A folder or a zip file whose __main__ is the program.
int run_container(const CommandLine& line) {
  return run_text(line, line.file, "<module>",
                  "import runpy, sys; runpy._run_container_as_main(sys.path[0])",
                  fs::absolute(line.file).string());
}

// Whether the bytes of a file end as zip files do: with a record, and a comment behind it.
bool is_zip(std::string_view bytes) {
  constexpr std::size_t kRecord = 22, kLongestComment = 65535;
  if (bytes.size() < kRecord) return false;
  std::size_t reach = std::min(bytes.size(), kRecord + kLongestComment);
  return bytes.substr(bytes.size() - reach).find("PK\x05\x06") != bytes.npos;
}

int run_file(const CommandLine& line) {
  if (fs::is_directory(line.file)) return run_container(line);
  std::ifstream stream(line.file, std::ios::binary);
  if (!stream) {
    std::fprintf(stderr, "strider: can't open file '%s': %s\n", line.file.c_str(),
                 std::strerror(errno));
    return kUsageError;
  }
  std::ostringstream text;
  text << stream.rdbuf();
  stream.close();
  fs::path file = fs::absolute(line.file);
  if (line.file.ends_with(".ipynb")) return run_notebook_file(line);
  if (is_zip(text.view())) return run_container(line);
  return run_text(line, line.file, file.string(), text.str(), file.parent_path().string());
}

// strider convert FROM [TO]
int convert(const CommandLine& line) {
  return run_text(line, "strider convert", "<convert>",
                  "from _fronts.notebooks import convert; import sys; convert(sys.argv[1:])", "");
}

// strider -m MODULE [args]: what stands in the folder of the moment goes first.
int run_module(const CommandLine& line) {
  return run_text(line, line.module, "<module>",
                  "import runpy, sys; runpy._run_as_main(sys.argv[0])",
                  fs::current_path().string());
}

int run_standard_input(const CommandLine& line) {
  std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  return run_text(line, "-", "<stdin>", std::move(text), "");
}

int run_prompt(const CommandLine& line) {
  strider::SessionOptions options = session_options(line);
  options.arguments = {""};
  strider::Repl repl(std::move(options));
  install_interrupt_handler(repl.session());
  int status = repl.run(kBanner, !line.skips_startup);
  interrupted_session = nullptr;
  return status;
}

// Everything behind the file name (or behind -c CODE, -m MODULE) belongs to the program; notebooks
// take nothing.
int split_own_arguments(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    std::string_view word = words[i];
    if (word == "-c" || word == "-m") return std::min(i + 2, count);
    if (word.starts_with("-c") || word.starts_with("-m")) return i + 1;
    if (word == "--device" || word == "--precision" || word == "--output" || word == "-W" ||
        word == "-X")
      ++i;
    else if (word == "-" || !word.starts_with('-'))
      return word.ends_with(".ipynb") ? count : i + 1;
  }
  return count;
}

// Options of python3 that say how it finds modules, buffers or compiles: programs pass them on when
// they start `sys.executable`, and but for -u and -O nothing here depends on them.
void declare_options_of_python(CLI::App& app, CommandLine& line) {
  constexpr const char* kGroup = "Options of python3";
  app.add_flag("-u", line.unbuffered, "Output is written at once")->group(kGroup);
  app.add_flag("-O", line.optimize, "Assertions are left out; -OO: documentation, too")
      ->group(kGroup);
  app.add_flag("-B,-E,-I,-s,-S,-q,-P,-R,-b,-d,-v,-x")
      ->group(kGroup)
      ->description("Taken without effect");
  app.add_option("-X", "Taken without effect")
      ->group(kGroup)
      ->type_name("OPTION")
      ->allow_extra_args(false)
      ->take_all();
}

// Names the program in front of what is wrong, and says what belongs behind the options.
class Wording : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: strider [OPTIONS] [FILE | -c CODE | -m MODULE | -] [ARGS]\n\n";
  }
  static std::string failure(const CLI::App*, const CLI::Error& error) {
    return "strider: " + std::string(error.what()) + "\n`strider --help` shows what can be said.\n";
  }
};

void declare_options(CLI::App& app, CommandLine& line) {
  declare_options_of_python(app, line);
  app.add_option("-m", line.module, "Module to run as a program")->type_name("MODULE");
  app.add_option("-W", line.warning_filters,
                 "Filter of warnings: action:message:category:module:line")
      ->type_name("FILTER")
      ->allow_extra_args(false);
  app.set_help_flag("-h,--help", "Show this help and leave");
  app.set_version_flag("-V,--version", kVersion);
  app.add_option("file", line.file, "Program to run; '-' reads it from standard input");
  app.add_option("-c", line.code, "Program text")->type_name("CODE");
  app.add_option("--device", line.device,
                 "Where arrays are computed: auto, cpu, cuda[:N] (Env:STRIDER_DEVICE)")
      ->check([](const std::string& value) {
        return is_device(value) ? std::string() : "unknown device '" + value + "'";
      });
  app.add_option("--precision", line.precision, "Default float type: float32 or float64")
      ->check(CLI::IsMember({"float32", "float64"}));
  app.add_flag("-i", line.prompts,
               "A prompt: behind the program, or where standard input is no terminal");
  app.add_flag("--no-startup", line.skips_startup, "The prompt leaves out the start-up file");
  app.add_flag("--eager", line.eager, "Evaluate every operation at once");
  app.add_option("--output", line.output, "Write a notebook with its outputs to this file");
  app.add_flag("--inplace", line.in_place, "Write a notebook's outputs into the notebook");
  app.add_flag("--allow-errors", line.allow_errors, "Go on behind a notebook's cell that fails");
  app.footer(
      "`strider convert FROM [TO]` makes a program with cells (.npx) of a notebook (.ipynb), or a "
      "notebook of one.\n"
      "`strider kernel install` makes the notebook kernel known to Jupyter "
      "(`strider kernel --help`).");
}

// Options that say what becomes of a notebook want one.
void check_notebook_options(const CommandLine& line) {
  bool notebook = line.file.ends_with(".ipynb") && !line.has_code && line.module.empty();
  const char* given = !line.output.empty() ? "--output"
                      : line.in_place      ? "--inplace"
                      : line.allow_errors  ? "--allow-errors"
                                           : nullptr;
  if (given && !notebook) throw UsageError(std::string(given) + " is for notebooks (.ipynb)");
}

int run_command_line(int count, char** words) {
  CommandLine line;
  CLI::App app("Strider: NumPy's dialect, without Python", "strider");
  app.formatter(std::make_shared<Wording>());
  app.failure_message(Wording::failure);
  declare_options(app, line);
  int own = split_own_arguments(count, words);
  try {
    app.parse(own, words);
  } catch (const CLI::ParseError& error) {
    int code = app.exit(error);
    return code == 0 ? 0 : kUsageError;
  }
  line.arguments.assign(words + own, words + count);
  line.has_code = app.count("-c") > 0;
  check_notebook_options(line);
  if (line.has_code) return run_text(line, "-c", "<string>", line.code, "");
  if (!line.module.empty()) return run_module(line);
  if (line.file == "-") return run_standard_input(line);
  if (line.file == "convert" && !fs::exists(line.file)) return convert(line);
  if (!line.file.empty()) return run_file(line);
  bool prompts = line.prompts || isatty(STDIN_FILENO);
  return prompts ? run_prompt(line) : run_standard_input(line);
}

// A program that an interrupt ended dies of it, so that whoever started it knows: a shell then
// leaves its loop, too.
int end(int status) {
  if (!ended_by_interrupt) return status;
  std::fflush(nullptr);
  signal(SIGINT, SIG_DFL);
  raise(SIGINT);
  return status;
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count > 1 && std::strcmp(words[1], "kernel") == 0 && !fs::exists(words[1]))
      return strider::run_kernel_command(count - 1, words + 1);
    return end(run_command_line(count, words));
  } catch (const UsageError& error) {
    std::fprintf(stderr, "strider: %s\n", error.what());
    return kUsageError;
  } catch (const std::runtime_error& error) {  // a session that cannot begin
    std::fprintf(stderr, "strider: %s\n", error.what());
    return 1;
  }
}
