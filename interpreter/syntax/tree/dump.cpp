// Walks any node by the table's list of fields and writes each by its type.
#include "interpreter/syntax/tree/dump.h"

#include <cstdio>

namespace strider::syntax {

namespace {

// Whether nodes of the kind have a place in Python's ast module.
bool has_place(Kind kind) {
  switch (kind) {
    case Kind::kModule:
    case Kind::kArguments:
    case Kind::kComprehension:
    case Kind::kWithItem:
    case Kind::kMatchCase:
      return false;
    default:
      return true;
  }
}

class Dumper {
 public:
  explicit Dumper(DumpOptions options) : options_(options) {}

  void write(const Node* node) {
    if (!node) {
      text_ += "None";
      return;
    }
    text_ += kind_name(node->kind);
    text_ += '(';
    first_field_ = true;
    bool formatted = node->kind == Kind::kJoinedStr;
    formatted_depth_ += formatted;
    write_fields(node);
    formatted_depth_ -= formatted;
    text_ += ')';
    if (options_.spans && formatted_depth_ == 0 && has_place(node->kind)) write_span(node);
  }

  std::string take() { return std::move(text_); }

 private:
  void write_fields(const Node* node) {
    switch (node->kind) {
#define F(member) field(#member, typed->member);
#define STRIDER_NODE(group, name, python_name, fields)        \
  case Kind::k##name: {                                       \
    [[maybe_unused]] const auto* typed = node_as<name>(node); \
    fields;                                                   \
    break;                                                    \
  }
#include "interpreter/syntax/tree/ast.def"
#undef F
    }
    if (options_.bindings) write_binding(node);
  }

  template <class T>
  void field(const char* name, const T& value) {
    if (!first_field_) text_ += ", ";
    text_ += name;
    text_ += '=';
    value_of(value);
    first_field_ = false;
  }

  template <class T>
  requires std::is_base_of_v<Node, T>
  void value_of(T* node) { write(node); }
  template <class T>
  void value_of(const Sequence<T>& items) {
    text_ += '[';
    bool first = true;
    for (const T& item : items) {
      if (!first) text_ += ", ";
      value_of(item);
      first = false;
    }
    text_ += ']';
  }
  void value_of(Identifier name) {
    if (name.empty()) {
      text_ += "None";
    } else {
      text_ += "'" + std::string(name) + "'";
    }
  }
  void value_of(int number) { text_ += std::to_string(number); }
  void value_of(bool flag) { text_ += flag ? "1" : "0"; }
  void value_of(BinaryOperator op) { call(operator_name(op)); }
  void value_of(UnaryOperator op) { call(operator_name(op)); }
  void value_of(CompareOperator op) { call(operator_name(op)); }
  void value_of(BoolOperator op) { call(operator_name(op)); }
  void value_of(ExprContext context) {
    static constexpr const char* kNames[] = {"Load", "Store", "Del"};
    call(kNames[static_cast<size_t>(context)]);
  }
  void call(std::string_view name) {
    text_ += name;
    text_ += "()";
  }

  void value_of(const ConstantValue& value) {
    switch (value.type) {
      case ConstantType::kNone:
        text_ += "None";
        break;
      case ConstantType::kFalse:
        text_ += "False";
        break;
      case ConstantType::kTrue:
        text_ += "True";
        break;
      case ConstantType::kEllipsis:
        text_ += "Ellipsis";
        break;
      case ConstantType::kInt:
        text_ += "Int(" + std::to_string(value.integer) + ")";
        break;
      case ConstantType::kBigInt:
        text_ += "BigInt(" + std::string(value.text) + ")";
        break;
      case ConstantType::kFloat:
        write_real("Float", value.real);
        break;
      case ConstantType::kComplex:
        write_real("Complex", value.real);
        break;
      case ConstantType::kStr:
        write_text("Str", value.text);
        break;
      case ConstantType::kBytes:
        write_text("Bytes", value.text);
        break;
    }
  }

  void write_real(const char* name, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%s(%.17g)", name, value);
    text_ += buffer;
  }

  void write_text(const char* name, std::string_view value) {
    text_ += name;
    text_ += "('";
    for (char byte : value) {
      bool plain = byte >= ' ' && byte < 0x7F && byte != '\'' && byte != '\\';
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, plain ? "%c" : "\\x%02x",
                    static_cast<unsigned char>(byte));
      text_ += buffer;
    }
    text_ += "')";
  }

  void write_span(const Node* node) {
    text_ += '@' + std::to_string(node->span.begin) + '-' + std::to_string(node->span.end);
  }

  void write_binding(const Node* node) {
    switch (node->kind) {
      case Kind::kName:
        return binding(node_as<Name>(node)->binding);
      case Kind::kArg:
        return binding(node_as<Arg>(node)->binding);
      case Kind::kFunctionDef:
        return binding(node_as<FunctionDef>(node)->binding);
      case Kind::kClassDef:
        return binding(node_as<ClassDef>(node)->binding);
      case Kind::kAlias:
        return binding(node_as<Alias>(node)->binding);
      case Kind::kExceptHandler:
        return binding(node_as<ExceptHandler>(node)->binding);
      case Kind::kMatchAs:
        return binding(node_as<MatchAs>(node)->binding);
      case Kind::kMatchStar:
        return binding(node_as<MatchStar>(node)->binding);
      case Kind::kMatchMapping:
        return binding(node_as<MatchMapping>(node)->binding);
      default:
        return;
    }
  }

  void binding(const Binding& binding) {
    static constexpr const char* kNames[] = {"unresolved", "local",  "cell",
                                             "free",       "global", "class"};
    if (binding.storage == Storage::kUnresolved) return;
    text_ += std::string(", ") + kNames[static_cast<size_t>(binding.storage)];
    bool has_place = binding.slot >= 0 && binding.storage != Storage::kGlobal;
    if (has_place) text_ += std::to_string(binding.slot);
  }

  DumpOptions options_;
  std::string text_;
  bool first_field_ = true;
  int formatted_depth_ = 0;
};

void append_names(std::string& text, const char* title, const Sequence<Identifier>& names,
                  size_t first, size_t last) {
  if (first == last) return;
  text += title;
  for (size_t i = first; i < last; ++i) {
    text += ' ';
    text += names[i];
  }
}

std::string describe_scope(const Scope& scope) {
  static constexpr const char* kTypes[] = {"module", "function", "lambda", "class", "generator"};
  std::string text = kTypes[static_cast<size_t>(scope.type)];
  text += ' ' + std::string(scope.qualified_name);
  auto parameters = static_cast<size_t>(scope.parameter_count);
  auto visible = static_cast<size_t>(scope.visible_locals);
  auto visible_cells = static_cast<size_t>(scope.visible_cells);
  append_names(text, " |parameters", scope.local_names, 0, parameters);
  append_names(text, " |locals", scope.local_names, parameters, visible);
  append_names(text, " |hidden", scope.local_names, visible, scope.local_names.size());
  append_names(text, " |cells", scope.cell_names, 0, visible_cells);
  append_names(text, " |hidden-cells", scope.cell_names, visible_cells, scope.cell_names.size());
  if (!scope.free_names.empty()) text += " |free";
  for (const FreeVariable& variable : scope.free_names) {
    text += ' ' + std::string(variable.name) + '<' + std::to_string(variable.parent_cell);
  }
  if (scope.is_generator) text += " |generator";
  if (scope.uses_super_or_class) text += " |class-cell " + std::to_string(scope.class_cell);
  return text + '\n';
}

}  // namespace

std::string dump_scopes(const Tree& tree) {
  std::string text;
  for (const Scope* scope : tree.scopes) text += describe_scope(*scope);
  return text;
}

std::string dump(const Tree& tree, DumpOptions options) {
  Dumper dumper(options);
  dumper.write(tree.module);
  return dumper.take();
}

}  // namespace strider::syntax
