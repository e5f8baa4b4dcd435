// Forms of calls that were found right: which function, how many arguments, which of them named.
// What a check of arguments asks stands in a form, so a form is checked once. Knows no values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

class CallForm {
 public:
  static constexpr std::size_t kMostNames = 4;
  CallForm() = default;
  CallForm(const NativeFunction& function, const Arguments& arguments)
      : row_(&function.row()),
        signature_(function.row().signature),
        owner_(function.owner()),
        count_(arguments.count),
        name_count_(arguments.keyword_count) {
    for (std::size_t i = 0; i < name_count_; ++i) names_[i] = arguments.keywords[i].name;
  }
  bool operator==(const CallForm& other) const {
    if (row_ != other.row_ || count_ != other.count_ || name_count_ != other.name_count_ ||
        owner_ != other.owner_ || signature_ != other.signature_)
      return false;
    return std::equal(names_.begin(), names_.begin() + name_count_, other.names_.begin());
  }
  std::size_t hash() const {
    auto mix = [](std::size_t sum, std::size_t word) { return std::rotl(sum, 5) ^ (word >> 3); };
    std::size_t sum = mix(std::bit_cast<std::size_t>(row_), count_ << 3);
    for (std::size_t i = 0; i < name_count_; ++i)
      sum = mix(sum, std::bit_cast<std::size_t>(names_[i]));
    return sum ^ (sum >> 11);
  }

 private:
  const NativeRow* row_ = nullptr;
  const char* signature_ = nullptr;
  const Type* owner_ = nullptr;
  std::size_t count_ = 0, name_count_ = 0;
  std::array<Name, kMostNames> names_{};
};

// The place of a form among those that passed.
inline CallForm& remembered(const CallForm& form) {
  static constinit thread_local std::array<CallForm, 512> forms{};
  return forms[form.hash() % forms.size()];
}

// Runs a check that raises where a call is wrong, unless the same form has passed lately.
template <class Check>
void check_once(const NativeFunction& function, const Arguments& arguments, const Check& check) {
  if (arguments.keyword_count > CallForm::kMostNames) return check();
  CallForm form(function, arguments);
  CallForm& last = remembered(form);
  if (last == form) return;
  check();
  last = form;
}

}  // namespace strider::lang
