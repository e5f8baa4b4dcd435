// Nodes: the executable form of a program. Each is specialised for what it does and is run by a
// virtual call. Nodes belong to the Code of their function and hold no values of a run except
// caches.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/runtime/call/stack_array.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/value/name.h"
#include "interpreter/runtime/value/value.h"
#include "interpreter/syntax/resolver/scope.h"
#include "interpreter/syntax/source.h"

namespace strider::lang {

class Cell;
class Code;
class Dict;
class FrameObject;
class Generator;
struct Frame;

// Anything with a place in the source.
class NodeBase {
 public:
  virtual ~NodeBase() = default;
  syntax::Span span;
};

// An expression.
class Node : public NodeBase {
 public:
  virtual Value evaluate(Frame& frame) const = 0;
  // As evaluate; but an exception may be left in Interpreter::raised instead of thrown, which is
  // much cheaper: then the value is Empty. For callers that pass it on the same way.
  virtual Value attempt(Frame& frame) const { return evaluate(frame); }
  bool attempts = false;  // attempt() is more than evaluate()
  // The value without a copy where it already lives (a variable, a constant), else put into
  // `scratch`, which is Empty before. Valid until the next statement; callers make sure nothing
  // rebinds the variable in between.
  virtual const Value& peek(Frame& frame, Value& scratch) const {
    scratch.fill(evaluate(frame));
    return scratch;
  }
  // The truth of the value.
  virtual bool test(Frame& frame) const {
    Value scratch;
    return truth(peek(frame, scratch));
  }
};

// How a statement ended. kRaise: with the exception in Interpreter::raised; it may as well throw.
enum class Flow : std::uint8_t { kNext, kBreak, kContinue, kReturn, kYield, kRaise };

class Statement : public NodeBase {
 public:
  virtual Flow execute(Frame& frame) const = 0;
};

// What an assignment stores into: a variable, attribute, item or pattern of such.
class Target : public NodeBase {
 public:
  virtual void assign(Frame& frame, Value value) const = 0;
  virtual void erase(Frame& frame) const = 0;
  // The targets that an item's parts go to, one by one; null if it is stored whole or has a star.
  virtual const std::vector<Target*>* parts() const { return nullptr; }
  int slot = -1;  // of a local variable
};

// Where a resumable statement of a generator was when it yielded.
struct ResumePoint {
  std::size_t position = 0;
  Value iterator;  // of a for loop; what a while loop tests
};

// A run of one function, module, class body or generator.
struct Frame {
  Value* locals = nullptr;
  Ref<Cell>* cells = nullptr;
  Dict* globals = nullptr;
  Dict* class_namespace = nullptr;  // of a class body (or the locals of eval)
  const Code* code = nullptr;
  Frame* caller = nullptr;
  const NodeBase* at = nullptr;  // what is being done, for tracebacks
  Interpreter* interpreter = nullptr;
  Generator* generator = nullptr;
  Value result;                          // of a return or yield statement
  ResumePoint* resume_points = nullptr;  // of a resumable generator
  bool resuming = false;                 // until the yield statement is reached again
  bool watched = false;                  // its lines are told to the watcher
  bool noted = false;                    // there is a watcher, or an object: see end_noted()
  FrameObject* object = nullptr;         // its own, once a program asked for it
};

// An expression as part of another: local variables and constants are read without a call.
class Operand {
 public:
  Operand(Node* node);  // implicit: wherever a node is held to be read
  const Value& peek(Frame& frame, Value& scratch) const {
    if (slot_ >= 0) {
      const Value& value = frame.locals[slot_];
      if (!value.is_empty()) [[likely]]
        return value;
    } else if (slot_ == kConstant) {
      return *constant_;
    }
    return node_->peek(frame, scratch);
  }
  Value evaluate(Frame& frame) const {
    if (slot_ >= 0) {
      const Value& value = frame.locals[slot_];
      if (!value.is_empty()) [[likely]]
        return value;
    } else if (slot_ == kConstant) {
      return *constant_;
    }
    return node_->evaluate(frame);
  }
  Value attempt(Frame& frame) const {
    if (slot_ == kOther && node_->attempts) return node_->attempt(frame);
    return evaluate(frame);
  }
  // As peek; null where attempt() would give Empty.
  const Value* attempt_peek(Frame& frame, Value& scratch) const {
    if (slot_ != kOther || !node_->attempts) return &peek(frame, scratch);
    scratch.fill(node_->attempt(frame));
    return scratch.is_empty() ? nullptr : &scratch;
  }

  // A variable (perhaps unbound) or a constant, whose place is known.
  bool is_direct() const { return slot_ != kOther; }
  const Value& direct(const Frame& frame) const {
    return slot_ >= 0 ? frame.locals[slot_] : *constant_;
  }

 private:
  static constexpr int kConstant = -1, kOther = -2;
  union {
    const Node* node_;
    const Value* constant_;
  };
  int slot_;  // of a local variable, or one of the above
};

// Tells the watcher that the frame comes to this line, or again to it by a jump back.
void tell_line(Frame& frame, const NodeBase& at, bool again = false);

// Statements in order.
class Block {
 public:
  Block() = default;
  explicit Block(std::vector<Statement*> statements) : statements_(std::move(statements)) {}
  Flow execute(Frame& frame) const {
    for (const Statement* statement : statements_) {
      if (frame.watched) [[unlikely]]
        tell_line(frame, *statement);
      if (Flow flow = statement->execute(frame); flow != Flow::kNext) return flow;
    }
    return Flow::kNext;
  }
  bool empty() const { return statements_.empty(); }

 private:
  std::vector<Statement*> statements_;
};

// A parameter of a function of the language. Slots: see syntax::Scope::local_names.
struct ParameterLayout {
  std::vector<Name> names;  // positional-only, positional, keyword-only
  int positional_only = 0;
  int positional = 0;  // positional-only included
  int keyword_only = 0;
  int default_count = 0;  // of the last positional ones
  int var_args_slot = -1;
  int var_keywords_slot = -1;
  // Only positional parameters: arguments may be evaluated straight into the frame.
  bool simple = true;
};

// What a call of a function gives that may be paused.
enum class Pauses : std::uint8_t { kGenerator, kCoroutine, kAsyncGenerator };

// The lowered body of a function, lambda, class, module or generator expression; owns its nodes.
class Code : public std::enable_shared_from_this<Code> {
 public:
  Name name = nullptr;
  std::string qualified_name;
  std::shared_ptr<const syntax::Source> source;
  syntax::Span definition;  // the whole text of a function, a class or a generator expression
  std::uint32_t begin = 0;  // of the definition, its decorators included
  ParameterLayout parameters;
  std::vector<Name> local_names;
  int local_count() const { return static_cast<int>(local_names.size()); }
  int visible_locals = 0;
  std::vector<Name> cell_names;  // own cells, then free variables
  int own_cells = 0;
  std::vector<int> free_sources;  // for each free variable: index in the enclosing frame's cells
  std::vector<syntax::ParameterCell> parameter_cells;
  bool is_generator = false;
  // What its calls give where is_generator holds, and whether that can be awaited; the library may
  // ask for it (types.coroutine()).
  mutable Pauses pauses = Pauses::kGenerator;
  mutable bool awaitable = false;
  bool is_function = false;  // a function, lambda or generator expression
  bool is_nested = false;    // one within another
  bool resumable = false;    // a generator that needs no stack of its own
  bool delegates = false;    // resumable, with a `yield from`: closing it closes the inner iterator
  bool annotates = false;    // a module or class body with annotations of its names
  int resume_points = 0;
  int class_cell = -1;
  Value doc = Value::none();
  std::vector<std::shared_ptr<const Code>> inner;  // the code defined within, in its order
  Block body;
  Node* expression = nullptr;  // a lambda's or eval's value, instead of a body

  template <class T, class... Args>
  T* make(syntax::Span span, Args&&... args) {
    auto node = std::make_unique<T>(std::forward<Args>(args)...);
    node->span = span;
    T* raw = node.get();
    nodes_.push_back(std::move(node));
    return raw;
  }

 private:
  std::vector<std::unique_ptr<NodeBase>> nodes_;
};

// A variable that inner functions share.
class Cell final : public Container {
 public:
  Cell();
  static Type& type_object();
  void traverse(Visitor& visitor) override { visitor.visit(value); }
  void clear_references() override { value = Value(); }
  Value value;
};

// Gives the namespace of a body that annotates names its __annotations__.
void set_up_annotations(const Code& code, Dict& space);
// Makes the frame's own cells, hands in captured ones, moves captured parameters into their cells.
void set_up_cells(const Code& code, const std::vector<Ref<Cell>>& closure, Value* locals,
                  Ref<Cell>* cells);
// Notes in the traceback that the exception passes through the frame (once).
void add_traceback_entry(const Frame& frame, Exception& exception);
// Runs the code's body in a prepared frame, adds the frame to the traceback of what it raises.
Value run_frame(Frame& frame);

// A statement's end with this exception.
inline Flow raise_flow(Frame& frame, const Ref<Exception>& exception) {
  frame.interpreter->raised = exception;
  return Flow::kRaise;
}
// Where what attempt() left must travel as C++ exception from here on.
inline void land(const Frame& frame, const Value& value) {
  if (value.is_empty()) [[unlikely]]
    throw_raised(*frame.interpreter);
}
// The value of attempt(), likewise.
inline Value landed(const Frame& frame, Value&& value) {
  land(frame, value);
  return std::move(value);
}

}  // namespace strider::lang
