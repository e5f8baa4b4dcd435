// Which pending work is computed to make room.
#include "kernels/graph/evaluation/room.h"

#include <vector>

#include "kernels/graph/evaluation/evaluate.h"
#include "kernels/graph/expression/balance.h"
#include "kernels/graph/expression/expression.h"
#include "kernels/graph/placement/placement.h"

namespace strider::nd {
namespace {

// Storages that keep less are not worth a launch.
constexpr std::size_t kWorthSettling = 64u << 10;

struct Situation {
  int running = 0;  // plans
  bool may_start_again = false;
  bool settling = false;
};

Situation& situation() {
  constinit thread_local Situation instance;
  return instance;
}

// The promise that has to be computed for the storage to go sooner or later; null where nothing
// would be gained.
Storage* worth_computing(const Storage& storage) {
  if (storage.held || !storage.readers) return nullptr;
  Storage& top = wanted_above(*storage.readers->reader->storage);
  std::size_t kept = storage.byte_count();
  bool gains = kept >= kWorthSettling && top.held && top.expression() &&
               kept > static_cast<std::size_t>(result_bytes(*top.expression()));
  return gains ? &top : nullptr;
}

// Storages that pending work alone keeps, as long as this lives.
class Kept {
 public:
  explicit Kept(const Device& device) {
    for (const Resident* resident : residents_of(device)) {
      if (!worth_computing(resident->owner)) continue;
      resident->owner.retain();
      storages_.push_back(&resident->owner);
    }
  }
  ~Kept() {
    for (Storage* storage : storages_) storage->release();
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  const std::vector<Storage*>& storages() const { return storages_; }

 private:
  std::vector<Storage*> storages_;
};

// Computes it; whoever asks for what does not fit either meets the error there.
bool compute_if_it_fits(Storage& promise) {
  try {
    compute(promise);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMemory) throw;
    return false;
  }
}

class Settling {
 public:
  Settling() { situation().settling = true; }
  ~Settling() { situation().settling = false; }
};

bool settle(const Device& device) {
  Settling settling;
  Kept kept(device);
  bool computed = false;
  for (Storage* storage : kept.storages()) {
    while (Storage* promise = worth_computing(*storage)) {
      if (!compute_if_it_fits(*promise)) break;
      computed = true;
    }
  }
  return computed;
}

}  // namespace

PlanRun::PlanRun() { ++situation().running; }
PlanRun::~PlanRun() { --situation().running; }

MayStartAgain::MayStartAgain() : before_(situation().may_start_again) {
  situation().may_start_again = situation().running == 0;
}
MayStartAgain::~MayStartAgain() { situation().may_start_again = before_; }

bool settle_for_room(Device& device) {
  const Situation& now = situation();
  if (now.settling) return false;
  if (now.running == 0) return settle(device);
  if (now.running == 1 && now.may_start_again && !Kept(device).storages().empty())
    throw ShortOfRoom{device};
  return false;
}

bool compute_in_parts(const Storage& promise) {
  const Expression* expression = promise.expression();
  if (!expression || !backend_in_use().device()) return false;
  bool computed = false;
  for (const Reading& argument : expression->arguments) {
    Storage* storage = argument.storage;
    if (!storage || !storage->pending() || storage->expression()->is_generated()) continue;
    compute_in_parts(*storage);
    compute(*storage);
    computed = true;
  }
  return computed;
}

const Place& place_of(const Expression& expression) { return expression.place; }

}  // namespace strider::nd
