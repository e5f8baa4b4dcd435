// Copies of runs of bytes by registers. The C library's memcpy hands long runs to `rep movsb`,
// which was measured to take up to 25 times as long (on an EPYC, bench/results/numpy-2026-11-28.md)
// where the target lies just behind the source's place in a page, as in x[1:] = y[:-1].
#include <cstdint>
#include <cstring>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/registers.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

using Bytes = Vector<std::uint8_t>;

inline Bytes load_bytes(const std::byte* from) {
  return load(reinterpret_cast<const std::uint8_t*>(from));
}

inline void store_bytes(std::byte* to, const Bytes& value) { std::memcpy(to, &value, kBytes); }

// At least a vector; the last one may be written twice in part. Stores are aligned.
void copy_run(std::byte* target, const std::byte* source, std::int64_t count) {
  constexpr std::int64_t kVectors = 4, kStep = kVectors * kBytes;
  Bytes last = load_bytes(source + count - kBytes);
  store_bytes(target, load_bytes(source));
  std::int64_t at = kBytes - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(target) %
                                                       std::uintptr_t{kBytes});
  for (; at + kStep <= count; at += kStep) {
    Bytes parts[kVectors];
    for (int i = 0; i < kVectors; ++i) parts[i] = load_bytes(source + at + i * kBytes);
    auto* place = static_cast<std::byte*>(__builtin_assume_aligned(target + at, kBytes));
    for (int i = 0; i < kVectors; ++i) std::memcpy(place + i * kBytes, &parts[i], kBytes);
  }
  for (; at + kBytes <= count; at += kBytes) store_bytes(target + at, load_bytes(source + at));
  store_bytes(target + count - kBytes, last);
}

}  // namespace

void fill_copying(KernelTable& table) { table.copy_run = copy_run; }

}  // namespace strider::nd::STRIDER_TARGET
