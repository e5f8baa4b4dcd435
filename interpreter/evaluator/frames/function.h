// Function: a function of the language: code, globals, captured cells, defaults.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/evaluator/frames/stack.h"
#include "interpreter/evaluator/frames/watching.h"
#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/call/stack_limit.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

class Function final : public Container {
 public:
  Function(std::shared_ptr<const Code> code, const Ref<Dict>& globals);
  static Type& type_object();

  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override;
  void clear_references() override;

  // Binds arguments to parameters in `locals` (all slots Empty before). TypeErrors are CPython's.
  void bind(const Arguments& arguments, Value* locals) const;
  // Fills parameters that were not given from the defaults; `given` positional ones are there.
  void fill_defaults(int given, Value* locals) const;
  Value call(const Arguments& arguments);
  // As call(), but no class of an argument is asked.
  Value call_plainly(const Arguments& arguments);
  // Whether this many positional arguments, with the defaults, fill the parameters.
  bool takes_directly(int given) const {
    const ParameterLayout& p = code->parameters;
    return direct_ && given <= p.positional &&
           given >= p.positional - static_cast<int>(defaults.size());
  }
  // From now on, classes of arguments may answer calls (see ask_override).
  void make_overridable() {
    overridable_ = true;
    direct_ = false;
  }
  // Native code that is asked before the body runs; Empty: the body does.
  using Shortcut = Value (*)(const Arguments& arguments);
  void take_shortcut(Shortcut shortcut) {
    shortcut_ = shortcut;
    direct_ = false;
  }
  // Runs the body; `locals` holds the bound arguments. Empty: it raised (see Node::attempt).
  Value attempt(Value* locals, Interpreter& interpreter) {
    if (plain_ && !stack_is_low(kMinimumStack)) [[likely]]
      return run_plain(locals, interpreter);
    return run_specially(locals, interpreter);
  }

  // The default of a keyword-only parameter; Empty: it is required.
  Value keyword_default(int index) const;
  // What __kwdefaults__ is: a dict whose changes count; null if there are no such defaults.
  Ref<Dict> keyword_default_dict();
  void set_keyword_default_dict(const Ref<Dict>& dict);
  // From now on the function does what this code says; as many cells are captured.
  void set_code(std::shared_ptr<const Code> other);

  std::shared_ptr<const Code> code;
  Ref<Dict> globals;
  std::vector<Ref<Cell>> closure;
  Values defaults;
  Values keyword_defaults;  // one per keyword-only parameter, unless a program asked for the dict
  Value doc, annotations;
  std::string name, qualified_name;
  Value module = Value::none();

 private:
  // Neither a generator nor with cells of its own: it uses those that it captured.
  Value run_plain(Value* locals, Interpreter& interpreter);
  Value run_specially(Value* locals, Interpreter& interpreter);
  void bind_keywords(const Arguments& arguments, Value* locals) const;
  void check_missing(const Value* locals) const;
  [[noreturn]] void raise_too_many(std::size_t given, const Value* locals) const;
  Ref<Dict> shown_keyword_defaults_;
  bool plain_;
  bool direct_;  // arguments may be put straight into the frame
  bool overridable_ = false;
  Shortcut shortcut_ = nullptr;
  Attributes attributes_;
};

// The line where a definition begins, decorators before it included; 1 of a module.
int first_line(const Code& code);
[[noreturn]] void raise_too_deep();
// Notes an exception in its frame and hands it to the caller: Empty.
Value hand_on(const Frame& frame, const Ref<Exception>& exception);

// Marks a frame as the running one while in scope; counts nested calls, to notice endless
// recursion.
class RunningFrame {
 public:
  RunningFrame(Interpreter& interpreter, Frame& frame) : interpreter_(interpreter), frame_(frame) {
    if (interpreter.depth >= interpreter.recursion_limit) [[unlikely]]
      raise_too_deep();
    if (interpreter.attention.load(std::memory_order_relaxed)) [[unlikely]] {
      attend(interpreter);
      frame.noted = is_watched(interpreter);
    }
    ++interpreter.depth;
    frame.interpreter = &interpreter;
    frame.caller = interpreter.frame;
    interpreter.frame = &frame;
  }
  ~RunningFrame() {
    --interpreter_.depth;
    interpreter_.frame = frame_.caller;
  }
  RunningFrame(const RunningFrame&) = delete;

 private:
  Interpreter& interpreter_;
  const Frame& frame_;
};

// The value of a code's body; Empty: it raised (see Node::attempt).
[[gnu::always_inline]] inline Value run_unwatched(Frame& frame) {
  try {
    if (const Node* expression = frame.code->expression) {
      Value value = expression->attempt(frame);
      if (!value.is_empty()) [[likely]]
        return value;
    } else if (frame.code->body.execute(frame) != Flow::kRaise) [[likely]] {
      return frame.result.is_empty() ? Value::none() : std::move(frame.result);
    }
    return hand_on(frame, take_raised(*frame.interpreter));
  } catch (const Raised& raised) {
    return hand_on(frame, raised.exception);
  } catch (const std::exception&) {
    return hand_on(frame, caught_exception());
  }
}

// The same, of which the watcher is told if there is one when it begins or ends.
[[gnu::always_inline]] inline Value run_code(Frame& frame) {
  if (frame.noted) [[unlikely]]
    return run_watched(frame);
  Value result = run_unwatched(frame);
  if (frame.noted) [[unlikely]]
    return end_noted(frame, std::move(result));
  return result;
}

inline Value Function::run_plain(Value* locals, Interpreter& interpreter) {
  Frame frame;
  frame.locals = locals;
  frame.cells = closure.data();
  frame.globals = globals.get();
  frame.code = code.get();
  RunningFrame running(interpreter, frame);
  return run_code(frame);
}

}  // namespace strider::lang
