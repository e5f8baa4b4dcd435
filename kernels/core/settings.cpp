// Reads settings and tells of those that are not understood; an empty one counts as not set.
#include <strider/nd/settings.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace strider::nd {
namespace {

std::string_view text_of(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

// Several places may ask for one setting.
void tell_once(const char* name, std::string_view text, const std::string& wanted) {
  static std::mutex lock;
  static auto& told = *new std::set<std::string>;
  std::lock_guard<std::mutex> guard(lock);
  if (!told.insert(name).second) return;
  std::fprintf(stderr, "strider: %s=%.*s is not understood; it may be %s\n", name,
               static_cast<int>(text.size()), text.data(), wanted.c_str());
}

std::string joined(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view& word : words) {
    if (!text.empty()) text += &word == words.end() - 1 ? " or " : ", ";
    text += word;
  }
  return text;
}

}  // namespace

std::optional<std::int64_t> number_setting(const char* name, std::int64_t least) {
  std::string_view text = text_of(name);
  if (text.empty()) return std::nullopt;
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error == std::errc() && end == text.end() && number >= least) return number;
  tell_once(name, text, "a whole number, at least " + std::to_string(least));
  return std::nullopt;
}

std::string_view word_setting(const char* name, std::initializer_list<std::string_view> words) {
  std::string_view text = text_of(name);
  if (text.empty() || std::ranges::count(words, text)) return text;
  tell_once(name, text, joined(words));
  return {};
}

std::string_view renderer_setting() {
  return word_setting("STRIDER_RENDERER",
                      {"reference", "tiles", "assembler", "mirror", "emulator"});
}

}  // namespace strider::nd
