// The stream's state goes to the device; its later state follows from the count.
#include "kernels/random/there.h"

#include <strider/nd/eval.h>

#include "kernels/backend/backend.h"
#include "kernels/backend/library.h"
#include "kernels/core/node.h"
#include "kernels/graph/placement.h"

namespace strider::nd::random {
namespace {

bool is_pcg(BitGeneratorKind kind) {
  return kind == BitGeneratorKind::kPcg64 || kind == BitGeneratorKind::kPcg64Dxsm;
}

// Moves ahead, but a half of a word that was kept for later stays.
void skip(BitGenerator& bits, const BitGeneratorState& before, std::int64_t words) {
  bits.advance(static_cast<std::uint64_t>(words), 0);
  BitGeneratorState after = bits.state();
  after.has_uint32 = before.has_uint32;
  after.uinteger = before.uinteger;
  bits.set_state(after);
}

}  // namespace

Array draw_doubles_there(BitGenerator& bits, const Dims& shape) {
  std::int64_t count = element_count(shape);
  if (!recording().on_device || count < recording().limit() || !is_pcg(bits.kind())) return Array();
  Backend& backend = backend_in_use();
  if (!backend.library()) return Array();
  BitGeneratorState state = bits.state();
  RandomStream stream{bits.kind() == BitGeneratorKind::kPcg64Dxsm,
                      {state.words[0], state.words[1]},
                      {state.words[2], state.words[3]}};
  Device& device = *backend.device();
  DeviceWork work;
  Array result = make_on(device, shape, DType::kFloat64);
  auto* to = reinterpret_cast<double*>(result.node()->storage->bytes_on(device));
  if (!backend.library()->draw_doubles(stream, to, count)) return Array();
  skip(bits, state, count);
  return result;
}

}  // namespace strider::nd::random
