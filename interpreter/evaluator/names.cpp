// Constants and variables.
#include "interpreter/evaluator/namespaces.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class ConstantNode final : public Node {
 public:
  explicit ConstantNode(Value value) : value(std::move(value)) {}
  Value evaluate(Frame&) const override { return value; }
  const Value& peek(Frame&, Value&) const override { return value; }
  const Value value;
};

[[noreturn]] void raise_unbound(Frame& frame, const NodeBase* at, Name name) {
  frame.at = at;
  raise(errors::UnboundLocalError,
        "cannot access local variable '{}' where it is not associated with a value", text_of(name));
}

class LocalNode final : public Node {
 public:
  LocalNode(int local, Name local_name) : slot(local), name(local_name) {}
  Value evaluate(Frame& frame) const override { return get(frame); }
  const Value& peek(Frame& frame, Value&) const override { return get(frame); }
  const int slot;
  const Name name;

 private:
  const Value& get(Frame& frame) const {
    const Value& value = frame.locals[slot];
    if (value.is_empty()) [[unlikely]]
      raise_unbound(frame, this, name);
    return value;
  }
};

class CellNode final : public Node {
 public:
  CellNode(int cell, Name name, bool free) : cell_(cell), name_(name), free_(free) {}
  Value evaluate(Frame& frame) const override { return get(frame); }
  const Value& peek(Frame& frame, Value&) const override { return get(frame); }

 private:
  const Value& get(Frame& frame) const {
    const Value& value = frame.cells[cell_]->value;
    if (value.is_empty()) [[unlikely]]
      raise_empty(frame);
    return value;
  }
  [[noreturn]] void raise_empty(Frame& frame) const {
    if (!free_) raise_unbound(frame, this, name_);
    frame.at = this;
    raise(errors::NameError,
          "cannot access free variable '{}' where it is not associated with a value in enclosing "
          "scope",
          text_of(name_));
  }
  const int cell_;
  const Name name_;
  const bool free_;
};

void collect_names(const Dict& dict, std::vector<std::string_view>& result) {
  for (const Dict::Entry& entry : dict.entries())
    if (!entry.key.is_empty() && is_str(entry.key)) result.push_back(text_of(entry.key));
}

// What a frame knows: its variables, its module's, and what is built in.
class NamesInScope final : public KnownNames {
 public:
  explicit NamesInScope(const Frame& frame)
      : code_(frame.code->shared_from_this()), globals_(frame.globals) {}
  void list(std::vector<std::string_view>& names) const override {
    for (int slot = 0; slot < code_->visible_locals; ++slot)
      names.push_back(text_of(code_->local_names[static_cast<std::size_t>(slot)]));
    collect_names(*globals_, names);
    Interpreter::current().builtins_module.as<Module>()->list_names(names);
  }
  void traverse(Visitor& visitor) override { visitor.visit(globals_); }

 private:
  const std::shared_ptr<const Code> code_;
  Ref<Dict> globals_;
};

[[noreturn]] void raise_undefined(Frame& frame, const NodeBase* at, Name name) {
  frame.at = at;
  Ref<Exception> exception = make_unknown(
      errors::NameError(), fmt::format("name '{}' is not defined", text_of(name)), {}, name);
  exception->known = std::make_unique<NamesInScope>(frame);
  raise_exception(exception);
}

// The dict that a program has put in place of the builtins; null if it has not.
Dict* builtins_of(Dict& globals) {
  Value* chosen = globals.find(names().builtins);
  if (!chosen || !is_dict(*chosen)) return nullptr;
  Dict* dict = chosen->as<Dict>();
  return dict == Interpreter::current().builtins.get() ? nullptr : dict;
}

// Remembers where the variable stands in the module's dict, or that only the builtins have it.
class GlobalNode final : public Node {
 public:
  explicit GlobalNode(Name name) : name_(name) {}

  Value evaluate(Frame& frame) const override {
    if (frame.globals->keys_version() == version_ && home_->keys_version() == home_version_)
        [[likely]]
      return *place_;
    return search(frame);
  }

 private:
  [[gnu::noinline]] Value search(Frame& frame) const {
    Dict& globals = *frame.globals;
    Dict& builtins = *frame.interpreter->builtins;
    Dict* home = &globals;
    Value* place = globals.find(name_);
    version_ = kNoVersion;
    if (!place && globals.type() != &Dict::type_object()) [[unlikely]]
      if (Value made = find_in_names(globals, name_); !made.is_empty()) return made;
    if (!place && (home = builtins_of(globals))) {
      place = home->find(name_);
    } else if (!place && !frame.interpreter->builtins_module.as<Module>()->find(name_).is_empty()) {
      home = &builtins;
      place = builtins.find(name_);
    }
    if (!place && !find_module_fact(globals, name_).is_empty()) {
      home = &globals;
      place = globals.find(name_);
    }
    if (!place) raise_undefined(frame, this, name_);
    version_ = globals.keys_version();
    home_ = home;
    home_version_ = home->keys_version();
    place_ = place;
    return *place;
  }

  static constexpr std::uint64_t kNoVersion = ~std::uint64_t{0};
  const Name name_;
  // Where the value stands while neither dict gets or loses a key.
  mutable std::uint64_t version_ = kNoVersion;
  mutable std::uint64_t home_version_ = 0;
  mutable const Dict* home_ = nullptr;
  mutable const Value* place_ = nullptr;
};

// A name in a class body: the class namespace, then an enclosing function's cell, then globals.
class ClassNameNode final : public Node {
 public:
  ClassNameNode(Name name, int cell, const Node* global)
      : name_(name), cell_(cell), global_(global) {}
  Value evaluate(Frame& frame) const override {
    if (frame.class_namespace)
      if (Value found = find_in_names(*frame.class_namespace, name_); !found.is_empty())
        return found;
    if (cell_ >= 0 && !frame.cells[cell_]->value.is_empty()) return frame.cells[cell_]->value;
    return global_->evaluate(frame);
  }

 private:
  const Name name_;
  const int cell_;
  const Node* const global_;
};

}  // namespace

Value find_in_names(Dict& space, Name name) {
  if (Value* found = space.find(name)) return *found;
  if (space.type() == &Dict::type_object()) [[likely]]
    return Value();
  try {
    return get_item(Value(&space), Value(name));
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::KeyError())) throw;
  }
  return Value();
}

bool reads_variable(const Node* node) {
  return local_slot(node) >= 0 || constant_value(node) || dynamic_cast<const CellNode*>(node) ||
         dynamic_cast<const GlobalNode*>(node);
}

Node* make_constant(Code& code, Span span, const Value& value) {
  return code.make<ConstantNode>(span, value);
}
Node* make_local(Code& code, Span span, int slot, Name name) {
  return code.make<LocalNode>(span, slot, name);
}
Node* make_cell(Code& code, Span span, int cell, Name name, bool free) {
  return code.make<CellNode>(span, cell, name, free);
}
Node* make_global(Code& code, Span span, Name name) { return code.make<GlobalNode>(span, name); }
Node* make_class_name(Code& code, Span span, Name name, int cell) {
  return code.make<ClassNameNode>(span, name, cell, make_global(code, span, name));
}

Operand::Operand(Node* node) : node_(node), slot_(local_slot(node)) {
  if (slot_ >= 0) return;
  slot_ = kOther;
  if (const Value* constant = constant_value(node)) {
    constant_ = constant;
    slot_ = kConstant;
  }
}

const Value* constant_value(const Node* node) {
  auto* constant = dynamic_cast<const ConstantNode*>(node);
  return constant ? &constant->value : nullptr;
}

int local_slot(const Node* node) {
  auto* local = dynamic_cast<const LocalNode*>(node);
  return local ? local->slot : -1;
}

}  // namespace strider::lang
