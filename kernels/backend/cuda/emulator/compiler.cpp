// The text, what becomes of it and what the compiler says are files of a folder that goes at once.
#include "kernels/backend/cuda/emulator/compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <strider/nd/error.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "kernels/backend/cuda/jit/digest.h"
#include "kernels/backend/cuda/jit/texts.h"

namespace strider::nd::cuda::emulator {
namespace {

namespace fs = std::filesystem;

// No library is included or linked; what texts call is the program's. Nothing is contracted. Arrays
// are small, so compiling takes longer than running.
constexpr const char* kOptions[] = {
    "-std=c++20",      "-w",        "-O0",       "-ffp-contract=off",
    "-fno-math-errno", "-nostdinc", "-fPIC",     "-fvisibility=hidden",
    "-fno-exceptions", "-fno-rtti", "-nostdlib", "-shared"};

std::string compiler() {
  const char* asked = std::getenv("STRIDER_EMULATOR_COMPILER");
  return asked && *asked ? asked : "clang++";
}

std::vector<std::string> options() {
  std::vector<std::string> list(std::begin(kOptions), std::end(kOptions));
  if (__builtin_cpu_supports("fma")) list.push_back("-mfma");
  return list;
}

std::string prefix() {
  std::string text;
  for (const char* name : {"processor", "shims"}) {
    text += embedded_text("kernels/backend/cuda/emulator/" + std::string(name) + ".h");
  }
  return text;
}

// Kernels with their parameters by reference: the caller knows no more of them than bytes.
std::string with_references(std::string text) {
  constexpr std::string_view kMark = "__grid_constant__ ";
  for (std::size_t at = 0; (at = text.find(kMark, at)) != text.npos;) {
    at = text.find(' ', at + kMark.size());
    text.insert(at, "&");
  }
  return text;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "strider-emulator-XXXXXX";
    if (!mkdtemp(name.data())) throw Error(ErrorKind::kRuntime, "cannot make a folder " + name);
    path_ = name;
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

// Runs a program, whose outputs go into a file; its status, or -1 where it cannot be started.
int run(std::vector<std::string> words, const std::string& log) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

struct Version {
  int status;
  std::string text;

  Version() {
    Folder folder;
    status = run({compiler(), "--version"}, folder / "log");
    text = read_file(folder / "log");
    text.resize(std::min(text.size(), text.find('\n')));
  }
};

const Version& version() {
  static const Version instance;
  return instance;
}

}  // namespace

bool has_compiler(std::string& reason) {
  if (version().status == 0) return true;
  reason = "kernels are emulated by means of " + compiler() + ", which cannot be started";
  return false;
}

std::string compiler_identity() {
  std::string identity = version().text;
  for (const std::string& option : options()) identity += " " + option;
  return identity + " " + digest(prefix());
}

std::string compile(const std::string& text) {
  static const std::string before = prefix();
  Folder folder;
  std::ofstream(folder / "kernel.cpp") << before << with_references(text);
  std::vector<std::string> words{compiler()};
  for (std::string& option : options()) words.push_back(std::move(option));
  words.insert(words.end(), {folder / "kernel.cpp", "-o", folder / "kernel.so"});
  if (run(words, folder / "log") != 0) {
    throw Error(ErrorKind::kRuntime,
                "a kernel does not compile:\n" + read_file(folder / "log") + "\n" + text);
  }
  return read_file(folder / "kernel.so");
}

}  // namespace strider::nd::cuda::emulator
