// The commonest operands, without broadcasting, conversions or buffers: recorded or run at once.
#include "kernels/elementwise/alike.h"

#include <strider/nd/floating_errors.h>

#include "kernels/core/copy.h"
#include "kernels/core/node.h"
#include "kernels/elementwise/powers.h"
#include "kernels/elementwise/run.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

using Kind = Operand::Kind;

// Whether the weak or strong scalar takes part in a loop of `dtype` without changing it.
bool joins(const Operand& operand, DType dtype) {
  switch (operand.kind()) {
    case Kind::kScalar:
      return operand.dtype() == dtype;
    case Kind::kWeakInteger:
      return dtype != DType::kBool && weak_integer_fits(operand, dtype);
    case Kind::kWeakFloat:
      return is_inexact(dtype);
    case Kind::kWeakComplex:
      return is_complex(dtype);
    default:
      return false;
  }
}

// Whether writing `out` element by element leaves the rest of `input` alone.
bool harmless(const Array& out, const Array& input) {
  return out.data() == input.data() || !out.may_share_elements(input);
}

// Whether results of this shape and type can be written to `out` as they come.
bool takes_directly(const Array& out, const Array& model, DType dtype) {
  return out.dtype() == dtype && out.is_c_contiguous() && out.writeable() &&
         out.shape() == model.shape() && harmless(out, model) &&
         (out.data() != model.data() || model.dtype() == dtype);
}

// Where an output or an input lies on a device, or is promised, the loop that computes what is
// promised computes the results as well.
bool is_away(const Operand& operand) {
  return operand.kind() == Kind::kArray && is_away(operand.array());
}

// Whether a result like this array is computed later.
bool waits(const Array& model) {
  return model.size() >= recording_limit(model.dtype()) || (recording().on() && is_away(model));
}

bool waits(const Operand& operand) {
  return operand.kind() == Kind::kArray && waits(operand.array());
}

// Lines of so many bytes are packed where they are not contiguous, for less than what looking at
// their steps costs.
constexpr std::int64_t kShortLine = 4096;

bool is_short_line(const Array& array) {
  return array.rank() == 1 && array.byte_count() <= kShortLine;
}

// The elements side by side: where they are, or copied to `room`.
const std::byte* packed(const Array& array, std::byte* room) {
  if (array.is_c_contiguous() || array.rank() > 1) return array.data();
  DType dtype = array.dtype();
  cast_loop(dtype, dtype)(array.data(), array.strides()[0], room, item_size(dtype), array.size());
  return room;
}

// Whether elements lie side by side in Fortran's order alone. Operands that all do so are gone
// through like those in C order, and so are their results.
bool is_turned(const Array& array) { return !array.is_c_contiguous() && array.is_f_contiguous(); }

// Whether a loop over contiguous elements can read it now, or a promise of the same layout can.
bool reads_well(const Array& array, bool at_once) {
  return array.is_c_contiguous() || (at_once && (is_short_line(array) || is_turned(array)));
}

Array make_result_like(const Array& model, DType dtype) {
  if (model.is_c_contiguous()) return make_alike(*model.node(), dtype);
  if (model.rank() == 1) return make_like(model.shape(), dtype);
  return make_array(model.shape(), dense_strides(model.shape(), item_size(dtype), true), dtype);
}

// A line whose elements stand apart, for results that are computed side by side first.
bool is_line_apart(const Array& out) { return !out.is_c_contiguous() && is_short_line(out); }

// Whether inputs are read whole before such a line is written, or are the line itself.
bool takes_apart(const Array& out, const Array& model, DType dtype) {
  return is_line_apart(out) && out.dtype() == dtype && out.writeable() &&
         out.shape() == model.shape();
}

void spread(const std::byte* from, const Array& out) {
  DType dtype = out.dtype();
  cast_loop(dtype, dtype)(from, item_size(dtype), out.mutable_data(), out.strides()[0], out.size());
}

// Records an operation on operands of one type, arrays among them C-contiguous and of one shape.
Array record_alike(Op op, std::span<const Operand> operands, const Array& model, DType result) {
  const Node& node = *model.node();
  DType types[3] = {node.dtype, node.dtype, node.dtype};
  RecordedOperation operation{Expression::Kind::kOperation, op, types, result};
  int item = item_size(result);
  bool laid_out_alike = !node.base && item == item_size(node.dtype);
  return record(operation, operands, node.shape,
                laid_out_alike ? node.strides : dense_strides(node.shape, item));
}

}  // namespace

Array apply_alike(Op op, const Operand& a, const Operand& b, const Array* out) {
  bool a_array = a.kind() == Kind::kArray, b_array = b.kind() == Kind::kArray;
  if (!a_array && !b_array) return Array();
  const Array& model = a_array ? a.array() : b.array();
  DType dtype = model.dtype();
  bool later = !out && (waits(a) || waits(b));
  if (!out && !later && is_away(model)) return Array();
  if (out && recording().on() && (is_away(*out) || is_away(a) || is_away(b))) return Array();
  const OpFacts& row = facts(op);
  Kernel kernel = find_kernel(op, dtype);
  bool at_once = (!out || is_line_apart(*out)) && !later;
  bool checks_power = op == Op::kPower && category(dtype) == Category::kSigned;
  if (!kernel || !reads_well(model, at_once) || op == Op::kFloatPower || op == Op::kLdexp ||
      row.outputs != 1) {
    return Array();
  }
  bool repeated[2] = {!a_array, !b_array};
  Scalar scalar;
  if (a_array && b_array) {
    const Array& other = b.array();
    if (other.dtype() != dtype || !reads_well(other, at_once) || other.shape() != model.shape() ||
        is_turned(other) != is_turned(model)) {
      return Array();
    }
    later = later || (!out && waits(other));
    if (!out && !later && is_away(other)) return Array();
  } else {
    const Operand& single = a_array ? b : a;
    if (!joins(single, dtype)) return Array();
    scalar = convert_operand(single, dtype);
  }
  DType out_type = output_type(row, dtype);
  Operand operands[2] = {a, b};
  if (checks_power) {
    if (later && b_array) return Array();  // whose elements are not known yet
    if (model.size() > 0) refuse_negative_powers(operands, dtype);
  }
  if (later) return is_turned(model) ? Array() : record_alike(op, operands, model, out_type);
  bool apart = out && takes_apart(*out, model, out_type);
  if (out && !apart && !takes_directly(*out, model, out_type)) return Array();
  if (out && !apart && a_array && b_array && !harmless(*out, b.array())) return Array();
  Array result = out ? *out : make_result_like(model, out_type);
  alignas(64) std::byte rooms[3][kShortLine];
  const std::byte* value = static_cast<const std::byte*>(scalar.data());
  const std::byte* inputs[2] = {a_array ? packed(a.array(), rooms[0]) : value,
                                b_array ? packed(b.array(), rooms[1]) : value};
  std::byte* outputs[1] = {apart ? rooms[2] : result.mutable_data()};
  clear_floating_errors();
  if (a_array && b_array && model.size() <= 4096) {
    kernel(inputs, outputs, model.size());
  } else {
    DType types[2] = {dtype, dtype};
    run_contiguous(kernel, inputs, repeated, types, 2, outputs, &out_type, 1, model.size(),
                   thread_grain(op));
  }
  if (apart) spread(rooms[2], result);
  if (row.conditions != Conditions::kNone) {
    deliver_floating_errors(take_floating_errors(), row.name);
  }
  return result;
}

Array apply_alike(Op op, const Operand& a, const Array* out) {
  if (a.kind() != Kind::kArray) return Array();
  const Array& array = a.array();
  bool later = !out && waits(array);
  if (!out && !later && is_away(array)) return Array();
  if (out && recording().on() && (is_away(*out) || is_away(a))) return Array();
  const OpFacts& row = facts(op);
  Kernel kernel = find_kernel(op, array.dtype());
  bool at_once = (!out || is_line_apart(*out)) && !later, readable = reads_well(array, at_once);
  if (!kernel || !readable || row.outputs != 1 || row.inputs != 1) return Array();
  DType dtype = array.dtype(), out_type = output_type(row, dtype);
  if (later) return record_alike(op, {&a, 1}, array, out_type);
  bool apart = out && takes_apart(*out, array, out_type);
  if (out && !apart && !takes_directly(*out, array, out_type)) return Array();
  Array result = out ? *out : make_result_like(array, out_type);
  alignas(64) std::byte rooms[2][kShortLine];
  const std::byte* input = packed(array, rooms[0]);
  std::byte* output = apart ? rooms[1] : result.mutable_data();
  bool repeated = false;
  clear_floating_errors();
  run_contiguous(kernel, &input, &repeated, &dtype, 1, &output, &out_type, 1, array.size(),
                 thread_grain(op));
  if (apart) spread(rooms[1], result);
  if (row.conditions != Conditions::kNone) {
    deliver_floating_errors(take_floating_errors(), row.name);
  }
  return result;
}

}  // namespace strider::nd
