// How matrices lie, as BLAS is told.
#include <doctest/doctest.h>

#include "kernels/backend/matrix_layout.h"

using namespace strider::nd;

namespace {

MatrixStack matrix(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                   std::int64_t column_stride) {
  MatrixStack stack;
  stack.rows = rows;
  stack.columns = columns;
  stack.row_stride = row_stride;
  stack.column_stride = column_stride;
  return stack;
}

}  // namespace

TEST_CASE("packed rows, cut rows and columns have a leading dimension") {
  CHECK(layout_of(matrix(3, 4, 4, 1))->by_rows);
  CHECK(layout_of(matrix(3, 4, 4, 1))->leading == 4);
  CHECK(layout_of(matrix(3, 4, 10, 1))->leading == 10);
  CHECK_FALSE(layout_of(matrix(3, 4, 1, 3))->by_rows);
  CHECK(layout_of(matrix(3, 4, 1, 7))->leading == 7);
}

TEST_CASE("strides along an axis of one element say nothing") {
  CHECK(layout_of(matrix(1, 4, 0, 1))->leading == 4);
  CHECK(layout_of(matrix(5, 1, 3, 99))->leading == 3);
  CHECK(layout_of(matrix(1, 4, 0, 6))->leading == 6);
  CHECK_FALSE(layout_of(matrix(1, 4, 0, 6))->by_rows);
  CHECK(layout_of(matrix(1, 1, -5, -7))->leading == 1);
}

TEST_CASE("other strides do not serve") {
  CHECK_FALSE(layout_of(matrix(3, 4, 8, 2)));
  CHECK_FALSE(layout_of(matrix(3, 4, 0, 1)));   // repeated rows
  CHECK_FALSE(layout_of(matrix(3, 4, 2, 1)));   // rows that overlap
  CHECK_FALSE(layout_of(matrix(3, 4, -4, 1)));  // backwards
  CHECK_FALSE(layout_of(matrix(3, 4, 4, -1)));
}

TEST_CASE("vectors have steps forward") {
  CHECK(*vector_step(matrix(5, 1, 3, 0)) == 3);
  CHECK(*vector_step(matrix(1, 5, 0, 2)) == 2);
  CHECK(*vector_step(matrix(1, 1, 0, 0)) == 1);
  CHECK_FALSE(vector_step(matrix(5, 1, 0, 1)));
  CHECK_FALSE(vector_step(matrix(5, 1, -1, 1)));
}
