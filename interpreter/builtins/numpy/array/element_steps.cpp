// The module _steps: the loop of np.nditer, whose class stands in stdlib/numpy/_iteration. That one
// knows all there is to know of its state; here only its plain steps are taken, from one element
// of one-dimensional views to the next.
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
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
  enum Field { kAt, kEnd, kStarted, kFinished, kClosed, kChildren, kGiven, kFields };
  static Name name_of(Field field) {
    static const Name names[kFields] = {intern("_at"),       intern("_end"),    intern("_started"),
                                        intern("_finished"), intern("_closed"), intern("_children"),
                                        intern("_given")};
    return names[field];
  }

  // Where the fields stand in walkers of one shape.
  struct Places {
    void find_in(Shape* found) {
      shape = found;
      for (int field = 0; field < kFields; ++field)
        index[field] = found->find(name_of(static_cast<Field>(field)));
    }
    Shape* shape = nullptr;
    int index[kFields];
  };

  // The state of the walker, as far as steps depend on it.
  struct State {
    State(const Value& walker, Places& known)
        : attributes(*walker.object()->attributes()), places(known) {
      Shape* shape = attributes.shape();
      is_known = shape != nullptr;
      if (is_known && shape != places.shape) places.find_in(shape);
    }
    Value* find(Field field) const {
      if (!is_known) return attributes.find(name_of(field));
      int index = places.index[field];
      return index < 0 ? nullptr : &attributes.at(index);
    }
    // Programs may have deleted the field.
    void set(Field field, const Value& value) const {
      if (Value* place = find(field))
        *place = value;
      else
        attributes.set(name_of(field), value);
    }
    bool is(Field field, bool wanted) const {
      const Value* value = find(field);
      return value && value->is_bool() && value->as_bool() == wanted;
    }
    bool is_open() const { return is(kFinished, false) && is(kClosed, false); }
    std::int64_t number(Field field) const {
      const Value* value = find(field);
      return value && value->is_int() ? value->as_int() : -1;
    }
    // Whether nobody has asked for more than elements, so that nothing is to be written anywhere.
    bool is_plain() const { return find(kGiven) != nullptr; }

    Attributes& attributes;
    Places& places;
    bool is_known;
  };

  // Goes to the next place, unless this is the first or the last one, the iterator was closed, or
  // others follow it. The first place of plain arrays is taken, too.
  bool take_plain_step() {
    State state(walker_, places_);
    const Value* others = state.find(kChildren);
    std::int64_t place = state.number(kAt), end = state.number(kEnd);
    bool alone = others && is_list(*others) && others->as<List>()->items.empty();
    if (!alone || place < 0 || !state.is_open()) return false;
    if (!state.is(kStarted, true)) {
      if (!state.is_plain() || place >= end) return false;
      state.set(kStarted, Value::boolean(true));
      at_ = place;
      return true;
    }
    if (place + 1 >= end) return false;
    at_ = place + 1;
    state.set(kAt, Value::integer(at_));
    return true;
  }

  // Whether the last place of plain arrays was taken; then the walker is at its end.
  bool take_last_step() {
    State state(walker_, places_);
    bool last = at_ + 1 == state.number(kEnd) && state.is_plain() && state.is(kStarted, true) &&
                state.is_open() && state.number(kAt) == at_;
    if (last) state.set(kFinished, Value::boolean(true));
    return last;
  }

  Value walker_;
  Ref<Tuple> views_;
  std::int64_t at_ = 0;
  Places places_;
};

Value steps(const Parameters& p) { return make<ElementSteps>(p[0], to_tuple(p[1])); }

Value element(const Parameters& p) { return element_of(p[0], to_int64(p[1])); }

// A view of one axis over a plain array whose elements lie in the order of its indices; Empty for
// others.
Value line_over(const Value& value, const nd::Dims* shape, bool writes) {
  if (!is_array(value) || is_subclass_array(value)) return {};
  const nd::Array& array = array_of(value);
  if (array.size() == 0 || !array.is_c_contiguous() || (writes && !array.writeable())) return {};
  if (shape && array.shape() != *shape) return {};
  nd::Array line = array.view(nd::Dims{array.size()}, nd::Dims{nd::item_size(array.dtype())}, 0);
  if (!writes) line.set_writeable(false);
  return plain_view(std::move(line), value);
}

// lines(op, writes)
Value lines(const Parameters& p) {
  std::span<const Value> given(&p[0], 1);
  bool writes = p[1].as_bool();
  if (is_list(p[0])) given = p[0].as<List>()->items;
  if (is_tuple(p[0])) given = p[0].as<Tuple>()->items();
  const nd::Dims* shape = nullptr;
  Values made;
  for (const Value& value : given) {
    Value line = line_over(value, shape, writes);
    if (line.is_empty() || (writes && given.size() > 1)) {
      made.clear();
      break;
    }
    shape = &array_of(value).shape();
    made.push_back(std::move(line));
  }
  if (made.empty()) return make_pair(Value::none(), Value::none());
  return make_pair(Value(make_list(std::move(made))), shape_tuple(*shape));
}

// place_of(at, shape)
Value place_of(const Parameters& p) {
  std::int64_t at = to_int64(p[0]);
  std::span<const Value> shape = p[1].as<Tuple>()->items();
  Values made(shape.size());
  for (std::size_t axis = shape.size(); axis > 0; --axis) {
    std::int64_t length = shape[axis - 1].as_int();
    made[axis - 1] = Value::integer(at % length);
    at /= length;
  }
  return Value(make_tuple(std::move(made)));
}

const NativeRow kFunctions[] = {
    {"lines(op, writes, /)", lines,
     "Views of one axis over the plain arrays of one shape that an operand of np.nditer is, or "
     "has, and the shape; None for others. They are for reading, or one is written to."},
    {"place_of(at, shape, /)", place_of, "The indices of an element in C order."},
    {"element(view, at, /)", element,
     "view[at, ...] of a one-dimensional view that has the place."},
    {"steps(walker, views, /)", steps,
     "An iterator over what the walker's __next__ gives: elements of one-dimensional views at its "
     "place _at."},
};

}  // namespace

const NativeModule kStepsModule = {"_steps", "The loop of np.nditer.", kFunctions, {}};

}  // namespace strider::lang
