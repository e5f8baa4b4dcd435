// Order: sorting, selecting, searching sorted values, counting. NaN sorts last; complex numbers
// sort by real, then imaginary part, as in NumPy.
#pragma once

#include <strider/nd/array.h>

#include <optional>
#include <span>

namespace strider::nd {

// kCompared is NumPy's quicksort where it has no vectors: of dates, texts and objects.
enum class SortKind : std::uint8_t { kQuick, kHeap, kMerge, kStable, kCompared };
// Between these lengths NumPy's quicksort by comparing does not leave equal elements in their
// order, and is followed here; longer lines have the stable order, which is found much faster.
inline constexpr std::int64_t kMostInserted = 16, kMostCompared = 4096;

// Sorts along `axis` in place.
void sort_in_place(const Array& array, int axis = -1, SortKind kind = SortKind::kQuick);
// A sorted copy along `axis` (none: of the flattened array).
Array sort(const Array& array, std::optional<int> axis, SortKind kind = SortKind::kQuick);
// The order that sorts, int64. Equal elements stand as NumPy's algorithm of that kind leaves them
// on this processor, but in long lines of elements that no vector loop sorts, where they keep their
// order, as on devices.
Array argsort(const Array& array, std::optional<int> axis, SortKind kind = SortKind::kQuick);

// numpy.partition along `axis`: each kth element stands where sorting would put it. kValue
// "kth(=5) out of bounds (3)".
void partition_in_place(const Array& array, std::span<const std::int64_t> kth, int axis = -1);
Array partition(const Array& array, std::span<const std::int64_t> kth, std::optional<int> axis);
Array argpartition(const Array& array, std::span<const std::int64_t> kth, std::optional<int> axis);

// numpy.lexsort: keys in rising significance (the last is the first criterion), along `axis`.
Array lexsort(std::span<const Array> keys, int axis = -1);

// numpy.searchsorted in 1-d `sorted` (or sorted[sorter]); an array shaped as `values`.
Array searchsorted(const Array& sorted, const Array& values, bool right = false,
                   const Array* sorter = nullptr);

// The sorted distinct values of the flattened array and, where asked for, each one's first
// position, the value number of each element (shaped as the input), and how often each occurs.
struct Unique {
  Array values, index, inverse, counts;
};
Unique unique(const Array& array, bool want_index = false, bool want_inverse = false,
              bool want_counts = false, bool equal_nan = true);
// The distinct values in NumPy's order where they need not be sorted: that of a hash table for
// integers and complex numbers.
Array unique_values(const Array& array, bool equal_nan = true);

// True where an element of `elements` occurs in `test_elements` (shape of `elements`).
Array isin(const Array& elements, const Array& test_elements, bool invert = false);

// numpy.bincount of 1-d non-negative integers; int64, or float64 with weights.
Array bincount(const Array& values, const Array* weights = nullptr, std::int64_t minlength = 0);
// numpy.digitize: bins rise or fall monotonically. kValue "bins must be monotonically increasing
// or decreasing".
Array digitize(const Array& values, const Array& bins, bool right = false);
// Counts of `values` in `bins` equal bins over [low, high], the last one closed (the edges are
// numpy.linspace's). int64, or of the type of the weights (float64, complex128).
Array histogram_uniform(const Array& values, std::int64_t bins, double low, double high,
                        const Array* weights = nullptr);

}  // namespace strider::nd
