// Objects that become arrays by themselves: by __array__, or by __array_interface__, which tells
// where their elements lie. Knows nothing of lists.
#pragma once

#include <strider/nd/array.h>

#include <optional>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// What copy= asks for.
enum class CopyWish { kIfNeeded, kAlways, kNever };

// ValueError: an array cannot be had without a copy.
[[noreturn]] void refuse_copy();

// What the __array__ of an object gives, told of dtype= and copy=; Empty for objects without one
// that is written in the language. `copied`: the method has seen to a copy that was wished for.
Value array_by_method(const Value& object, std::optional<nd::DType> dtype, CopyWish wish,
                      bool& copied);
// An array on the memory that __array_interface__ describes, which the object keeps alive; Empty
// for objects without one.
Value array_by_interface(const Value& object);
// The bytes at an address, which an object keeps alive: (object, address, count, writeable).
Value bytes_on_address(const Parameters& parameters);

}  // namespace strider::lang
