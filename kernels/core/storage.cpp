// Storages: who owns the elements, and where they lie.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>

#include <algorithm>
#include <new>
#include <utility>

#include "kernels/core/device.h"
#include "kernels/core/node.h"

namespace strider::nd {
namespace {

constexpr std::size_t kHeader = 64;
static_assert(sizeof(Storage) <= kHeader);
// Up to here the elements stand behind their header in one block.
constexpr std::size_t kInlineLimit = (1u << 16) - kHeader;

// The place of the operation that runs.
Place place_now() { return recording().place ? recording().place() : Place(); }

// Copies to host memory, which waits for the device.
void fetch(Device& device, std::byte* to, const std::byte* from, std::size_t count) {
  device.download(to, from, count);
  ++device_counts().downloads;
  ++device_counts().waits;
  device_counts().bytes_down += static_cast<std::int64_t>(count);
}

}  // namespace

DeviceCounts& device_counts() {
  thread_local DeviceCounts counts;
  return counts;
}

Storage* Storage::allocate(std::size_t byte_count, bool zeroed) {
  if (byte_count <= kInlineLimit) {
    Block block = allocate_block(byte_count + kHeader, zeroed);
    if (!block.bytes) return nullptr;
    auto* storage = ::new (block.bytes) Storage;
    storage->bytes_ = block.bytes + kHeader;
    storage->block_ = block;
    storage->inline_ = true;
    return storage;
  }
  Block block = allocate_block(byte_count, zeroed);
  if (!block.bytes) return nullptr;
  auto* storage = new Storage;
  storage->bytes_ = block.bytes;
  storage->block_ = block;
  return storage;
}

Storage* Storage::allocate_on(Device& device, std::size_t byte_count) {
  std::byte* bytes = device.allocate(byte_count);
  if (!bytes) return nullptr;
  auto* storage = new Storage;
  storage->lie_on({&device, {bytes, byte_count}}, place_now(), false);
  return storage;
}

Storage* Storage::borrow(void* bytes, void* owner, void (*free_owner)(void*), bool writeable) {
  auto* storage = new Storage;
  storage->bytes_ = static_cast<std::byte*>(bytes);
  storage->owner_ = {owner, free_owner};
  storage->borrowed_ = true;
  storage->writeable_ = writeable;
  return storage;
}

Storage* Storage::promise(Expression* expression) {
  auto* storage = new Storage;
  storage->expression_ = expression;
  return storage;
}

void Storage::fulfil(Block block) {
  bytes_ = block.bytes;
  block_ = block;
  drop_promise(std::exchange(expression_, nullptr));
}

void Storage::fulfil(const DeviceBlock& block) {
  Expression* kept = std::exchange(expression_, nullptr);
  lie_on(block, place_of(*kept), false);
  drop_promise(kept);
}

void Storage::replace_promise(Expression* expression) {
  drop_promise(std::exchange(expression_, expression));
}

Block Storage::give_block() {
  if (std::exchange(counted, false)) forget_kept(*this);
  bytes_ = nullptr;
  return std::exchange(block_, Block());
}

DeviceBlock Storage::give_device_block() {
  if (std::exchange(counted, false)) forget_kept(*this);
  DeviceBlock given = *copy_;
  on_device_ = false;
  delete std::exchange(copy_, nullptr);
  return given;
}

std::size_t Storage::byte_count() const {
  if (on_device_) return copy_->block.capacity;
  return inline_ ? block_.capacity - kHeader : block_.capacity;
}

void Storage::bring_home() {
  if (pending()) compute_promise(*this);
  if (bytes_) return;
  copy_->device->synchronize();  // what may fail or be interrupted comes before what changes
  std::size_t size = byte_count();
  if (!fetch_elements())
    throw_no_memory(size, nullptr, "elements that lie on " + copy_->device->name());
  has_waited(*copy_->device, size);
}

// Copies the elements to host memory; false where there is no room.
bool Storage::fetch_elements() {
  std::size_t size = byte_count();
  Block block = inline_ ? block_ : allocate_block(size, false);
  if (!block.bytes) return false;
  std::byte* target = inline_ ? block.bytes + kHeader : block.bytes;
  std::size_t room = inline_ ? block.capacity - kHeader : size;
  try {
    fetch(*copy_->device, target, copy_->block.bytes, std::min(size, room));
  } catch (...) {
    if (!inline_) free_block(block);
    throw;
  }
  if (counted) forget_kept(*this);
  block_ = block;
  bytes_ = target;
  if (counted) count_kept(*this);
  return true;
}

bool Storage::leave_device() {
  if (!is_spare_on_device()) {
    copy_->device->synchronize();
    std::size_t size = byte_count();
    if (!fetch_elements()) return false;
    ++device_counts().spills;
    device_counts().bytes_spilled += static_cast<std::int64_t>(size);
  }
  drop_copy();
  return true;
}

void Storage::read(std::int64_t offset, std::byte* to, std::size_t count) {
  if (pending()) compute_promise(*this);
  if (bytes_) {
    std::copy_n(bytes_ + offset, count, to);
    return;
  }
  fetch(*copy_->device, to, copy_->block.bytes + offset, count);
  has_waited(*copy_->device, count);
}

void Storage::prepare_write() {
  if (readers) settle_readers(*this);
  if (!bytes_) bring_home();
  if (on_device_) drop_copy();
}

std::byte* Storage::bytes_on(Device& device) {
  if (pending()) compute_promise(*this);
  if (on_device_ && copy_->device == &device) {
    copy_->use();
    return copy_->block.bytes;
  }
  std::size_t size = byte_count();
  std::byte* target = device.allocate(size);
  if (!target) throw_no_memory(size, &device, "a copy of elements");
  if (on_device_ && copy_->device == &device) {  // making room had them copied, too
    device.free(target, size);
    return copy_->block.bytes;
  }
  try {
    copy_to(device, target);
  } catch (...) {
    device.free(target, size);
    throw;
  }
  Place place = place_now();
  if (on_device_) drop_copy();
  if (counted) forget_kept(*this);
  lie_on({&device, {target, size}}, std::move(place), true);
  if (counted) count_kept(*this);
  return target;
}

// Copies the elements from another device, or from host memory.
void Storage::copy_to(Device& device, std::byte* target) {
  std::size_t size = byte_count();
  auto count = static_cast<std::int64_t>(size);
  if (on_device_ && device.copy_from(*copy_->device, target, copy_->block.bytes, size)) {
    ++device_counts().copies_across;
    device_counts().bytes_across += count;
    return;
  }
  device.upload(target, bytes(), size);
  ++device_counts().uploads;
  device_counts().bytes_up += count;
}

void Storage::lie_on(const DeviceBlock& block, Place place, bool copied) {
  copy_ = new Resident(block, *this, std::move(place), copied);
  on_device_ = true;
}

std::byte* Storage::claim(Device* device) {
  std::byte* start = device ? bytes_on(*device) : bytes();
  if (device) {
    drop_host_elements();
  } else if (on_device_) {
    drop_copy();
  }
  return start;
}

void Storage::drop_copy() {
  if (counted) forget_kept(*this);
  copy_->device->free(copy_->block.bytes, copy_->block.capacity);
  on_device_ = false;
  delete std::exchange(copy_, nullptr);
  if (counted) count_kept(*this);
}

void Storage::drop_host_elements() {
  bytes_ = nullptr;
  if (!inline_) free_block(std::exchange(block_, Block()));
}

void Storage::destroy() {
  if (counted) forget_kept(*this);
  counted = false;
  if (on_device_) {
    drop_copy();
  } else if (expression_) {
    drop_promise(expression_);
  }
  if (inline_) return free_block(Block(block_));
  if (!borrowed_)
    free_block(block_);
  else if (owner_.free)
    owner_.free(owner_.owner);
  delete this;
}

}  // namespace strider::nd
