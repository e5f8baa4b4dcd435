// Texts compared: as they are by np.strings, without white space at their ends by np.char.
#include <strider/nd/array.h>

#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"
#include "interpreter/builtins/numpy/texts/text_operands.h"

namespace strider::lang {
namespace {

template <nd::Op kOp>
Value compare(const Arguments& arguments) {
  if (!takes_plainly(arguments, 2, 2)) return {};
  return combine_texts(kOp, arguments.values[0], arguments.values[1]);
}

// Cuts the white space of ASCII at the end; false where other white space, or a zero, may be there.
bool trim(std::string_view& text) {
  while (!text.empty()) {
    char last = text.back();
    if (last == '\0' || static_cast<signed char>(last) < 0 || (last >= 28 && last <= 31))
      return false;
    if (last != ' ' && !(last >= 9 && last <= 13)) return true;
    text.remove_suffix(1);
  }
  return true;
}

template <nd::Op kOp>
bool holds(int order) {
  switch (kOp) {
    case nd::Op::kEqual:
      return order == 0;
    case nd::Op::kNotEqual:
      return order != 0;
    case nd::Op::kLess:
      return order < 0;
    case nd::Op::kLessEqual:
      return order <= 0;
    case nd::Op::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

template <nd::Op kOp>
Value compare_trimmed(const Arguments& arguments) {
  Texts first, second;
  if (!takes_plainly(arguments, 2, 2) || !read_texts(arguments.values[0], first)) return {};
  if (!read_texts(arguments.values[1], second) || first.kind != second.kind) return {};
  if (!goes_with(first, second) || first.shape.size() == 0) return {};
  nd::Array made = nd::Array::empty(first.shape, nd::DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (std::size_t i = 0; i < first.size(); ++i) {
    std::string_view a, b;
    if (!first.view(i, a) || !second.view(i, b) || !trim(a) || !trim(b)) return {};
    results[i] = holds<kOp>(order_of(a, b));
  }
  return wrap(std::move(made));
}

constexpr Shortcut kShortcuts[] = {
    {"equal", compare<nd::Op::kEqual>},     {"not_equal", compare<nd::Op::kNotEqual>},
    {"less", compare<nd::Op::kLess>},       {"less_equal", compare<nd::Op::kLessEqual>},
    {"greater", compare<nd::Op::kGreater>}, {"greater_equal", compare<nd::Op::kGreaterEqual>},
};

constexpr Shortcut kOfChar[] = {
    {"equal", compare_trimmed<nd::Op::kEqual>},
    {"not_equal", compare_trimmed<nd::Op::kNotEqual>},
    {"less", compare_trimmed<nd::Op::kLess>},
    {"less_equal", compare_trimmed<nd::Op::kLessEqual>},
    {"greater", compare_trimmed<nd::Op::kGreater>},
    {"greater_equal", compare_trimmed<nd::Op::kGreaterEqual>},
};

}  // namespace

Shortcuts shortcuts_that_compare() { return kShortcuts; }
Shortcuts shortcuts_of_trimmed_texts() { return kOfChar; }

}  // namespace strider::lang
