// Names and statements of the resolver's walk.
#include "interpreter/syntax/resolver/resolver.h"

#include <algorithm>

#include "interpreter/syntax/resolver/resolver_state.h"

namespace strider::syntax {

namespace {

constexpr char kLateFuture[] = "from __future__ imports must occur at the beginning of the file";

}  // namespace

void resolve(Tree& tree) {
  try {
    Resolver(tree).run();
  } catch (SyntaxError& error) {
    error.set_source(tree.source);
    throw;
  }
}

void Resolver::run() {
  context_.block = table_.add_block(BlockType::kModule, nullptr, {});
  tree_.module->scope = context_.block->scope;
  check_future_imports();
  visit_body(tree_.module->body);
  table_.finish();
}

void Resolver::fail(const std::string& message, Span span) const {
  throw SyntaxError(message, span);
}

// `__x` in class `_C` is `_C__x`; the class's leading underscores go.
Identifier Resolver::mangle(Identifier name) {
  bool is_private = name.size() > 2 && name.starts_with("__") && !name.ends_with("__") &&
                    name.find('.') == name.npos;
  if (!is_private || context_.class_name.empty()) return name;
  size_t stem = context_.class_name.find_first_not_of('_');
  if (stem == context_.class_name.npos) return name;
  std::string mangled = "_" + std::string(context_.class_name.substr(stem)) + std::string(name);
  return tree_.names.intern_copy(mangled, tree_.arena);
}

void Resolver::check_assignable(Identifier name, Span span, ExprContext context) const {
  if (name != "__debug__") return;
  bool deleted = context == ExprContext::kDel;
  fail(deleted ? "cannot delete __debug__" : "cannot assign to __debug__", span);
}

void Resolver::assign(Identifier name, Binding& binding, Span span, ExprContext context) {
  check_assignable(name, span, context);
  Symbol* found = symbol(name);
  found->assigned = true;
  table_.add_use(binding, found);
}

// A name that is read; `super` also reads the hidden `__class__`.
void Resolver::use(Name* name) {
  Symbol* found = symbol(name->id);
  found->used = true;
  table_.add_use(name->binding, found);
  if (name->id == "super" && context_.block->owns_variables()) {
    symbol(tree_.names.intern("__class__"))->used = true;
  }
}

// Why a declaration comes too late, or "".
std::string Resolver::clash_of(const Symbol* symbol, const char* declaration) const {
  std::string name = "'" + std::string(symbol->name) + "'";
  if (symbol->parameter) return "name " + name + " is parameter and " + declaration;
  if (symbol->used) return "name " + name + " is used prior to " + declaration + " declaration";
  if (symbol->annotated) return "annotated name " + name + " can't be " + declaration;
  if (!symbol->assigned) return "";
  return "name " + name + " is assigned to before " + declaration + " declaration";
}

void Resolver::declare_global(Global* statement) {
  for (Identifier name : statement->names) {
    Symbol* found = symbol(name);
    std::string clash = clash_of(found, "global");
    if (found->nonlocal) clash = "name '" + std::string(name) + "' is nonlocal and global";
    if (!clash.empty()) fail(clash, statement->span);
    found->global = true;
  }
}

void Resolver::declare_nonlocal(Nonlocal* statement) {
  if (context_.block->type == BlockType::kModule) {
    fail("nonlocal declaration not allowed at module level", statement->span);
  }
  for (Identifier name : statement->names) {
    Symbol* found = symbol(name);
    std::string clash = clash_of(found, "nonlocal");
    if (found->global) clash = "name '" + std::string(name) + "' is nonlocal and global";
    if (!clash.empty()) fail(clash, statement->span);
    found->nonlocal = true;
    found->declared = statement->span;
  }
}

void Resolver::visit_body(Body body) {
  for (Stmt* statement : body) visit(statement);
}

void Resolver::visit(Stmt* statement) {
  switch (statement->kind) {
    case Kind::kFunctionDef:
      return visit_function(node_as<FunctionDef>(statement));
    case Kind::kClassDef:
      return visit_class(node_as<ClassDef>(statement));
    case Kind::kReturn:
      return visit_return(node_as<Return>(statement));
    case Kind::kDelete:
      return visit_targets(node_as<Delete>(statement)->targets);
    case Kind::kAssign:
      return visit_assign(node_as<Assign>(statement));
    case Kind::kAugAssign:
      return visit_augmented(node_as<AugAssign>(statement));
    case Kind::kAnnAssign:
      return visit_annotated(node_as<AnnAssign>(statement));
    case Kind::kFor:
      return visit_for(node_as<For>(statement));
    case Kind::kWhile: {
      auto* loop = node_as<While>(statement);
      visit(loop->test);
      return visit_loop_body(loop->body, loop->orelse);
    }
    case Kind::kIf:
      return visit_if(node_as<If>(statement));
    case Kind::kWith:
      return visit_with(node_as<With>(statement));
    case Kind::kMatch:
      return visit_match(node_as<Match>(statement));
    case Kind::kRaise:
      visit_optional(node_as<Raise>(statement)->exc);
      return visit_optional(node_as<Raise>(statement)->cause);
    case Kind::kTry:
      return visit_try(node_as<Try>(statement));
    case Kind::kAssert:
      visit(node_as<Assert>(statement)->test);
      return visit_optional(node_as<Assert>(statement)->msg);
    case Kind::kImport:
      return visit_import(node_as<Import>(statement));
    case Kind::kImportFrom:
      return visit_import_from(node_as<ImportFrom>(statement));
    case Kind::kGlobal:
      return declare_global(node_as<Global>(statement));
    case Kind::kNonlocal:
      return declare_nonlocal(node_as<Nonlocal>(statement));
    case Kind::kExprStmt:
      return visit(node_as<ExprStmt>(statement)->value);
    case Kind::kBreak:
      if (context_.loops == 0) fail("'break' outside loop", statement->span);
      return;
    case Kind::kContinue:
      if (context_.loops == 0) fail("'continue' not properly in loop", statement->span);
      return;
    default:
      return;
  }
}

void Resolver::visit_if(If* statement) {
  while (true) {
    visit(statement->test);
    visit_body(statement->body);
    bool chained = statement->orelse.size() == 1 && statement->orelse[0]->kind == Kind::kIf;
    if (!chained) break;
    statement = node_as<If>(statement->orelse[0]);
  }
  visit_body(statement->orelse);
}

void Resolver::visit_loop_body(Body body, Body orelse) {
  ++context_.loops;
  visit_body(body);
  --context_.loops;
  visit_body(orelse);
}

void Resolver::visit_for(For* statement) {
  visit(statement->iter);
  visit_target(statement->target);
  visit_loop_body(statement->body, statement->orelse);
}

void Resolver::visit_with(With* statement) {
  for (WithItem* item : statement->items) {
    visit(item->context_expr);
    if (item->optional_vars) visit_target(item->optional_vars);
  }
  visit_body(statement->body);
}

void Resolver::visit_try(Try* statement) {
  visit_body(statement->body);
  for (ExceptHandler* handler : statement->handlers) {
    bool last = handler == statement->handlers.back();
    if (!handler->type && !last) fail("default 'except:' must be last", handler->span);
    visit_handler(handler);
  }
  visit_body(statement->orelse);
  visit_body(statement->finalbody);
}

void Resolver::visit_handler(ExceptHandler* handler) {
  visit_optional(handler->type);
  if (!handler->name.empty()) assign(handler->name, handler->binding, handler->span);
  visit_body(handler->body);
}

void Resolver::visit_return(Return* statement) {
  if (!context_.block->is_function()) fail("'return' outside function", statement->span);
  visit_optional(statement->value);
}

void Resolver::visit_assign(Assign* statement) {
  visit(statement->value);
  for (Expr* target : statement->targets) visit_target(target);
}

void Resolver::visit_augmented(AugAssign* statement) {
  visit_target(statement->target);
  visit(statement->value);
}

void Resolver::visit_annotated(AnnAssign* statement) {
  auto* name = node_if<Name>(statement->target);
  if (name && statement->simple) {
    Symbol* found = symbol(name->id);
    bool declared =
        (found->global || found->nonlocal) && context_.block->type != BlockType::kModule;
    if (declared) {
      fail("annotated name '" + std::string(name->id) + "' can't be " +
               (found->global ? "global" : "nonlocal"),
           statement->span);
    }
    found->annotated = true;
  }
  visit_optional(statement->value);
  visit_target(statement->target);
  visit(statement->annotation);
}

void Resolver::visit_import(Import* statement) {
  for (Alias* alias : statement->names) {
    Identifier name = alias->asname;
    if (name.empty()) name = tree_.names.intern(alias->name.substr(0, alias->name.find('.')));
    assign(name, alias->binding, alias->span);
  }
}

void Resolver::check_future_import(ImportFrom* statement) const {
  static constexpr std::string_view kFeatures[] = {
      "nested_scopes",  "generators",       "division",       "absolute_import", "with_statement",
      "print_function", "unicode_literals", "generator_stop", "annotations",
  };
  for (const Alias* alias : statement->names) {
    bool known =
        std::find(std::begin(kFeatures), std::end(kFeatures), alias->name) != std::end(kFeatures);
    if (alias->name == "braces") fail("not a chance", statement->span);
    if (!known) {
      fail("future feature " + std::string(alias->name) + " is not defined", statement->span);
    }
  }
}

// `from __future__` comes first, behind the docstring at most. Its features are all on already.
void Resolver::check_future_imports() const {
  bool first = true;
  for (Stmt* statement : tree_.module->body) {
    auto* import = node_if<ImportFrom>(statement);
    if (import && import->module == "__future__" && import->level == 0) {
      if (!first) fail(kLateFuture, import->span);
      check_future_import(import);
      continue;
    }
    auto* alone = node_if<ExprStmt>(statement);
    auto* text = alone ? node_if<Constant>(alone->value) : nullptr;
    bool docstring =
        text && text->value.type == ConstantType::kStr && statement == tree_.module->body.front();
    if (!docstring) first = false;
  }
}

void Resolver::visit_import_from(ImportFrom* statement) {
  bool is_future = statement->module == "__future__" && statement->level == 0;
  const auto& body = tree_.module->body;
  if (is_future && std::find(body.begin(), body.end(), statement) == body.end()) {
    fail(kLateFuture, statement->span);
  }
  for (Alias* alias : statement->names) {
    if (alias->name == "*") {
      bool at_module = context_.block->type == BlockType::kModule;
      if (!at_module) fail("import * only allowed at module level", statement->span);
      continue;
    }
    Identifier name = alias->asname.empty() ? alias->name : alias->asname;
    assign(name, alias->binding, alias->span);
  }
}

}  // namespace strider::syntax
