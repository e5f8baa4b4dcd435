// Folders follow the XDG base directory specification: relative ones do not count.
#include "interpreter/session/environment.h"

#include <strider/nd/settings.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "interpreter/session/history.h"
#include "interpreter/session/session.h"

namespace strider {
namespace {

namespace fs = std::filesystem;

std::string folder(const char* variable, const char* below_home) {
  const char *set = std::getenv(variable), *home = std::getenv("HOME");
  if (set && *set == '/') return std::string(set) + "/strider";
  return home && *home ? std::string(home) + "/" + below_home + "/strider" : std::string();
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// A line of libedit's files: `\040` is a blank.
std::string decoded(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    bool octal = line[i] == '\\' && i + 3 < line.size() && is_octal(line[i + 1]) &&
                 is_octal(line[i + 2]) && is_octal(line[i + 3]);
    if (octal) {
      text +=
          static_cast<char>((line[i + 1] - '0') * 64 + (line[i + 2] - '0') * 8 + line[i + 3] - '0');
      i += 3;
    } else {
      if (line[i] == '\\' && i + 1 < line.size()) ++i;
      text += line[i];
    }
  }
  return text;
}

void take_over(const std::string& earlier, const std::string& file) {
  std::ifstream lines(earlier, std::ios::binary);
  std::string line;
  if (!std::getline(lines, line) || line != "_HiStOrY_V2_") return;
  History history(file);
  for (int number = 1; std::getline(lines, line); ++number)
    if (!line.empty()) history.add(number, decoded(line));
}

void take_fusion_setting(SessionOptions& options) {
  auto fusion = nd::number_setting("STRIDER_FUSION", 0);  // 0: off; N: from N elements on
  if (!fusion) return;
  options.fusion_threshold = *fusion;
  if (options.fusion_threshold <= 0) options.eager = true;
}

// The folders that stand between colons, as absolute ones; an empty one is the current folder.
void take_module_folders(SessionOptions& options) {
  const char* set = std::getenv("PYTHONPATH");
  if (!set || !*set) return;
  std::string_view rest = set;
  for (std::size_t colon = 0; colon != rest.npos;) {
    colon = rest.find(':');
    std::error_code ignored;
    fs::path folder = fs::absolute(fs::path(rest.substr(0, colon)), ignored);
    if (rest.substr(0, colon).empty()) folder = fs::current_path(ignored);
    options.module_folders.push_back(folder.string());
    if (colon != rest.npos) rest.remove_prefix(colon + 1);
  }
}

}  // namespace

std::string history_file() {
  std::string place = folder("XDG_STATE_HOME", ".local/state");
  if (place.empty()) return {};
  std::string file = place + "/history";
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  if (home && !fs::exists(file, ignored)) take_over(std::string(home) + "/.strider_history", file);
  return file;
}

std::string startup_file() {
  std::string place = folder("XDG_CONFIG_HOME", ".config");
  std::error_code ignored;
  std::string file = place + "/startup.npx";
  return !place.empty() && fs::is_regular_file(file, ignored) ? file : std::string();
}

void take_environment(SessionOptions& options) {
  take_fusion_setting(options);
  take_module_folders(options);
}

}  // namespace strider
