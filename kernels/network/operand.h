// What the functions of networks check of their operands, and how their errors name shapes.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/error.h>

#include <initializer_list>
#include <string>

namespace strider::nd {

struct NamedArray {
  const char* name;
  const Array* array;
};

// "(8, 3, 32, 32)".
std::string tuple_text(const Dims& shape);
// "function: " and the rest, as a kValue error.
[[noreturn]] void fail_network(const char* function, const std::string& message);

// The element type that a function computes in: float32, or float64 if one operand is. kType for
// others.
DType network_type(const char* function, std::initializer_list<NamedArray> operands);
// kValue unless the operand has these axes ("batch, channels, height, width").
void require_axes(const char* function, const NamedArray& operand, int rank, const char* axes);
// kValue unless it has this shape, which is that of `meaning`.
void require_shape(const char* function, const NamedArray& operand, const Dims& shape,
                   const std::string& meaning);
// kValue unless lowest <= value <= 2^31 - 1.
void require_number(const char* function, const char* name, std::int64_t value,
                    std::int64_t lowest);

}  // namespace strider::nd
