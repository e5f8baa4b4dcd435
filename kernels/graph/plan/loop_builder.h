// LoopBuilder: writes the linear program of one loop by following expressions down to elements in
// memory.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/graph/expression/space.h"
#include "kernels/graph/plan/left_out_axis.h"
#include "kernels/graph/plan/plan.h"

namespace strider::nd {

class LoopBuilder {
 public:
  // Says which promises must be in memory before the loop runs; the builder adds to it.
  using Required = std::vector<Storage*>;
  struct Missing {
    Storage* storage;
    const char* reason;
  };

  // A loop over these axes, outermost first.
  LoopBuilder(const Dims& extents, const Required& required);

  // The value of a promise at every point of the loop, whose axes are those of the promise's
  // storage in the order of their strides.
  std::uint16_t compute(Expression& expression);
  // The value read from a storage. `apart`: others are read beside it, but no element twice.
  std::uint16_t read(Storage& storage, const Access& access, DType dtype, bool apart = false);
  // Writes the value of a promise.
  void write(Expression& expression, std::uint16_t value);
  // Computes and writes the promise at each place along the axis that the loop leaves out; false if
  // that cannot be done point by point.
  bool write_places(Expression& expression, const LeftOutAxis& axis);
  // Combines the argument of a fold, whose extents are the loop's.
  void fold(Expression& expression);
  // The value if it is computed here for the very points of the loop.
  const std::uint16_t* find(const Expression& expression) const;

  // Promises that turned out not to be computable within the loop.
  const std::vector<Missing>& missing() const { return missing_; }
  PlannedLoop take();
  const PlannedLoop& planned() const { return planned_; }
  // The access of a dense array that lies in the order of the loop's axes.
  Access dense_access(DType dtype) const;
  bool is_dense_access(const Access& access, DType dtype) const;

 private:
  struct Known {
    Access access;
    DType dtype;
    std::uint16_t value;
  };

  // Values computed within the loop; none, and why, when that is impossible or unwise.
  std::optional<std::uint16_t> inline_promise(Expression& expression, const Access& access);
  std::optional<std::uint16_t> compute_at(Expression& expression, const Access& access);
  const char* refusal(const Expression& expression, const Access& access, bool apart) const;
  // What a short fold makes of the elements that it takes, from the first one's access on.
  std::uint16_t combine(Expression& expression, const Access& first);
  std::uint16_t find_extreme(Expression& expression, const std::vector<std::uint16_t>& elements);
  std::optional<std::uint16_t> generate(Expression& expression, const Access& access);
  std::optional<std::uint16_t> band(Expression& expression, const Access& access);
  // What a band's sums are, as an access whose steps are not bytes.
  std::optional<Access> sums(const Expression& band, const Access& access) const;
  // Whether a choice by such an argument is known while the loop is planned, and which.
  std::optional<bool> known_condition(const Reading& reading, const Access& access) const;
  std::uint16_t count(const Expression& range, const Access& access);
  std::uint16_t add_range(LoopInput input);
  std::uint16_t argument(const Reading& reading, const Access& access, bool apart = false);
  std::uint16_t convert(std::uint16_t value, DType wanted, std::uint8_t watched,
                        Expression& origin);
  std::uint16_t add_input(LoopInput input, PlannedInput planned);
  std::uint16_t add_scalar(const Scalar& scalar);
  std::uint16_t add_step(const Step& step, Expression& origin);
  std::uint16_t add_arithmetic(Op op, std::uint16_t a, std::uint16_t b, DType type,
                               Expression& origin, std::uint8_t watched = 0);
  std::uint16_t add_comparison(Op op, std::uint16_t a, std::uint16_t b, DType type,
                               Expression& origin);
  std::uint16_t add_select(std::uint16_t condition, std::uint16_t a, std::uint16_t b, DType type,
                           Expression& origin);
  bool is_required(const Storage& storage) const;

  PlannedLoop planned_;
  Required required_;
  std::vector<Missing> missing_;
  std::int64_t points_;
  std::unordered_map<const Storage*, std::vector<Known>> known_;
};

}  // namespace strider::nd
