// Renting or buying, twice: a device is opened when it would have saved what opening takes, and an
// array is copied to it when, lying there, it would have saved what the copy takes. As far as the
// estimates hold, that spends no more than twice the best. What results are copied back for is not
// foreseen.
#include "kernels/graph/placement/choice.h"

#include <strider/nd/threads.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <unordered_map>
#include <vector>

#include "kernels/core/blocked_signals.h"
#include "kernels/core/device.h"
#include "kernels/core/log.h"

namespace strider::nd {
namespace {

// Bytes below which a plan stays on the host unless its elements are on the device.
constexpr double kSmall = 1 << 16;
constexpr double kLaunch = 5e-6;   // seconds for a loop, the host's share included
constexpr double kWait = 10e-6;    // for a copy to the host, however small
constexpr double kOpening = 0.25;  // for a device
constexpr std::size_t kMostCredits = 4096;

// Bytes and simple instructions a second.
struct Speed {
  double bytes;
  double work;

  double seconds(const PlanCost& cost) const {
    return std::max(cost.bytes / bytes, cost.work / work);
  }
};

double time_of(auto&& act) {
  Stopwatch watch;
  act();
  return watch.seconds();
}

// The device, opened by a thread of its own.
class Opening {
 public:
  static Opening& instance() {
    static auto* opening = new Opening;
    return *opening;
  }
  Backend* ready() const {
    return state_.load(std::memory_order_acquire) == State::kReady ? backend_ : nullptr;
  }
  bool possible() const { return state_.load(std::memory_order_relaxed) != State::kNone; }
  void start() {
    State before = State::kClosed;
    if (!state_.compare_exchange_strong(before, State::kOpening)) return;
    BlockedSignals blocked;
    thread_ = std::thread([this] { open(); });
  }
  void finish() {
    if (thread_.joinable()) thread_.join();
  }

  Speed device{1e12, 1e12};
  double up = 1e10, down = 1e10;  // bytes a second between the two memories

 private:
  enum class State { kClosed, kOpening, kReady, kNone };

  void open() {
    State state = State::kNone;
    try {
      std::string reason = "no NVIDIA driver is installed";
      backend_ = may_have_device() ? open_cuda_backend(0, &reason) : nullptr;
      if (backend_ && backend_->device()) {
        measure(*backend_->device());
        state = State::kReady;
      } else if (is_logged(LogSubject::kRendering)) {
        log_line("no device for auto: " + reason);
      }
    } catch (const std::exception& error) {
      std::string reason = error.what();
      if (is_logged(LogSubject::kRendering)) log_line("no device for auto: " + reason);
    }
    state_.store(state, std::memory_order_release);
  }

  // The second run of each counts.
  void measure(Device& memory) {
    constexpr std::size_t kBytes = 8 << 20;
    std::vector<std::byte> host(kBytes);
    std::byte *a = memory.allocate(kBytes), *b = memory.allocate(kBytes);
    if (!a || !b) return;
    double to = 1, from = 1, across = 1;
    for (int i = 0; i < 2; ++i) {
      to = time_of([&] {
        memory.upload(a, host.data(), kBytes);
        memory.synchronize();
      });
      from = time_of([&] { memory.download(host.data(), a, kBytes); });
      across = time_of([&] {
        for (int k = 0; k < 16; ++k) memory.copy(b, a, kBytes);
        memory.synchronize();
      });
    }
    memory.free(a, kBytes);
    memory.free(b, kBytes);
    up = kBytes / to;
    down = kBytes / from;
    device = {16 * 2 * kBytes / across, 16 * 2 * kBytes / across};
  }

  std::atomic<State> state_{State::kClosed};
  Backend* backend_ = nullptr;
  std::thread thread_;
};

struct Learned {
  double host_factor = 1;  // how much longer the host takes than estimated
  double missed = 0;       // seconds that a device would have saved
  std::unordered_map<const Storage*, double> credits;  // the same by array
};

Learned& learned() {
  thread_local Learned instance;
  return instance;
}

double host_seconds(const PlanCost& cost) {
  double threads = std::min(thread_count(), 16);
  return Speed{6e9 * threads, 4e9 * threads}.seconds(cost) * learned().host_factor;
}

double copy_seconds(const std::vector<Storage*>& storages, double speed) {
  double seconds = 0;
  for (const Storage* storage : storages) {
    seconds += static_cast<double>(storage->byte_count()) / speed;
  }
  return seconds;
}

// Whether all that has to be copied has earned it.
bool has_earned(const PlanCost& cost, double gain, double speed) {
  if (cost.host_only.empty()) return true;
  auto& credits = learned().credits;
  if (credits.size() > kMostCredits) credits.clear();
  double share = gain / static_cast<double>(cost.host_only.size());
  bool earned = true;
  for (Storage* storage : cost.host_only) {
    if (storage->borrowed()) return false;
    double& credit = credits[storage];
    credit += share;
    earned &= credit >= static_cast<double>(storage->byte_count()) / speed;
  }
  if (earned) {
    for (Storage* storage : cost.host_only) credits.erase(storage);
  }
  return earned;
}

}  // namespace

bool may_choose_device() { return Opening::instance().possible(); }

void finish_opening() { Opening::instance().finish(); }

Backend* chosen_device() { return Opening::instance().ready(); }

Backend& choose_backend(const PlanCost& cost) {
  Opening& opening = Opening::instance();
  if (cost.bytes < kSmall && cost.device_only.empty()) return host_backend();
  Backend* backend = opening.ready();
  double host = host_seconds(cost) + copy_seconds(cost.device_only, opening.down) +
                kWait * static_cast<double>(cost.device_only.size());
  double device = opening.device.seconds(cost) + kLaunch * cost.loops;
  double gain = host - device;
  if (gain <= 0) return host_backend();
  if (!backend) {
    learned().missed += gain;
    if (learned().missed > kOpening) opening.start();
    return host_backend();
  }
  return has_earned(cost, gain, opening.up) ? *backend : host_backend();
}

void learn_host_speed(const PlanCost& cost, double seconds) {
  double expected = host_seconds(cost);
  if (expected < 1e-4 || !cost.device_only.empty()) return;
  double factor = std::clamp(seconds / expected, 0.5, 2.0);
  learned().host_factor = std::clamp(learned().host_factor * (0.9 + 0.1 * factor), 0.05, 20.0);
}

}  // namespace strider::nd
