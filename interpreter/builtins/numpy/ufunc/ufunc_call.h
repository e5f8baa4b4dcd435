// What calls and methods of ufuncs share: operands, keyword arguments, user classes' overrides.
#pragma once

#include <strider/nd/ufunc.h>

#include <span>
#include <vector>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// The keyword arguments every ufunc takes, opened and kept alive for one call.
class UfuncKeywords {
 public:
  // Reads outputs among the positional arguments too. TypeError for unknown keywords.
  UfuncKeywords(nd::Op op, const Arguments& arguments);
  UfuncKeywords(const UfuncKeywords&) = delete;
  const nd::UfuncOptions& options() const { return options_; }
  // The object given as an output; Empty if none.
  const Value& out_value(int index) const { return out_[index]; }
  // subok=: whether results are of the class of an input.
  bool keeps_class() const { return keeps_class_; }

 private:
  void set_out(nd::Op op, const Value& value);
  void set_keyword(nd::Op op, std::string_view name, const Value& value);
  void set_signature(nd::Op op, const Value& value);
  void read_type_codes(nd::Op op, std::string_view text);
  static void check_types_given(const Arguments& arguments);

  nd::UfuncOptions options_;
  Value out_[2];
  bool keeps_class_ = true;
  nd::Array where_;
  std::vector<std::optional<nd::DType>> signature_;
};

// What the first argument with an __array_ufunc__ of its own answers; Empty when there is none.
Value call_override(const Value& ufunc, const char* method, const Arguments& arguments);
// TypeError for what says by __array_ufunc__ = None that it is no operand.
void refuse_opted_out(const Value& value);

std::span<const NativeRow> ufunc_methods();
std::span<const PropertyRow> ufunc_properties();

}  // namespace strider::lang
