// Sorting, searching, counting, joining.
#include <doctest/doctest.h>
#include <strider/nd/join.h>
#include <strider/nd/sort.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "nd_support.h"

using namespace strider::nd;

namespace {

using Longs = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

// Reproducible values with many ties.
Array scrambled(std::int64_t count, DType dtype) {
  Array result = Array::empty({count}, DType::kInt64);
  std::int64_t* to = result.mutable_as<std::int64_t>();
  std::int64_t lowest = category(dtype) == Category::kUnsigned ? 0 : -500;
  for (std::int64_t i = 0; i < count; ++i) to[i] = i * 7919 % 1009 + lowest;
  return result.astype(dtype);
}

}  // namespace

TEST_CASE("NaN sorts last and keeps the numbers in order") {
  double nan = std::numeric_limits<double>::quiet_NaN();
  Array a = array_of<double>({nan, 2, -1, -nan, 0, -HUGE_VAL});
  Doubles sorted = values_of<double>(sort(a, 0));
  CHECK(Doubles(sorted.begin(), sorted.begin() + 4) == Doubles{-HUGE_VAL, -1, 0, 2});
  CHECK(std::isnan(sorted[4]));
  CHECK(std::isnan(sorted[5]));
}

TEST_CASE("every dtype sorts short and long lines") {
  for (int k = 0; k < kDTypeCount; ++k) {
    auto dtype = static_cast<DType>(k);
    for (std::int64_t count : {1, 2, 17, 299, 5000}) {
      Array a = scrambled(count, dtype);
      Array sorted = sort(a, 0), order = argsort(a, 0, SortKind::kStable);
      auto by_order = values_of<std::complex<double>>(sorted);
      auto plain = values_of<std::complex<double>>(a);
      Longs places = values_of<std::int64_t>(order);
      for (std::size_t i = 0; i < by_order.size(); ++i) {
        CHECK(by_order[i] == plain[static_cast<std::size_t>(places[i])]);
        if (i == 0) continue;
        CHECK(by_order[i - 1].real() <= by_order[i].real());
        if (by_order[i - 1] == by_order[i]) CHECK(places[i - 1] < places[i]);
      }
    }
  }
}

TEST_CASE("every kind of order names each place once") {
  for (int k = 0; k < kDTypeCount; ++k) {
    for (std::int64_t count : {1, 17, 257, 2500, 5000}) {
      Array a = scrambled(count, static_cast<DType>(k));
      auto sorted = values_of<std::complex<double>>(sort(a, 0));
      auto plain = values_of<std::complex<double>>(a);
      for (SortKind kind : {SortKind::kQuick, SortKind::kHeap, SortKind::kCompared}) {
        Longs places = values_of<std::int64_t>(argsort(a, 0, kind)), each = places;
        for (std::size_t i = 0; i < places.size(); ++i)
          CHECK(sorted[i] == plain[static_cast<std::size_t>(places[i])]);
        std::sort(each.begin(), each.end());
        for (std::size_t i = 0; i < each.size(); ++i)
          CHECK(each[i] == static_cast<std::int64_t>(i));
      }
    }
  }
}

TEST_CASE("a quicksort that gets stuck goes on with heaps") {
  // Musser's sequence, on which the median of three parts off two elements at a time.
  const std::int64_t count = 3000;
  Array line = Array::empty({count}, DType::kInt16);
  auto* killer = line.mutable_as<std::int16_t>();
  for (std::int64_t i = 0; i < count / 2; ++i) {
    killer[i] = static_cast<std::int16_t>(i % 2 == 0 ? i + 1 : count / 2 + i);
    killer[count / 2 + i] = static_cast<std::int16_t>(2 * (i + 1));
  }
  Longs places = values_of<std::int64_t>(argsort(line, 0));
  for (std::size_t i = 1; i < places.size(); ++i) CHECK(killer[places[i - 1]] <= killer[places[i]]);
}

TEST_CASE("partition puts the kth element in its place") {
  Array a = scrambled(1000, DType::kFloat64);
  std::int64_t kth[] = {500, 10};
  Doubles parted = values_of<double>(partition(a, kth, 0)), sorted = values_of<double>(sort(a, 0));
  CHECK(parted[500] == sorted[500]);
  CHECK(parted[10] == sorted[10]);
  CHECK(*std::max_element(parted.begin(), parted.begin() + 500) <= parted[500]);
}

TEST_CASE("lexsort sorts by the last key first") {
  Array keys[] = {array_of<std::int64_t>({1, 0, 2, 0}), array_of<std::int64_t>({5, 5, 3, 3})};
  CHECK(values_of<std::int64_t>(lexsort(keys)) == Longs{3, 2, 1, 0});
}

TEST_CASE("searchsorted tells the sides of equal values apart") {
  Array sorted = array_of<double>({1, 2, 2, 3}), wanted = array_of<double>({2, 0, 9});
  CHECK(values_of<std::int64_t>(searchsorted(sorted, wanted)) == Longs{1, 0, 4});
  CHECK(values_of<std::int64_t>(searchsorted(sorted, wanted, true)) == Longs{3, 0, 4});
}

TEST_CASE("unique finds values, first places, numbers and counts") {
  Unique found = unique(array_of<std::int64_t>({3, 1, 3, 2, 1}), true, true, true);
  CHECK(values_of<std::int64_t>(found.values) == Longs{1, 2, 3});
  CHECK(values_of<std::int64_t>(found.index) == Longs{1, 3, 0});
  CHECK(values_of<std::int64_t>(found.inverse) == Longs{2, 0, 2, 1, 0});
  CHECK(values_of<std::int64_t>(found.counts) == Longs{2, 1, 2});
}

TEST_CASE("bincount refuses negative values") {
  CHECK(values_of<std::int64_t>(bincount(array_of<std::int64_t>({1, 1, 3}))) == Longs{0, 2, 0, 1});
  CHECK(complaint([] { bincount(array_of<std::int64_t>({-1})); }) ==
        "'list' argument must have no negative elements");
}

TEST_CASE("concatenate promotes together and checks shapes") {
  Array parts[] = {scrambled(2, DType::kInt8), scrambled(2, DType::kUInt8),
                   scrambled(2, DType::kFloat16)};
  CHECK(concatenate(parts, 0).dtype() == DType::kFloat16);
  Array unequal[] = {counting({1, 2}), counting({2, 3})};
  CHECK(complaint([&] { concatenate(unequal, 0); }) ==
        "all the input array dimensions except for the concatenation axis must match exactly, but "
        "along dimension 1, the array at index 0 has size 2 and the array at index 1 has size 3");
}

TEST_CASE("roll and repeat move whole slices") {
  Array a = counting({2, 3});
  std::int64_t shift[] = {1};
  int axis[] = {1};
  CHECK(values_of<std::int64_t>(roll(a, shift, axis)) == Longs{2, 0, 1, 5, 3, 4});
  CHECK(values_of<std::int64_t>(repeat(a, array_of<std::int64_t>({0, 2}), 0)) ==
        Longs{3, 4, 5, 3, 4, 5});
}
