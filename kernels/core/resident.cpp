// A list that all threads share; each looks only at what is its own.
#include "kernels/core/resident.h"

#include <strider/nd/device.h>

#include <algorithm>
#include <mutex>

#include "kernels/core/device.h"
#include "kernels/core/node.h"

namespace strider::nd {
namespace {

// Arrays that the account of a device's memory names.
constexpr std::size_t kNamed = 3;

struct Clock {
  std::uint64_t now = 1;         // grows with every use
  std::uint64_t work_start = 0;  // what was used from here on stays
  int works = 0;
};

Clock& thread_clock() {
  constinit thread_local Clock clock;
  return clock;
}

std::mutex list_lock;
Resident* first_resident = nullptr;

}  // namespace

Resident::Resident(const DeviceBlock& where, Storage& storage, Place made_at, bool is_copy)
    : DeviceBlock(where),
      owner(storage),
      place(std::move(made_at)),
      copied(is_copy),
      thread_(&thread_clock()) {
  use();
  std::lock_guard<std::mutex> guard(list_lock);
  next_ = first_resident;
  if (next_) next_->previous_ = this;
  first_resident = this;
}

Resident::~Resident() {
  std::lock_guard<std::mutex> guard(list_lock);
  (previous_ ? previous_->next_ : first_resident) = next_;
  if (next_) next_->previous_ = previous_;
}

void Resident::use() { used_ = thread_clock().now++; }

bool Resident::in_use() const { return used_ >= thread_clock().work_start; }

std::vector<Resident*> residents_of(const Device& device) {
  std::vector<Resident*> found;
  {
    std::lock_guard<std::mutex> guard(list_lock);
    for (Resident* each = first_resident; each; each = each->next_) {
      if (each->device == &device && each->thread_ == &thread_clock()) found.push_back(each);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Resident* a, const Resident* b) { return a->used_ < b->used_; });
  return found;
}

std::vector<const Resident*> largest_residents(const Device& device, std::size_t count) {
  std::vector<Resident*> all = residents_of(device);
  std::stable_sort(all.begin(), all.end(), [](const Resident* a, const Resident* b) {
    return a->block.capacity > b->block.capacity;
  });
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()))};
}

DeviceWork::DeviceWork() {
  Clock& clock = thread_clock();
  if (clock.works++ == 0) clock.work_start = clock.now;
}

DeviceWork::~DeviceWork() { --thread_clock().works; }

std::string account_of(Device& device) {
  DeviceMemory memory = device.memory();
  auto text = [](std::size_t bytes) { return size_text(static_cast<double>(bytes)); };
  std::string account = "; " + text(memory.used) + " of " +
                        text(memory.limit ? memory.limit : memory.total) + " are in use";
  std::vector<const Resident*> largest = largest_residents(device, kNamed);
  for (std::size_t i = 0; i < largest.size(); ++i) {
    account += (i ? ", " : ", the largest arrays: ") + text(largest[i]->block.capacity);
    if (!largest[i]->place.known()) continue;
    account += (largest[i]->copied ? " copied at " : " made at ") + to_text(largest[i]->place);
  }
  return account;
}

}  // namespace strider::nd
