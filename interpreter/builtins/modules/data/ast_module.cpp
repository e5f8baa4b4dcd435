// The module _ast: the tree of a text as nested tuples, of which stdlib/ast.npx makes nodes.
#include "interpreter/builtins/execution.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/program_text.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/syntax/parser/parser.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// A node becomes (name of its class, its place, its fields in Python's order); the place is a
// tuple of line, column, last line, last column.
class Writer {
 public:
  explicit Writer(const syntax::Source& source) : source_(source) {}

  Value node(const syntax::Node* node) {
    if (!node) return Value::none();
    Values parts{Value(make_str(syntax::kind_name(node->kind))), place(node->span)};
    switch (node->kind) {
#define F(member) parts.push_back(value(typed->member));
#define STRIDER_NODE(group, name, python_name, fields)                        \
  case syntax::Kind::k##name: {                                               \
    [[maybe_unused]] const auto* typed = syntax::node_as<syntax::name>(node); \
    fields;                                                                   \
    break;                                                                    \
  }
#include "interpreter/syntax/tree/ast.def"
#undef F
    }
    return make_tuple(std::move(parts));
  }

 private:
  template <class T>
  requires std::is_base_of_v<syntax::Node, T> Value value(T* child) { return node(child); }
  template <class T>
  Value value(const syntax::Sequence<T>& items) {
    Values values;
    for (const T& item : items) values.push_back(value(item));
    return make_list(std::move(values));
  }
  Value value(syntax::Identifier name) {
    return name.empty() ? Value::none() : Value(make_str(name));
  }
  Value value(int number) { return Value::integer(number); }
  Value value(bool flag) { return Value::integer(flag); }
  Value value(syntax::BinaryOperator op) { return named(syntax::operator_name(op)); }
  Value value(syntax::UnaryOperator op) { return named(syntax::operator_name(op)); }
  Value value(syntax::CompareOperator op) { return named(syntax::operator_name(op)); }
  Value value(syntax::BoolOperator op) { return named(syntax::operator_name(op)); }
  Value value(syntax::ExprContext context) {
    static constexpr const char* kNames[] = {"Load", "Store", "Del"};
    return named(kNames[static_cast<std::size_t>(context)]);
  }
  // A node without place and fields.
  Value named(std::string_view name) { return make_tuple({Value(make_str(name)), Value::none()}); }
  // In a tuple of its own, so that it is no node.
  Value value(const syntax::ConstantValue& constant) { return make_tuple({plain(constant)}); }

  static Value plain(const syntax::ConstantValue& constant) {
    switch (constant.type) {
      case syntax::ConstantType::kNone:
        return Value::none();
      case syntax::ConstantType::kFalse:
      case syntax::ConstantType::kTrue:
        return Value::boolean(constant.type == syntax::ConstantType::kTrue);
      case syntax::ConstantType::kEllipsis:
        return ellipsis();
      case syntax::ConstantType::kInt:
        return Value::integer(constant.integer);
      case syntax::ConstantType::kBigInt:
        return parse_int(constant.text, 0);
      case syntax::ConstantType::kFloat:
        return Value::real(constant.real);
      case syntax::ConstantType::kComplex:
        return make_complex({0.0, constant.real});
      case syntax::ConstantType::kStr:
        return make_str(constant.text);
      case syntax::ConstantType::kBytes:
        return make<Bytes>(std::string(constant.text));
    }
    return Value::none();
  }

  Value place(syntax::Span span) const {
    int first = source_.line_of(span.begin), last = source_.line_of(span.end);
    return make_tuple(
        {Value::integer(first), Value::integer(span.begin - source_.line_start(span.begin)),
         Value::integer(last), Value::integer(span.end - source_.line_start(span.end))});
  }

  const syntax::Source& source_;
};

Value tree(const Parameters& p) {
  std::string file = path_text(p[1]), text(to_text(p[0], "tree() argument 1"));
  auto source = truth(p[3])
                    ? std::make_shared<const syntax::Source>(std::move(file), std::move(text),
                                                             std::vector<int>{1}, nullptr)
                    : std::make_shared<const syntax::Source>(std::move(file), std::move(text));
  bool expression = truth(p[2]);
  syntax::Tree tree =
      parse_source(source, expression ? LoweringMode::kExpression : LoweringMode::kModule);
  return Writer(*source).node(tree.module);
}

Value program(const Parameters& p) {
  return make_str(program_of(p[0], path_text(p[1]), "compile", "AST"));
}

const NativeRow kFunctions[] = {
    {"program(source, filename, /)", program,
     "The text of a program that is a str, or bytes that tell their encoding."},
    {"tree(source, filename, expression, written=False, /)", tree,
     "The tree of a text, as nested tuples; of a text that was written from a tree."},
};

// The classes of nodes, which are written in npx.
Value find_node(Name name) {
  std::string_view text = text_of(name);
  if (text.starts_with("__") || text.starts_with("PyCF_")) return Value();
  return find_attribute(import_module("ast._nodes"), name);
}

const ConstantRow kConstants[] = {
    {"PyCF_ONLY_AST", [] { return Value::integer(1024); }},
};

}  // namespace

const NativeModule kAstModule = {"_ast", "Trees of programs.", kFunctions, kConstants, find_node};

}  // namespace strider::lang
