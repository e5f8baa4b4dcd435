// A ring of slots. Small copies share one; large ones go in pieces, so that while one piece is on
// its way the next is copied in or out by the processor's cores.
#include "kernels/backend/cuda/device/staging.h"

#include <strider/nd/threads.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {
namespace {

constexpr std::size_t kSlotSize = 2u << 20;
constexpr std::int64_t kBytesWorthAThread = 256 << 10;

void copy_on_host(std::byte* to, const std::byte* from, std::size_t bytes) {
  parallel_for(static_cast<std::int64_t>(bytes), kBytesWorthAThread,
               [&](std::int64_t begin, std::int64_t end) {
                 std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
               });
}

}  // namespace

void Staging::upload(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (are_few(bytes)) {
    std::byte* staged = take_part(bytes);
    std::memcpy(staged, from, bytes);
    return check(cudaMemcpyAsync(to, staged, bytes, cudaMemcpyHostToDevice, stream_),
                 "copying to the device");
  }
  for (std::size_t at = 0; at < bytes; at += kSlotSize) {
    std::size_t count = std::min(kSlotSize, bytes - at);
    Slot& slot = next_slot();
    copy_on_host(slot.bytes, from + at, count);
    check(cudaMemcpyAsync(to + at, slot.bytes, count, cudaMemcpyHostToDevice, stream_),
          "copying to the device");
    seal(slot);
  }
}

const std::byte* Staging::fetch(const std::byte* from, std::size_t bytes) {
  std::byte* staged = take_part(bytes);
  check(cudaMemcpyAsync(staged, from, bytes, cudaMemcpyDeviceToHost, stream_),
        "copying from the device");
  return staged;
}

// Room in the slot that small copies share.
std::byte* Staging::take_part(std::size_t bytes) {
  Slot* slot = &slots_[current_];
  if (!slot->bytes || slot->queued || slot->used + bytes > kSlotSize) slot = &next_slot();
  std::byte* part = slot->bytes + slot->used;
  slot->used += (bytes + 15) / 16 * 16;
  return part;
}

void Staging::download(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::array<Slot*, kSlots> filled{};
  std::size_t pieces = (bytes + kSlotSize - 1) / kSlotSize;
  auto size_of = [&](std::size_t piece) { return std::min(kSlotSize, bytes - piece * kSlotSize); };
  auto fetch = [&](std::size_t piece) {
    Slot& slot = next_slot();
    check(cudaMemcpyAsync(slot.bytes, from + piece * kSlotSize, size_of(piece),
                          cudaMemcpyDeviceToHost, stream_),
          "copying from the device");
    seal(slot);
    filled[piece % kSlots] = &slot;
  };
  for (std::size_t piece = 0; piece < std::min(pieces, kSlots); ++piece) fetch(piece);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    Slot& slot = *filled[piece % kSlots];
    await(slot);
    copy_on_host(to + piece * kSlotSize, slot.bytes, size_of(piece));
    if (piece + kSlots < pieces) fetch(piece + kSlots);
  }
}

// The slot that was used longest ago, empty. The one that was in use until now is sealed.
Staging::Slot& Staging::next_slot() {
  if (slots_[current_].used > 0 && !slots_[current_].queued) seal(slots_[current_]);
  current_ = (current_ + 1) % kSlots;
  Slot& slot = slots_[current_];
  if (!slot.bytes) {
    void* bytes = nullptr;
    check(cudaEventCreateWithFlags(&slot.done, cudaEventDisableTiming), "making an event");
    check(cudaHostAlloc(&bytes, kSlotSize, cudaHostAllocDefault), "allocating pinned memory");
    slot.bytes = static_cast<std::byte*>(bytes);
  }
  if (slot.queued) await(slot);
  slot.used = 0;
  return slot;
}

// Nothing more goes through the slot before what was queued for it has happened.
void Staging::seal(Slot& slot) {
  check(cudaEventRecord(slot.done, stream_), "recording an event");
  slot.queued = true;
}

void Staging::await(Slot& slot) {
  check(cudaEventSynchronize(slot.done), "waiting for a copy");
  slot.queued = false;
}

}  // namespace strider::nd::cuda
