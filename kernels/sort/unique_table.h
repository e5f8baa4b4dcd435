// Distinct values by a hash table, in the order that it keeps them.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

// Whether NumPy finds values of a type by a table: of equal ones, the first is kept.
bool is_kept_in_table(DType dtype);
// The distinct values of a line.
Array unique_by_table(const Array& line, bool equal_nan);

}  // namespace strider::nd
