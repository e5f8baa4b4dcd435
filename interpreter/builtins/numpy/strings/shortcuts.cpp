// _text_shortcuts: gives functions of texts in npx the native code that is asked first.
#include "interpreter/builtins/numpy/strings/shortcuts.h"

#include "interpreter/builtins/numpy/texts/text_operands.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

// shorten(name, function, of_char)
Value shorten(const Parameters& p) {
  std::string_view name = text_of(p[0]);
  Function::Shortcut code = nullptr;
  if (truth(p[2]))
    for (auto shortcuts : {shortcuts_of_stacked_parts, shortcuts_of_trimmed_texts})
      if (!code) code = find_shortcut(shortcuts(), name);
  for (auto shortcuts : {shortcuts_that_ask, shortcuts_that_search, shortcuts_that_change,
                         shortcuts_that_build, shortcuts_that_part, shortcuts_that_compare})
    if (!code) code = find_shortcut(shortcuts(), name);
  if (code && p[1].has_layout(Layout::kFunction)) p[1].as<Function>()->take_shortcut(code);
  return p[1];
}

const NativeRow kFunctions[] = {
    {"shorten(name, function, of_char=False, /)", shorten,
     "The function, for whose plain arguments native code answers if there is some."},
    {"tell_strings(cls, unset, /)", tell_strings,
     "The class of dtypes of texts of any length, and what they have where none can be missing."},
};

}  // namespace

const NativeModule kTextShortcutsModule = {
    "_text_shortcuts", "Native code for functions of np.strings and np.char.", kFunctions, {}};

}  // namespace strider::lang
