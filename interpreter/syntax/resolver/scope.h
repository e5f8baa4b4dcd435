// Where names live: the storage of each name and the frame layout of each scope.
// The resolver fills these in; nothing here knows how frames are built.
#pragma once

#include <cstdint>
#include <string_view>

#include "interpreter/syntax/interner.h"
#include "interpreter/syntax/tree/arena.h"

namespace strider::syntax {

enum class Storage : uint8_t {
  kUnresolved,
  kLocal,      // slot of the frame
  kCell,       // own cell: index into the frame's cell array
  kFree,       // captured cell: index into the same array, behind the own cells
  kGlobal,     // module variable, else builtin
  kClassName,  // class namespace first; then cell `slot` if >= 0, else as kGlobal
};

// The place a name is read from or written to.
struct Binding {
  Storage storage = Storage::kUnresolved;
  int32_t slot = -1;  // meaning by storage; -1 where unused
  Identifier name;    // the name to use at run time: `__x` inside a class is mangled here
};

// A captured variable of a scope.
struct FreeVariable {
  Identifier name;
  int32_t parent_cell = -1;  // index into the cell array of the enclosing frame
};

// A parameter that inner scopes capture: on entry the argument moves from `slot` into `cell`.
struct ParameterCell {
  int32_t slot = -1;
  int32_t cell = -1;
};

// Slots and own cells that one inline comprehension (list, set, dict) uses in its frame.
// On entry each cell is made new; on exit the locals are cleared. Sibling comprehensions share
// slots.
struct ComprehensionSlots {
  Sequence<int32_t> locals;
  Sequence<int32_t> cells;
};

enum class ScopeType : uint8_t { kModule, kFunction, kLambda, kClass, kGenerator };

// The frame layout of a module, function, lambda, class body or generator expression.
// Cell array of a frame: first its own cells (cell_names), then its free variables.
struct Scope {
  ScopeType type = ScopeType::kModule;
  const Scope* parent = nullptr;  // the scope whose frame creates this one; null for the module
  Identifier qualified_name;      // "f.<locals>.g"; empty for the module

  // By slot. Functions: parameters first, in the order positional-only, positional, keyword-only,
  // *vararg, **kwarg (a captured parameter keeps its slot); then other variables that are not
  // captured; then hidden slots of comprehensions from `visible_locals` on.
  // Generator expressions: slot 0 ('.0') holds the iterator of the outermost iterable, which the
  // enclosing scope evaluates. Modules and classes have hidden slots only.
  Sequence<Identifier> local_names;
  int32_t parameter_count = 0;
  int32_t visible_locals = 0;

  Sequence<Identifier> cell_names;  // from `visible_cells` on: hidden cells of comprehensions
  int32_t visible_cells = 0;
  Sequence<FreeVariable> free_names;
  Sequence<ParameterCell> parameter_cells;

  bool is_generator = false;         // contains yield; true for generator expressions
  bool uses_super_or_class = false;  // captures the implicit `__class__` of its class
  int32_t class_cell = -1;  // classes: own cell that must receive the finished class, or -1;
                            // functions: index into the cell array of `__class__`, or -1
};

}  // namespace strider::syntax
