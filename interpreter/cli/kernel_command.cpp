// Kernel specifications: folders of Jupyter's data path with a kernel.json and logos.
#include "interpreter/cli/kernel_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace strider {
namespace {

namespace fs = std::filesystem;

constexpr int kUsageError = 2;

struct Options {
  bool user = false, system_prefix = false;
  std::string prefix;
  std::string name = "strider";
  std::string display_name;
  std::string device, precision;
};

fs::path own_folder() { return fs::canonical("/proc/self/exe").parent_path(); }

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path user_folder() {
  if (std::string data = variable("JUPYTER_DATA_DIR"); !data.empty()) return data;
  if (std::string data = variable("XDG_DATA_HOME"); !data.empty()) return data + "/jupyter";
  std::string home = variable("HOME");
  if (home.empty()) throw std::runtime_error("no home folder: say --prefix FOLDER");
  return home + "/.local/share/jupyter";
}

fs::path environment_prefix() {
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (std::string value = variable(name); !value.empty()) return value;
  throw std::runtime_error("--sys-prefix: no environment of Python is active");
}

// Where the specifications are.
fs::path kernels_folder(const Options& options) {
  if (!options.prefix.empty()) return fs::path(options.prefix) / "share/jupyter/kernels";
  if (options.system_prefix) return environment_prefix() / "share/jupyter/kernels";
  return user_folder() / "kernels";
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string specification(const Options& options, const fs::path& program) {
  std::string words = quoted(program.string()) + ", \"-f\", \"{connection_file}\"";
  if (!options.device.empty()) words += ", \"--device\", " + quoted(options.device);
  if (!options.precision.empty()) words += ", \"--precision\", " + quoted(options.precision);
  return "{\n  \"argv\": [" + words + "],\n  \"display_name\": " + quoted(options.display_name) +
         ",\n  \"language\": \"strider\",\n  \"interrupt_mode\": \"signal\",\n" +
         "  \"metadata\": {\"debugger\": false}\n}\n";
}

void check_name(const std::string& name) {
  bool known = !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                       "0123456789._-") == name.npos;
  if (!known || name[0] == '.') throw std::runtime_error("not a kernel's name: '" + name + "'");
}

void install(Options options) {
  check_name(options.name);
  if (options.display_name.empty())
    options.display_name = options.name == "strider" ? "Strider" : "Strider (" + options.name + ")";
  fs::path program = own_folder() / "strider-kernel";
  if (!fs::exists(program))
    throw std::runtime_error("there is no " + program.string() + ": it was built without xeus");
  fs::path folder = kernels_folder(options) / options.name;
  fs::create_directories(folder);
  fs::path logos = own_folder().parent_path() / "share/strider/kernel";
  if (fs::is_directory(logos))
    for (const fs::directory_entry& logo : fs::directory_iterator(logos))
      fs::copy_file(logo.path(), folder / logo.path().filename(),
                    fs::copy_options::overwrite_existing);
  std::ofstream file(folder / "kernel.json");
  file << specification(options, program);
  if (!file.flush()) throw std::runtime_error("can't write " + (folder / "kernel.json").string());
  std::printf("Installed kernel %s in %s\n", options.name.c_str(), folder.c_str());
}

bool is_ours(const fs::path& folder) {
  std::ifstream file(folder / "kernel.json");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return text.find("\"language\": \"strider\"") != text.npos;
}

void remove(const Options& options) {
  check_name(options.name);
  fs::path folder = kernels_folder(options) / options.name;
  if (!is_ours(folder)) throw std::runtime_error("no kernel of Strider in " + folder.string());
  fs::remove_all(folder);
  std::printf("Removed %s\n", folder.c_str());
}

void list(const Options& options) {
  fs::path folder = kernels_folder(options);
  if (!fs::is_directory(folder)) return;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (is_ours(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  for (const fs::path& path : found)
    std::printf("%-16s %s\n", path.filename().c_str(), path.c_str());
}

void declare_place(CLI::App& command, Options& options) {
  auto* user = command.add_flag("--user", options.user, "For this user (as without options)");
  auto* prefix = command.add_option("--prefix", options.prefix, "Under PREFIX/share/jupyter");
  auto* system = command.add_flag("--sys-prefix", options.system_prefix,
                                  "In the active environment of Python");
  user->excludes(prefix)->excludes(system);
  prefix->excludes(system);
}

void declare_name(CLI::App& command, Options& options) {
  command.add_option("--name", options.name, "The kernel's name (strider)");
}

}  // namespace

int run_kernel_command(int count, char** words) {
  Options options;
  CLI::App app("Tells Jupyter of the kernel", "strider kernel");
  app.require_subcommand(1);
  CLI::App* installs = app.add_subcommand("install", "Make the kernel known to Jupyter");
  CLI::App* removes = app.add_subcommand("remove", "Take it away again");
  CLI::App* lists = app.add_subcommand("list", "Show where it is known");
  for (CLI::App* command : {installs, removes, lists}) declare_place(*command, options);
  for (CLI::App* command : {installs, removes}) declare_name(*command, options);
  installs->add_option("--display-name", options.display_name, "What notebooks call it");
  installs->add_option("--device", options.device, "Its sessions' device: auto, cpu, cuda[:N]");
  installs->add_option("--precision", options.precision, "Its default float type")
      ->check(CLI::IsMember({"float32", "float64"}));
  try {
    app.parse(count, words);
    if (installs->parsed()) install(options);
    if (removes->parsed()) remove(options);
    if (lists->parsed()) list(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "strider kernel: %s\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace strider
