// Dunder methods and slots: how `__add__` and its kin on classes become slots, and slots of
// built-in types become methods.
#pragma once

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// Sets the slots of a class written in the language from the dunder methods found in its MRO.
void apply_dunder_methods(Type& type);
// Gives a built-in type the methods that stand for its own slots (`int.__add__`, `list.__len__`).
void add_slot_wrappers(Type& type, Dict& class_namespace);

// How such a method is called, as help shows it: "__add__(self, value, /)"; empty for other values.
std::string slot_wrapper_signature(const Value& value);

// The dunder name of an operator: "__add__", "__radd__", "__iadd__", "__neg__", "__lt__".
Name dunder_name(BinaryOperator op);
Name reflected_name(BinaryOperator op);
Name inplace_name(BinaryOperator op);
Name dunder_name(UnaryOperator op);
Name dunder_name(CompareOperator op);

// The slots of classes written in the language; each looks its method up and calls it (dunder.cpp).
extern const Slots kUserSlots;

}  // namespace strider::lang
