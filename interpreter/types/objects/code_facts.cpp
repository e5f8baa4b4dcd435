// The type of code objects: equality and hashes by what they were compiled of.
#include "interpreter/types/objects/code_facts.h"

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value fact(const Value& self, const char* name) {
  Value* found = self.as<CodeFacts>()->attributes()->find(intern(name));
  return found ? *found : Value::none();
}

Value facts_repr(const Value& self) {
  Value line = fact(self, "co_firstlineno");
  return make_str(
      fmt::format("<code object {} at {}, file \"{}\", line {}>", str_text(fact(self, "co_name")),
                  fmt::ptr(static_cast<void*>(self.object())), str_text(fact(self, "co_filename")),
                  line.is_none() ? "1" : str_text(line)));
}

Value facts_compare(CompareOperator op, const Value& self, const Value& other) {
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  if (!equality || !is_exactly(other, CodeFacts::type_object())) return Value();
  bool same = true;
  for (const char* name : {"co_filename", "co_name", "co_firstlineno"})
    same = same && equal(fact(self, name), fact(other, name));
  return Value::boolean(same == (op == CompareOperator::kEq));
}

std::int64_t facts_hash(const Value& self) {
  return hash(fact(self, "co_filename")) ^ hash(fact(self, "co_name"));
}

// Puts those facts that are read off the text beside the others, unless they stand there.
void read_text(const Value& self) {
  CodeFacts& facts = *self.as<CodeFacts>();
  CodeText code = facts.text();
  Values local;
  for (const char* name : {"co_varnames", "co_cellvars", "co_freevars"}) {
    Iteration names(fact(self, name));
    for (Value each; names.next(each);) local.push_back(each);
  }
  Value describe = get_attribute(import_module("_codebody"), intern("describe"));
  Value found = call(describe, make_str(code.text),
                     code.is_expression ? make_str("<expression>") : fact(self, "co_name"),
                     Value(make_tuple(std::move(local))), Value(make_tuple(std::move(code.inner))));
  for (const Dict::Entry& entry : found.as<Dict>()->entries()) {
    Name name = intern(text_of(entry.key));
    if (!facts.attributes()->find(name)) facts.attributes()->set(name, entry.value);
  }
}

Value read_fact(const Value& self, const char* name) {
  if (!self.as<CodeFacts>()->attributes()->find(intern(name))) read_text(self);
  return fact(self, name);
}

Value facts_replace(const Parameters& p) {
  Ref<CodeFacts> copy = p[0].as<CodeFacts>()->copy();
  for (const Dict::Entry& entry : p[0].as<CodeFacts>()->attributes()->dict()->entries())
    if (!entry.key.is_empty()) copy->attributes()->set(intern(text_of(entry.key)), entry.value);
  for (const Dict::Entry& entry : p[1].as<Dict>()->entries()) {
    if (entry.key.is_empty()) continue;
    if (find_attribute(p[0], intern(text_of(entry.key))).is_empty())
      raise(errors::TypeError, "'{}' is an invalid keyword argument for replace()",
            text_of(entry.key));
    copy->attributes()->set(intern(text_of(entry.key)), entry.value);
  }
  return copy;
}

// Facts that a program makes up: there is no body that could run.
Value facts_construct(Type*, const Arguments& arguments) {
  const char* const kGiven[] = {"co_argcount",       "co_posonlyargcount", "co_kwonlyargcount",
                                "co_nlocals",        "co_stacksize",       "co_flags",
                                "co_code",           "co_consts",          "co_names",
                                "co_varnames",       "co_filename",        "co_name",
                                "co_qualname",       "co_firstlineno",     "co_linetable",
                                "co_exceptiontable", "co_freevars",        "co_cellvars"};
  constexpr std::size_t kLeast = 16, kMost = std::size(kGiven);
  if (arguments.keyword_count) raise(errors::TypeError, "code() takes no keyword arguments");
  if (arguments.count < kLeast || arguments.count > kMost)
    raise(errors::TypeError, "code() takes at {} {} arguments ({} given)",
          arguments.count < kLeast ? "least" : "most", arguments.count < kLeast ? kLeast : kMost,
          arguments.count);
  Ref<CodeFacts> made = make<CodeFacts>();
  for (std::size_t index = 0; index < kMost; ++index)
    made->attributes()->set(intern(kGiven[index]), index < arguments.count ? arguments.values[index]
                                                                           : Value(empty_tuple()));
  return made;
}

Value facts_positions(const Parameters& p) {
  CodeText code = p[0].as<CodeFacts>()->text();
  Value positions = get_attribute(import_module("_codebody"), intern("positions"));
  return call(positions, make_str(code.text), Value::integer(code.begin),
              Value::integer(code.line));
}

const PropertyRow kReadFacts[] = {
    {"co_code", [](const Value& self) { return read_fact(self, "co_code"); }, nullptr,
     "What tells bodies apart: bytes that are equal where the bodies' trees are."},
    {"co_consts", [](const Value& self) { return read_fact(self, "co_consts"); }, nullptr,
     "The constants and the code within."},
    {"co_names", [](const Value& self) { return read_fact(self, "co_names"); }, nullptr,
     "The names of global variables and attributes."},
    {"_text", [](const Value& self) { return Value(make_str(self.as<CodeFacts>()->text().text)); },
     nullptr, "What was compiled, as it stands in the program."},
};

const NativeRow kCodeMethods[] = {
    {"replace(self, /, **changes)", facts_replace, "A copy with other facts."},
    {"co_positions(self, /)", facts_positions,
     "For every two places of the file, as lasti counts them, the line, without the rest."},
};

}  // namespace

CodeFacts::CodeFacts(std::shared_ptr<const void> code_body)
    : SimpleNamespace(&type_object()), body(std::move(code_body)) {}

CodeText CodeFacts::text() const { return body ? text_of_code(body) : CodeText(); }

Type& CodeFacts::type_object() {
  static Type& type = *[] {
    Type& made = new_type("code", Type::object_type());
    made.set(Type::kHasInstanceDict);
    made.slots.repr = facts_repr;
    made.slots.compare = facts_compare;
    made.slots.hash = facts_hash;
    made.slots.construct = facts_construct;
    made.slots.initialize = [](const Value&, const Arguments&) {};
    made.add(kReadFacts);
    made.add(kCodeMethods);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
