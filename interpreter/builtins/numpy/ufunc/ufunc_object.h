// Ufuncs as objects: np.add with its methods and attributes; and user classes' __array_ufunc__.
#pragma once

#include <strider/nd/ops.h>

#include "interpreter/runtime/type/type.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class UfuncObject : public Object {
 public:
  explicit UfuncObject(nd::Op op) : Object(Layout::kUfunc, &type_object()), op(op) {}
  static Type& type_object();
  const nd::Op op;
};

// The one object of an operation.
Value make_ufunc(nd::Op op);
// True when the value's class overrides ufuncs by __array_ufunc__.
bool has_override(const Value& value);

}  // namespace strider::lang
