// Indexing: results laid out as NumPy lays them out, writes that overlap, messages.
#include <doctest/doctest.h>
#include <strider/nd/index.h>
#include <strider/nd/interrupt.h>

#include "nd_support.h"

using namespace strider::nd;

namespace {

using Items = std::vector<IndexItem>;
using Longs = std::vector<std::int64_t>;

IndexItem all() { return IndexItem::of_slice({}, {}); }
IndexItem at(std::initializer_list<std::int64_t> places) {
  return IndexItem::of_array(array_of<std::int64_t>(places));
}

}  // namespace

TEST_CASE("basic items give views of the same memory") {
  Array a = counting({3, 4});
  Items items{IndexItem::of_integer(-1), IndexItem::of_slice({}, {}, -2)};
  Array view = get(a, items);
  CHECK(values_of<std::int64_t>(view) == Longs{11, 9});
  CHECK(view.same_storage(a));
  CHECK(is_basic(items));
}

TEST_CASE("index arrays apart from each other put their axes first") {
  Array a = counting({2, 3, 4});
  CHECK(get(a, Items{at({0, 1}), all(), at({0, 1})}).shape() == Dims{2, 3});
  CHECK(get(a, Items{all(), at({0, 1, 2}), at({0, 1, 2})}).shape() == Dims{2, 3});
  CHECK(get(a, Items{all(), at({0, 1, 2}), IndexItem::ellipsis(), at({0, 1, 2})}).shape() ==
        Dims{3, 2});
  CHECK(get(a, Items{IndexItem::of_boolean(true), at({0, 1})}).shape() == Dims{2, 3, 4});
}

TEST_CASE("a mask selects in C order, whatever the layout") {
  Array a = counting({2, 3});
  Array mask = array_of<bool>({true, false, true, false, true, false}).reshape({2, 3});
  Items item{IndexItem::of_array(mask)};
  CHECK(values_of<std::int64_t>(get(a, item)) == Longs{0, 2, 4});
  Array turned = a.transpose().copy().transpose();
  set(turned, item, array_of<std::int64_t>({7, 8, 9}));
  CHECK(values_of<std::int64_t>(turned) == Longs{7, 1, 8, 3, 9, 5});
}

TEST_CASE("a value that shares memory is read before it is overwritten") {
  Array a = counting({5});
  set(a, Items{IndexItem::of_slice(1, {})}, get(a, Items{IndexItem::of_slice({}, -1)}));
  CHECK(values_of<std::int64_t>(a) == Longs{0, 0, 1, 2, 3});
  Array b = counting({4});
  set(b, Items{at({3, 2, 1, 0})}, b);
  CHECK(values_of<std::int64_t>(b) == Longs{3, 2, 1, 0});
}

TEST_CASE("wrong subscripts are reported in NumPy's words") {
  Array a = counting({2, 3});
  CHECK(complaint([&] { get(a, Items{IndexItem::of_integer(5)}); }) ==
        "index 5 is out of bounds for axis 0 with size 2");
  CHECK(complaint([&] {
          get(a, Items{all(), at({-7, 1})});
        }) == "index -7 is out of bounds for axis 1 with size 3");
  CHECK(complaint([&] {
          get(a, Items{all(), all(), all()});
        }) == "too many indices for array: array is 2-dimensional, but 3 were indexed");
  CHECK(complaint([&] {
          get(a, Items{at({0, 1}), at({0, 1, 2})});
        }) ==
        "shape mismatch: indexing arrays could not be broadcast together with shapes (2,) (3,) ");
  CHECK(complaint([&] { get(a, Items{IndexItem::of_array(array_of<bool>({true}))}); }) ==
        "boolean index did not match indexed array along axis 0; size of axis is 2 but size of "
        "corresponding boolean axis is 1");
  CHECK(complaint([&] {
          set(a, Items{at({0, 1})}, counting({2}));
        }) ==
        "shape mismatch: value array of shape (2,) could not be broadcast to indexing result of "
        "shape (2,3)");
}

TEST_CASE("take wraps, clips or refuses") {
  Array a = counting({3}), places = array_of<std::int64_t>({-9, 9});
  CHECK(values_of<std::int64_t>(take(a, places, 0, IndexMode::kWrap)) == Longs{0, 0});
  CHECK(values_of<std::int64_t>(take(a, places, 0, IndexMode::kClip)) == Longs{0, 2});
  CHECK(complaint([&] { take(a, places, 0); }) ==
        "index -9 is out of bounds for axis 0 with size 3");
}

TEST_CASE("as_strided stays inside the array's memory") {
  Array a = counting({8});
  CHECK(values_of<std::int64_t>(as_strided(a, {3, 2}, {16, 8})) == Longs{0, 1, 2, 3, 4, 5});
  CHECK(complaint([&] { as_strided(a, {3, 4}, {32, 8}); }) != "");
  CHECK(complaint([&] { as_strided(a, {2}, {-8}); }) != "");
}

TEST_CASE("a long gather is shared among threads and still reports the first wrong index") {
  Array a = counting({1000}), places = Array::zeros({300000}, DType::kInt64);
  places.set_item_at({299999}, Scalar(std::int64_t{1000}));
  CHECK(complaint([&] { get(a, Items{IndexItem::of_array(places)}); }) ==
        "index 1000 is out of bounds for axis 0 with size 1000");
}
