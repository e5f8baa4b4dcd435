// Declares the routines without their vector types: only their addresses are of interest here.
#define STRIDER_TARGET assembled
#include "kernels/backend/cpu/assembler/routines.h"

#include "kernels/instructions/elementary.h"

// Our own are missing (null) where the kernels for vectors are not built.
#define DECLARE(routine) [[gnu::weak]] void routine();
extern "C" {
#define WIDE64(id, routine, ulp) DECLARE(routine)
#define NARROW64(id, routine, ulp) DECLARE(routine)
#define WIDE32(id, routine, ulp) DECLARE(routine)
#define NARROW32(id, routine, ulp) DECLARE(routine)
#include "kernels/table/elementary.def"
}
#undef DECLARE

namespace strider::nd {
namespace {

struct RoutineTable {
  const void* routines[2][2][kOpCount] = {};  // narrow or wide; float or double

  RoutineTable() {
    auto add = [this](bool wide, bool is_double, Op op, void (*routine)()) {
      routines[wide][is_double][static_cast<int>(op)] = reinterpret_cast<const void*>(routine);
    };
#define WIDE64(id, routine, ulp) add(true, true, Op::id, routine);
#define NARROW64(id, routine, ulp) add(false, true, Op::id, routine);
#define WIDE32(id, routine, ulp) add(true, false, Op::id, routine);
#define NARROW32(id, routine, ulp) add(false, false, Op::id, routine);
#include "kernels/table/elementary.def"
  }
};

template <class T, T (*kFunction)(T)>
void each(const void* x, const void*, void* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    static_cast<T*>(out)[i] = kFunction(static_cast<const T*>(x)[i]);
  }
}
template <class T, T (*kFunction)(T, T)>
void each_pair(const void* x, const void* y, void* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    static_cast<T*>(out)[i] = kFunction(static_cast<const T*>(x)[i], static_cast<const T*>(y)[i]);
  }
}

template <class T>
ScalarRoutine scalar_routine(Op op) {
  using namespace assembled;
  switch (op) {
    case Op::kSin:
      return each<T, sine<T>>;
    case Op::kCos:
      return each<T, cosine<T>>;
    case Op::kHypot:
      return each_pair<T, hypotenuse<T>>;
    case Op::kLogaddexp:
      return each_pair<T, log_add_exp<T>>;
    case Op::kLogaddexp2:
      return each_pair<T, log_add_exp2<T>>;
    case Op::kFloatPower:
      return each_pair<T, power<T>>;
    default:
      return nullptr;
  }
}

}  // namespace

ScalarRoutine find_scalar_routine(Op op, DType dtype) {
  if (dtype == DType::kFloat64) return scalar_routine<double>(op);
  return dtype == DType::kFloat32 ? scalar_routine<float>(op) : nullptr;
}

const void* find_routine(Op op, DType dtype, Target target) {
  static const RoutineTable table;
  bool single = dtype == DType::kFloat32 || dtype == DType::kFloat16;
  if (target == Target::kPlain || (!single && dtype != DType::kFloat64)) return nullptr;
  return table.routines[target == Target::kAvx512][!single][static_cast<int>(op)];
}

}  // namespace strider::nd
