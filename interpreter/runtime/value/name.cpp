// The table of interned strings.
#include "interpreter/runtime/value/name.h"

#include <unordered_map>

#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

std::unordered_map<std::string_view, Str*>& table() {
  static auto& strings = *new std::unordered_map<std::string_view, Str*>;
  return strings;
}

Names make_names() {
  Names result;
#define NAME(member, text) result.member = intern(text);
#include "interpreter/runtime/value/names.def"
  return result;
}

}  // namespace

Name intern(std::string_view text) {
  auto found = table().find(text);
  if (found != table().end()) return found->second;
  return intern(make_str(text).get());
}

Name intern(Str* text) {
  if (text->is_interned()) return text;
  auto found = table().find(text->text());
  if (found != table().end()) return found->second;
  Ref<Str> kept(text);
  if (!text->is_exact()) kept = make_str(text->text());
  kept->flags_ |= Str::kInterned;
  table().emplace(kept->text(), kept.get());
  return kept.detach();  // for the life of the process
}

std::string_view text_of(Name name) { return name->text(); }

const Names& names() {
  static const Names& instance = *new Names(make_names());
  return instance;
}

}  // namespace strider::lang
