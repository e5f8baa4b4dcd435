// Definitions: making functions and classes where their statement runs.
#include <cctype>
#include <string>
#include <unordered_map>

#include "interpreter/evaluator/frames/function.h"
#include "interpreter/evaluator/namespaces.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// True after `from __future__ import annotations`.
bool keeps_annotations_as_text(const Frame& frame) {
  static const Name feature = intern("annotations");
  const Value* found = frame.globals->find(feature);
  return found && type_of(*found)->module == "__future__";
}

// Whether a character goes on in a name, subscript or number's name.
bool is_plain(std::string_view text, std::size_t at) {
  auto each = static_cast<unsigned char>(text[at]);
  if (std::isdigit(each)) return at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1]));
  return std::isalpha(each) || each == '_' || each == '.' || each == '[' || each == ']';
}

// Whether a text has names, subscripts and unions alone, spaced as they are when written again.
bool is_written_plainly(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == ", ")
      at += 2;
    else if (text.substr(at, 3) == " | ")
      at += 3;
    else if (is_plain(text, at))
      ++at;
    else
      return false;
  }
  return true;
}

// An expression's text as CPython writes it again.
std::string written_again(const std::string& text) {
  try {
    Value trees = import_module("ast");
    Value tree = call_method(trees, intern("parse"), make_str("(" + text + ")"),
                             make_str("<annotation>"), make_str("eval"));
    return std::string(text_of(call_method(trees, intern("unparse"), tree)));
  } catch (const Raised&) {  // a program's own module of that name, or a star in front
    return text;
  }
}

// The text of an annotation; each is written again once, however often its function is made.
Value annotation_text(const Frame& frame, const Node* annotation) {
  static auto& known = *new std::unordered_map<std::string, std::string>();
  std::string text(frame.code->source->text(annotation->span));
  if (is_written_plainly(text)) return make_str(text);
  auto found = known.find(text);
  if (found == known.end()) found = known.emplace(text, written_again(text)).first;
  return make_str(found->second);
}

// The annotation's value, or its source text where it cannot be evaluated yet.
Value annotation_value(Frame& frame, const Node* annotation) {
  if (keeps_annotations_as_text(frame)) return annotation_text(frame, annotation);
  try {
    return annotation->evaluate(frame);
  } catch (const Raised&) {
  }
  return make_str(frame.code->source->text(annotation->span));
}

std::vector<Ref<Cell>> captured_cells(Frame& frame, const Code& body) {
  std::vector<Ref<Cell>> cells;
  cells.reserve(body.free_sources.size());
  for (int source : body.free_sources) cells.push_back(frame.cells[source]);
  return cells;
}

class FunctionNode final : public Node {
 public:
  explicit FunctionNode(FunctionParts parts) : parts_(std::move(parts)) {}
  Value evaluate(Frame& frame) const override {
    Ref<Function> function = make<Function>(parts_.body, Ref<Dict>(frame.globals));
    for (const Node* node : parts_.defaults) function->defaults.push_back(node->evaluate(frame));
    for (const Node* node : parts_.keyword_defaults)
      function->keyword_defaults.push_back(node ? node->evaluate(frame) : Value());
    function->closure = captured_cells(frame, *parts_.body);
    if (!parts_.annotations.empty()) {
      Ref<Dict> annotations = make_dict();
      for (const auto& [name, node] : parts_.annotations)
        annotations->set(name, annotation_value(frame, node));
      function->annotations = annotations;
    }
    return function;
  }

 private:
  FunctionParts parts_;
};

class ClassNode final : public Node {
 public:
  ClassNode(std::shared_ptr<const Code> body, Name name, std::vector<CallArgument> bases)
      : body_(std::move(body)), name_(name), bases_(std::move(bases)) {}

  Value evaluate(Frame& frame) const override {
    ArgumentList given = collect_arguments(frame, this, Value(&Type::type_object()), bases_);
    frame.at = this;
    Value metaclass;
    std::erase_if(given.keywords, [&](const KeywordArgument& keyword) {
      if (keyword.name != names().metaclass) return false;
      metaclass = keyword.value;
      return true;
    });
    Value original_bases;
    Values bases = resolve_bases(given.values, original_bases);
    if (metaclass.is_empty())
      metaclass = Value(bases.empty() ? &Type::type_object() : type_of(bases[0]));
    if (metaclass.has_layout(Layout::kType)) metaclass = most_derived(metaclass.as<Type>(), bases);
    Value prepared = make_namespace(metaclass, bases, given);
    Ref<Dict> space = as_dict(prepared);
    Ref<Cell> class_cell = run_body(frame, *space);
    if (!original_bases.is_empty())
      set_item(prepared, Value(intern("__orig_bases__")), original_bases);
    ArgumentList arguments;
    arguments.values = {Value(name_), Value(make_tuple(std::move(bases))), prepared};
    arguments.keywords = given.keywords;
    frame.at = this;
    Value cls = call(metaclass, arguments);
    if (class_cell) check_class_cell(*class_cell, cls);
    return cls;
  }

 private:
  // Bases that are not classes may stand for some (Generic[T]): __mro_entries__.
  static Values resolve_bases(const Values& given, Value& original) {
    Values bases;
    for (const Value& base : given) {
      Value hook =
          base.has_layout(Layout::kType) ? Value() : find_attribute(base, names().mro_entries);
      if (hook.is_empty()) {
        bases.push_back(base);
        continue;
      }
      original = make_tuple(Values(given));
      Iteration entries(call(hook, original));
      Value entry;
      while (entries.next(entry)) bases.push_back(entry);
    }
    return bases;
  }

  // The metaclass has told the methods which class they are of.
  void check_class_cell(const Cell& cell, const Value& cls) const {
    if (!cls.has_layout(Layout::kType)) return;
    if (cell.value.is_empty())
      raise(errors::RuntimeError,
            "__class__ not set defining {} as {}. Was __classcell__ propagated to type.__new__?",
            repr_text(Value(name_)), repr_text(cls));
    if (!identical(cell.value, cls))
      raise(errors::TypeError, "__class__ set to {} defining {} as {}", repr_text(cell.value),
            repr_text(Value(name_)), repr_text(cls));
  }

  static Value most_derived(Type* best, const Values& bases) {
    for (const Value& base : bases) {
      Type* candidate = type_of(base);
      if (candidate->is_subclass_of(best))
        best = candidate;
      else if (!best->is_subclass_of(candidate))
        raise(
            errors::TypeError,
            "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass "
            "of the metaclasses of all its bases");
    }
    return Value(best);
  }

  Value make_namespace(const Value& metaclass, const Values& bases,
                       const ArgumentList& given) const {
    bool is_type = metaclass.has_layout(Layout::kType);
    if (is_type && metaclass.as<Type>()->owner_of(names().prepare) == &Type::type_object())
      return Value(make_dict());
    Value prepare = find_attribute(metaclass, names().prepare);
    if (prepare.is_empty()) return Value(make_dict());
    ArgumentList arguments;
    arguments.values = {Value(name_), Value(make_tuple(Values(bases)))};
    arguments.keywords = given.keywords;
    Value space = call(prepare, arguments);
    if (!is_dict(space) && find_special(space, names().getitem).is_empty())
      raise(errors::TypeError, "{}.__prepare__() must return a mapping, not {}",
            is_type ? metaclass.as<Type>()->name() : "<metaclass>", type_name(space));
    return space;
  }

  // A dict that a body can run in, be the namespace another kind of mapping.
  static Ref<Dict> as_dict(const Value& space) {
    if (is_dict(space)) return space.as<Dict>();
    return call(get_attribute(import_module("_mappednames"), intern("ClassNames")), space)
        .as<Dict>();
  }

  // Fills the namespace; returns the cell that methods read `__class__` from, if any do.
  Ref<Cell> run_body(Frame& outer, Dict& space) const {
    STRIDER_STACK_ARRAY(Value, locals, static_cast<int>(body_->local_names.size()));
    STRIDER_STACK_ARRAY(Ref<Cell>, cells, static_cast<int>(body_->cell_names.size()));
    set_up_cells(*body_, captured_cells(outer, *body_), locals.data(), cells.data());
    bool plain = space.type() == &Dict::type_object();
    auto store = [&](Name name, const Value& value) {
      plain ? space.set(name, value) : set_item(Value(&space), Value(name), value);
    };
    if (Value* module = outer.globals->find(names().name)) store(names().module, *module);
    store(names().qualname, make_str(body_->qualified_name));
    if (!body_->doc.is_none()) store(names().doc, body_->doc);
    Frame frame;
    frame.locals = locals.data();
    frame.cells = cells.data();
    frame.globals = outer.globals;
    frame.class_namespace = &space;
    set_up_annotations(*body_, space);
    frame.code = body_.get();
    frame.interpreter = outer.interpreter;
    run_frame(frame);
    if (body_->class_cell < 0) return nullptr;
    Ref<Cell> class_cell = cells.data()[body_->class_cell];
    store(names().classcell, Value(class_cell));
    return class_cell;
  }

  std::shared_ptr<const Code> body_;
  Name name_;
  std::vector<CallArgument> bases_;
};

// `name: annotation` in a class body or module: an entry of __annotations__.
class AnnotationStatement final : public Statement {
 public:
  AnnotationStatement(Name name, Node* annotation) : name_(name), annotation_(annotation) {}
  Flow execute(Frame& frame) const override {
    Dict& space = frame.class_namespace ? *frame.class_namespace : *frame.globals;
    Value value = annotation_value(frame, annotation_);
    Value annotations = find_in_names(space, names().annotations);
    if (annotations.is_empty()) raise(errors::NameError, "__annotations__ not found");
    set_item(annotations, Value(name_), value);
    return Flow::kNext;
  }

 private:
  Name name_;
  Node* annotation_;
};

}  // namespace

void set_up_annotations(const Code& code, Dict& space) {
  if (!code.annotates || !find_in_names(space, names().annotations).is_empty()) return;
  if (space.type() == &Dict::type_object())
    space.set(names().annotations, make_dict());
  else
    set_item(Value(&space), Value(names().annotations), make_dict());
}

Node* make_function(Code& code, Span span, FunctionParts parts) {
  return code.make<FunctionNode>(span, std::move(parts));
}
Node* make_class_definition(Code& code, Span span, std::shared_ptr<const Code> body, Name name,
                            std::vector<CallArgument> bases) {
  return code.make<ClassNode>(span, std::move(body), name, std::move(bases));
}
Statement* make_annotation(Code& code, Span span, Name name, Node* annotation) {
  return code.make<AnnotationStatement>(span, name, annotation);
}

}  // namespace strider::lang
