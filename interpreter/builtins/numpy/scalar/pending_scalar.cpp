// A program that asks for the values of one pending scalar after the other, as printing a list
// does, gets more of them at every wait.
#include "interpreter/builtins/numpy/scalar/pending_scalar.h"

#include <strider/nd/eval.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace strider::lang {
namespace {

// Those that are pending, and how the last of them were asked for.
struct PendingElements {
  PendingElement* newest = nullptr;
  PendingElement* oldest = nullptr;
  std::size_t count = 0;
  std::size_t together = 1;    // how many were read at once
  std::int64_t recorded = -1;  // operations until then
};

PendingElements& pending_elements() {
  constinit thread_local PendingElements instance;
  return instance;
}

constexpr std::size_t kMostTogether = 1024;
// Each takes about a kilobyte.
constexpr std::size_t kMostPending = 16 << 10;

// How many to read at once: more each time, as long as the program records nothing between.
std::size_t next_count() {
  constexpr std::size_t kGrowth = 4;
  PendingElements& all = pending_elements();
  std::int64_t recorded = nd::evaluation_counts().recorded;
  bool again = all.recorded == recorded;
  all.recorded = recorded;
  all.together = again ? std::min(all.together * kGrowth, kMostTogether) : 1;
  return all.together;
}

// A scalar and the newest others.
std::vector<Ref<NumpyScalar>> with_others(NumpyScalar* scalar, std::size_t count) {
  std::vector<Ref<NumpyScalar>> found{scalar};
  PendingElement* each = pending_elements().newest;
  for (; each && found.size() < count; each = each->older) {
    if (each->owner != scalar) found.emplace_back(each->owner);
  }
  return found;
}

// Telling what the device met may run code of the program, which may settle or drop any scalar.
void settle_all(std::span<const Ref<NumpyScalar>> scalars) {
  std::vector<nd::Array> arrays;
  for (const Ref<NumpyScalar>& each : scalars) arrays.push_back(each->element().array);
  std::vector<nd::Scalar> elements = nd::read_elements(arrays);
  for (std::size_t i = 0; i < elements.size(); ++i) scalars[i]->settle(elements[i]);
}

void settle_oldest() {
  std::vector<Ref<NumpyScalar>> found;
  PendingElement* each = pending_elements().oldest;
  for (; each && found.size() < kMostTogether; each = each->newer) found.emplace_back(each->owner);
  settle_all(found);
}

void append(PendingElement& element) {
  PendingElements& all = pending_elements();
  element.older = all.newest;
  (all.newest ? all.newest->newer : all.oldest) = &element;
  all.newest = &element;
  ++all.count;
}

void remove(const PendingElement& element) {
  PendingElements& all = pending_elements();
  (element.newer ? element.newer->older : all.newest) = element.older;
  (element.older ? element.older->newer : all.oldest) = element.newer;
  --all.count;
}

}  // namespace

NumpyScalar::NumpyScalar(PendingElement& element)
    : Object(Layout::kNumpyScalar, &type_object(element.array.dtype())), element_(&element) {
  flags_ = 1;
  element.owner = this;
  append(element);
}

void NumpyScalar::forget_element() {
  std::unique_ptr<PendingElement> element(element_);
  remove(*element);
  flags_ = 0;
}

void NumpyScalar::settle(const nd::Scalar& value) {
  if (!flags_) return;
  std::unique_ptr<PendingElement> element(element_);
  remove(*element);
  flags_ = 0;
  new (&value_) nd::Scalar(value);
}

void NumpyScalar::settle() { settle_all(with_others(this, next_count())); }

void settle_together(std::span<const Value> scalars) {
  std::vector<Ref<NumpyScalar>> found;
  for (const Value& each : scalars) {
    if (is_pending_scalar(each)) found.emplace_back(each.as<NumpyScalar>());
  }
  settle_all(found);
}

nd::DType scalar_dtype(const Value& value) {
  return is_pending_scalar(value) ? pending_array(value).dtype() : scalar_of(value).dtype();
}

Value make_pending(nd::Array array, double bound) {
  if (!nd::is_unshared(array) || !nd::start(array)) return make_scalar(array.item());
  if (pending_elements().count >= kMostPending) settle_oldest();
  return make<NumpyScalar>(*new PendingElement{std::move(array), bound});
}

}  // namespace strider::lang
