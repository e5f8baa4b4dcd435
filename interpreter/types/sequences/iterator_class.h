// Iterators that programs make by calling their class, or a subclass of it.
#pragma once

#include <utility>

#include "interpreter/runtime/type/type.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/sequences/iterator.h"

namespace strider::lang {

// An iterator of class `cls`, which is T's own type or a subclass of it.
template <class T, class... Args>
Value make_iterator(Type* cls, Args&&... args) {
  if (!cls->has(Type::kUserDefined)) return make<T>(cls, std::forward<Args>(args)...);
  Ref<T> made = make<Attributed<T>>(cls, std::forward<Args>(args)...);
  made->obey_class();
  return made;
}

// The construct slot of an iterator type: keywords that a subclass takes for itself are not passed.
template <Value (*construct)(Type*, const Arguments&)>
Value construct_iterator(Type* cls, const Arguments& arguments) {
  if (!cls->has(Type::kUserDefined)) return construct(cls, arguments);
  return construct(cls, arguments_for_builtin(arguments, *cls, names().init));
}

// A type of iterators that is called to make them.
template <Value (*construct)(Type*, const Arguments&)>
Type& make_iterator_class(const char* name) {
  Type* type = make_iterator_type(name);
  type->set(Type::kSubclassable);
  type->slots.construct = construct_iterator<construct>;
  type->slots.initialize = [](const Value&, const Arguments&) {};
  return *type;
}

}  // namespace strider::lang
