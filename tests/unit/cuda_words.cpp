// Places cut into words for a GPU: the widest that layout and addresses allow, at the same bytes.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "kernels/backend/cuda/precompiled/words.h"

using namespace strider::nd;
using namespace strider::nd::cuda;

namespace {

void walk(const WalkedAxes& axes, int axis, std::int64_t at, std::vector<std::int64_t>& found) {
  if (axis == axes.rank) return found.push_back(at);
  for (std::int64_t i = 0; i < axes.extent[axis]; ++i)
    walk(axes, axis + 1, at + i * axes.stride[axis], found);
}

// The bytes that the inner axes of words mean, in order.
std::vector<std::int64_t> inner_bytes(const WordPlaces& words) {
  std::vector<std::int64_t> starts, bytes;
  walk(words.inner, 0, 0, starts);
  for (std::int64_t start : starts)
    for (int k = 0; k < words.word; ++k) bytes.push_back(start + k);
  return bytes;
}

const void* address(std::uintptr_t at) { return reinterpret_cast<const void*>(at); }

Places places_of(const Dims& shape, const Dims& strides, int item, std::int64_t step) {
  Places places;
  places.inner_shape = shape;
  places.inner_strides = strides;
  places.item = item;
  places.step = step;
  return places;
}

}  // namespace

TEST_CASE("rows that lie together move in the widest words") {
  auto words = in_words(places_of({4, 6}, {24, 4}, 4, 96), address(256), address(512), false);
  REQUIRE(words);
  CHECK(words->word == 8);
  CHECK(words->inner.count == 12);
  std::vector<std::int64_t> all(96);
  std::iota(all.begin(), all.end(), 0);
  CHECK(inner_bytes(*words) == all);
}

TEST_CASE("words do not reach over the ends of items where one item is repeated") {
  auto words = in_words(places_of({6}, {2}, 2, 12), address(0), address(0), true);
  REQUIRE(words);
  CHECK(words->word == 2);
  CHECK(words->item_words == 1);
  words = in_words(places_of({6}, {16}, 16, 96), address(0), address(0), true);
  CHECK(words->word == 8);
  CHECK(words->item_words == 2);
}

TEST_CASE("odd addresses, steps and strides make words narrower") {
  CHECK(in_words(places_of({8}, {1}, 1, 8), address(256), address(256), false)->word == 8);
  CHECK(in_words(places_of({8}, {1}, 1, 4), address(256), address(256), false)->word == 4);
  CHECK(in_words(places_of({8}, {1}, 1, 8), address(2), address(256), false)->word == 2);
  CHECK(in_words(places_of({8}, {1}, 1, 8), address(256), address(1), false)->word == 1);
  CHECK(in_words(places_of({2, 8}, {-12, 1}, 1, 8), address(0), address(0), false)->word == 4);
}

TEST_CASE("elements that stand apart keep their order") {
  auto words = in_words(places_of({2, 3}, {-8, 16}, 8, 8), address(0), address(0), false);
  REQUIRE(words);
  CHECK(words->word == 8);
  std::vector<std::int64_t> starts;
  walk(words->inner, 0, 0, starts);
  CHECK(starts == std::vector<std::int64_t>{0, 16, 32, -8, 8, 24});
}

TEST_CASE("more axes than a kernel walks are refused") {
  Dims shape, strides;
  for (std::int64_t axis = 0; axis < 10; ++axis) {
    shape.push_back(2);
    strides.push_back(axis % 2 ? 40 : 24);
  }
  CHECK_FALSE(in_words(places_of(shape, strides, 8, 8), address(0), address(0), false));
}
