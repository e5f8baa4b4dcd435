// The keyword arguments of ufuncs.
#include "interpreter/builtins/numpy/ufunc/ufunc_call.h"

#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

UfuncKeywords::UfuncKeywords(nd::Op op, const Arguments& arguments) {
  auto inputs = static_cast<std::size_t>(nd::facts(op).inputs);
  for (std::size_t i = inputs; i < arguments.count; ++i) {
    options_.out[i - inputs] = to_out(arguments.values[i]);
    if (options_.out[i - inputs]) out_[i - inputs] = arguments.values[i];
  }
  for (const KeywordArgument& keyword : arguments.named())
    set_keyword(op, text_of(keyword.name), keyword.value);
  if (options_.where && !options_.out[0])
    warn(errors::UserWarning(),
         "'where' used without 'out', expect unitialized memory in output. If this is "
         "intentional, use out=None.");
}

void UfuncKeywords::set_out(nd::Op op, const Value& value) {
  auto outputs = static_cast<std::size_t>(nd::facts(op).outputs);
  if (is_tuple(value)) {
    const Tuple& given = *value.as<Tuple>();
    if (given.size() != outputs)
      raise(errors::ValueError, "The 'out' tuple must have exactly one entry per ufunc output");
    for (std::size_t i = 0; i < outputs; ++i) {
      options_.out[i] = to_out(given[i]);
      if (options_.out[i]) out_[i] = given[i];
    }
    return;
  }
  if (value.is_none()) return;
  if (outputs > 1) raise(errors::TypeError, "'out' must be a tuple of arrays");
  options_.out[0] = to_out(value);
  out_[0] = value;
}

void UfuncKeywords::set_signature(nd::Op op, const Value& value) {
  const nd::OpFacts& facts = nd::facts(op);
  auto count = static_cast<std::size_t>(facts.inputs + facts.outputs);
  if (is_str(value)) {
    for (char each : text_of(value))
      if (each != '-' && each != '>') signature_.push_back(nd::parse_dtype(std::string(1, each)));
  } else {
    Ref<Tuple> types = to_tuple(value);
    for (const Value& each : types->items())
      signature_.push_back(to_optional_dtype(each));
  }
  if (signature_.size() == 1) {
    options_.dtype = signature_[0];
    signature_.clear();
    return;
  }
  if (signature_.size() != count)
    raise(errors::ValueError,
          "a type-string for {}, requires 1 typecode or {} typecode(s) before and {} after the -> "
          "sign",
          facts.name, facts.inputs, facts.outputs);
  options_.signature = signature_;
}

void UfuncKeywords::set_keyword(nd::Op op, std::string_view name, const Value& value) {
  if (name == "out") return set_out(op, value);
  if (name == "where") {
    options_.where = to_where(value, where_);
  } else if (name == "dtype") {
    options_.dtype = to_optional_dtype(value);
  } else if (name == "casting") {
    options_.casting = to_casting(value);
  } else if (name == "order") {
    options_.order = to_order(value, nd::Order::kKeep);
  } else if (name == "signature" || name == "sig") {
    if (!value.is_none()) set_signature(op, value);
  } else if (name == "subok") {
    keeps_class_ = truth(value);
  } else {
    raise(errors::TypeError, "{}() got an unexpected keyword argument '{}'", nd::facts(op).name,
          name);
  }
}

}  // namespace strider::lang
