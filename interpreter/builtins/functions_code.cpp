// Built-in functions that run code: eval, exec, compile.
#include <fstream>
#include <optional>
#include <sstream>

#include "interpreter/builtins/execution.h"
#include "interpreter/builtins/functions.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/program_text.h"
#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/code_facts.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/syntax_error.h"

namespace strider::lang {
namespace {

// Compiled text that eval() and exec() take again.
class CodeObject final : public CodeFacts {
 public:
  CodeObject(std::shared_ptr<const syntax::Source> text, LoweringMode lowering_mode)
      : source(std::move(text)), mode(lowering_mode) {
    Attributes& facts = *attributes();
    for (const char* name : {"co_name", "co_qualname"})
      facts.set(intern(name), make_str("<module>"));
    facts.set(intern("co_filename"), make_str(source->file_name()));
    facts.set(intern("co_firstlineno"), Value::integer(1));
    for (const char* name :
         {"co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_nlocals", "co_flags"})
      facts.set(intern(name), Value::integer(0));
    for (const char* name : {"co_varnames", "co_freevars", "co_cellvars"})
      facts.set(intern(name), Value(empty_tuple()));
  }
  Ref<CodeFacts> copy() const override { return make<CodeObject>(source, mode); }
  CodeText text() const override {
    CodeText result = text_of_code(lowered(false));
    result.text = source->text();
    result.begin = 0;
    result.line = 1;
    result.is_expression = mode == LoweringMode::kExpression;
    return result;
  }
  // The code, which is lowered once for each kind of namespace.
  std::shared_ptr<const Code> lowered(bool in_namespace) const {
    std::shared_ptr<const Code>& kept = lowered_[in_namespace];
    if (!kept) kept = compile_source(source, mode, in_namespace);
    return kept;
  }
  const std::shared_ptr<const syntax::Source> source;
  const LoweringMode mode;

 private:
  mutable std::shared_ptr<const Code> lowered_[2];
};

CodeObject* code_object(const Value& value) {
  bool fits = value.is_object() && value.object()->type() == &CodeFacts::type_object();
  return fits ? dynamic_cast<CodeObject*>(value.object()) : nullptr;
}

std::shared_ptr<const syntax::Source> source_of(const Value& value, const char* function,
                                                LoweringMode mode) {
  std::string program = program_of(value, "<string>", function, "code");
  std::string_view text = program;
  if (mode == LoweringMode::kExpression)
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return std::make_shared<const syntax::Source>("<string>", std::string(text));
}

// The names of a text that lie in a mapping which is no plain dict, while the text runs.
class MappedNames {
 public:
  MappedNames(const Value& mapping, const syntax::Source& source, LoweringMode mode)
      : mapping_(mapping),
        now_(call(helper("look_up"), make_str(source.text()),
                  Value::boolean(mode == LoweringMode::kExpression), mapping)),
        before_(call(get_attribute(now_, intern("copy")))) {}
  const Value& dict() const { return now_; }
  void store() const { call(helper("store"), mapping_, before_, now_); }

 private:
  static Value helper(std::string_view name) {
    return get_attribute(import_module("_mappednames"), intern(name));
  }
  Value mapping_, now_, before_;
};

bool is_plain_dict(const Value& value) {
  return is_dict(value) && type_of(value) == &Dict::type_object();
}

[[noreturn]] void refuse_globals(const Value& given, std::string_view function) {
  if (function == "exec")
    raise(errors::TypeError, "exec() globals must be a dict, not {}", type_name(given));
  if (!find_special(given, names().getitem).is_empty())
    raise(errors::TypeError, "globals must be a real dict; try eval(expr, {{}}, mapping)");
  raise(errors::TypeError, "globals must be a dict");
}

[[noreturn]] void refuse_locals(const Value& given, std::string_view function) {
  if (function != "exec") raise(errors::TypeError, "locals must be a mapping");
  raise(errors::TypeError, "locals must be a mapping or None, not {}", type_name(given));
}

Value run_text(const Parameters& p, const char* function, LoweringMode mode) {
  CodeObject* compiled = code_object(p[0]);
  if (compiled) mode = compiled->mode;
  auto source = compiled ? compiled->source : source_of(p[0], function, mode);
  Frame* frame = Interpreter::current().frame;
  Ref<Dict> globals = frame ? Ref<Dict>(frame->globals) : make_dict();
  Ref<Dict> space;
  if (!p[1].is_none()) {
    if (!is_dict(p[1])) refuse_globals(p[1], function);
    globals = p[1].as<Dict>();
    if (!globals->find(names().builtins))
      globals->set(names().builtins, Value(Interpreter::current().builtins));
  } else if (p[2].is_none() && frame && text_of(frame->code->name) != "<module>") {
    space = shared_variables(*frame).as<Dict>();
  }
  std::optional<MappedNames> mapped;
  if (is_plain_dict(p[2])) {
    space = p[2].as<Dict>();
  } else if (!p[2].is_none()) {
    if (find_special(p[2], names().getitem).is_empty())
      refuse_locals(p[2], function);
    mapped.emplace(p[2], *source, mode);
    space = mapped->dict().as<Dict>();
  }
  bool in_namespace = space.get() != nullptr;
  auto code =
      compiled ? compiled->lowered(in_namespace) : compile_source(source, mode, in_namespace);
  if (mode == LoweringMode::kModule && !code->doc.is_none())
    (space ? *space : *globals).set(names().doc, code->doc);
  if (!mapped) return run_code(code, *globals, space.get());
  Value result;
  try {
    result = run_code(code, *globals, space.get());
  } catch (const Raised&) {
    mapped->store();
    throw;
  }
  mapped->store();
  return result;
}

Value builtin_eval(const Parameters& p) { return run_text(p, "eval", LoweringMode::kExpression); }

Value builtin_exec(const Parameters& p) {
  run_text(p, "exec", LoweringMode::kModule);
  return Value::none();
}

// The text of a tree of the module ast, which tells the lines of the file that it was made of.
std::shared_ptr<const syntax::Source> source_of_tree(const Value& tree, std::string file) {
  Value written = call(get_attribute(import_module("ast._writer"), intern("write_lines")), tree);
  std::vector<int> lines;
  Iteration numbers(get_item(written, Value::integer(1)));
  for (Value number; numbers.next(number);) lines.push_back(static_cast<int>(to_int64(number)));
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream original;
  if (stream) original << stream.rdbuf();
  auto shown = std::make_shared<const syntax::Source>(file, original.str());
  std::string text(text_of(get_item(written, Value::integer(0))));
  return std::make_shared<const syntax::Source>(std::move(file), std::move(text), std::move(lines),
                                                std::move(shown));
}

// What is compiled: a text, bytes or a tree of the module ast.
std::shared_ptr<const syntax::Source> source_to_compile(const Value& value, std::string file) {
  if (!is_str(value) && !find_attribute(value, intern("_fields")).is_empty())
    return source_of_tree(value, std::move(file));
  std::string text = program_of(value, file, "compile", "AST");
  return std::make_shared<const syntax::Source>(std::move(file), std::move(text));
}

// Refuses a text of blanks and comments alone, which is no statement.
void require_statement(const syntax::Source& source) {
  bool comment = false;
  for (char c : source.text()) {
    comment = c == '#' || (comment && c != '\n');
    if (!comment && !std::isspace(static_cast<unsigned char>(c))) return;
  }
  auto end = static_cast<std::uint32_t>(source.text().size() - source.text().ends_with('\n'));
  throw Raised{make_syntax_error(errors::SyntaxError(), "invalid syntax", source, {end, end})};
}

Value builtin_compile(const Parameters& p) {
  constexpr std::int64_t kOnlyTree = 1024;
  constexpr std::int64_t kKnownFlags = 0x1fe0000 | 0x7600 | 0x10;  // features, ways, nested scopes
  std::string_view mode = to_text(p[2], "compile() argument 'mode'");
  if (mode != "exec" && mode != "eval" && mode != "single")
    raise(errors::ValueError, "compile() mode must be 'exec', 'eval' or 'single'");
  if (to_int64(p[3]) & ~kKnownFlags) raise(errors::ValueError, "compile(): unrecognised flags");
  if (to_int64(p[3]) & kOnlyTree)
    return call(get_attribute(import_module("ast"), intern("parse")), p[0], p[1], p[2]);
  LoweringMode lowering = mode == "eval"     ? LoweringMode::kExpression
                          : mode == "single" ? LoweringMode::kInteractive
                                             : LoweringMode::kModule;
  auto source = source_to_compile(p[0], path_text(p[1]));
  if (mode == "single") require_statement(*source);
  Ref<CodeObject> made = make<CodeObject>(source, lowering);
  made->lowered(false);  // errors show now
  return made;
}

// Calls sys.breakpointhook.
Value builtin_breakpoint(const Parameters& p) {
  Value hook = find_attribute(import_module("sys"), intern("breakpointhook"));
  if (hook.is_empty()) raise(errors::RuntimeError, "lost sys.breakpointhook");
  return call_collected(hook, p);
}

}  // namespace

const NativeRow kCodeFunctions[] = {
    {"eval(source, globals=None, locals=None, /)", builtin_eval,
     "The value of an expression in a text."},
    {"exec(source, globals=None, locals=None, /)", builtin_exec, "Runs the statements in a text."},
    {"compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1)", builtin_compile,
     "Checks a text and prepares it for eval() or exec()."},
    {"breakpoint(*args, **kws)", builtin_breakpoint,
     "Stops here in a debugger: calls sys.breakpointhook."},
};
const std::size_t kCodeFunctionCount = std::size(kCodeFunctions);

Value call_collected(const Value& callee, const Parameters& p) {
  ArgumentList list;
  for (const Value& each : p[0].as<Tuple>()->items()) list.values.push_back(each);
  for (const Dict::Entry& entry : p[1].as<Dict>()->entries())
    if (!entry.key.is_empty()) list.keywords.push_back({intern(text_of(entry.key)), entry.value});
  return call(callee, list);
}

}  // namespace strider::lang
