// Counting: bincount and histograms of equal bins.
#include <strider/nd/error.h>
#include <strider/nd/index.h>
#include <strider/nd/reduce.h>
#include <strider/nd/sort.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/index/arranging.h"
#include "kernels/sort/bins.h"

namespace strider::nd {
namespace {

Array checked_values(const Array& values) {
  if (values.rank() == 0)
    throw Error(ErrorKind::kValue, "object of too small depth for desired array");
  if (values.rank() > 1) throw Error(ErrorKind::kValue, "object too deep for desired array");
  if (!can_cast(values.dtype(), DType::kInt64, Casting::kSafe) && values.dtype() != DType::kUInt64)
    throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" +
                                      std::string(name(values.dtype())) +
                                      "') to dtype('int64') according to the rule 'safe'");
  return values.contiguous(DType::kInt64);
}

std::int64_t bins_up_to(std::int64_t highest, std::int64_t minlength) {
  if (highest == std::numeric_limits<std::int64_t>::max())
    throw Error(ErrorKind::kValue, "Maximum allowed dimension exceeded");
  return std::max(highest + 1, minlength);
}

// The number of bins: one more than the largest value, at least `minlength`.
std::int64_t bin_count(const Array& values, std::int64_t minlength) {
  if (minlength < 0) throw Error(ErrorKind::kValue, "'minlength' must not be negative");
  std::int64_t lowest = 0, highest = -1;
  if (find_workbench({&values})) {
    lowest = min(values).item().get<std::int64_t>();
    highest = max(values).item().get<std::int64_t>();
    if (lowest < 0)
      throw Error(ErrorKind::kValue, "'list' argument must have no negative elements");
    return bins_up_to(highest, minlength);
  }
  const std::byte* at = values.data();
  auto fold = [&](Op op, std::int64_t& extreme) {
    FoldKernel kernel = kernels().folds[static_cast<int>(op)][static_cast<int>(DType::kInt64)];
    kernel(at, item_size(DType::kInt64), values.size(), reinterpret_cast<std::byte*>(&extreme));
  };
  fold(Op::kMinimum, lowest);
  fold(Op::kMaximum, highest);
  if (lowest < 0) throw Error(ErrorKind::kValue, "'list' argument must have no negative elements");
  return bins_up_to(highest, minlength);
}

// Neighbours count in tables of their own, so that equal ones do not wait for each other.
void count_into(const Array& bins, const Array& counts) {
  constexpr std::int64_t kApart = 4, kMany = 1024, kSmall = 4096;
  const std::int64_t *at = bins.as<std::int64_t>(), size = bins.size(), width = counts.size();
  std::int64_t* to = counts.mutable_as<std::int64_t>();
  std::int64_t i = 0;
  if (size >= kMany && size >= kApart * width && width <= kSmall) {
    std::vector<std::int64_t> tables(static_cast<std::size_t>((kApart - 1) * width));
    std::int64_t *second = tables.data(), *third = second + width, *fourth = third + width;
    for (; i + kApart <= size; i += kApart) {
      std::int64_t first_bin = at[i], second_bin = at[i + 1], third_bin = at[i + 2];
      std::int64_t fourth_bin = at[i + 3];
      ++to[first_bin];
      ++second[second_bin];
      ++third[third_bin];
      ++fourth[fourth_bin];
    }
    for (std::int64_t bin = 0; bin < width; ++bin)
      to[bin] += second[bin] + third[bin] + fourth[bin];
  }
  for (; i < size; ++i) ++to[at[i]];
}

// The counts on a device; null where that has nothing for it.
Array count_there(const Array& bins, std::int64_t count) {
  Workbench bench = find_workbench({&bins});
  if (!bench) return Array();
  Array counts = bench.make({count}, DType::kInt64);
  auto* values = bench.read_as<std::int64_t>(bins);
  bool done =
      bench.arranger->count(values, bins.size(), bench.write_as<std::int64_t>(counts), count);
  return done ? counts : Array();
}

// The sums of float64 weights there: sorted by bin, each bin is added up in the order of the
// elements.
Array add_there(const Array& bins, const Array& weights, std::int64_t count) {
  Workbench bench = find_workbench({&bins, &weights});
  if (!bench) return Array();
  Array order = argsort(bins, 0, SortKind::kStable);
  Array numbers =
      Array::arange(Scalar(std::int64_t{0}), Scalar(std::int64_t{1}), count + 1, DType::kInt64);
  Array starts = searchsorted(take(bins, order, 0, IndexMode::kClip), numbers);
  Array values = take(weights, order, 0, IndexMode::kClip);
  Array sums = bench.make({count}, DType::kFloat64);
  auto* from = bench.read_as<double>(values);
  bool done = bench.arranger->add_runs(from, bench.read_as<std::int64_t>(starts), count,
                                       bench.write_as<double>(sums));
  return done ? sums : Array();
}

template <class T>
void add_into(const Array& bins, const Array& weights, const Array& sums) {
  const std::int64_t* at = bins.as<std::int64_t>();
  const T* from = weights.as<T>();
  T* to = sums.mutable_as<T>();
  for (std::int64_t i = 0, size = bins.size(); i < size; ++i) to[at[i]] += from[i];
}

}  // namespace

Array bincount(const Array& values, const Array* weights, std::int64_t minlength) {
  Array bins = checked_values(values);
  std::int64_t count = bin_count(bins, minlength);
  if (!weights || bins.size() == 0) {
    if (Array counts = count_there(bins, count)) return counts;
    Array counts = Array::zeros({count}, DType::kInt64);
    count_into(bins, counts);
    return counts;
  }
  if (!can_cast(weights->dtype(), DType::kFloat64, Casting::kSafe))
    throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" +
                                      std::string(name(weights->dtype())) +
                                      "') to dtype('float64') according to the rule 'safe'");
  if (weights->size() != bins.size() || weights->rank() != 1)
    throw Error(ErrorKind::kValue, "The weights and list don't have the same length.");
  if (Array sums = add_there(bins, weights->contiguous(DType::kFloat64), count)) return sums;
  Array sums = Array::zeros({count}, DType::kFloat64);
  add_into<double>(bins, weights->contiguous(DType::kFloat64), sums);
  return sums;
}

namespace {

// The edges of equal bins as numpy.linspace spaces them.
std::vector<double> uniform_edges(std::int64_t bins, double low, double high) {
  std::vector<double> edges;
  double step = (high - low) / static_cast<double>(bins);
  for (std::int64_t i = 0; i < bins; ++i) edges.push_back(static_cast<double>(i) * step + low);
  edges.push_back(high);
  return edges;
}

struct EqualBins {
  static constexpr int kChunk = 256;
  std::int64_t count;
  double low, high;
  std::vector<double> edges;

  // The bins that the quotients tell, -1 for values outside; written so that it becomes vectors.
  void guess(const double* values, std::int32_t* guesses) const {
    double width = high - low, scale = static_cast<double>(count);
    for (int i = 0; i < kChunk; ++i) {
      bool inside = (values[i] >= low) & (values[i] <= high);
      double value = inside ? values[i] : low;
      auto bin = static_cast<std::int32_t>((value - low) / width * scale);
      guesses[i] = inside ? bin : -1;
    }
  }
  // A quotient that was rounded may be one bin off.
  std::int64_t corrected(std::int64_t bin, double value) const {
    const double* edge = edges.data();
    bin = std::min(bin, count - 1);
    std::int64_t down = value < edge[bin];
    std::int64_t up = (value >= edge[bin + 1]) & (bin != count - 1);
    return bin - down + up;
  }
};

}  // namespace

Array histogram_uniform(const Array& values, std::int64_t bins, double low, double high,
                        const Array* weights) {
  Array flat = values.contiguous(DType::kFloat64);
  if (find_workbench({&flat})) return histogram_there(flat, bins, low, high, weights);
  std::vector<double> edges = uniform_edges(bins, low, high);
  DType dtype = !weights                       ? DType::kInt64
                : is_complex(weights->dtype()) ? DType::kComplex128
                                               : DType::kFloat64;
  Array kept = weights ? weights->contiguous(dtype) : Array();
  Array result = Array::zeros({bins}, dtype);
  const double* from = flat.as<double>();
  EqualBins equal{bins, low, high, std::move(edges)};
  auto for_each_bin = [&](auto&& add) {
    double chunk[EqualBins::kChunk];
    std::int32_t guesses[EqualBins::kChunk];
    for (std::int64_t begin = 0; begin < flat.size(); begin += EqualBins::kChunk) {
      std::int64_t count = std::min<std::int64_t>(EqualBins::kChunk, flat.size() - begin);
      std::copy_n(from + begin, count, chunk);
      std::fill(chunk + count, chunk + EqualBins::kChunk, low);
      equal.guess(chunk, guesses);
      for (std::int64_t i = 0; i < count; ++i)
        if (guesses[i] >= 0) add(begin + i, equal.corrected(guesses[i], chunk[i]));
    }
  };
  if (!weights) {
    std::int64_t* to = result.mutable_as<std::int64_t>();
    for_each_bin([&](std::int64_t, std::int64_t bin) { ++to[bin]; });
  } else if (dtype == DType::kFloat64) {
    double* to = result.mutable_as<double>();
    const double* weight = kept.as<double>();
    for_each_bin([&](std::int64_t i, std::int64_t bin) { to[bin] += weight[i]; });
  } else {
    auto* to = result.mutable_as<std::complex<double>>();
    auto* weight = kept.as<std::complex<double>>();
    for_each_bin([&](std::int64_t i, std::int64_t bin) { to[bin] += weight[i]; });
  }
  return result;
}

}  // namespace strider::nd
