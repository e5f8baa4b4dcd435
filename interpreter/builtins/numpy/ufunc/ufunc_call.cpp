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
    if (is_tuple(arguments.values[i]))
      raise(errors::TypeError, "return arrays must be of ArrayType");
    options_.out[i - inputs] = to_out(arguments.values[i]);
    if (options_.out[i - inputs]) out_[i - inputs] = arguments.values[i];
  }
  bool extreme = op == nd::Op::kMaximum || op == nd::Op::kMinimum;
  if (extreme && arguments.count > inputs)
    warn(errors::DeprecationWarning(),
         "Passing more than 2 positional arguments to np.maximum and np.minimum is deprecated. If "
         "you meant to use the third argument as an output, use the `out` keyword argument "
         "instead. If you hoped to work with more than 2 inputs, combine them into a single array "
         "and get the extrema for the relevant axis.");
  check_types_given(arguments);
  bool placed = arguments.count > inputs;
  for (const KeywordArgument& keyword : arguments.named()) {
    std::string_view name = text_of(keyword.name);
    if (placed && name == "out")
      raise(errors::TypeError, "cannot specify 'out' as both a positional and keyword argument");
    set_keyword(op, name, keyword.value);
    placed |= name == "out";
  }
  if (options_.where && !options_.out[0] && !options_.out[1])
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

// At most one of dtype=, signature= and sig= says which loop is meant.
void UfuncKeywords::check_types_given(const Arguments& arguments) {
  bool dtype = false, signature = false, short_name = false;
  for (const KeywordArgument& keyword : arguments.named()) {
    std::string_view name = text_of(keyword.name);
    dtype = dtype || name == "dtype";
    signature = signature || name == "signature";
    short_name = short_name || name == "sig";
  }
  if (signature && short_name)
    raise(errors::TypeError, "cannot specify both 'sig' and 'signature'");
  if (dtype && (signature || short_name))
    raise(errors::TypeError, "cannot specify both 'signature' and 'dtype'");
}

// signature="dd->d": a code for each input and output.
void UfuncKeywords::read_type_codes(nd::Op op, std::string_view text) {
  const nd::OpFacts& facts = nd::facts(op);
  auto inputs = static_cast<std::size_t>(facts.inputs);
  std::size_t count = inputs + static_cast<std::size_t>(facts.outputs);
  if (text.size() != count + 2 || text.substr(inputs, 2) != "->")
    raise(errors::ValueError,
          "a type-string for {}, {} typecode(s) before and {} after the -> sign", facts.name,
          facts.inputs, facts.outputs);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == inputs || i == inputs + 1) continue;
    std::optional<nd::DType> dtype = nd::parse_dtype(text.substr(i, 1));
    if (!dtype && std::string_view("OSUVMm").find(text[i]) == std::string_view::npos)
      raise(errors::ValueError, "Invalid data-type for array");
    signature_.push_back(dtype);
  }
}

void UfuncKeywords::set_signature(nd::Op op, const Value& value) {
  const nd::OpFacts& facts = nd::facts(op);
  if (!is_str(value) && !is_tuple(value))
    raise(errors::TypeError, "the signature object to ufunc must be a string or a tuple.");
  if (length(value) == 1)
    raise(errors::TypeError, "Use `dtype` or  fill the tuple with more than one 'None'.");
  if (is_str(value)) {
    read_type_codes(op, text_of(value));
  } else {
    for (const Value& each : value.as<Tuple>()->items())
      signature_.push_back(to_optional_dtype(each));
  }
  auto count = static_cast<std::size_t>(facts.inputs + facts.outputs);
  if (signature_.size() != count)
    raise(errors::ValueError, "a type-tuple must be specified of length {} for ufunc '{}'", count,
          facts.name);
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
    set_signature(op, value);
  } else if (name == "subok") {
    if (!value.is_bool()) raise(errors::TypeError, "'subok' must be a boolean");
    keeps_class_ = value.as_bool();
  } else {
    raise(errors::TypeError, "{}() got an unexpected keyword argument '{}'", nd::facts(op).name,
          name);
  }
}

}  // namespace strider::lang
