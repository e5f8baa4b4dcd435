// Products, decompositions and transforms in the mirror's memory.
#include "kernels/backend/mirror/library.h"

#include "kernels/backend/matrix_layout.h"
#include "kernels/fft/lines.h"
#include "kernels/linalg/lapack.h"
#include "kernels/random/engines.h"

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
    transform_lines(transform, points_given(transform), from, to, 1);
    return true;
  }

  bool draw_doubles(const RandomStream& stream, double* to, std::int64_t count) override {
    stream.dxsm ? draw<random::Pcg64Dxsm>(stream, to, count)
                : draw<random::Pcg64>(stream, to, count);
    return true;
  }

 private:
  template <class Engine>
  static void draw(const RandomStream& stream, double* to, std::int64_t count) {
    Engine engine;
    engine.state = random::make_uint128(stream.state[1], stream.state[0]);
    engine.increment = random::make_uint128(stream.increment[1], stream.increment[0]);
    for (std::int64_t i = 0; i < count; ++i) to[i] = engine.next_double();
  }
};

}  // namespace

Library& mirror_library() {
  static auto* library = new MirrorLibrary;
  return *library;
}

}  // namespace strider::nd
