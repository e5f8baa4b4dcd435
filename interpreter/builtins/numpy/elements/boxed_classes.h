// The classes and names by which native code knows arrays of boxed elements and of times, once
// quicken(), quicken_times() and quicken_time_arrays() have told them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/dates/calendar.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/runtime/value/name.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

struct BoxedClasses {
  Ref<Dict> modules;  // those of the program that told of arrays; empty once it has ended
  Type* array = nullptr;
  Type* text_dtype = nullptr;
  Type* bytes_dtype = nullptr;
  Type* object_dtype = nullptr;
  Type* text = nullptr;
  Type* bytes = nullptr;
  Dict* known_dtypes = nullptr;  // by the texts that named them so far
  Type* time_array = nullptr;
  Type* moment_dtype = nullptr;
  Type* span_dtype = nullptr;
  Type* moment = nullptr;
  Type* span = nullptr;
  Dict* time_dtypes = nullptr;      // those made so far, by kind and unit
  Object* time_dtype = nullptr;     // makes others
  Object* objects = nullptr;        // the dtype of objects
  Object* text_dtype_of = nullptr;  // of a class, for texts of a length, which keeps what it made
  std::array<std::array<Object*, 64>, 2> short_dtypes{};  // some of those, of texts and of bytes
  Name places = intern("_places");
  Name pool = intern("_pool");
  Name whole = intern("_whole");
  Name dtype = intern("dtype");
  Name base = intern("base");
  Name itemsize = intern("itemsize");
  Name unit = intern("unit");
  Name scalar_count = intern("_count");
  Name scalar_unit = intern("_unit");
  Name out = intern("out");
  Name axis = intern("axis");
  // Of arrays of boxed elements: their attributes in this order.
  Shape* array_shape =
      Shape::empty()->with(places)->with(pool)->with(whole)->with(dtype)->with(base);
};

inline BoxedClasses& boxed() {
  static BoxedClasses& classes = *new BoxedClasses;
  return classes;
}
// Whether it is the running program that has told them: those of one that has ended are gone.
bool knows_boxed_classes();

// The attribute of an object of such a class; null where there is none.
const Value* boxed_attribute(const Value& self, Name name);

// A part of an array of boxed elements; null where it is missing.
enum class BoxedPart : int { kPlaces, kPool, kWhole, kDType, kBase };
inline const Value* boxed_part(const Value& self, BoxedPart part) {
  const BoxedClasses& classes = boxed();
  Attributes* attributes = self.object()->attributes();
  if (!attributes) return nullptr;
  if (attributes->shape() == classes.array_shape) return &attributes->at(static_cast<int>(part));
  switch (part) {
    case BoxedPart::kPlaces:
      return attributes->find(classes.places);
    case BoxedPart::kPool:
      return attributes->find(classes.pool);
    case BoxedPart::kWhole:
      return attributes->find(classes.whole);
    case BoxedPart::kDType:
      return attributes->find(classes.dtype);
    default:
      return attributes->find(classes.base);
  }
}

// Of a class that counts units of time.
inline bool is_time_scalar(const Value& value) {
  return value.is_object() && (type_of(value) == boxed().moment || type_of(value) == boxed().span);
}
// An array of times of numpy's own class.
inline bool is_time_array(const Value& value) {
  return value.is_object() && type_of(value) == boxed().time_array;
}

// An array of boxed elements of numpy's own class.
inline bool is_boxed(const Value& value) {
  return value.is_object() && type_of(value) == boxed().array;
}
// The dtype that a value is, or that a text names that named it before; Empty for others.
Value read_boxed_dtype(const Value& value);

// The array of boxed elements whose elements are these, in C order.
Value make_boxed(Values&& items, const nd::Dims& shape, const Value& dtype);
// The same whose elements are those of a pool, all of them.
Value make_boxed_over(const Value& pool, const nd::Dims& shape, const Value& dtype);
// An array of one element that repeats.
Value make_repeated(const Value& item, const nd::Dims& shape, const Value& dtype);
// A view of an array of boxed elements, or of times, that has these places or counts.
Value view_boxed(const Value& self, const Value& places);
// The elements of an array of boxed elements in C order, those of a view in `kept`; a null span's
// data where they are not as numpy keeps them.
std::span<const Value> boxed_items(const Value& self, Values& kept);
// The dtype of texts, or bytes, of a length.
Value text_dtype(const Type& cls, std::int64_t length);

// Puts a native method into a class, of which the one that it had is found by call_general().
void add_native_method(Type& cls, const NativeRow& row);
// Calls the method that the class had.
Value call_general_with(const Type& cls, std::string_view name, const Arguments& arguments);
Value call_general(const Type& cls, std::string_view name, const Parameters& p);

// A scalar that counts units of time.
Value make_time(Type* cls, Count count, const Value& unit);
// The dtype of moments, or of lengths of time, in a unit.
Value time_dtype(bool moments, const Value& unit);
// The array of times that has these counts, which it keeps.
Value make_time_array(nd::Array counts, const Value& dtype);

// Whether an argument is this text: an order, a way to cast, a unit.
inline bool is_text(const Value& value, std::string_view text) {
  return is_str(value) && text_of(value) == text;
}

}  // namespace strider::lang
