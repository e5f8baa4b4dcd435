// The innermost axis of the stacks goes to the library as a whole, after axes that both operands
// step through alike have been merged.
#include "kernels/graph/plan/product.h"

#include "kernels/backend/matrix_layout.h"
#include "kernels/core/loop_nest.h"

namespace strider::nd {
namespace {

// The first matrix of an operand (0 or 1).
MatrixStack matrix_of(const PlannedLoop& step, int operand) {
  const LoopInput& input = step.loop.inputs[static_cast<std::size_t>(operand)];
  std::int64_t item = item_size(input.dtype);
  int rows = step.loop.extents.size() - 3 + operand;
  MatrixStack matrix;
  matrix.rows = step.loop.extents[rows];
  matrix.columns = step.loop.extents[rows + 1];
  matrix.row_stride = input.strides[rows] / item;
  matrix.column_stride = input.strides[rows + 1] / item;
  return matrix;
}

// Multiplies stacks axis by axis, outermost first; their results lie one behind another.
class Multiplication {
 public:
  Multiplication(const PlannedLoop& step, const LoopMemory& memory, Library& library)
      : library_(library),
        dtype_(step.loop.inputs[0].dtype),
        a_(matrix_of(step, 0)),
        b_(matrix_of(step, 1)),
        out_(memory.outputs[0]) {
    Dims stack = step.loop.extents;
    stack.resize(stack.size() - 3);
    nest_.plan(stack, {step.loop.inputs[0].strides.data(), step.loop.inputs[1].strides.data()},
               true);
    std::int64_t item = item_size(dtype_);
    a_.count = b_.count = nest_.extents[0];
    a_.step = nest_.strides[0][0] / item;
    b_.step = nest_.strides[1][0] / item;
    pitch_ = a_.count * a_.rows * b_.columns * item;
  }

  // Along this axis of the nest and those within it, from these elements on.
  bool run(int axis, const std::byte* a, const std::byte* b) {
    if (axis == 0) return run_innermost(a, b);
    for (std::int64_t i = 0; i < nest_.extents[axis]; ++i) {
      if (!run(axis - 1, a + i * nest_.strides[0][axis], b + i * nest_.strides[1][axis]))
        return false;
    }
    return true;
  }
  int outermost() const { return nest_.rank - 1; }

 private:
  bool run_innermost(const std::byte* a, const std::byte* b) {
    a_.at = a;
    b_.at = b;
    bool done = library_.multiply(dtype_, a_, b_, out_);
    out_ += pitch_;
    return done;
  }

  Library& library_;
  DType dtype_;
  MatrixStack a_, b_;
  LoopNest<2> nest_;  // over the stacks
  std::byte* out_;
  std::int64_t pitch_;  // bytes of the products along the innermost axis
};

}  // namespace

PlannedLoop plan_product(Expression& product) {
  PlannedLoop step;
  step.is_product = true;
  step.loop.extents = product.extents;
  for (int i = 0; i < 2; ++i) {
    const Reading& reading = product.arguments[i];
    LoopInput input;
    input.dtype = reading.dtype;
    input.strides = reading.strides;
    step.loop.inputs.push_back(std::move(input));
    step.inputs.push_back({reading.storage, reading.offset, nullptr});
  }
  Dims strides = product.strides;
  strides.insert(strides.size() - 1, 0);
  step.loop.outputs.push_back({2, product.dtype, strides});
  step.outputs.push_back({&product});
  return step;
}

bool multiply(const PlannedLoop& step, const LoopMemory& memory, Library& library) {
  Multiplication multiplication(step, memory, library);
  return multiplication.run(multiplication.outermost(), memory.inputs[0], memory.inputs[1]);
}

bool is_transposed(const PlannedLoop& step, int operand) {
  std::optional<MatrixLayout> layout = layout_of(matrix_of(step, operand));
  return layout && !layout->by_rows;
}

}  // namespace strider::nd
