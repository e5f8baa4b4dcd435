// Explicit choices are followed; nothing that can be computed at all is refused for its place.
#include "kernels/graph/placement.h"

#include <strider/nd/device.h>
#include <strider/nd/error.h>
#include <strider/nd/eval.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "kernels/core/device.h"
#include "kernels/core/log.h"
#include "kernels/graph/choice.h"
#include "kernels/graph/late_conditions.h"

namespace strider::nd {
namespace {

// Multiplications of a library that take as long as one simple instruction of a loop.
constexpr double kLibraryWork = 8;

struct Used {
  DeviceChoice choice;
  Backend* backend = nullptr;  // of an explicit choice of a device
};

Used& used() {
  thread_local Used instance;
  return instance;
}

Backend& open_backend(const DeviceChoice& choice) {
  if (choice.kind == DeviceChoice::Kind::kHost) return host_backend();
  std::string reason;
  Backend* backend = open_cuda_backend(choice.number, &reason);
  if (!backend) throw Error(ErrorKind::kRuntime, to_text(choice) + " is not there: " + reason);
  return *backend;
}

}  // namespace

DeviceChoice parse_device(const std::string& name) {
  using Kind = DeviceChoice::Kind;
  if (name == "auto") return {Kind::kAuto, 0};
  if (name == "cpu") return {Kind::kHost, 0};
  std::size_t colon = name.find(':');
  std::string processor = name.substr(0, colon);
  if (processor == "cuda" || processor == "gpu") {
    if (colon == std::string::npos) return {Kind::kCuda, 0};
    int number = -1;
    const char* end = name.data() + name.size();
    auto [stopped, error] = std::from_chars(name.data() + colon + 1, end, number);
    if (error == std::errc() && stopped == end && number >= 0) return {Kind::kCuda, number};
  }
  throw Error(ErrorKind::kValue,
              "unknown device '" + name + "': expected auto, cpu, cuda or cuda:N");
}

std::string to_text(const DeviceChoice& choice) {
  switch (choice.kind) {
    case DeviceChoice::Kind::kAuto:
      return "auto";
    case DeviceChoice::Kind::kHost:
      return "cpu";
    default:
      return "cuda:" + std::to_string(choice.number);
  }
}

void use_device(const DeviceChoice& choice) {
  bool chosen = choice.kind == DeviceChoice::Kind::kCuda;
  used().backend = chosen ? &open_backend(choice) : nullptr;
  used().choice = choice;
  recording().on_device = used().backend && used().backend->device();
}

DeviceChoice used_device() { return used().choice; }

int count_cuda_devices() {
  std::string reason;
  int count = 0;
  while (open_cuda_backend(count, &reason)) ++count;
  return count;
}

Backend& backend_in_use() { return used().backend ? *used().backend : host_backend(); }

Placed::Placed(const Plan& plan, Storage* target) : backend_(&backend_in_use()) {
  if (target && target->borrowed()) {
    backend_ = &host_backend();
  } else if (used().choice.kind == DeviceChoice::Kind::kAuto && may_choose_device()) {
    cost_ = cost_of(plan, target);
    backend_ = &choose_backend(cost_);
    timed_ = !backend_->device();
  }
}

void Placed::note_run() const {
  if (timed_) learn_host_speed(cost_, watch_.seconds());
}

Backend* place_work(std::initializer_list<const Array*> arrays, double work) {
  bool chooses = used().choice.kind == DeviceChoice::Kind::kAuto;
  Backend* backend = chooses ? chosen_device() : &backend_in_use();
  if (!recording().on() || !backend || !backend->device()) return nullptr;
  PlanCost cost;
  cost.loops = 1;
  cost.work = work / kLibraryWork;
  bool wanted = false;
  for (const Array* array : arrays) {
    Storage& storage = *array->node()->storage;
    if (storage.borrowed() || array->size() == 0) return nullptr;
    wanted |= array->size() >= recording().limit() || is_away(*array);
    cost.bytes += static_cast<double>(array->byte_count());
    if (chooses) add_copies(storage, cost);
  }
  if (!wanted) return nullptr;
  if (chooses) backend = may_choose_device() ? &choose_backend(cost) : nullptr;
  return backend && backend->device() ? backend : nullptr;
}

Backend* place_library(std::initializer_list<const Array*> arrays, double work) {
  Backend* backend = place_work(arrays, work);
  return backend && backend->library() ? backend : nullptr;
}

std::string device_of(const Array& array) {
  Storage& storage = *array.node()->storage;
  if (storage.device()) return storage.device()->name();
  if (storage.pending() && backend_in_use().device()) return backend_in_use().device()->name();
  return "cpu";
}

void move_to(const Array& array, const DeviceChoice& choice) {
  Storage& storage = *array.node()->storage;
  if (choice.kind == DeviceChoice::Kind::kAuto) return evaluate(array);
  Device* device = open_backend(choice).device();
  if (!device) {
    storage.claim(nullptr);
  } else if (!storage.borrowed()) {
    storage.bytes_on(*device);
  }
}

namespace {

Device& device_named(const DeviceChoice& choice) {
  Device* device = open_backend(choice).device();
  if (!device) throw Error(ErrorKind::kValue, to_text(choice) + " has no memory of its own");
  return *device;
}

}  // namespace

void synchronize_devices() {
  bool chooses = used().choice.kind == DeviceChoice::Kind::kAuto;
  Backend* backend = chooses ? chosen_device() : &backend_in_use();
  Device* device = backend ? backend->device() : nullptr;
  if (!device) return;
  device->synchronize();
  ++device_counts().waits;
  tell_what_was_met(*device);
}

DeviceMemory device_memory(const DeviceChoice& choice) { return device_named(choice).memory(); }

void limit_device_memory(const DeviceChoice& choice, std::size_t bytes) {
  device_named(choice).limit_memory(bytes);
}

void release_device_memory(const DeviceChoice& choice) { device_named(choice).release_cached(); }

std::string device_description(const DeviceChoice& choice) {
  return device_named(choice).description();
}

void has_waited(Device& device, std::size_t bytes) {
  static const bool warns = [] {
    const char* asked = std::getenv("STRIDER_SYNC");
    return asked && std::strcmp(asked, "warn") == 0;
  }();
  if (warns) {
    std::string place = recording().place ? to_text(recording().place()) : "";
    log_line("waited for " + device.name() + " to have " + bytes_text(static_cast<double>(bytes)) +
             (place.empty() ? "" : ", at " + place));
  }
  tell_what_was_met(device);
}

}  // namespace strider::nd
