// Products, decompositions, transforms and random numbers in the mirror's memory.
#include "kernels/backend/mirror/library.h"

#include "kernels/backend/matrix_layout.h"
#include "kernels/backend/mirror/drawing.h"
#include "kernels/fft/lines.h"
#include "kernels/linalg/lapack.h"

namespace strider::nd {
namespace {

class MirrorLibrary : public Lapack {
 public:
  bool multiply(DType dtype, const MatrixStack& a, const MatrixStack& b, std::byte* out) override {
    if (!is_inexact(dtype) || !layout_of(a) || !layout_of(b)) return false;
    return Lapack::multiply(dtype, a, b, out);
  }

  // Devices know tall matrices only.
  Outcome decompose_singular(DType dtype, SingularVectors vectors, const ColumnStack& a,
                             std::byte* s, std::byte* u, std::byte* vh) override {
    if (a.rows < a.columns) return Outcome::kRefused;
    return Lapack::decompose_singular(dtype, vectors, a, s, u, vh);
  }

  // Nor many small matrices at once.
  Outcome decompose_general(DType dtype, const ColumnStack& a, std::byte* values,
                            std::byte* vectors) override {
    if (a.count > 8) return Outcome::kRefused;
    return Lapack::decompose_general(dtype, a, values, vectors);
  }

  bool transform(const Transform& transform, std::byte* from, std::byte* to) override {
    transform_lines(transform, {from, to, points_given(transform)}, 1);
    return true;
  }

  bool draw(const RandomStream& stream, const RandomDraw& draw, std::byte* to, std::int64_t count,
            std::int64_t* used) override {
    *used = draw_in_order(stream, draw, to, count);
    return true;
  }
};

}  // namespace

Library& mirror_library() {
  static auto* library = new MirrorLibrary;
  return *library;
}

}  // namespace strider::nd
