// The stream's state goes to the device; its later state follows from how far the device went.
#include "kernels/random/there.h"

#include <strider/nd/eval.h>

#include <algorithm>
#include <optional>

#include "kernels/backend/backend.h"
#include "kernels/backend/library.h"
#include "kernels/core/node.h"
#include "kernels/graph/placement/placement.h"
#include "kernels/random/ziggurat.h"

namespace strider::nd::random {
namespace {

constexpr std::int64_t kPhiloxWords = 4;

std::optional<StreamKind> stream_kind(BitGeneratorKind kind) {
  switch (kind) {
    case BitGeneratorKind::kPcg64:
      return StreamKind::kPcg64;
    case BitGeneratorKind::kPcg64Dxsm:
      return StreamKind::kPcg64Dxsm;
    case BitGeneratorKind::kPhilox:
      return StreamKind::kPhilox;
    default:
      return std::nullopt;  // no place of theirs can be entered
  }
}

RandomStream stream_of(const BitGeneratorState& state, StreamKind kind) {
  RandomStream stream;
  stream.kind = kind;
  std::copy(state.words.begin(), state.words.end(), stream.words);
  stream.has_half = state.has_uint32;
  stream.half = state.uinteger;
  return stream;
}

void draw_words(BitGenerator& bits, std::int64_t count) {
  for (; count > 0; --count) bits.next_uint64();
}

// Moves on as so many words would, but a half that was kept for later stays.
void skip_words(BitGenerator& bits, std::int64_t words) {
  BitGeneratorState before = bits.state();
  if (before.kind != BitGeneratorKind::kPhilox) {
    bits.advance(static_cast<std::uint64_t>(words), 0);
  } else {
    std::int64_t ready = kPhiloxWords - static_cast<std::int64_t>(before.words.back());
    if (words <= ready) return draw_words(bits, words);
    std::int64_t more = words - ready - 1;  // the last one comes from its own block
    bits.advance(static_cast<std::uint64_t>(more / kPhiloxWords), 0);
    draw_words(bits, more % kPhiloxWords + 1);
  }
  BitGeneratorState after = bits.state();
  after.has_uint32 = before.has_uint32;
  after.uinteger = before.uinteger;
  bits.set_state(after);
}

// The same for halves of words. The last word is drawn, so that its other half is remembered.
void skip_halves(BitGenerator& bits, std::int64_t halves) {
  if (halves > 0 && bits.state().has_uint32) {
    bits.next_uint32();
    --halves;
  }
  if (halves == 0) return;
  skip_words(bits, (halves - 1) / 2);
  bits.next_uint32();
  if (halves % 2 == 0) bits.next_uint32();
}

const void* table_for(Drawn kind, DType dtype) {
  bool wide = dtype == DType::kFloat64;
  if (kind == Drawn::kNormal)
    return wide ? static_cast<const void*>(&normal_ziggurat()) : &normal_ziggurat_float();
  if (kind == Drawn::kExponential)
    return wide ? static_cast<const void*>(&exponential_ziggurat()) : &exponential_ziggurat_float();
  return nullptr;
}

}  // namespace

Array draw_there(BitGenerator& bits, const RandomDraw& draw, const Dims& shape) {
  std::int64_t count = element_count(shape);
  if (!recording().on_device || count == 0 || count < recording().limit()) return Array();
  std::optional<StreamKind> kind = stream_kind(bits.kind());
  Backend& backend = backend_in_use();
  if (!kind || !backend.library()) return Array();
  RandomStream stream = stream_of(bits.state(), *kind);
  Device& device = *backend.device();
  DeviceWork work;
  Array result = make_on(device, shape, draw.dtype);
  std::int64_t used = 0;
  std::byte* to = result.node()->storage->bytes_on(device);
  if (!backend.library()->draw(stream, draw, to, count, &used)) return Array();
  takes_halves(draw) ? skip_halves(bits, used) : skip_words(bits, used);
  return result;
}

Array draw_real_there(BitGenerator& bits, Drawn kind, DType dtype, const Dims& shape) {
  RandomDraw draw;
  draw.kind = kind;
  draw.dtype = dtype;
  draw.table = table_for(kind, dtype);
  return draw_there(bits, draw, shape);
}

}  // namespace strider::nd::random
