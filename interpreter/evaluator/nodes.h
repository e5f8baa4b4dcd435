// The factories of executable nodes: one per construct, grouped by the file that implements them.
#pragma once

#include <memory>
#include <vector>

#include "interpreter/evaluator/node.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::lang {

using syntax::Span;
using Nodes = std::vector<Node*>;

// --- names.cpp ---
Node* make_constant(Code& code, Span span, const Value& value);
Node* make_local(Code& code, Span span, int slot, Name name);
Node* make_cell(Code& code, Span span, int cell, Name name, bool free);
Node* make_global(Code& code, Span span, Name name);
Node* make_class_name(Code& code, Span span, Name name, int cell);  // cell -1: else global
// The constant's value if the node is one, else null.
const Value* constant_value(const Node* node);
// The slot if the node reads a local variable, else -1.
int local_slot(const Node* node);

// --- targets.cpp ---
Target* make_local_target(Code& code, Span span, int slot, Name name);
Target* make_cell_target(Code& code, Span span, int cell, Name name, bool free);
Target* make_global_target(Code& code, Span span, Name name);
Target* make_class_target(Code& code, Span span, Name name);
Target* make_attribute_target(Code& code, Span span, Node* object, Name name);
Target* make_item_target(Code& code, Span span, Node* object, Node* key);
Target* make_unpack_target(Code& code, Span span, std::vector<Target*> parts, int starred);

// --- arithmetic.cpp ---
// `stable`: evaluating the right operand cannot rebind a variable of the left.
Node* make_binary(Code& code, Span span, BinaryOperator op, Node* left, Node* right, bool stable);
struct ChainLink {
  BinaryOperator op;
  Node* operand;
};
// first OP a OP b …, for chains too long to nest.
Node* make_binary_chain(Code& code, Span span, Node* first, std::vector<ChainLink> links);
Node* make_unary(Code& code, Span span, UnaryOperator op, Node* operand);
Statement* make_augmented_local(Code& code, Span span, BinaryOperator op, int slot, Name name,
                                Node* value);
Statement* make_augmented_name(Code& code, Span span, BinaryOperator op, Node* read, Target* write,
                               Node* value);
Statement* make_augmented_attribute(Code& code, Span span, BinaryOperator op, Node* object,
                                    Name name, Node* value);
Statement* make_augmented_item(Code& code, Span span, BinaryOperator op, Node* object, Node* key,
                               Node* value);

// --- logic.cpp ---
Node* make_compare(Code& code, Span span, CompareOperator op, Node* left, Node* right, bool stable);
Node* make_compare_chain(Code& code, Span span, std::vector<CompareOperator> ops, Nodes operands);
Node* make_and(Code& code, Span span, Nodes operands);
Node* make_or(Code& code, Span span, Nodes operands);
Node* make_not(Code& code, Span span, Node* operand);
Node* make_conditional(Code& code, Span span, Node* test, Node* then, Node* otherwise);

// --- access.cpp ---
Node* make_attribute(Code& code, Span span, Node* object, Name name);
Node* make_item(Code& code, Span span, Node* object, Node* key, bool stable);
Node* make_slice(Code& code, Span span, Node* start, Node* stop, Node* step);  // nulls: None

// --- calls.cpp ---
struct CallArgument {
  enum class Kind : std::uint8_t { kPositional, kStar, kKeyword, kDoubleStar };
  Kind kind;
  Node* value;
  Name name = nullptr;
};
// `suspends`: an argument contains a yield, so no callee frame may be half built meanwhile.
Node* make_call(Code& code, Span span, Node* callee, std::vector<CallArgument> arguments,
                bool suspends);
Node* make_keyword_call(Code& code, Span span, Node* callee, const Nodes& positional,
                        const std::vector<std::pair<Name, Node*>>& keywords);
Node* make_star_call(Code& code, Span span, Node* callee, std::vector<CallArgument> arguments);
Node* make_method_call(Code& code, Span span, Node* object, Name method, Span name_place,
                       std::vector<CallArgument> arguments);
// Evaluates arguments with stars into a list; TypeErrors name the callee.
ArgumentList collect_arguments(Frame& frame, const NodeBase* at, const Value& callee,
                               const std::vector<CallArgument>& arguments);
Node* make_super(Code& code, Span span, Node* callee, int class_cell, Node* self);

// --- displays.cpp ---
struct DisplayItem {
  Node* value;
  bool starred = false;
};
Node* make_list_display(Code& code, Span span, std::vector<DisplayItem> items);
Node* make_tuple_display(Code& code, Span span, std::vector<DisplayItem> items);
Node* make_set_display(Code& code, Span span, std::vector<DisplayItem> items);
Node* make_dict_display(Code& code, Span span, Nodes keys, Nodes values);  // null key: **value
Node* make_formatted(Code& code, Span span, Node* value, int conversion, Node* spec);
Node* make_joined(Code& code, Span span, Nodes parts);
Node* make_walrus(Code& code, Span span, Target* target, Node* value);

// --- comprehensions.cpp ---
struct ComprehensionClause {
  Target* target;
  Node* iterable;
  Nodes conditions;
};
struct ComprehensionParts {
  std::vector<ComprehensionClause> clauses;
  std::vector<int> hidden_locals, hidden_cells;
};
Node* make_list_comprehension(Code& code, Span span, ComprehensionParts parts, Node* element);
Node* make_set_comprehension(Code& code, Span span, ComprehensionParts parts, Node* element);
Node* make_dict_comprehension(Code& code, Span span, ComprehensionParts parts, Node* key,
                              Node* value);
Node* make_generator_expression(Code& code, Span span, std::shared_ptr<const Code> body,
                                Node* iterable);
Node* make_yield(Code& code, Span span, Node* value);  // null: None
// `yield from iterable`, or `await` of what `iterable` gives; see also make_awaited().
Node* make_yield_from(Code& code, Span span, Node* iterable, bool awaits);
// What `await value` iterates.
Node* make_awaited(Code& code, Span span, Node* value);
// Reads slot 0 of a generator expression's frame: the outermost iterator.
Node* make_outer_iterator(Code& code, Span span);

// --- resumable.cpp ---
Statement* make_yield_statement(Code& code, Span span, Node* value, Target* target);  // may be null
Statement* make_yield_from_statement(Code& code, Span span, Node* iterable, bool awaits,
                                     Target* target);
Statement* make_yield_from_return(Code& code, Span span, Node* iterable, bool awaits);
Statement* make_resumable_block(Code& code, Span span, std::vector<Statement*> statements);
Statement* make_resumable_if(Code& code, Span span,
                             std::vector<std::pair<Node*, Statement*>> branches,
                             Statement* otherwise);
Statement* make_resumable_while(Code& code, Span span, Node* test, Statement* body,
                                Statement* otherwise);
// `while (yield from iterable)`, or an `await` of that.
Statement* make_asking_while(Code& code, Span span, Node* iterable, bool awaits, Statement* body,
                             Statement* otherwise);
Statement* make_resumable_for(Code& code, Span span, Target* target, Node* iterable,
                              Statement* body, Statement* otherwise);

// --- definitions.cpp ---
struct FunctionParts {
  std::shared_ptr<const Code> body;
  Nodes defaults;
  Nodes keyword_defaults;  // one per keyword-only parameter; null: required
  std::vector<std::pair<Name, Node*>> annotations;
};
Node* make_function(Code& code, Span span, FunctionParts parts);
Node* make_class_definition(Code& code, Span span, std::shared_ptr<const Code> body, Name name,
                            std::vector<CallArgument> bases);
Statement* make_annotation(Code& code, Span span, Name name, Node* annotation);

// --- statements.cpp ---
Statement* make_expression_statement(Code& code, Span span, Node* value);
Statement* make_display_statement(Code& code, Span span, Node* value);  // REPL: shows the value
Statement* make_assignment(Code& code, Span span, std::vector<Target*> targets, Node* value);
Statement* make_parallel_assignment(Code& code, Span span, std::vector<Target*> targets,
                                    const Nodes& values);
Statement* make_delete(Code& code, Span span, std::vector<Target*> targets);
Statement* make_return(Code& code, Span span, Node* value);  // null: None
Statement* make_jump(Code& code, Span span, Flow flow);      // pass, break, continue
Statement* make_if(Code& code, Span span, std::vector<std::pair<Node*, Block>> branches,
                   Block otherwise);
Statement* make_assert(Code& code, Span span, Node* test, Node* message, Span place);
Statement* make_import(Code& code, Span span, std::string name, bool bind_root, Target* target);
Statement* make_import_from(Code& code, Span span, std::string module, int level,
                            std::vector<std::pair<Name, Target*>> names);
Statement* make_import_star(Code& code, Span span, std::string module, int level);

// --- loops.cpp ---
Statement* make_for(Code& code, Span span, Target* target, Node* iterable, Block body,
                    Block otherwise);
Statement* make_while(Code& code, Span span, Node* test, Block body, Block otherwise);

// --- exceptions.cpp ---
struct Handler {
  Node* type;  // null: catches everything
  Target* target;
  Block body;
  Span span;
};
Statement* make_raise(Code& code, Span span, Node* exception, Node* cause);
Statement* make_try(Code& code, Span span, Block body, std::vector<Handler> handlers,
                    Block otherwise, Block finalizer);
struct WithPart {
  Node* manager;
  Target* target;  // may be null
};
Statement* make_with(Code& code, Span span, std::vector<WithPart> parts, Block body);

// --- matching.cpp ---
class PatternNode;
PatternNode* make_value_pattern(Code& code, Span span, Node* value);
PatternNode* make_singleton_pattern(Code& code, Span span, const Value& value);
PatternNode* make_capture_pattern(Code& code, Span span, PatternNode* inner, Target* target);
PatternNode* make_sequence_pattern(Code& code, Span span, std::vector<PatternNode*> parts, int star,
                                   Target* star_target);
PatternNode* make_mapping_pattern(Code& code, Span span, Nodes keys,
                                  std::vector<PatternNode*> values, Target* rest);
PatternNode* make_class_pattern(Code& code, Span span, Node* cls,
                                std::vector<PatternNode*> positional,
                                std::vector<std::pair<Name, PatternNode*>> named);
PatternNode* make_or_pattern(Code& code, Span span, std::vector<PatternNode*> alternatives);
struct MatchBranch {
  PatternNode* pattern;
  Node* guard;  // may be null
  Block body;
};
Statement* make_match(Code& code, Span span, Node* subject, std::vector<MatchBranch> branches);

}  // namespace strider::lang
