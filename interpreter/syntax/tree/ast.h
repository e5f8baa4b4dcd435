// The syntax tree: classes and fields are those of the `ast` module of Python 3.11.
// Nodes live in the arena of their Tree and are never freed one by one.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <string_view>

#include "interpreter/syntax/resolver/scope.h"
#include "interpreter/syntax/source.h"
#include "interpreter/syntax/tree/arena.h"
#include "interpreter/syntax/tree/kinds.h"

namespace strider::syntax {

struct Node {
  Kind kind;
  bool has_walrus_or_yield = false;  // expressions: `:=` or `yield` inside (a lambda's counts too)
  bool parenthesized = false;        // expressions: written directly inside its own parentheses
  Span span;
};

struct Stmt : Node {};
struct Expr : Node {};
struct Pattern : Node {};
struct Part : Node {};

template <class Base, Kind K>
struct NodeOf : Base {
  static constexpr Kind kKind = K;
  NodeOf() { this->kind = K; }
};

// The node as T if it is one, else null.
template <class T>
T* node_if(Node* node) {
  return node && node->kind == T::kKind ? static_cast<T*>(node) : nullptr;
}
template <class T>
const T* node_if(const Node* node) {
  return node && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}
// The node as T, which it must be.
template <class T>
T* node_as(Node* node) {
  assert(node && node->kind == T::kKind);
  return static_cast<T*>(node);
}
template <class T>
const T* node_as(const Node* node) {
  assert(node && node->kind == T::kKind);
  return static_cast<const T*>(node);
}

struct Arguments;
struct Comprehension;
struct ExceptHandler;
struct Keyword;
struct Alias;
struct WithItem;
struct MatchCase;
struct Name;

using Body = Sequence<Stmt*>;

// --- Root ---

struct Module : NodeOf<Node, Kind::kModule> {
  Body body;
  Scope* scope = nullptr;
};

// --- Expressions; a null pointer or an empty identifier means absent ---

enum class ConstantType : uint8_t {
  kNone,
  kFalse,
  kTrue,
  kEllipsis,
  kInt,      // `integer`
  kBigInt,   // `text`: digits as written without underscores, with 0x, 0o or 0b prefix if any
  kFloat,    // `real`
  kComplex,  // 1j * `real`
  kStr,      // `text`: UTF-8; a lone surrogate is its three-byte form
  kBytes,    // `text`
};

struct ConstantValue {
  ConstantType type = ConstantType::kNone;
  union {
    int64_t integer = 0;
    double real;
  };
  std::string_view text;
};

struct BoolOp : NodeOf<Expr, Kind::kBoolOp> {
  BoolOperator op;
  Sequence<Expr*> values;
};

struct NamedExpr : NodeOf<Expr, Kind::kNamedExpr> {
  Name* target;
  Expr* value;
};

// Chains like `a + b + c ...`, `f(x).y[z] ...` nest to the left without limit: walk them in a loop.
// Everything else nests less than a thousand deep.
struct BinOp : NodeOf<Expr, Kind::kBinOp> {
  Expr* left;
  BinaryOperator op;
  Expr* right;
  Span op_span;
};

struct UnaryOp : NodeOf<Expr, Kind::kUnaryOp> {
  UnaryOperator op;
  Expr* operand;
};

struct Lambda : NodeOf<Expr, Kind::kLambda> {
  Arguments* args;
  Expr* body;
  Scope* scope = nullptr;
};

struct IfExp : NodeOf<Expr, Kind::kIfExp> {
  Expr* test;
  Expr* body;
  Expr* orelse;
};

struct Dict : NodeOf<Expr, Kind::kDict> {
  Sequence<Expr*> keys;  // null key: `**value`
  Sequence<Expr*> values;
};

struct Set : NodeOf<Expr, Kind::kSet> {
  Sequence<Expr*> elts;
};

struct ListComp : NodeOf<Expr, Kind::kListComp> {
  Expr* elt;
  Sequence<Comprehension*> generators;
  ComprehensionSlots slots;
};

struct SetComp : NodeOf<Expr, Kind::kSetComp> {
  Expr* elt;
  Sequence<Comprehension*> generators;
  ComprehensionSlots slots;
};

struct DictComp : NodeOf<Expr, Kind::kDictComp> {
  Expr* key;
  Expr* value;
  Sequence<Comprehension*> generators;
  ComprehensionSlots slots;
};

struct GeneratorExp : NodeOf<Expr, Kind::kGeneratorExp> {
  Expr* elt;
  Sequence<Comprehension*> generators;
  Scope* scope = nullptr;
};

struct Yield : NodeOf<Expr, Kind::kYield> {
  Expr* value;  // may be null
};

struct YieldFrom : NodeOf<Expr, Kind::kYieldFrom> {
  Expr* value;
  bool awaits = false;  // written `await`
};

struct Compare : NodeOf<Expr, Kind::kCompare> {
  Expr* left;
  Sequence<CompareOperator> ops;
  Sequence<Expr*> comparators;
};

struct Call : NodeOf<Expr, Kind::kCall> {
  Expr* func;
  Sequence<Expr*> args;         // may hold Starred
  Sequence<Keyword*> keywords;  // without `arg`: `**value`
};

struct FormattedValue : NodeOf<Expr, Kind::kFormattedValue> {
  Expr* value;
  int conversion;     // -1, 's', 'r' or 'a'
  Expr* format_spec;  // JoinedStr or null
};

struct JoinedStr : NodeOf<Expr, Kind::kJoinedStr> {
  Sequence<Expr*> values;
};

struct Constant : NodeOf<Expr, Kind::kConstant> {
  ConstantValue value;
};

struct Attribute : NodeOf<Expr, Kind::kAttribute> {
  Expr* value;
  Identifier attr;  // mangled by the resolver
  ExprContext ctx = ExprContext::kLoad;
  Span attr_span;
};

struct Subscript : NodeOf<Expr, Kind::kSubscript> {
  Expr* value;
  Expr* slice;
  ExprContext ctx = ExprContext::kLoad;
};

struct Starred : NodeOf<Expr, Kind::kStarred> {
  Expr* value;
  ExprContext ctx = ExprContext::kLoad;
};

struct Name : NodeOf<Expr, Kind::kName> {
  Identifier id;
  ExprContext ctx = ExprContext::kLoad;
  Binding binding;
};

struct List : NodeOf<Expr, Kind::kList> {
  Sequence<Expr*> elts;
  ExprContext ctx = ExprContext::kLoad;
};

struct Tuple : NodeOf<Expr, Kind::kTuple> {
  Sequence<Expr*> elts;
  ExprContext ctx = ExprContext::kLoad;
};

struct Slice : NodeOf<Expr, Kind::kSlice> {
  Expr* lower;  // each may be null
  Expr* upper;
  Expr* step;
};

// --- Statements ---

struct FunctionDef : NodeOf<Stmt, Kind::kFunctionDef> {
  Identifier name;
  Span name_span;
  Arguments* args;
  Body body;
  Sequence<Expr*> decorator_list;
  Expr* returns;
  Binding binding;
  Scope* scope = nullptr;
};

struct ClassDef : NodeOf<Stmt, Kind::kClassDef> {
  Identifier name;
  Span name_span;
  Sequence<Expr*> bases;
  Sequence<Keyword*> keywords;
  Body body;
  Sequence<Expr*> decorator_list;
  Binding binding;
  Scope* scope = nullptr;
};

struct Return : NodeOf<Stmt, Kind::kReturn> {
  Expr* value;
};

struct Delete : NodeOf<Stmt, Kind::kDelete> {
  Sequence<Expr*> targets;
};

struct Assign : NodeOf<Stmt, Kind::kAssign> {
  Sequence<Expr*> targets;
  Expr* value;
};

struct AugAssign : NodeOf<Stmt, Kind::kAugAssign> {
  Expr* target;
  BinaryOperator op;
  Expr* value;
};

struct AnnAssign : NodeOf<Stmt, Kind::kAnnAssign> {
  Expr* target;
  Expr* annotation;
  Expr* value;
  bool simple;
};

struct For : NodeOf<Stmt, Kind::kFor> {
  Expr* target;
  Expr* iter;
  Body body;
  Body orelse;
};

struct While : NodeOf<Stmt, Kind::kWhile> {
  Expr* test;
  Body body;
  Body orelse;
};

struct If : NodeOf<Stmt, Kind::kIf> {
  Expr* test;
  Body body;
  Body orelse;  // an `elif` is a single If; such chains may be long: walk them in a loop
};

struct With : NodeOf<Stmt, Kind::kWith> {
  Sequence<WithItem*> items;
  Body body;
};

struct Match : NodeOf<Stmt, Kind::kMatch> {
  Expr* subject;
  Sequence<MatchCase*> cases;
};

struct Raise : NodeOf<Stmt, Kind::kRaise> {
  Expr* exc;
  Expr* cause;
};

struct Try : NodeOf<Stmt, Kind::kTry> {
  Body body;
  Sequence<ExceptHandler*> handlers;
  Body orelse;
  Body finalbody;
};

struct Assert : NodeOf<Stmt, Kind::kAssert> {
  Expr* test;
  Expr* msg;
};

struct Import : NodeOf<Stmt, Kind::kImport> {
  Sequence<Alias*> names;
};

struct ImportFrom : NodeOf<Stmt, Kind::kImportFrom> {
  Identifier module;  // dotted; empty for `from . import x`
  Sequence<Alias*> names;
  int level;
};

struct Global : NodeOf<Stmt, Kind::kGlobal> {
  Sequence<Identifier> names;
};

struct Nonlocal : NodeOf<Stmt, Kind::kNonlocal> {
  Sequence<Identifier> names;
};

struct ExprStmt : NodeOf<Stmt, Kind::kExprStmt> {
  Expr* value;
};

struct Pass : NodeOf<Stmt, Kind::kPass> {};
struct Break : NodeOf<Stmt, Kind::kBreak> {};
struct Continue : NodeOf<Stmt, Kind::kContinue> {};

// --- Patterns ---

struct MatchValue : NodeOf<Pattern, Kind::kMatchValue> {
  Expr* value;
};

struct MatchSingleton : NodeOf<Pattern, Kind::kMatchSingleton> {
  ConstantValue value;  // None, True or False
};

struct MatchSequence : NodeOf<Pattern, Kind::kMatchSequence> {
  Sequence<Pattern*> patterns;
};

struct MatchMapping : NodeOf<Pattern, Kind::kMatchMapping> {
  Sequence<Expr*> keys;
  Sequence<Pattern*> patterns;
  Identifier rest;
  Binding binding;  // of `rest`
};

struct MatchClass : NodeOf<Pattern, Kind::kMatchClass> {
  Expr* cls;
  Sequence<Pattern*> patterns;
  Sequence<Identifier> kwd_attrs;
  Sequence<Pattern*> kwd_patterns;
};

struct MatchStar : NodeOf<Pattern, Kind::kMatchStar> {
  Identifier name;  // empty: `*_`
  Binding binding;
};

struct MatchAs : NodeOf<Pattern, Kind::kMatchAs> {
  Pattern* pattern;  // null: matches anything
  Identifier name;   // empty: `_`
  Binding binding;
};

struct MatchOr : NodeOf<Pattern, Kind::kMatchOr> {
  Sequence<Pattern*> patterns;
};

// --- Parts ---

struct Comprehension : NodeOf<Part, Kind::kComprehension> {
  Expr* target;
  Expr* iter;
  Sequence<Expr*> ifs;
};

struct ExceptHandler : NodeOf<Part, Kind::kExceptHandler> {
  Expr* type;
  Identifier name;
  Body body;
  Binding binding;  // of `name`
};

struct Arg : NodeOf<Part, Kind::kArg> {
  Identifier arg;
  Expr* annotation;
  Binding binding;  // kLocal, or kCell when captured (see Scope::parameter_cells)
};

struct Arguments : NodeOf<Part, Kind::kArguments> {
  Sequence<Arg*> posonlyargs;
  Sequence<Arg*> args;
  Arg* vararg = nullptr;
  Sequence<Arg*> kwonlyargs;
  Sequence<Expr*> kw_defaults;  // one for each keyword-only argument; null: required
  Arg* kwarg = nullptr;
  Sequence<Expr*> defaults;  // of the last positional arguments
};

struct Keyword : NodeOf<Part, Kind::kKeyword> {
  Identifier arg;  // empty: `**value`
  Expr* value;
};

struct Alias : NodeOf<Part, Kind::kAlias> {
  Identifier name;  // dotted, or "*"
  Identifier asname;
  Binding binding;  // of `asname`, else of the first component of `name`; none for "*"
};

struct WithItem : NodeOf<Part, Kind::kWithItem> {
  Expr* context_expr;
  Expr* optional_vars;
};

struct MatchCase : NodeOf<Part, Kind::kMatchCase> {
  Pattern* pattern;
  Expr* guard;
  Body body;
};

// A parsed text. Frees all nodes at once when it goes.
struct Tree {
  std::shared_ptr<const Source> source;
  Arena arena;
  Interner names;
  Module* module = nullptr;  // of an expression (Mode::kEval): its body is one ExprStmt
  Sequence<Scope*> scopes;   // of a resolved tree: all, the module's first, outer before inner
};

}  // namespace strider::syntax
