// Simple statements: expressions, assignments, returns, branches, assertions, imports.
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/program/partial_module.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class ExpressionStatement final : public Statement {
 public:
  explicit ExpressionStatement(Node* value) : value_(value) {}
  Flow execute(Frame& frame) const override {
    return value_->attempt(frame).is_empty() ? Flow::kRaise : Flow::kNext;
  }

 private:
  Node* value_;
};

class DisplayStatement final : public Statement {
 public:
  explicit DisplayStatement(Node* value) : value_(value) {}
  Flow execute(Frame& frame) const override {
    Value value = value_->evaluate(frame);
    frame.at = this;
    display_entry(value);
    return Flow::kNext;
  }

 private:
  Node* value_;
};

class LocalAssignment final : public Statement {
 public:
  LocalAssignment(int slot, Node* value) : slot_(slot), value_(value) {}
  Flow execute(Frame& frame) const override {
    Value value = value_.attempt(frame);
    if (value.is_empty()) [[unlikely]]
      return Flow::kRaise;
    frame.locals[slot_] = std::move(value);
    return Flow::kNext;
  }

 private:
  int slot_;
  Operand value_;
};

class Assignment final : public Statement {
 public:
  Assignment(std::vector<Target*> targets, Node* value)
      : targets_(std::move(targets)), value_(value) {}
  Flow execute(Frame& frame) const override {
    Value value = value_->attempt(frame);
    if (value.is_empty()) [[unlikely]]
      return Flow::kRaise;
    frame.at = this;
    for (std::size_t i = 0; i + 1 < targets_.size(); ++i) targets_[i]->assign(frame, value);
    targets_.back()->assign(frame, std::move(value));
    return Flow::kNext;
  }

 private:
  std::vector<Target*> targets_;
  Node* value_;
};

// a, b = x, y: all values are there before the first target is bound.
class ParallelAssignment final : public Statement {
 public:
  ParallelAssignment(std::vector<Target*> targets, const Nodes& values)
      : targets_(std::move(targets)), values_(values.begin(), values.end()) {}
  Flow execute(Frame& frame) const override {
    STRIDER_STACK_LIST(Value, values, values_.size());
    for (const Operand& value : values_) values.add([&] { return value.evaluate(frame); });
    frame.at = this;
    for (std::size_t i = 0; i < targets_.size(); ++i)
      targets_[i]->assign(frame, std::move(values.data()[i]));
    return Flow::kNext;
  }

 private:
  std::vector<Target*> targets_;
  std::vector<Operand> values_;
};

class DeleteStatement final : public Statement {
 public:
  explicit DeleteStatement(std::vector<Target*> targets) : targets_(std::move(targets)) {}
  Flow execute(Frame& frame) const override {
    for (const Target* target : targets_) target->erase(frame);
    return Flow::kNext;
  }

 private:
  std::vector<Target*> targets_;
};

class ReturnStatement final : public Statement {
 public:
  explicit ReturnStatement(Node* value) : value_(value) {}
  Flow execute(Frame& frame) const override {
    frame.result = value_.attempt(frame);
    return frame.result.is_empty() ? Flow::kRaise : Flow::kReturn;
  }

 private:
  Operand value_;
};

class JumpStatement final : public Statement {
 public:
  explicit JumpStatement(Flow flow) : flow_(flow) {}
  Flow execute(Frame&) const override { return flow_; }

 private:
  Flow flow_;
};

class IfStatement final : public Statement {
 public:
  IfStatement(std::vector<std::pair<Node*, Block>> branches, Block otherwise)
      : branches_(std::move(branches)), otherwise_(std::move(otherwise)) {}
  Flow execute(Frame& frame) const override {
    for (const auto& [test, body] : branches_) {
      frame.at = test;
      if (frame.watched) [[unlikely]]
        tell_line(frame, *test);
      if (test->test(frame)) return body.execute(frame);
    }
    return otherwise_.execute(frame);
  }

 private:
  std::vector<std::pair<Node*, Block>> branches_;
  Block otherwise_;
};

class AssertStatement final : public Statement {
 public:
  AssertStatement(Node* test, Node* message, syntax::Span place) : test_(test), message_(message) {
    place_.span = place;
  }
  Flow execute(Frame& frame) const override {
    frame.at = this;
    if (test_->test(frame)) return Flow::kNext;
    Value message = message_ ? message_->evaluate(frame) : Value();
    frame.at = &place_;
    if (message.is_empty())
      raise_exception(make_exception(Value(&errors::AssertionError()), Value::none()));
    raise_value(errors::AssertionError(), message);
  }

 private:
  Node* test_;
  Node* message_;
  NodeBase place_;  // what the traceback shows
};

class ImportStatement final : public Statement {
 public:
  ImportStatement(std::string name, bool bind_root, Target* target)
      : name_(std::move(name)), bind_root_(bind_root), target_(target) {}
  Flow execute(Frame& frame) const override {
    frame.at = this;
    Value module = import_module(name_);
    if (bind_root_ && name_.find('.') != std::string::npos)
      module = import_module(name_.substr(0, name_.find('.')));
    target_->assign(frame, module);
    return Flow::kNext;
  }

 private:
  std::string name_;
  bool bind_root_;
  Target* target_;
};

std::string absolute_name(Frame& frame, const std::string& module, int level) {
  return level == 0 ? module : resolve_relative(module, level, *frame.globals);
}

// Whether an import failed because there is no module of this name, not one that it imports.
bool is_missing(const Raised& raised, std::string_view module_name) {
  if (!raised.exception->type()->is_subclass_of(&errors::ModuleNotFoundError())) return false;
  Value missing = find_attribute(Value(raised.exception), intern("name"));
  return is_str(missing) && text_of(missing) == module_name;
}

// The attribute of a module, or the submodule of a package.
Value import_name(const Value& module, const std::string& module_name, Name name) {
  Value found = find_attribute(module, name);
  if (!found.is_empty()) return found;
  if (!find_attribute(module, names().path).is_empty()) {
    std::string submodule = module_name + "." + std::string(text_of(name));
    try {
      return import_module(submodule);
    } catch (const Raised& raised) {
      if (!is_missing(raised, submodule)) throw;
    }
  }
  Value file = find_attribute(module, names().file);
  bool partial = is_partially_initialized(module_name);
  Ref<Exception> exception =
      make_unknown(errors::ImportError(),
                   fmt::format("cannot import name '{}' from {}'{}' {}({})", text_of(name),
                               partial ? "partially initialized module " : "", module_name,
                               partial ? "(most likely due to a circular import) " : "",
                               is_str(file) ? text_of(file) : std::string_view("unknown location")),
                   {}, intern(module_name), Value());
  if (!file.is_empty()) exception->attributes()->set(intern("path"), file);
  raise_exception(exception);
}

class ImportFromStatement final : public Statement {
 public:
  ImportFromStatement(std::string module, int level, std::vector<std::pair<Name, Target*>> names)
      : module_(std::move(module)), level_(level), names_(std::move(names)) {}
  Flow execute(Frame& frame) const override {
    frame.at = this;
    std::string module_name = absolute_name(frame, module_, level_);
    Value module = import_module(module_name);
    for (const auto& [name, target] : names_)
      target->assign(frame, import_name(module, module_name, name));
    return Flow::kNext;
  }

 private:
  std::string module_;
  int level_;
  std::vector<std::pair<Name, Target*>> names_;
};

class ImportStarStatement final : public Statement {
 public:
  ImportStarStatement(std::string module, int level) : module_(std::move(module)), level_(level) {}
  Flow execute(Frame& frame) const override {
    frame.at = this;
    Value module = import_module(absolute_name(frame, module_, level_));
    Dict& space = frame.class_namespace ? *frame.class_namespace : *frame.globals;
    for (Name name : public_names(module)) space.set(name, get_attribute(module, name));
    return Flow::kNext;
  }

 private:
  static std::vector<Name> public_names(const Value& module) {
    std::vector<Name> result;
    Value listed = find_attribute(module, names().all);
    if (!listed.is_empty()) {
      Iteration items(listed);
      Value item;
      while (items.next(item)) result.push_back(intern(to_text(item, "Item in __all__")));
      return result;
    }
    std::vector<std::string_view> known;
    if (module.has_layout(Layout::kModule)) module.as<Module>()->list_names(known);
    Value space = known.empty() ? find_attribute(module, names().dict) : Value();
    if (known.empty() && space.is_empty())
      raise(errors::ImportError, "from-import-* object has no __dict__ and no __all__");
    for (std::string_view name : known)
      if (!name.starts_with('_')) result.push_back(intern(name));
    if (!space.is_empty()) list_keys(space, result);
    return result;
  }
  // The names of what stands in sys.modules without being a module.
  static void list_keys(const Value& space, std::vector<Name>& result) {
    Iteration keys(space);
    Value key;
    while (keys.next(key))
      if (is_str(key) && !text_of(key).starts_with('_')) result.push_back(intern(text_of(key)));
  }
  std::string module_;
  int level_;
};

}  // namespace

Statement* make_expression_statement(Code& code, Span span, Node* value) {
  return code.make<ExpressionStatement>(span, value);
}
Statement* make_display_statement(Code& code, Span span, Node* value) {
  return code.make<DisplayStatement>(span, value);
}
Statement* make_assignment(Code& code, Span span, std::vector<Target*> targets, Node* value) {
  if (targets.size() == 1 && targets[0]->slot >= 0)
    return code.make<LocalAssignment>(span, targets[0]->slot, value);
  return code.make<Assignment>(span, std::move(targets), value);
}
Statement* make_parallel_assignment(Code& code, Span span, std::vector<Target*> targets,
                                    const Nodes& values) {
  return code.make<ParallelAssignment>(span, std::move(targets), values);
}
Statement* make_delete(Code& code, Span span, std::vector<Target*> targets) {
  return code.make<DeleteStatement>(span, std::move(targets));
}
Statement* make_return(Code& code, Span span, Node* value) {
  if (!value) value = make_constant(code, span, Value::none());
  return code.make<ReturnStatement>(span, value);
}
Statement* make_jump(Code& code, Span span, Flow flow) {
  return code.make<JumpStatement>(span, flow);
}
Statement* make_if(Code& code, Span span, std::vector<std::pair<Node*, Block>> branches,
                   Block otherwise) {
  return code.make<IfStatement>(span, std::move(branches), std::move(otherwise));
}
Statement* make_assert(Code& code, Span span, Node* test, Node* message, Span place) {
  return code.make<AssertStatement>(span, test, message, place);
}
Statement* make_import(Code& code, Span span, std::string name, bool bind_root, Target* target) {
  return code.make<ImportStatement>(span, std::move(name), bind_root, target);
}
Statement* make_import_from(Code& code, Span span, std::string module, int level,
                            std::vector<std::pair<Name, Target*>> names) {
  return code.make<ImportFromStatement>(span, std::move(module), level, std::move(names));
}
Statement* make_import_star(Code& code, Span span, std::string module, int level) {
  return code.make<ImportStarStatement>(span, std::move(module), level);
}

}  // namespace strider::lang
