// Functions: binding arguments, running the body, attributes.
#include "interpreter/evaluator/frames/function.h"

#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/evaluator/frames/function_attempt.h"
#include "interpreter/evaluator/frames/generator.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// "'a'", "'a' and 'b'", "'a', 'b', and 'c'"
std::string quoted_list(const std::vector<Name>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += list.size() == 2 ? " and " : i + 1 == list.size() ? ", and " : ", ";
    text += fmt::format("'{}'", text_of(list[i]));
  }
  return text;
}

}  // namespace

Function::Function(std::shared_ptr<const Code> function_code, const Ref<Dict>& module_globals)
    : Container(Layout::kFunction, &type_object()),
      code(std::move(function_code)),
      globals(module_globals),
      doc(code->doc),
      name(text_of(code->name)),
      qualified_name(code->qualified_name),
      plain_(!code->is_generator && code->own_cells == 0),
      direct_(code->parameters.simple) {
  if (Value* module_name = globals->find(names().name)) module = *module_name;
}

void Function::traverse(Visitor& visitor) {
  visitor.visit(globals);
  for (const Ref<Cell>& cell : closure) visitor.visit(cell);
  for (const Value& value : defaults) visitor.visit(value);
  for (const Value& value : keyword_defaults) visitor.visit(value);
  visitor.visit(shown_keyword_defaults_);
  visitor.visit(annotations);
  attributes_.traverse(visitor);
}

void Function::clear_references() {
  closure.clear();
  defaults.clear();
  keyword_defaults.clear();
  shown_keyword_defaults_ = {};
  annotations = Value();
  attributes_.clear();
}

void Function::raise_too_many(std::size_t given, const Value* locals) const {
  const ParameterLayout& p = code->parameters;
  int keyword_given = 0;
  for (int i = p.positional; i < p.positional + p.keyword_only; ++i)
    keyword_given += !locals[i].is_empty();
  std::string takes =
      defaults.empty()
          ? fmt::format("{}", p.positional)
          : fmt::format("from {} to {}", p.positional - static_cast<int>(defaults.size()),
                        p.positional);
  bool plural = p.positional != 1 || !defaults.empty();
  std::string were = given == 1 && keyword_given == 0 ? "was" : "were";
  std::string extra;
  if (keyword_given)
    extra = fmt::format(" positional argument{} (and {} keyword-only argument{})",
                        given == 1 ? "" : "s", keyword_given, keyword_given == 1 ? "" : "s");
  raise(errors::TypeError, "{}() takes {} positional argument{} but {}{} {} given", qualified_name,
        takes, plural ? "s" : "", given, extra, were);
}

void Function::bind_keywords(const Arguments& arguments, Value* locals) const {
  const ParameterLayout& p = code->parameters;
  std::vector<Name> misplaced;
  for (const KeywordArgument& keyword : arguments.named()) {
    int slot = -1;
    for (int i = p.positional_only; i < p.positional + p.keyword_only && slot < 0; ++i)
      if (p.names[static_cast<std::size_t>(i)] == keyword.name) slot = i;
    if (slot >= 0) {
      if (!locals[slot].is_empty())
        raise(errors::TypeError, "{}() got multiple values for argument '{}'", qualified_name,
              text_of(keyword.name));
      locals[slot] = keyword.value;
    } else if (p.var_keywords_slot >= 0) {
      locals[p.var_keywords_slot].as<Dict>()->set(keyword.name, keyword.value);
    } else {
      for (int i = 0; i < p.positional_only; ++i)
        if (p.names[static_cast<std::size_t>(i)] == keyword.name) misplaced.push_back(keyword.name);
      if (misplaced.empty())
        raise(errors::TypeError, "{}() got an unexpected keyword argument '{}'", qualified_name,
              text_of(keyword.name));
    }
  }
  if (misplaced.empty()) return;
  std::string list;
  for (Name each : misplaced) list += (list.empty() ? "" : ", ") + std::string(text_of(each));
  raise(errors::TypeError,
        "{}() got some positional-only arguments passed as keyword arguments: '{}'", qualified_name,
        list);
}

void Function::check_missing(const Value* locals) const {
  const ParameterLayout& p = code->parameters;
  std::vector<Name> positional, keyword_only;
  for (int i = 0; i < p.positional + p.keyword_only; ++i)
    if (locals[i].is_empty())
      (i < p.positional ? positional : keyword_only)
          .push_back(p.names[static_cast<std::size_t>(i)]);
  auto complain = [&](const std::vector<Name>& missing, const char* kind) {
    if (missing.empty()) return;
    raise(errors::TypeError, "{}() missing {} required {} argument{}: {}", qualified_name,
          missing.size(), kind, missing.size() == 1 ? "" : "s", quoted_list(missing));
  };
  complain(positional, "positional");
  complain(keyword_only, "keyword-only");
}

void Function::fill_defaults(int given, Value* locals) const {
  if (given >= code->parameters.positional) return;
  int first_default = code->parameters.positional - static_cast<int>(defaults.size());
  for (int i = std::max(given, first_default); i < code->parameters.positional; ++i)
    if (locals[i].is_empty()) locals[i] = defaults[static_cast<std::size_t>(i - first_default)];
}

Value Function::keyword_default(int index) const {
  if (!shown_keyword_defaults_) return keyword_defaults[static_cast<std::size_t>(index)];
  const ParameterLayout& p = code->parameters;
  Value* found =
      shown_keyword_defaults_->find(p.names[static_cast<std::size_t>(p.positional + index)]);
  return found ? *found : Value();
}

Ref<Dict> Function::keyword_default_dict() {
  if (shown_keyword_defaults_) return shown_keyword_defaults_;
  Ref<Dict> dict = make_dict();
  const ParameterLayout& p = code->parameters;
  for (int i = 0; i < p.keyword_only; ++i)
    if (Value value = keyword_default(i); !value.is_empty())
      dict->set(p.names[static_cast<std::size_t>(p.positional + i)], value);
  if (dict->size() > 0) shown_keyword_defaults_ = dict;
  return shown_keyword_defaults_;
}

void Function::set_keyword_default_dict(const Ref<Dict>& dict) {
  keyword_defaults.clear();
  for (int i = 0; i < code->parameters.keyword_only; ++i) keyword_defaults.push_back(Value());
  shown_keyword_defaults_ = dict;
}

void Function::set_code(std::shared_ptr<const Code> other) {
  static auto& replaced = *new std::vector<std::shared_ptr<const Code>>;
  Ref<Dict> keywords = keyword_default_dict();
  replaced.push_back(code);  // it may be running
  code = std::move(other);
  set_keyword_default_dict(keywords);
  plain_ = !code->is_generator && code->own_cells == 0;
  direct_ = code->parameters.simple && !overridable_;
}

void Function::bind(const Arguments& arguments, Value* locals) const {
  const ParameterLayout& p = code->parameters;
  if (arguments.keyword_count == 0 && takes_directly(static_cast<int>(arguments.count))) {
    std::copy_n(arguments.values, arguments.count, locals);
    return fill_defaults(static_cast<int>(arguments.count), locals);
  }
  auto positional = static_cast<std::size_t>(p.positional);
  std::size_t direct = std::min(arguments.count, positional);
  for (std::size_t i = 0; i < direct; ++i) locals[i] = arguments.values[i];
  if (p.var_args_slot >= 0)
    locals[p.var_args_slot] = make_tuple(arguments.positional().subspan(direct));
  if (p.var_keywords_slot >= 0) locals[p.var_keywords_slot] = make_dict();
  if (arguments.keyword_count > 0) bind_keywords(arguments, locals);
  if (arguments.count > positional && p.var_args_slot < 0) raise_too_many(arguments.count, locals);
  fill_defaults(static_cast<int>(direct), locals);
  for (int i = 0; i < p.keyword_only; ++i) {
    Value& slot = locals[p.positional + i];
    if (slot.is_empty()) slot = keyword_default(i);
  }
  check_missing(locals);
}

Value Function::call(const Arguments& arguments) {
  Ref<Function> self(this);  // the body may rebind the only name of the function
  if (shortcut_) [[unlikely]]
    if (Value answer = shortcut_(arguments); !answer.is_empty()) return answer;
  if (overridable_) [[unlikely]]
    if (Value answer = ask_override(Value(self), arguments); !answer.is_empty()) return answer;
  return call_plainly(arguments);
}

Value Function::call_plainly(const Arguments& arguments) {
  Ref<Function> self(this);
  STRIDER_STACK_ARRAY(Value, locals, static_cast<int>(code->local_names.size()));
  bind(arguments, locals.data());
  Interpreter& interpreter = Interpreter::current();
  Value result = attempt(locals.data(), interpreter);
  if (result.is_empty()) [[unlikely]]
    throw_raised(interpreter);
  return result;
}

Value attempt_function(const Value& callee, const Arguments& arguments) {
  Ref<Function> function(callee.as<Function>());
  if (arguments.keyword_count > 0 || !function->takes_directly(static_cast<int>(arguments.count)))
    return function->call(arguments);
  STRIDER_STACK_ARRAY(Value, locals, static_cast<int>(function->code->local_names.size()));
  function->bind(arguments, locals.data());
  return function->attempt(locals.data(), Interpreter::current());
}

Value Function::run_specially(Value* locals, Interpreter& interpreter) {
  if (code->is_generator) return make_generator(*this, locals);
  if (stack_is_low(kMinimumStack)) [[unlikely]]
    return run_on_new_stack([&] { return attempt(locals, interpreter); });
  if (plain_) return run_plain(locals, interpreter);
  STRIDER_STACK_ARRAY(Ref<Cell>, cells, static_cast<int>(code->cell_names.size()));
  set_up_cells(*code, closure, locals, cells.data());
  Frame frame;
  frame.locals = locals;
  frame.cells = cells.data();
  frame.globals = globals.get();
  frame.code = code.get();
  RunningFrame running(interpreter, frame);
  return run_code(frame);
}

void set_up_cells(const Code& code, const std::vector<Ref<Cell>>& closure, Value* locals,
                  Ref<Cell>* cells) {
  for (int i = 0; i < code.own_cells; ++i) cells[i] = make<Cell>();
  for (std::size_t i = 0; i < closure.size(); ++i)
    cells[code.own_cells + static_cast<int>(i)] = closure[i];
  for (const syntax::ParameterCell& captured : code.parameter_cells)
    cells[captured.cell]->value = std::move(locals[captured.slot]);
}

Value run_frame(Frame& frame) {
  struct Link {
    explicit Link(Frame& frame) : frame(frame) {
      frame.caller = std::exchange(frame.interpreter->frame, &frame);
    }
    ~Link() { frame.interpreter->frame = frame.caller; }
    Frame& frame;
  } link(frame);
  frame.noted = frame.noted || is_watched(*frame.interpreter);
  return landed(frame, run_code(frame));
}

void raise_too_deep() {
  raise_message(errors::RecursionError(), "maximum recursion depth exceeded");
}

Value hand_on(const Frame& frame, const Ref<Exception>& exception) {
  add_traceback_entry(frame, *exception);
  frame.interpreter->raised = exception;
  return Value();
}

Dict* current_globals() {
  const Frame* frame = Interpreter::current().frame;
  return frame ? frame->globals : nullptr;
}

void add_traceback_entry(const Frame& frame, Exception& exception) {
  if (!exception.traceback.empty() && exception.traceback.back().frame == &frame) return;
  syntax::Span place = frame.at ? frame.at->span : syntax::Span();
  exception.traceback.push_back({frame.code->source, place, std::string(text_of(frame.code->name)),
                                 frame.code->shared_from_this(), &frame, Value()});
  if (frame.object && is_watched(*frame.interpreter))
    exception.traceback.back().frame_object = Ref<FrameObject>(frame.object);
}

namespace {

Value cell_contents(const Value& self) {
  const Value& value = self.as<Cell>()->value;
  if (value.is_empty()) raise(errors::ValueError, "Cell is empty");
  return value;
}

Value cell_construct(Type*, const Arguments& arguments) {
  static const Signature& signature = *new Signature("cell(contents=<none>, /)");
  Value contents;
  signature.bind(arguments, &contents);
  Ref<Cell> cell = make<Cell>();
  cell->value = contents;
  return cell;
}

Value cell_repr(const Value& self) {
  const Value& value = self.as<Cell>()->value;
  auto at = [](const Value& object) { return fmt::ptr(static_cast<void*>(object.object())); };
  std::string held = "empty";
  if (value.is_object())
    held = fmt::format("{} object at {}", type_name(value), at(value));
  else if (!value.is_empty())
    held = fmt::format("{} object", type_name(value));
  return make_str(fmt::format("<cell at {}: {}>", at(self), held));
}

}  // namespace

Cell::Cell() : Container(Layout::kCell, &type_object()) {}

Type& Cell::type_object() {
  static Type& type = *[] {
    auto* made = new Type("cell", &Type::object_type());
    made->instance_layout = Layout::kCell;
    static const PropertyRow kAttributes[] = {
        {"cell_contents", cell_contents,
         [](const Value& self, const Value& value) { self.as<Cell>()->value = value; },
         "The variable's value."}};
    made->add(kAttributes);
    made->slots.construct = cell_construct;
    made->slots.repr = cell_repr;
    return made;
  }();
  return type;
}

}  // namespace strider::lang
