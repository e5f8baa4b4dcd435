// Applies operations to operands: results, overlap, what is recorded.
#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/ufunc.h>

#include <algorithm>

#include "kernels/core/node.h"
#include "kernels/elementwise/alike.h"
#include "kernels/elementwise/layout.h"
#include "kernels/elementwise/powers.h"
#include "kernels/elementwise/run.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

using Kind = Operand::Kind;

[[noreturn]] void throw_value(const std::string& message) {
  throw Error(ErrorKind::kValue, message);
}

bool same_elements(const Array& out, const Array& input, const Dims& shape) {
  return out.data() == input.data() && out.dtype() == input.dtype() && input.shape() == shape &&
         out.strides() == input.strides();
}

// The general path of an operation with a known loop.
class Application {
 public:
  Application(Op op, std::span<const Operand> operands, const UfuncOptions& options)
      : op_(op), row_(facts(op)), operands_(operands), options_(options) {
    run_.loop = resolve_loop(op, operands, options);
    run_.inputs = row_.inputs;
    run_.outputs = row_.outputs;
    run_.grain = thread_grain(op);
  }
  Application(const Loop& loop, Op op, std::span<const Operand> operands, int inputs)
      : kind_(Expression::Kind::kSelect),
        op_(op),
        row_(facts(op)),
        operands_(operands),
        options_(kNoOptions) {
    run_.loop = loop;
    run_.inputs = inputs;
    run_.outputs = 1;
  }

  // False where the work was recorded or done by the graph, which tells the conditions itself.
  bool execute(Array (&results)[2]) {
    if (options_.where && options_.where->dtype() != DType::kBool) refuse_mask();
    shape_ = common_shape(operands_, options_, run_.outputs);
    if (op_ == Op::kPower && element_count(shape_) > 0)
      refuse_negative_powers(operands_, run_.loop.inputs[0], options_.where);
    if (worth_recording()) {
      if (!options_.out[0] && promise(results[0])) return false;
      if (fuses_into_output() && store_promise(results)) return false;
    }
    for (int i = 0; i < run_.outputs; ++i) prepare_output(i, results);
    for (int i = 0; i < run_.inputs; ++i) prepare_input(i, results);
    if (options_.where) prepare_mask(results);
    for (int i = 0; i < run_.outputs; ++i) point_output(i, results[i]);
    clear_floating_errors();
    run_elementwise(run_, shape_);
    return true;
  }

  const Dims& shape() const { return shape_; }

 private:
  static constexpr UfuncOptions kNoOptions{};
  static constexpr std::int64_t kRealign = 1 << 12;

  // Leaves the work for later, when it can be fused with what follows.
  bool promise(Array& result) const {
    bool whole = run_.outputs == 1 && !options_.where && run_.loop.kernel;
    if (!whole) return false;
    RecordedOperation operation{kind_, op_, run_.loop.inputs, run_.loop.outputs[0]};
    result = record(operation, operands_, shape_,
                    result_strides(operands_, shape_, operation.result, options_.order));
    return static_cast<bool>(result);
  }

  // Large results are recorded, and small ones of promises: they may still be fused.
  bool worth_recording() const {
    if (element_count(shape_) >= recording_limit(longest_type())) return true;
    return recording().on() && (any_away() || repeats_in_short_rows());
  }
  // Whether rows are so short that to walk over them takes longer than to record: an operand is
  // repeated, so that they are not one long row.
  bool repeats_in_short_rows() const {
    constexpr std::int64_t kShortRow = 8;
    if (shape_.size() < 2 || shape_.back() > kShortRow) return false;
    if (element_count(shape_) < short_rows_limit()) return false;
    return std::any_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
      return operand.kind() == Kind::kArray && operand.array().size() > 1 &&
             operand.array().shape() != shape_;
    });
  }
  DType longest_type() const {
    DType longest = run_.loop.outputs[0];
    for (int i = 0; i < run_.inputs; ++i) {
      if (item_size(run_.loop.inputs[i]) > item_size(longest)) longest = run_.loop.inputs[i];
    }
    return longest;
  }
  bool any_away() const {
    return std::any_of(operands_.begin(), operands_.end(), [](const Operand& operand) {
      return operand.kind() == Kind::kArray && is_away(operand.array());
    });
  }

  // Whether an output is given of the result's own type, and an input is still to be computed. An
  // error would come before the output is written, which NumPy does first.
  bool fuses_into_output() const {
    const Array* out = options_.out[0];
    if (recording().strict()) return false;
    if (!out || !out->writeable() || out->dtype() != run_.loop.outputs[0]) return false;
    return any_away() || is_away(*out) || recording().on_device;
  }
  bool store_promise(Array (&results)[2]) const {
    Array promised;
    if (out_shape() != shape_ || !promise(promised)) return false;
    options_.out[0]->assign(promised);
    results[0] = *options_.out[0];
    return true;
  }
  const Dims& out_shape() const { return options_.out[0]->shape(); }

  [[noreturn]] void refuse_mask() const {
    throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" +
                                      std::string(name(options_.where->dtype())) +
                                      "') to dtype('bool') according to the rule 'safe'");
  }

  void prepare_output(int i, Array (&results)[2]) {
    if (options_.out[i]) {
      if (!options_.out[i]->writeable()) throw_value("output array is read-only");
      results[i] = *options_.out[i];
    } else {
      results[i] = make_result(operands_, shape_, run_.loop.outputs[i], options_.order);
    }
  }
  // Last of all, because computing an input may read what an output holds.
  void point_output(int i, const Array& result) {
    run_.out[i] = {result.mutable_data(), result.dtype(), result.strides()};
  }

  // Inputs that overlap an output other than element by element are copied first.
  void prepare_input(int i, const Array (&results)[2]) {
    const Operand& operand = operands_[static_cast<std::size_t>(i)];
    if (operand.kind() != Kind::kArray) {
      DType dtype = run_.loop.inputs[i];
      scalars_[i] = convert_operand(operand, dtype);
      run_.in[i] = {const_cast<std::byte*>(static_cast<const std::byte*>(scalars_[i].data())),
                    dtype, Dims(shape_.size())};
      return;
    }
    copies_[i] = detach(operand.array(), results);
    if (repeats_along_rows(copies_[i], results)) copies_[i] = spread(copies_[i]);
    run_.in[i] = {const_cast<std::byte*>(copies_[i].data()), copies_[i].dtype(),
                  broadcast_strides(copies_[i], shape_)};
  }

  Array detach(const Array& input, const Array (&results)[2]) const {
    for (int i = 0; i < run_.outputs; ++i) {
      bool given = options_.out[i] != nullptr;
      if (given && results[i].may_share_elements(input) &&
          !same_elements(results[i], input, shape_)) {
        return input.copy();
      }
    }
    return lies_across(input, results[0]) ? realign(input, results[0]) : input;
  }

  // Whether each element of an input is repeated along a row of a few results. Once it is there as
  // often, all rows are one.
  bool repeats_along_rows(const Array& input, const Array (&results)[2]) const {
    constexpr std::int64_t kShortRow = 8, kFewest = 1 << 7, kMost = 1 << 14;
    if (shape_.size() < 2 || shape_.back() > kShortRow || input.rank() != shape_.size())
      return false;
    std::int64_t count = element_count(shape_);
    if (input.shape().back() == shape_.back() || count < kFewest || count > kMost) return false;
    return !options_.where && results[0].is_c_contiguous() && results[0].shape() == shape_ &&
           others_are_whole(input);
  }
  bool others_are_whole(const Array& input) const {
    return std::all_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
      if (operand.kind() != Kind::kArray) return true;
      const Array& other = operand.array();
      bool whole = other.shape() == shape_ && other.is_c_contiguous();
      return whole || other.size() == 1 || other.shape() == input.shape();
    });
  }
  Array spread(const Array& input) const {
    Array whole = Array::empty(shape_, input.dtype());
    whole.assign(input);
    return whole;
  }

  // Whether a large input's fast axis is not the result's, so that walking it would miss the
  // caches.
  bool lies_across(const Array& input, const Array& result) const {
    if (input.size() < kRealign || input.shape() != result.shape() || input.rank() < 2)
      return false;
    return fast_axis(input) != fast_axis(result);
  }

  static int fast_axis(const Array& array) {
    int best = array.rank() - 1;
    for (int axis = best; axis >= 0; --axis) {
      if (array.shape()[axis] > 1 &&
          std::abs(array.strides()[axis]) < std::abs(array.strides()[best])) {
        best = axis;
      }
    }
    return best;
  }

  static Array realign(const Array& input, const Array& result) {
    Dims strides = similar_strides(input.shape(), result.strides(), item_size(input.dtype()));
    Array copy = make_array(input.shape(), strides, input.dtype());
    copy.assign(input);
    return copy;
  }

  void prepare_mask(const Array (&results)[2]) {
    mask_ = detach(*options_.where, results);
    run_.masked = true;
    run_.mask = {const_cast<std::byte*>(mask_.data()), DType::kBool,
                 broadcast_strides(mask_, shape_)};
  }

  Expression::Kind kind_ = Expression::Kind::kOperation;
  Op op_;
  const OpFacts& row_;
  std::span<const Operand> operands_;
  const UfuncOptions& options_;
  ElementwiseRun run_;
  Dims shape_;
  Scalar scalars_[3];
  Array copies_[3];
  Array mask_;
};

// What a comparison with an integer outside an integer type says for every element.
std::optional<bool> constant_comparison(Op op, std::span<const Operand> operands) {
  if (!is_comparison(op) || operands[0].is_weak() == operands[1].is_weak()) return std::nullopt;
  const Operand& weak = operands[0].is_weak() ? operands[0] : operands[1];
  DType dtype = operands[0].is_weak() ? operands[1].dtype() : operands[0].dtype();
  if (weak.kind() > Kind::kTooBig) return std::nullopt;
  if (dtype == DType::kBool) dtype = DType::kInt64;
  if (!is_integer(dtype) || weak_integer_fits(weak, dtype)) return std::nullopt;
  bool negative = weak.kind() == Kind::kTooBig
                      ? weak.scalar().truth()
                      : weak.dtype() == DType::kInt64 && weak.scalar().get<std::int64_t>() < 0;
  bool first_is_less = negative == (&weak == &operands[0]);
  switch (op) {
    case Op::kEqual:
      return false;
    case Op::kNotEqual:
      return true;
    case Op::kLess:
    case Op::kLessEqual:
      return first_is_less;
    default:
      return !first_is_less;
  }
}

// Weak bounds of clip outside the type stand for its ends.
Scalar clamp_weak(const Operand& operand, DType dtype) {
  if (!operand.is_weak() || weak_integer_fits(operand, dtype))
    return convert_operand(operand, dtype);
  bool negative = operand.kind() == Kind::kTooBig ? operand.scalar().truth()
                                                  : operand.dtype() == DType::kInt64 &&
                                                        operand.scalar().get<std::int64_t>() < 0;
  return dispatch(dtype, [&](auto zero) -> Scalar {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      return negative ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    } else {
      return Scalar(zero);
    }
  });
}

bool is_logical(Op op) {
  return op == Op::kLogicalAnd || op == Op::kLogicalOr || op == Op::kLogicalXor;
}

Array apply_clip(std::span<const Operand> operands, const UfuncOptions& options) {
  DType dtype = result_type(operands);
  Operand bounded[3] = {operands[0], operands[1], operands[2]};
  for (Operand& operand : bounded) {
    if (operand.kind() == Kind::kWeakInteger || operand.kind() == Kind::kTooBig) {
      operand = Operand(clamp_weak(operand, dtype));
    }
  }
  Application application(Op::kClip, bounded, options);
  Array results[2];
  application.execute(results);
  return results[0];
}

void apply_general(Op op, std::span<const Operand> operands, const UfuncOptions& options,
                   Array (&results)[2]) {
  if (op == Op::kClip) {
    results[0] = apply_clip(operands, options);
    return;
  }
  if (std::optional<bool> answer = constant_comparison(op, operands)) {
    Operand zeros[2] = {operands[0].is_weak() ? Operand(Scalar(false)) : operands[0],
                        operands[1].is_weak() ? Operand(Scalar(false)) : operands[1]};
    apply_general(Op::kLogicalAnd, zeros, options, results);
    results[0].assign(Scalar(*answer));
    return;
  }
  Operand truths[2] = {Scalar(false), Scalar(false)};
  if (is_logical(op)) {  // only the truth of a Python integer matters
    for (std::size_t i = 0; i < 2; ++i) {
      bool integer =
          operands[i].kind() == Kind::kWeakInteger || operands[i].kind() == Kind::kTooBig;
      truths[i] =
          integer
              ? Operand(Scalar(operands[i].kind() == Kind::kTooBig || operands[i].scalar().truth()))
              : operands[i];
    }
    operands = truths;
  }
  Application application(op, operands, options);
  bool ran = application.execute(results);
  if (ran && facts(op).conditions != Conditions::kNone) {
    deliver_floating_errors(take_floating_errors(), facts(op).name);
  }
}

// Nothing but perhaps one output is asked for.
bool is_plain(const UfuncOptions& options) {
  return !options.where && !options.dtype && !options.out[1] &&
         options.casting == Casting::kSameKind && options.order == Order::kKeep &&
         options.signature.empty();
}

void check_inputs(Op op, std::size_t count) {
  const OpFacts& row = facts(op);
  if (static_cast<int>(count) == row.inputs) return;
  throw Error(ErrorKind::kType,
              std::string(row.name) + "() takes from " + std::to_string(row.inputs) + " to " +
                  std::to_string(row.inputs + row.outputs) + " positional arguments but " +
                  std::to_string(count) + " were given");
}

}  // namespace

Array apply(Op op, std::span<const Operand> operands, const UfuncOptions& options) {
  check_inputs(op, operands.size());
  if (is_plain(options)) {
    if (operands.size() == 1) return apply(op, operands[0], options);
    if (operands.size() == 2) return apply(op, operands[0], operands[1], options);
  }
  Array results[2];
  apply_general(op, operands, options, results);
  return results[0];
}

Array apply(Op op, const Operand& a, const UfuncOptions& options) {
  if (is_plain(options)) {
    Array result = apply_alike(op, a, options.out[0]);
    if (result) return result;
  }
  check_inputs(op, 1);
  Array results[2];
  apply_general(op, {&a, 1}, options, results);
  return results[0];
}

Array apply(Op op, const Operand& a, const Operand& b, const UfuncOptions& options) {
  if (is_plain(options)) {
    if (is_square(op, a, b)) return apply(Op::kSquare, a, options);
    Array result = apply_alike(op, a, b, options.out[0]);
    if (result) return result;
  }
  check_inputs(op, 2);
  Operand operands[2] = {a, b};
  Array results[2];
  apply_general(op, operands, options, results);
  return results[0];
}

ArrayPair apply2(Op op, std::span<const Operand> operands, const UfuncOptions& options) {
  check_inputs(op, operands.size());
  Array results[2];
  apply_general(op, operands, options, results);
  return {results[0], results[1]};
}

namespace {

// The type of a choice. Python's integers above int64 have no say in it: they wrap around.
DType choice_type(const Operand (&choices)[2]) {
  Operand kinds[2] = {choices[0], choices[1]};
  for (Operand& kind : kinds) {
    if (kind.kind() == Kind::kWeakInteger) kind = Operand::weak_int(0);
  }
  return result_type(kinds);
}

}  // namespace

Array select(const Array& condition, const Operand& x, const Operand& y) {
  Operand choices[2] = {x, y};
  DType dtype = choice_type(choices);
  for (Operand& choice : choices) {  // Python's integers wrap around here
    if (choice.kind() == Kind::kWeakInteger) choice = Operand(choice.scalar().as(dtype));
  }
  static constexpr int kSlots[17] = {0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4};
  Loop loop;
  loop.kernel = kernels().select[kSlots[item_size(dtype)]];
  loop.inputs[0] = DType::kBool;
  loop.inputs[1] = loop.inputs[2] = loop.outputs[0] = dtype;
  Operand operands[3] = {condition, choices[0], choices[1]};
  Application application(loop, Op::kClip, operands, 3);
  Array results[2];
  application.execute(results);
  return results[0];
}

Array outer(Op op, const Operand& a, const Operand& b, const UfuncOptions& options) {
  if (a.kind() != Kind::kArray || b.kind() != Kind::kArray) return apply(op, a, b, options);
  int rank = a.array().rank(), added = b.array().rank();
  int axes[kMaxRank];
  for (int i = 0; i < added; ++i) axes[i] = rank + i;
  Array spread = a.array().expand_dims({axes, static_cast<std::size_t>(added)});
  return apply(op, Operand(spread), b, options);
}

}  // namespace strider::nd
