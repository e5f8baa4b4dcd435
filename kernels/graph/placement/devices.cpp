// The devices that programs name: which one is in use, what lies there, what is waited for.
#include <strider/nd/copies.h>
#include <strider/nd/device.h>
#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/settings.h>

#include <charconv>

#include "kernels/core/device.h"
#include "kernels/core/log.h"
#include "kernels/graph/placement/choice.h"
#include "kernels/graph/placement/placement.h"
#include "kernels/graph/reporting/late_conditions.h"

namespace strider::nd {
namespace {

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

Device& device_named(const DeviceChoice& choice) {
  Device* device = open_backend(choice).device();
  if (!device) throw Error(ErrorKind::kValue, to_text(choice) + " has no memory of its own");
  return *device;
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
    DeviceWork work;
    storage.bytes_on(*device);
  }
}

bool is_host_alone() {
  finish_opening();
  return used().choice.kind == DeviceChoice::Kind::kHost ||
         (used().choice.kind == DeviceChoice::Kind::kAuto && !chosen_device());
}

void finish_background_work() {
  finish_opening();
  stop_compiling();
}

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

std::vector<DeviceArray> largest_arrays(const DeviceChoice& choice, std::size_t count) {
  std::vector<DeviceArray> largest;
  for (const Resident* each : largest_residents(device_named(choice), count))
    largest.push_back({each->block.capacity, each->place, each->copied});
  return largest;
}

void limit_device_memory(const DeviceChoice& choice, std::size_t bytes) {
  device_named(choice).limit_memory(bytes);
}

void release_device_memory(const DeviceChoice& choice) { device_named(choice).release_cached(); }

std::string device_description(const DeviceChoice& choice) {
  return device_named(choice).description();
}

void has_waited(Device& device, std::size_t bytes) {
  static const bool warns = word_setting("STRIDER_SYNC", {"warn"}) == "warn";
  if (warns) {
    std::string place = recording().place ? to_text(recording().place()) : "";
    log_line("waited for " + device.name() + " to have " + bytes_text(static_cast<double>(bytes)) +
             (place.empty() ? "" : ", at " + place));
  }
  tell_what_was_met(device);
}

}  // namespace strider::nd
