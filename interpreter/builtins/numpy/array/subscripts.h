// The arguments of einsum in both of their forms, as subscripts and arrays.
#pragma once

#include <strider/nd/array.h>

#include <string>
#include <vector>

namespace strider::lang {

class Tuple;

struct EinsumInput {
  std::string subscripts;
  std::vector<nd::Array> operands;
};

// Reads (subscripts, array, …) or (array, axes, array, axes, …, axes of the result). ValueError and
// TypeError in NumPy's words.
EinsumInput to_einsum_input(const Tuple& arguments);

}  // namespace strider::lang
