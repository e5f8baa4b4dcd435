// Signature: all that planning looks at, as numbers. Graphs with equal signatures have equal plans,
// their storages and scalars exchanged one for one. Plans nothing.
#pragma once

#include <strider/nd/array.h>

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/graph/expression/expression.h"

namespace strider::nd {

class Signature {
 public:
  // Walks over what a promise needs and what may share loops with it. `target`, if any, is what its
  // value will be stored in. One signature is in use at a time.
  void take(Expression& promise, const Array* target);

  // Whether plans for it may be kept: it is not too large, and nothing else waits to read the
  // target.
  bool reusable() const { return reusable_; }
  std::uint64_t hash() const;
  std::span<const std::uint64_t> words() const { return {words_.data(), count_}; }

  // What was met, by number. A storage's offset is that of its first reading.
  const std::vector<Storage*>& storages() const { return storages_; }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  const std::vector<const Scalar*>& scalars() const { return scalars_; }
  // A storage's number; negative if the walk did not meet it.
  std::int64_t place(const Storage& storage) const {
    return met(storage) ? static_cast<std::int64_t>(storage.mark & kPlaces) : -1;
  }

 private:
  // A storage's mark is the walk's number and, in the low bits, its own.
  static constexpr int kPlaceBits = 16;
  static constexpr std::uint64_t kPlaces = (1 << kPlaceBits) - 1;
  bool met(const Storage& storage) const { return storage.mark >> kPlaceBits == walk_; }

  // Room for so many more words.
  void make_room(std::size_t count) {
    if (count_ + count > words_.size()) words_.resize(2 * (count_ + count));
  }
  void add(std::uint64_t word) { words_[count_++] = word; }
  void add(const Dims& dims);
  void add_value(const Scalar& scalar);
  void add_scalar(const Scalar& scalar);
  void add_reading(const Expression& expression, const Reading& reading);
  void add_storage(Storage& storage, std::int64_t offset);
  void add_target(const Array& target);
  void visit(Expression& expression);
  void visit_relatives(Storage& storage);
  void mark_outsiders();

  std::uint64_t walk_ = 0;
  bool reusable_ = true;
  std::vector<std::uint64_t> words_;  // the first `count_`
  std::size_t count_ = 0;
  std::vector<Storage*> storages_;
  std::vector<std::int64_t> offsets_;
  std::vector<const Scalar*> scalars_;
  std::vector<Storage*> found_;        // promises to visit
  const Expression* first_ = nullptr;  // most are laid out like it
};

}  // namespace strider::nd
