// The module _steps: the loop of np.nditer, whose class stands in stdlib/numpy/_iteration. That one
// knows all there is to know of its state; here only its plain steps are taken, from one element
// of one-dimensional views to the next.
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/stopping.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

// The element of a one-dimensional view at a place that it has, as a 0-d view.
Value element_of(const Value& view, std::int64_t at) {
  if (!is_array(view)) return get_item(view, make_pair(Value::integer(at), ellipsis()));
  const nd::Array& array = array_of(view);
  return plain_view(array.view({}, {}, at * array.strides()[0]), view);
}

class ElementSteps final : public Iterator {
 public:
  ElementSteps(const Value& walker, Ref<Tuple> views)
      : Iterator(&type_object()), walker_(walker), views_(std::move(views)) {}
  static Type& type_object() {
    static Type& type = *make_iterator_type("numpy.nditer_steps");
    return type;
  }

  bool advance(Value& item) override {
    if (walker_.is_empty()) return false;
    if (!take_plain_step()) {
      static const Name next = intern("__next__");
      return unless_stopped([&] {
        item = call_method(walker_, next);
        return true;
      });
    }
    std::span<const Value> views = views_->items();
    if (views.size() == 1) {
      item = element_of(views[0], at_);
    } else {
      Values parts;
      for (const Value& view : views) parts.push_back(element_of(view, at_));
      item = make_tuple(std::move(parts));
    }
    return true;
  }

  void traverse(Visitor& visitor) override {
    visitor.visit(walker_);
    visitor.visit(Value(views_));
  }
  void clear_references() override { walker_ = Value(); }

 private:
  // Goes to the next place, unless this is the first or the last one, the iterator was closed, or
  // others follow it.
  bool take_plain_step() {
    static const Name at = intern("_at"), end = intern("_end"), started = intern("_started"),
                      finished = intern("_finished"), closed = intern("_closed"),
                      children = intern("_children");
    Attributes& state = *walker_.object()->attributes();
    auto is = [&state](Name name, bool wanted) {
      const Value* value = state.find(name);
      return value && value->is_bool() && value->as_bool() == wanted;
    };
    const Value *last = state.find(end), *others = state.find(children), *place = state.find(at);
    bool plain = is(started, true) && is(finished, false) && is(closed, false) && place &&
                 place->is_int() && last && last->is_int() &&
                 place->as_int() + 1 < last->as_int() && others && is_list(*others) &&
                 others->as<List>()->items.empty();
    if (!plain) return false;
    at_ = place->as_int() + 1;
    state.set(at, Value::integer(at_));
    return true;
  }

  Value walker_;
  Ref<Tuple> views_;
  std::int64_t at_ = 0;
};

Value steps(const Parameters& p) { return make<ElementSteps>(p[0], to_tuple(p[1])); }

Value element(const Parameters& p) { return element_of(p[0], to_int64(p[1])); }

const NativeRow kFunctions[] = {
    {"element(view, at, /)", element,
     "view[at, ...] of a one-dimensional view that has the place."},
    {"steps(walker, views, /)", steps,
     "An iterator over what the walker's __next__ gives: elements of one-dimensional views at its "
     "place _at."},
};

}  // namespace

const NativeModule kStepsModule = {"_steps", "The loop of np.nditer.", kFunctions, {}};

}  // namespace strider::lang
