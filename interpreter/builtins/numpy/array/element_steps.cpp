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
    if (take_last_step()) return false;
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
  // The state of the walker, as far as steps depend on it.
  struct State {
    explicit State(const Value& walker) : attributes(*walker.object()->attributes()) {}
    const Value* find(Name name) const { return attributes.find(name); }
    bool is(Name name, bool wanted) const {
      const Value* value = find(name);
      return value && value->is_bool() && value->as_bool() == wanted;
    }
    bool is_open() const { return is(finished, false) && is(closed, false); }
    std::int64_t number(Name name) const {
      const Value* value = find(name);
      return value && value->is_int() ? value->as_int() : -1;
    }
    // Whether nobody has asked for more than elements, so that nothing is to be written anywhere.
    bool is_plain() const { return find(given) != nullptr; }

    Attributes& attributes;
    static inline const Name at = intern("_at"), end = intern("_end"), started = intern("_started"),
                             finished = intern("_finished"), closed = intern("_closed"),
                             children = intern("_children"), given = intern("_given");
  };

  // Goes to the next place, unless this is the first or the last one, the iterator was closed, or
  // others follow it. The first place of plain arrays is taken, too.
  bool take_plain_step() {
    State state(walker_);
    const Value* others = state.find(State::children);
    std::int64_t place = state.number(State::at), end = state.number(State::end);
    bool alone = others && is_list(*others) && others->as<List>()->items.empty();
    if (!alone || place < 0 || !state.is_open()) return false;
    if (!state.is(State::started, true)) {
      if (!state.is_plain() || place >= end) return false;
      state.attributes.set(State::started, Value::boolean(true));
      at_ = place;
      return true;
    }
    if (place + 1 >= end) return false;
    at_ = place + 1;
    state.attributes.set(State::at, Value::integer(at_));
    return true;
  }

  // Whether the last place of plain arrays was taken; then the walker is at its end.
  bool take_last_step() {
    State state(walker_);
    bool last = at_ + 1 == state.number(State::end) && state.is_plain() &&
                state.is(State::started, true) && state.is_open() && state.number(State::at) == at_;
    if (last) state.attributes.set(State::finished, Value::boolean(true));
    return last;
  }

  Value walker_;
  Ref<Tuple> views_;
  std::int64_t at_ = 0;
};

Value steps(const Parameters& p) { return make<ElementSteps>(p[0], to_tuple(p[1])); }

Value element(const Parameters& p) { return element_of(p[0], to_int64(p[1])); }

// A read-only view of one axis over a plain array whose elements lie in the order of its indices;
// Empty for others.
Value line_over(const Value& value, const nd::Dims* shape) {
  if (!is_array(value) || is_subclass_array(value)) return {};
  const nd::Array& array = array_of(value);
  if (array.size() == 0 || !array.is_c_contiguous()) return {};
  if (shape && array.shape() != *shape) return {};
  nd::Array line = array.view(nd::Dims{array.size()}, nd::Dims{nd::item_size(array.dtype())}, 0);
  line.set_writeable(false);
  return plain_view(std::move(line), value);
}

// lines(op)
Value lines(const Parameters& p) {
  std::span<const Value> given(&p[0], 1);
  if (is_list(p[0])) given = p[0].as<List>()->items;
  if (is_tuple(p[0])) given = p[0].as<Tuple>()->items();
  const nd::Dims* shape = nullptr;
  Values made;
  for (const Value& value : given) {
    Value line = line_over(value, shape);
    if (line.is_empty()) return Value::none();
    shape = &array_of(value).shape();
    made.push_back(std::move(line));
  }
  return made.empty() ? Value::none() : Value(make_list(std::move(made)));
}

const NativeRow kFunctions[] = {
    {"lines(op, /)", lines,
     "Read-only views of one axis over the plain arrays of one shape that an operand of np.nditer "
     "is, or has; None for others."},
    {"element(view, at, /)", element,
     "view[at, ...] of a one-dimensional view that has the place."},
    {"steps(walker, views, /)", steps,
     "An iterator over what the walker's __next__ gives: elements of one-dimensional views at its "
     "place _at."},
};

}  // namespace

const NativeModule kStepsModule = {"_steps", "The loop of np.nditer.", kFunctions, {}};

}  // namespace strider::lang
