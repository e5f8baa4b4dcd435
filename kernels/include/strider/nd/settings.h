// Settings in the environment. What is set and not understood is told once on stderr, and counts as
// not set. Knows the name of one setting, which several rooms ask for; not what any changes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace strider::nd {

// A whole number that is at least `least`.
std::optional<std::int64_t> number_setting(const char* name, std::int64_t least);
// One of several words; empty where none is set.
std::string_view word_setting(const char* name, std::initializer_list<std::string_view> words);
// STRIDER_RENDERER, by which tests choose how loops are run; several places ask for it.
std::string_view renderer_setting();

}  // namespace strider::nd
