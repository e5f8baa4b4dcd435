// Steps that take forms without branches (text/float32.h, text/float64.h), so that what is computed
// of several points can be interleaved. Points that one of them is not made for are odd, and
// computed again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backend/cuda/jit/layout.h"
#include "kernels/backend/cuda/jit/watching.h"

namespace strider::nd::cuda {

// Whether there is such a form.
bool is_quick(const Step& step);

// Those of a loop.
class QuickSteps {
 public:
  QuickSteps(const FusedLoop& loop, const LoopLayout& layout);

  bool any() const { return any_; }
  bool operator[](std::size_t step) const { return quick_[step]; }
  // The call of a step's form with these operands.
  std::string text(const Step& step, const std::string& x, const std::string& y) const;
  // Scalars that are divided, of which is_numerator() must hold.
  std::vector<std::uint16_t> numerators() const;
  // What tests need not ask, or must.
  Known known() const;

 private:
  bool is_scalar(std::size_t value) const;
  bool is_still(std::size_t value) const;
  bool divides_by_still(const Step& step) const;
  bool feeds_logarithm(const Step& step) const;
  bool is_seldom_nothing(std::size_t value) const;
  std::string_view form_of_quotient(const Step& step) const;

  const FusedLoop& loop_;
  const LoopLayout& layout_;
  std::vector<bool> quick_;
  bool any_ = false;
};

}  // namespace strider::nd::cuda
