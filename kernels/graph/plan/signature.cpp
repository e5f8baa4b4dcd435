// The walk goes down to elements in memory, and up to whatever the planner may add to a loop: the
// readers of dear results.
#include "kernels/graph/plan/signature.h"

#include <strider/nd/eval.h>

#include <atomic>
#include <bit>
#include <cstring>

#include "kernels/graph/plan/plan.h"

namespace strider::nd {
namespace {

constexpr std::size_t kMostStorages = 512;
// What is added at once: an array's dimensions and layout, or an operation with all it reads.
constexpr std::size_t kMostWords = 512;

template <class... Parts>
std::uint64_t pack(Parts... parts) {
  std::uint64_t word = 0;
  ((word = word << 8 | static_cast<std::uint8_t>(parts)), ...);
  return word;
}

}  // namespace

void Signature::take(Expression& promise, const Array* target) {
  static std::atomic<std::uint64_t> walks{0};
  walk_ = walks.fetch_add(1, std::memory_order_relaxed) + 1;
  reusable_ = true;
  count_ = 0;
  make_room(kMostWords);
  storages_.clear();
  offsets_.clear();
  scalars_.clear();
  found_.clear();
  first_ = &promise;
  add_storage(*promise.storage, 0);
  add(pack(target != nullptr, recording().on_device));
  if (target) add_target(*target);
  for (std::size_t next = 0; next < found_.size() && reusable_; ++next) {
    visit(*found_[next]->expression());
    reusable_ = storages_.size() <= kMostStorages;
  }
  mark_outsiders();
}

std::uint64_t Signature::hash() const {
  constexpr std::size_t kLanes = 4;  // that do not wait for one another
  std::uint64_t lanes[kLanes] = {count_, 1, 2, 3};
  auto mix = [](std::uint64_t hash, std::uint64_t word) {
    return (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15u;
  };
  std::size_t i = 0;
  const std::uint64_t* words = words_.data();
  for (; i + kLanes <= count_; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = mix(lanes[k], words[i + k]);
  }
  for (; i < count_; ++i) lanes[0] = mix(lanes[0], words[i]);
  return mix(mix(lanes[0], lanes[1]), mix(lanes[2], lanes[3]));
}

void Signature::add(const Dims& dims) {
  add(static_cast<std::uint64_t>(dims.size()));
  for (std::int64_t number : dims) add(static_cast<std::uint64_t>(number));
}

void Signature::add_value(const Scalar& scalar) {
  std::uint64_t words[2];
  std::memcpy(words, scalar.data(), sizeof words);
  add(pack(scalar.dtype()));
  add(words[0]);
  add(words[1]);
}

// Scalars by number: only which of them are equal matters.
void Signature::add_scalar(const Scalar& scalar) {
  std::size_t i = 0;
  while (i < scalars_.size() && !scalars_[i]->is_same_as(scalar)) ++i;
  if (i == scalars_.size()) scalars_.push_back(&scalar);
  add(i << 8 | static_cast<std::uint8_t>(scalar.dtype()));
}

// A storage by its number; what is said of it when it is met first stands in the same word, and so
// does whether the offset is another one.
void Signature::add_storage(Storage& storage, std::int64_t offset) {
  constexpr std::uint64_t kMoved = 1, kMet = 2, kPending = 4, kHeld = 8;
  std::uint64_t facts = 0;
  if (!met(storage)) {
    storage.mark = walk_ << kPlaceBits | storages_.size();
    bool pending = storage.pending();
    storages_.push_back(&storage);
    offsets_.push_back(pending ? 0 : offset);
    if (pending) found_.push_back(&storage);
    facts = kMet | (pending ? kPending : 0) | (storage.held ? kHeld : 0);
  }
  std::uint64_t number = storage.mark & kPlaces;
  auto moved = static_cast<std::uint64_t>(offset - offsets_[number]);
  add(number << 8 | facts | (moved ? kMoved : 0));
  if (moved) add(moved);
}

void Signature::add_target(const Array& target) {
  Storage& storage = *target.node()->storage;
  add_storage(storage, target.node()->offset);
  add(target.strides());
  for (const Reading* r = storage.readers; r; r = r->next) visit_relatives(*r->reader->storage);
}

void Signature::add_reading(const Expression& expression, const Reading& reading) {
  bool as_laid_out = reading.strides == expression.strides;
  add(pack(reading.storage != nullptr, as_laid_out, reading.dtype));
  if (!reading.storage) return add_scalar(reading.scalar);
  add_storage(*reading.storage, reading.offset);
  if (!as_laid_out) add(reading.strides);
}

// A storage that may be computed in the same loops.
void Signature::visit_relatives(Storage& storage) {
  if (met(storage)) return;
  make_room(kMostWords);
  add_storage(storage, 0);
}

void Signature::visit(Expression& expression) {
  make_room(kMostWords);
  bool shaped_alike = expression.shape == first_->shape;
  bool laid_out_alike = expression.strides == first_->strides;
  add(pack(expression.kind, expression.op, expression.count, expression.watched,
           expression.computed > 0, expression.is_light, expression.dtype,
           2 * shaped_alike + laid_out_alike));
  add(pack(expression.loop_types[0], expression.loop_types[1], expression.loop_types[2]) << 32 |
      expression.cost);
  if (!shaped_alike || &expression == first_) add(expression.shape);
  if (!laid_out_alike || &expression == first_) add(expression.strides);
  for (int i = 0; i < expression.count; ++i) add_reading(expression, expression.arguments[i]);
  if (expression.kind == Expression::Kind::kRange) {
    bool floats = is_inexact(expression.dtype);
    for (const Scalar* term : {&expression.start, &expression.step}) {
      floats ? add_scalar(*term) : add_value(*term);
    }
  }
  if (expression.kind == Expression::Kind::kBand) {
    add_value(expression.start);
    add(expression.arguments[0].strides);
  }
  bool is_short = expression.kind == Expression::Kind::kShortFold;
  if (is_short || expression.kind == Expression::Kind::kFold) {
    const LoopFold& fold = expression.fold;
    add(pack(fold.kind, fold.op, fold.type, fold.from_first));
    add(fold.axes);
    add(static_cast<std::uint64_t>(fold.chunk));
    add_value(fold.start);
    if (is_short) {
      add(static_cast<std::uint64_t>(expression.folded_count));
      add(static_cast<std::uint64_t>(expression.folded_step));
      add_scalar(fold.start);
      bool finds = fold.kind == LoopFold::Kind::kFind;
      for (std::int64_t i = 0; finds && i < expression.folded_count; ++i)
        add_scalar(place_in_short_fold(i));
    }
  }
  if (!expression.is_map()) add(expression.extents);
  if (expression.cost < kDear) return;
  for (const Reading* r = expression.storage->readers; r; r = r->next) {
    visit_relatives(*r->reader->storage);
  }
}

// Whether others than those that were met will read a promise, or what nobody holds any more.
void Signature::mark_outsiders() {
  make_room(storages_.size());
  for (const Storage* storage : storages_) {
    if (!storage->pending() && storage->held) continue;
    bool outside = false;
    for (const Reading* r = storage->readers; r; r = r->next) {
      outside |= !met(*r->reader->storage);
    }
    add(outside);
  }
}

}  // namespace strider::nd
