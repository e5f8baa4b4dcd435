// Making arrays, scalars and dtypes into objects of the language.
#include "interpreter/builtins/numpy/array/array_object.h"

#include <strider/nd/eval.h>

#include "interpreter/builtins/numpy/scalar/element_scalars.h"
#include "interpreter/builtins/numpy/scalar/pending_scalar.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/support.h"

namespace strider::lang {

Value wrap(nd::Array array) { return make<ArrayObject>(std::move(array)); }

Value wrap_result(nd::Array array) {
  if (array.rank() == 0) {
    if (nd::is_away(array)) [[unlikely]] {
      double most = nd::largest_magnitude(array);
      return make_pending(std::move(array), most);
    }
    return make_scalar(array.item());
  }
  return make<ArrayObject>(std::move(array));
}

Value wrap_owner(nd::Array array) {
  auto result = make<ArrayObject>(std::move(array));
  result->owner = Value::none();
  return result;
}

// What a view of `parent` has as its base: what that one is a view of, where it is of the class of
// the view, else `parent`.
static void remember_base(ArrayObject& view, const Value& parent) {
  if (!is_array(parent) || !view.array.same_storage(array_of(parent))) return;
  const Value& owner = parent.as<ArrayObject>()->owner;
  bool alike = is_array(owner) && type_of(owner) == view.type();
  view.owner = alike ? owner : parent;
}

Value wrap_as(Type* cls, nd::Array array, const Value& model) {
  Value made = make_instance<ArrayObject>(cls, std::move(array));
  remember_base(*made.as<ArrayObject>(), model);
  Value hook = find_special(made, intern("__array_finalize__"));
  if (!hook.is_empty() && !hook.is_none()) call(hook, model);
  return made;
}

Value wrap_like(nd::Array array, const Value& model) {
  if (!is_subclass_array(model) || array.rank() == 0) return wrap_result(std::move(array));
  return wrap_as(type_of(model), std::move(array), model);
}

Value wrap_view(nd::Array array, const Value& parent) {
  if (is_subclass_array(parent)) return wrap_as(type_of(parent), std::move(array), parent);
  return plain_view(std::move(array), parent);
}

Value plain_view(nd::Array array, const Value& parent) {
  Value made = wrap(std::move(array));
  remember_base(*made.as<ArrayObject>(), parent);
  return made;
}

Value truth_scalar(bool value) {
  static const Value& yes = *new Value(make<NumpyScalar>(nd::Scalar(true)));
  static const Value& no = *new Value(make<NumpyScalar>(nd::Scalar(false)));
  return value ? yes : no;
}

Value make_scalar(const nd::Scalar& value) {
  if (value.dtype() != nd::DType::kBool) return make<NumpyScalar>(value);
  return truth_scalar(value.get<bool>());
}

Value make_dtype(nd::DType dtype) {
  static const auto& objects = *[] {
    auto* made = new Values;
    for (int i = 0; i < nd::kDTypeCount; ++i)
      made->emplace_back(make<DTypeObject>(static_cast<nd::DType>(i)));
    return made;
  }();
  return objects[static_cast<std::size_t>(dtype)];
}

Value to_python(const nd::Scalar& value) {
  switch (nd::category(value.dtype())) {
    case nd::Category::kBoolean:
      return Value::boolean(value.truth());
    case nd::Category::kSigned:
      return Value::integer(value.as(nd::DType::kInt64).get<std::int64_t>());
    case nd::Category::kUnsigned:
      return from_uint64(value.as(nd::DType::kUInt64).get<std::uint64_t>());
    case nd::Category::kFloating:
      return Value::real(value.to_double());
    default:
      return make_complex(value.to_complex());
  }
}

}  // namespace strider::lang
