// Vectors of the middle inputs lie at multiples of their size: those before and behind them, of
// which some elements are an input's, never reach into other pages.
#include "kernels/backend/cpu/assembler/shared_loads.h"

#include <algorithm>

namespace strider::nd {

using namespace Xbyak;

std::vector<SharedInput> find_shared_inputs(const FusedLoop& loop, const std::vector<bool>& still,
                                            Target target, int lanes) {
  std::vector<SharedInput> shared;
  if (target != Target::kAvx512) return shared;
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    const LoopInput& input = loop.inputs[i];
    int size = item_size(input.dtype);
    bool fits = input.neighbour >= 0 && !still[i] && (size == 4 || size == 8) &&
                size * lanes == vector_bytes(target);
    if (fits) shared.push_back({static_cast<int>(i), input.neighbour, input.shift});
  }
  return shared;
}

SharedLoads::SharedLoads(VectorCode& code, Loader& loader, const FusedLoop& loop,
                         const std::vector<SharedInput>& shared)
    : code_(code), loader_(loader), loop_(loop), shared_(shared) {
  for (const SharedInput& each : shared) {
    Base& base = base_of(each.base);
    (each.shift < 0 ? base.looks_back : base.looks_ahead) = true;
  }
}

SharedLoads::Base& SharedLoads::base_of(int input) {
  auto found = std::find_if(bases_.begin(), bases_.end(),
                            [&](const Base& base) { return base.input == input; });
  if (found != bases_.end()) return *found;
  Base& base = bases_.emplace_back();
  base.input = input;
  return base;
}

void SharedLoads::enter(Registers& registers) {
  for (Base& base : bases_) {
    base.previous = registers.set_aside(3);
    base.current = base.previous + 1;
    base.next = base.previous + 2;
    auto input = static_cast<std::uint16_t>(base.input);
    registers.fix(input, base.current);
    if (base.looks_ahead) loader_.load_vector(input, base.current, 0);
    if (base.looks_back) loader_.load_vector(input, base.previous, -code_.lanes());
  }
}

void SharedLoads::begin() {
  for (const Base& base : bases_) {
    auto input = static_cast<std::uint16_t>(base.input);
    base.looks_ahead ? loader_.load_vector(input, base.next, code_.lanes())
                     : loader_.load_vector(input, base.current, 0);
  }
}

bool SharedLoads::emit(std::uint16_t input, int index) {
  auto found = std::find_if(shared_.begin(), shared_.end(),
                            [&](const SharedInput& each) { return each.input == input; });
  if (found == shared_.end()) return false;
  const Base& base = base_of(found->base);
  int low = found->shift < 0 ? base.previous : base.current, high = low + 1;
  int shift = found->shift < 0 ? found->shift + code_.lanes() : found->shift;
  auto count = static_cast<std::uint8_t>(shift);
  item_size(loop_.inputs[input].dtype) == 8 ? code_.valignq(Zmm(index), Zmm(high), Zmm(low), count)
                                            : code_.valignd(Zmm(index), Zmm(high), Zmm(low), count);
  return true;
}

void SharedLoads::end() {
  for (const Base& base : bases_) {
    if (base.looks_back) code_.vmovaps(Zmm(base.previous), Zmm(base.current));
    if (base.looks_ahead) code_.vmovaps(Zmm(base.current), Zmm(base.next));
  }
}

}  // namespace strider::nd
