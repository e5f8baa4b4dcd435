// Reads the arguments of einsum; lists of axis numbers become letters.
#include "interpreter/builtins/numpy/array/subscripts.h"

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

void append_label(const Value& item, std::string& text) {
  if (identical(item, ellipsis())) {
    text += "...";
    return;
  }
  std::int64_t label;
  if (!try_index(item, label))
    raise(errors::TypeError, "each subscript must be either an integer or an ellipsis");
  if (label < 0 || label >= 52)
    raise(errors::ValueError, "subscript is not within the valid range [0, 52)");
  text += static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26);
}

std::string labels_of(const Value& axes) {
  std::string text;
  Iteration items(axes);
  Value item;
  while (items.next(item)) append_label(item, text);
  return text;
}

EinsumInput from_axis_lists(const Tuple& arguments) {
  EinsumInput input;
  std::size_t pairs = arguments.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    input.operands.push_back(to_array(arguments[2 * i]));
    if (i > 0) input.subscripts += ',';
    input.subscripts += labels_of(arguments[2 * i + 1]);
  }
  if (arguments.size() % 2 != 0)
    input.subscripts += "->" + labels_of(arguments[arguments.size() - 1]);
  return input;
}

}  // namespace

EinsumInput to_einsum_input(const Tuple& arguments) {
  if (arguments.size() < 1)
    raise(errors::ValueError,
          "must specify the einstein sum subscripts string and at least one operand, or at least "
          "one operand and its corresponding subscripts list");
  if (!is_str(arguments[0])) return from_axis_lists(arguments);
  EinsumInput input;
  input.subscripts = text_of(arguments[0]);
  for (std::size_t i = 1; i < arguments.size(); ++i)
    input.operands.push_back(to_array(arguments[i]));
  return input;
}

}  // namespace strider::lang
