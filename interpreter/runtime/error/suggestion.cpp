// Edit distance over attribute and variable names.
#include "interpreter/runtime/error/suggestion.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/slot_names.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kMaxLength = 40;

// What it costs to move from one letter to another, and to leave one out.
constexpr std::size_t kMove = 2;
constexpr std::size_t kChangeOfCase = 1;

std::size_t substitution(char a, char b) {
  if (a == b) return 0;
  auto lower = [](char letter) { return letter >= 'A' && letter <= 'Z' ? letter | 32 : letter; };
  return lower(a) == lower(b) ? kChangeOfCase : kMove;
}

// Levenshtein's distance in these costs.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j * kMove;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i * kMove);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t substituted = diagonal + substitution(a[i - 1], b[j - 1]);
      diagonal = std::exchange(row[j], std::min({row[j] + kMove, row[j - 1] + kMove, substituted}));
    }
  }
  return row[b.size()];
}

void add_class_names(const Type& type, std::vector<std::string_view>& result) {
  for (Type* each : type.mro())
    for (Name name : each->own_names()) result.push_back(text_of(name));
  for (Type* each : type.mro()) {
    const Value* slots = each->has(Type::kUserDefined) ? each->own(names().slots) : nullptr;
    if (!slots) continue;
    for (const Value& name : slot_names(*slots, each->name()))
      result.push_back(text_of(intern(text_of(name))));
  }
}

// Whether a module is carried inside the program: its inner names are none of CPython's.
bool is_of_library(const Value& object) {
  if (!object.has_layout(Layout::kModule)) return false;
  const Value* file = object.as<Module>()->dict().find(intern("__file__"));
  return file && is_str(*file) && text_of(*file).starts_with("<stdlib>");
}

// What a module's own __dir__ lists, if it has one.
void add_listed_names(Module& module, std::vector<std::string_view>& result) {
  const Value* own = module.dict().find(names().dir);
  if (!own) return;
  try {
    for (const Value& name : to_list(call(Value(*own)))->items)
      if (is_str(name)) result.push_back(text_of(intern(text_of(name))));
  } catch (const Raised&) {  // then there is nothing to suggest
  }
}

}  // namespace

std::string_view nearest_name(std::string_view wrong,
                              const std::vector<std::string_view>& candidates) {
  if (wrong.size() > kMaxLength) return {};
  std::string_view best;
  std::size_t best_distance = 0;
  for (std::string_view candidate : candidates) {
    if (candidate == wrong || candidate.size() > kMaxLength) continue;
    std::size_t distance = edit_distance(wrong, candidate);
    bool near = distance <= (wrong.size() + candidate.size() + 3) * kMove / 6;
    if (!near || (!best.empty() && distance >= best_distance)) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string suggestion_text(std::string_view wrong,
                            const std::vector<std::string_view>& candidates) {
  std::string_view best = nearest_name(wrong, candidates);
  return best.empty() ? std::string() : fmt::format(". Did you mean: '{}'?", best);
}

std::vector<std::string_view> attribute_names(const Value& object) {
  std::vector<std::string_view> result;
  if (object.has_layout(Layout::kType))
    add_class_names(*object.as<Type>(), result);
  else if (object.has_layout(Layout::kModule))
    object.as<Module>()->list_names(result);
  else
    add_class_names(*type_of(object), result);
  if (object.is_object())
    if (Attributes* attributes = object.object()->attributes()) attributes->list_names(result);
  return result;
}

std::string suggest_attribute(const Value& object, std::string_view wrong) {
  std::vector<std::string_view> names = attribute_names(object);
  if (object.has_layout(Layout::kModule)) add_listed_names(*object.as<Module>(), names);
  if (is_of_library(object) && !wrong.starts_with('_'))
    std::erase_if(names, [](std::string_view name) { return name.starts_with('_'); });
  std::ranges::sort(names);
  return suggestion_text(wrong, names);
}

}  // namespace strider::lang
