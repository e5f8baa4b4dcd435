// Parse, resolve, lower, run.
#include "interpreter/builtins/execution.h"

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/syntax/error.h"
#include "interpreter/syntax/parser/parser.h"
#include "interpreter/syntax/resolver/resolver.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/syntax_error.h"

namespace strider::lang {
namespace {

Type& error_type(syntax::ErrorClass error_class) {
  switch (error_class) {
    case syntax::ErrorClass::kIndentationError:
      return errors::IndentationError();
    case syntax::ErrorClass::kTabError:
      return errors::TabError();
    default:
      return errors::SyntaxError();
  }
}

syntax::Mode parse_mode(LoweringMode mode) {
  return mode == LoweringMode::kExpression ? syntax::Mode::kEval : syntax::Mode::kFile;
}

}  // namespace

syntax::Tree parse_source(const std::shared_ptr<const syntax::Source>& source, LoweringMode mode) {
  Ref<Exception> failure;
  try {
    return syntax::parse(source, parse_mode(mode));
  } catch (const syntax::SyntaxError& error) {
    const syntax::Source& place = error.source() ? *error.source() : *source;
    failure = make_syntax_error(error_type(error.error_class()), error.what(), place, error.span());
  }
  throw Raised{failure};
}

std::shared_ptr<const Code> compile_source(const std::shared_ptr<const syntax::Source>& source,
                                           LoweringMode mode, bool in_namespace) {
  Ref<Exception> failure;
  try {
    syntax::Tree tree = syntax::parse(source, parse_mode(mode));
    syntax::resolve(tree);
    return lower_module(tree, mode, in_namespace);
  } catch (const syntax::SyntaxError& error) {
    const syntax::Source& place = error.source() ? *error.source() : *source;
    failure = make_syntax_error(error_type(error.error_class()), error.what(), place, error.span());
  }
  throw Raised{failure};
}

Value run_code(const std::shared_ptr<const Code>& code, Dict& globals, Dict* class_namespace) {
  Ref<Dict> keep(&globals);
  STRIDER_STACK_ARRAY(Value, locals, static_cast<int>(code->local_names.size()));
  STRIDER_STACK_ARRAY(Ref<Cell>, cells, static_cast<int>(code->cell_names.size()));
  set_up_cells(*code, {}, locals.data(), cells.data());
  Frame frame;
  frame.locals = locals.data();
  frame.cells = cells.data();
  frame.globals = &globals;
  frame.class_namespace = class_namespace;
  set_up_annotations(*code, class_namespace ? *class_namespace : globals);
  frame.code = code.get();
  frame.interpreter = &Interpreter::current();
  return run_frame(frame);
}

}  // namespace strider::lang
