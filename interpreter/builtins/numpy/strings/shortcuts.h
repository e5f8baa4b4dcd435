// Functions of np.strings and np.char for plain arguments. Each gives Empty where the function in
// npx is to answer: keywords, classes of programs, characters beyond ASCII where they matter,
// results without axes, arguments that are errors.
#pragma once

#include "interpreter/builtins/numpy/shortcut.h"
#include "interpreter/runtime/program/module.h"

namespace strider::lang {

Shortcuts shortcuts_that_ask();      // isdigit, str_len and their kin
Shortcuts shortcuts_that_search();   // find, count, startswith, …
Shortcuts shortcuts_that_change();   // upper, strip, slice, …
Shortcuts shortcuts_that_build();    // add, multiply, replace, center, …
Shortcuts shortcuts_that_part();     // split, partition, …
Shortcuts shortcuts_that_compare();  // equal, less, …
// What np.char has otherwise than np.strings: parts along an axis, comparisons of trimmed texts.
Shortcuts shortcuts_of_stacked_parts();
Shortcuts shortcuts_of_trimmed_texts();

extern const NativeModule kTextShortcutsModule;

}  // namespace strider::lang
