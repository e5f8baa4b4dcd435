// Names and blocks found by the resolver's walk, and the decision where each name lives.
// Knows no tree nodes beyond the bindings it fills in.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/syntax/resolver/scope.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::syntax {

enum class BlockType : uint8_t { kModule, kFunction, kLambda, kClass, kGenerator, kComprehension };

struct Block;

// A name as one block knows it.
struct Symbol {
  Identifier name;
  Block* block = nullptr;
  bool assigned = false;
  bool used = false;
  bool parameter = false;
  bool global = false;
  bool nonlocal = false;
  bool annotated = false;
  bool iteration = false;   // target of a comprehension's `for`
  bool named = false;       // target of `:=` inside a comprehension
  bool captured = false;    // by another frame
  Span declared;            // the `nonlocal` statement
  Symbol* owner = nullptr;  // the variable it means; null: global, or a class's own name
  int32_t slot = -1;
  int32_t cell = -1;
};

// A region with names of its own. Comprehensions share the frame of the block around them.
struct Block {
  BlockType type;
  Block* parent;
  Block* frame;            // the block whose frame runs this one; itself but for comprehensions
  Scope* scope = nullptr;  // frames only
  ComprehensionSlots* slots = nullptr;  // comprehensions only
  std::string qualified_name;
  std::vector<Symbol*> symbols;  // in order of appearance
  std::unordered_map<const char*, Symbol*> by_name;
  std::vector<Symbol*> parameters;
  std::vector<Symbol*> captures;  // variables of outer frames, in free-variable order
  std::unordered_map<const Symbol*, int32_t> capture_index;
  Symbol* class_symbol = nullptr;  // the implicit `__class__` of a class
  int32_t hidden_end = 0;          // comprehensions: end of its hidden slots
  std::vector<Block*> comprehensions;

  bool is_function() const {
    return type == BlockType::kFunction || type == BlockType::kLambda ||
           type == BlockType::kGenerator;
  }
  // Whether names of the block can be captured by blocks inside.
  bool owns_variables() const { return is_function() || type == BlockType::kComprehension; }
};

class ScopeTable {
 public:
  explicit ScopeTable(Tree& tree) : tree_(tree) {}

  // A new block inside `parent` (null for the module).
  Block* add_block(BlockType type, Block* parent, std::string_view name);
  // The block's symbol of that name, made where there was none.
  Symbol* symbol(Block* block, Identifier name);
  // The block's symbol of that name, or null.
  static Symbol* find(const Block* block, Identifier name);
  // Remembers a binding to fill in.
  void add_use(Binding& binding, Symbol* symbol) { uses_.push_back({&binding, symbol}); }

  // Decides every name's storage, lays out every frame and fills in all bindings.
  void finish();

 private:
  struct Use {
    Binding* binding;
    Symbol* symbol;
  };

  void resolve_symbol(Symbol* symbol);
  Symbol* find_owner(const Block* block, Identifier name);
  Symbol* class_symbol(Block* block, Identifier name);
  void capture(Block* block, Symbol* owner);
  void lay_out(Block* frame);
  void lay_out_comprehension(Block* comprehension, std::vector<Identifier>& locals,
                             std::vector<Identifier>& cells);
  void lay_out_captures(Block* frame);
  int32_t cell_index(const Block* frame, const Symbol* owner) const;
  Binding bind(const Symbol* symbol) const;

  Tree& tree_;
  std::deque<Block> blocks_;
  std::deque<Symbol> symbols_;
  std::vector<Use> uses_;
};

}  // namespace strider::syntax
