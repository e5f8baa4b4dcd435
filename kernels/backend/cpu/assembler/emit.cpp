// Steps by kind and type; selects; halves by way of floats.
#include "kernels/backend/cpu/assembler/emitter.h"

namespace strider::nd {

namespace {

bool is_truth(DType dtype) { return dtype == DType::kBool; }

}  // namespace

bool Emitter::emit(const Step& step, int result, const int* arguments) {
  VectorCode::Scope scope(code_);
  if (step.kind == Step::Kind::kSelect) return emit_select(step, result, arguments);
  if (step.kind == Step::Kind::kConvert) {
    return convert(step.types[0], step.result, result, arguments[0]);
  }
  DType type = step.types[0];
  if (step.count > 1 && step.types[1] != type) return false;
  if (type == DType::kFloat16) return emit_halves(step, result, arguments);
  int size = item_size(type);
  Operands at;
  at.to = code_.vec(result, item_size(step.result));
  at.a = code_.vec(arguments[0], size);
  at.b = step.count > 1 ? code_.vec(arguments[1], size) : at.a;
  at.c = step.count > 2 ? code_.vec(arguments[2], size) : at.a;
  if (is_truth(type) && emit_bool(step.op, at)) return true;
  if (is_complex(type)) return emit_complex(step.op, size / 2, at);
  if (is_truth(step.result) && !is_truth(type)) {
    return is_inexact(type) ? compare_reals(step.op, size, at)
                            : compare_integers(step.op, type, at);
  }
  if (step.result != type) return false;
  return is_inexact(type) ? emit_real(step.op, size, at) : emit_integer(step.op, type, at);
}

bool Emitter::emit_select(const Step& step, int result, const int* arguments) {
  int size = item_size(step.result);
  Vec bools = code_.vec(arguments[0], 1);
  Vec to = code_.vec(result, size);
  Vec a = code_.vec(arguments[1], size), b = code_.vec(arguments[2], size);
  if (size < 16) {
    code_.blend(to, code_.from_bools(bools, size), a, b, size);
    return true;
  }
  Vec pairs = Vec(code_.temp(1).getIdx());  // every truth twice, for the halves of 16 bytes
  code_.vpunpcklbw(pairs, Vec(bools.getIdx()), Vec(bools.getIdx()));
  Mask mask;
  if (code_.wide()) {
    mask = code_.from_bools(pairs, 8);
  } else {
    mask = {code_.temp(size).getIdx(), size};
    Vec wide_mask = code_.vec(mask.index, size), zero = Vec(code_.temp(1).getIdx());
    code_.zero(zero);
    code_.vpcmpeqb(pairs, pairs, zero);
    code_.bits_not(pairs, pairs);
    code_.vpmovsxbq(wide_mask, pairs);
  }
  code_.blend(to, mask, a, b, size);
  return true;
}

// Halves are computed as floats and rounded after every step, as the kernels do.
bool Emitter::emit_halves(const Step& step, int result, const int* arguments) {
  if (step.op == Op::kNextafter || step.op == Op::kSpacing) return false;
  Vec wide[3];
  for (int k = 0; k < step.count; ++k) {
    wide[k] = code_.temp(4);
    code_.vcvtph2ps(wide[k], code_.vec(arguments[k], 2));
  }
  Operands at{Vec(), wide[0], step.count > 1 ? wide[1] : wide[0],
              step.count > 2 ? wide[2] : wide[0]};
  if (is_truth(step.result)) {
    at.to = code_.vec(result, 1);
    return compare_reals(step.op, 4, at);
  }
  if (step.result != DType::kFloat16) return false;
  at.to = code_.temp(4);
  if (step.op == Op::kMaximum || step.op == Op::kMinimum)
    real_extreme(step.op, 4, at.to, at.a, at.b, true);
  else if (!emit_real(step.op, 4, at))
    return false;
  code_.vcvtps2ph(code_.vec(result, 2), at.to, 0);
  return true;
}

}  // namespace strider::nd
