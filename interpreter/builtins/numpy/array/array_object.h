// The objects of numpy that carry data: arrays, scalars and dtypes. Knows nothing of what they do;
// array_type.cpp, scalar_type.cpp and dtype_type.cpp say that.
#pragma once

#include <strider/nd/array.h>

#include <utility>

#include "interpreter/runtime/type/type.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// numpy.ndarray and its subclasses.
class ArrayObject : public Object {
 public:
  explicit ArrayObject(nd::Array array, Type* type = nullptr)
      : Object(Layout::kArray, type ? type : &type_object()), array(std::move(array)) {}
  static Type& type_object();
  nd::Array array;
  Value owner;  // the array this one is a view of; None: it is none; Empty: ask the array
  bool called_unaligned = false;  // by setflags(align=False); it changes nothing else
};

inline bool is_array(const Value& value) { return value.has_layout(Layout::kArray); }
inline const nd::Array& array_of(const Value& value) { return value.as<ArrayObject>()->array; }

// An array object, 0-d arrays included.
Value wrap(nd::Array array);
// What NumPy's functions return: a 0-d array becomes a NumPy scalar, pending where a device has the
// element or will have it.
Value wrap_result(nd::Array array);
// As wrap(); an array that owns its memory although it is a view of a block nobody else sees.
Value wrap_owner(nd::Array array);
// A view of `parent` (an array object): remembers it as `base`.
Value wrap_view(nd::Array array, const Value& parent);
// The same as a plain array, whatever the parent's class.
Value plain_view(nd::Array array, const Value& parent);

// True for instances of classes that extend ndarray.
inline bool is_subclass_array(const Value& value) {
  return is_array(value) && value.object()->type() != &ArrayObject::type_object();
}
// As wrap_result, in the class of `model` when that is an array of a class that extends ndarray.
Value wrap_like(nd::Array array, const Value& model);
// A new array object of a class that extends ndarray; tells its __array_finalize__ about `model`.
Value wrap_as(Type* cls, nd::Array array, const Value& model);

// What a pending scalar waits for (scalar/pending_scalar.h).
struct PendingElement;

// A NumPy scalar such as numpy.float64(1.5). One that a device computes is pending until somebody
// asks for its value.
class NumpyScalar : public Object {
 public:
  explicit NumpyScalar(const nd::Scalar& value, Type* type = nullptr)
      : Object(Layout::kNumpyScalar, type ? type : &type_object(value.dtype())), value_(value) {}
  explicit NumpyScalar(PendingElement& element);
  ~NumpyScalar() override {
    if (flags_) [[unlikely]]
      forget_element();
  }
  static Type& type_object(nd::DType dtype);

  bool pending() const { return flags_; }
  // While it is pending.
  PendingElement& element() const { return *element_; }
  // While it is not.
  const nd::Scalar& settled_value() const { return value_; }
  // Takes the value that was read elsewhere, if it is pending.
  void settle(const nd::Scalar& value);
  // Waits for the device where it is pending.
  const nd::Scalar& value() {
    if (flags_) [[unlikely]]
      settle();
    return value_;
  }

 private:
  void settle();
  void forget_element();

  union {
    nd::Scalar value_;
    PendingElement* element_;  // owned; where flags_ is set
  };
};

inline bool is_numpy_scalar(const Value& value) { return value.has_layout(Layout::kNumpyScalar); }
inline bool is_pending_scalar(const Value& value) {
  return is_numpy_scalar(value) && value.as<NumpyScalar>()->pending();
}
inline const nd::Scalar& scalar_of(const Value& value) { return value.as<NumpyScalar>()->value(); }
// That of a scalar that is not pending.
inline const nd::Scalar& settled_scalar(const Value& value) {
  return value.as<NumpyScalar>()->settled_value();
}
// The element type of a NumPy scalar, whether it is pending or not.
nd::DType scalar_dtype(const Value& value);
Value make_scalar(const nd::Scalar& value);
// The classes over the scalar types ("generic", "number", "floating", …) and those of elements that
// no array here has ("str_", "object_", "datetime64", …), by name; null for other names.
Type* find_abstract_scalar_type(std::string_view name);
void list_abstract_scalar_types(std::vector<std::string_view>& names);
// The Python value of an element: bool, int, float or complex (ndarray.item).
Value to_python(const nd::Scalar& value);

// numpy.dtype('float64'); one object per element type.
class DTypeObject : public Object {
 public:
  explicit DTypeObject(nd::DType dtype)
      : Object(Layout::kDType, &type_object(dtype)), dtype(dtype) {}
  static Type& type_object();
  // The class of one dtype, numpy.dtypes.Float64DType.
  static Type& type_object(nd::DType dtype);
  const nd::DType dtype;
};

Value make_dtype(nd::DType dtype);

// Makes arrays show their memory as a buffer.
void offer_array_buffer(const Type& type);

}  // namespace strider::lang
