// Name resolution over blocks: owners, captures, frame layouts, bindings.
#include "interpreter/syntax/resolver/scope_table.h"

#include "interpreter/syntax/error.h"

namespace strider::syntax {

namespace {

constexpr std::string_view kClassVariable = "__class__";

ScopeType scope_type(BlockType type) {
  switch (type) {
    case BlockType::kFunction:
      return ScopeType::kFunction;
    case BlockType::kLambda:
      return ScopeType::kLambda;
    case BlockType::kClass:
      return ScopeType::kClass;
    case BlockType::kGenerator:
      return ScopeType::kGenerator;
    default:
      return ScopeType::kModule;
  }
}

std::string qualify(const Block* parent, std::string_view name) {
  if (!parent || parent->type == BlockType::kModule) return std::string(name);
  const char* link = parent->type == BlockType::kClass ? "." : ".<locals>.";
  return parent->qualified_name + link + std::string(name);
}

bool is_own_variable(const Symbol* symbol) {
  return symbol->owner == symbol && symbol->block->owns_variables();
}

}  // namespace

Block* ScopeTable::add_block(BlockType type, Block* parent, std::string_view name) {
  Block& block = blocks_.emplace_back();
  block.type = type;
  block.parent = parent;
  block.qualified_name = qualify(parent, name);
  bool shares_frame = type == BlockType::kComprehension;
  block.frame = shares_frame ? parent->frame : &block;
  if (shares_frame) {
    block.frame->comprehensions.push_back(&block);
    return &block;
  }
  block.scope = tree_.arena.make<Scope>();
  block.scope->type = scope_type(type);
  block.scope->parent = parent ? parent->frame->scope : nullptr;
  block.scope->qualified_name = tree_.arena.copy_text(block.qualified_name);
  block.scope->is_generator = type == BlockType::kGenerator;
  return &block;
}

Symbol* ScopeTable::find(const Block* block, Identifier name) {
  auto found = block->by_name.find(name.data());
  return found == block->by_name.end() ? nullptr : found->second;
}

Symbol* ScopeTable::symbol(Block* block, Identifier name) {
  Symbol*& entry = block->by_name[name.data()];
  if (!entry) {
    entry = &symbols_.emplace_back();
    entry->name = name;
    entry->block = block;
    block->symbols.push_back(entry);
  }
  return entry;
}

void ScopeTable::finish() {
  for (Block& block : blocks_) {
    for (Symbol* symbol : block.symbols) resolve_symbol(symbol);
  }
  for (Block& block : blocks_) {
    for (Symbol* symbol : block.symbols)
      if (Symbol* same = symbol->global ? find(&blocks_.front(), symbol->name) : nullptr)
        same->global = true;
  }
  for (Block& block : blocks_) {
    if (block.frame == &block) lay_out(&block);
  }
  for (Block& block : blocks_) {
    if (block.frame == &block) lay_out_captures(&block);
  }
  for (const Use& use : uses_) *use.binding = bind(use.symbol);
  std::vector<Scope*> scopes;
  for (Block& block : blocks_) {
    if (block.frame == &block) scopes.push_back(block.scope);
  }
  tree_.scopes = tree_.arena.copy(scopes);
}

void ScopeTable::resolve_symbol(Symbol* symbol) {
  if (symbol->global) return;
  Block* block = symbol->block;
  bool own = (symbol->assigned || symbol->parameter) && !symbol->nonlocal;
  if (own) {
    if (block->owns_variables()) symbol->owner = symbol;
    return;
  }
  Symbol* owner = find_owner(block, symbol->name);
  if (!owner && symbol->nonlocal) {
    throw SyntaxError("no binding for nonlocal '" + std::string(symbol->name) + "' found",
                      symbol->declared);
  }
  symbol->owner = owner;
  if (owner) capture(block, owner);
}

// The variable of an enclosing block that a name means; null where it is global.
Symbol* ScopeTable::find_owner(const Block* block, Identifier name) {
  for (Block* outer = block->parent; outer; outer = outer->parent) {
    if (outer->type == BlockType::kModule) return nullptr;
    if (outer->type == BlockType::kClass) {
      if (name == kClassVariable) return class_symbol(outer, name);
      continue;
    }
    Symbol* found = find(outer, name);
    if (!found || found->nonlocal) continue;
    if (found->global) return nullptr;
    if (found->assigned || found->parameter) return found;
  }
  return nullptr;
}

Symbol* ScopeTable::class_symbol(Block* block, Identifier name) {
  if (!block->class_symbol) {
    Symbol& symbol = symbols_.emplace_back();
    symbol.name = name;
    symbol.block = block;
    symbol.owner = &symbol;
    block->class_symbol = &symbol;
  }
  return block->class_symbol;
}

// Makes the variable reachable from the block: every frame between them passes its cell on.
void ScopeTable::capture(Block* block, Symbol* owner) {
  Block* home = owner->block->frame;
  for (Block* frame = block->frame; frame != home; frame = frame->parent->frame) {
    owner->captured = true;
    auto index = static_cast<int32_t>(frame->captures.size());
    if (!frame->capture_index.emplace(owner, index).second) return;
    frame->captures.push_back(owner);
  }
}

void ScopeTable::lay_out(Block* frame) {
  Scope& scope = *frame->scope;
  std::vector<Identifier> locals, cells;
  std::vector<ParameterCell> parameter_cells;
  for (Symbol* parameter : frame->parameters) {
    parameter->slot = static_cast<int32_t>(locals.size());
    locals.push_back(parameter->name);
  }
  for (Symbol* symbol : frame->symbols) {
    if (!is_own_variable(symbol)) continue;
    if (symbol->captured) {
      symbol->cell = static_cast<int32_t>(cells.size());
      cells.push_back(symbol->name);
      if (symbol->parameter) parameter_cells.push_back({symbol->slot, symbol->cell});
    } else if (!symbol->parameter) {
      symbol->slot = static_cast<int32_t>(locals.size());
      locals.push_back(symbol->name);
    }
  }
  if (frame->class_symbol) {
    scope.class_cell = frame->class_symbol->cell = static_cast<int32_t>(cells.size());
    cells.push_back(frame->class_symbol->name);
  }
  scope.parameter_count = static_cast<int32_t>(frame->parameters.size());
  scope.visible_locals = static_cast<int32_t>(locals.size());
  scope.visible_cells = static_cast<int32_t>(cells.size());
  for (Block* inner : frame->comprehensions) lay_out_comprehension(inner, locals, cells);
  scope.local_names = tree_.arena.copy(locals);
  scope.cell_names = tree_.arena.copy(cells);
  scope.parameter_cells = tree_.arena.copy(parameter_cells);
}

// Hidden slots lie behind those of the comprehension around, so that siblings share them.
void ScopeTable::lay_out_comprehension(Block* comprehension, std::vector<Identifier>& locals,
                                       std::vector<Identifier>& cells) {
  const Block* outer = comprehension->parent;
  bool nested = outer->type == BlockType::kComprehension;
  int32_t next = nested ? outer->hidden_end : comprehension->frame->scope->visible_locals;
  std::vector<int32_t> own_locals, own_cells;
  for (Symbol* symbol : comprehension->symbols) {
    if (!is_own_variable(symbol)) continue;
    if (symbol->captured) {
      symbol->cell = static_cast<int32_t>(cells.size());
      cells.push_back(symbol->name);
      own_cells.push_back(symbol->cell);
    } else {
      symbol->slot = next++;
      if (symbol->slot == static_cast<int32_t>(locals.size())) locals.push_back(symbol->name);
      own_locals.push_back(symbol->slot);
    }
  }
  comprehension->hidden_end = next;
  comprehension->slots->locals = tree_.arena.copy(own_locals);
  comprehension->slots->cells = tree_.arena.copy(own_cells);
}

void ScopeTable::lay_out_captures(Block* frame) {
  Scope& scope = *frame->scope;
  std::vector<FreeVariable> free_names;
  for (const Symbol* owner : frame->captures) {
    free_names.push_back({owner->name, cell_index(frame->parent->frame, owner)});
    if (owner->name == kClassVariable && frame->type != BlockType::kClass) {
      scope.uses_super_or_class = true;
      scope.class_cell = cell_index(frame, owner);
    }
  }
  scope.free_names = tree_.arena.copy(free_names);
}

// Index of a captured variable in the cell array of a frame that has it.
int32_t ScopeTable::cell_index(const Block* frame, const Symbol* owner) const {
  if (owner->block->frame == frame) return owner->cell;
  auto own_cells = static_cast<int32_t>(frame->scope->cell_names.size());
  return own_cells + frame->capture_index.at(owner);
}

// A name that some block declares global has slot 0: it is never one of exec's local names.
Binding ScopeTable::bind(const Symbol* symbol) const {
  const Block* frame = symbol->block->frame;
  const Symbol* owner = symbol->owner;
  bool in_class = symbol->block->type == BlockType::kClass;
  Binding binding{Storage::kGlobal, symbol->global ? 0 : -1, symbol->name};
  if (in_class && !symbol->global && !symbol->nonlocal) {
    binding.storage = Storage::kClassName;
    if (owner) binding.slot = cell_index(frame, owner);
  } else if (owner && owner->block->frame != frame) {
    binding.storage = Storage::kFree;
    binding.slot = cell_index(frame, owner);
  } else if (owner) {
    binding.storage = owner->captured ? Storage::kCell : Storage::kLocal;
    binding.slot = owner->captured ? owner->cell : owner->slot;
  }
  return binding;
}

}  // namespace strider::syntax
