// Finds for each piece of work the kernels that suit its element type and layout.
#include "kernels/backend/cuda/precompiled/arranger.h"

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/precompiled/kernels.h"
#include "kernels/backend/cuda/precompiled/words.h"

namespace strider::nd::cuda {
namespace {

KeyKind key_kind(DType dtype) {
  if (is_floating(dtype)) return KeyKind::kFloating;
  return category(dtype) == Category::kSigned ? KeyKind::kSigned : KeyKind::kUnsigned;
}

bool is_aligned(const void* address, int item) {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<unsigned>(item > 8 ? 8 : item) ==
         0;
}

}  // namespace

Queue CudaArranger::queue() {
  device_.activate();
  return {device_, device_.stream()};
}

bool CudaArranger::gather(const std::byte* base, const Places& places, std::byte* packed) {
  std::optional<WordPlaces> words = in_words(places, base, packed, false);
  if (!words) return false;
  gather_words(queue(), base, *words, packed);
  return true;
}

bool CudaArranger::scatter(std::byte* base, const Places& places, const std::byte* packed,
                           bool repeat_one) {
  std::optional<WordPlaces> words = in_words(places, base, packed, repeat_one);
  if (!words) return false;
  Queue now = queue();
  if (repeat_one || places.distinct) {
    scatter_words(now, base, *words, packed, repeat_one, nullptr);
    return true;
  }
  Workspace kept(now.device, places.offsets.size());
  keep_last(now, places, kept.as<std::uint8_t>());
  scatter_words(now, base, *words, packed, false, kept.as<std::uint8_t>());
  return true;
}

bool CudaArranger::choose(const std::uint8_t* mask, std::int64_t size, const std::byte* values,
                          int item, std::int64_t, std::byte* chosen) {
  if (!is_aligned(values, item)) return false;
  choose_items(queue(), mask, size, values, item, chosen);
  return true;
}

bool CudaArranger::list(const std::uint8_t* mask, std::int64_t size, std::int64_t,
                        std::int64_t* positions) {
  list_positions(queue(), mask, size, positions);
  return true;
}

bool CudaArranger::sort(DType dtype, std::byte* values, Lines lines) {
  if (is_complex(dtype) || !is_aligned(values, item_size(dtype))) return false;
  sort_lines(queue(), key_kind(dtype), item_size(dtype), values, lines);
  return true;
}

bool CudaArranger::order(DType dtype, const std::byte* values, Lines lines, std::int64_t* order) {
  if (is_complex(dtype) || !is_aligned(values, item_size(dtype))) return false;
  order_lines(queue(), key_kind(dtype), item_size(dtype), values, lines, order);
  return true;
}

bool CudaArranger::search(DType dtype, const std::byte* sorted, std::int64_t size,
                          const std::byte* values, std::int64_t count, bool right,
                          std::int64_t* places) {
  int item = item_size(dtype);
  if (!is_aligned(sorted, item) || !is_aligned(values, item)) return false;
  if (is_complex(dtype))
    search_complex(queue(), item, sorted, size, values, count, right, places);
  else
    search_keys(queue(), key_kind(dtype), item, sorted, size, values, count, right, places);
  return true;
}

bool CudaArranger::count(const std::int64_t* values, std::int64_t count, std::int64_t* counts,
                         std::int64_t bins) {
  count_values(queue(), values, count, counts, bins);
  return true;
}

bool CudaArranger::add_runs(const double* values, const std::int64_t* starts, std::int64_t runs,
                            double* sums) {
  cuda::add_runs(queue(), values, starts, runs, sums);
  return true;
}

}  // namespace strider::nd::cuda
