// Suggestions: "Did you mean: 'reshape'?" for names that are nearly right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// The candidate nearest to `wrong` in edit distance if near enough, else empty.
std::string_view nearest_name(std::string_view wrong,
                              const std::vector<std::string_view>& candidates);
// ". Did you mean: 'x'?" from the attributes of `object`, or nothing.
std::string suggest_attribute(const Value& object, std::string_view wrong);
// The same text for any candidates.
std::string suggestion_text(std::string_view wrong,
                            const std::vector<std::string_view>& candidates);
// Every attribute name that dir(object) lists (unsorted, with repetitions).
std::vector<std::string_view> attribute_names(const Value& object);

}  // namespace strider::lang
