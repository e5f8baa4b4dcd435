// The module _functools: the callable that lru_cache() puts in front of a function, partial,
// reduce(). The module functools adds what needs no speed.
#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/functional/partial.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Results in the order of their last use: a ring of places, the oldest first.
class RecentResults {
 public:
  // The result's place, which becomes the latest; or null.
  const Value* find(const Value& key, std::int64_t hash) {
    const Value* found = places_->find(key, hash);
    if (!found) return nullptr;
    auto index = static_cast<std::size_t>(found->as_int());
    unlink(index);
    link_last(index);
    return &ring_[index].result;
  }

  // Keeps a result that is not there yet, in place of the oldest one where `most` are kept.
  void add(const Value& key, std::int64_t hash, const Value& result, std::size_t most) {
    std::size_t index = ring_.size();
    Entry forgotten;
    if (size() < most) {
      ring_.emplace_back();
    } else {
      index = ring_[0].next;
      forgotten = std::move(ring_[index]);
      unlink(index);
      places_->erase(forgotten.key);
    }
    ring_[index].key = key;
    ring_[index].result = result;
    link_last(index);
    places_->set(key, Value::integer(static_cast<std::int64_t>(index)), hash);
  }

  std::size_t size() const { return ring_.size() - 1; }

  void clear() {
    std::vector<Entry> dying(1);
    dying.swap(ring_);
    places_->clear();
  }

  void traverse(Visitor& visitor) {
    for (const Entry& entry : ring_) {
      visitor.visit(entry.key);
      visitor.visit(entry.result);
    }
  }

 private:
  struct Entry {
    std::size_t previous = 0, next = 0;
    Value key, result;
  };
  void unlink(std::size_t index) {
    Entry& entry = ring_[index];
    ring_[entry.previous].next = entry.next;
    ring_[entry.next].previous = entry.previous;
  }
  void link_last(std::size_t index) {
    std::size_t last = ring_[0].previous;
    ring_[index].previous = last;
    ring_[index].next = 0;
    ring_[last].next = ring_[0].previous = index;
  }

  std::vector<Entry> ring_ = std::vector<Entry>(1);  // the first entry stands for both ends
  Ref<Dict> places_ = make_dict();                   // key to index in the ring; seen by no program
};

// A function together with the results it gave.
class CachedFunction final : public Container {
 public:
  explicit CachedFunction(Type* type) : Container(Layout::kOther, type) {}
  static Type& type_object();
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override {
    visitor.visit(function);
    visitor.visit(info_class);
    visitor.visit(all);
    recent.traverse(visitor);
    attributes_.traverse(visitor);
  }
  void clear_references() override {
    function = info_class = Value::none();
    all->clear();
    recent.clear();
    attributes_.clear();
  }

  bool is_limited() const { return limit >= 0; }
  std::size_t size() const { return is_limited() ? recent.size() : all->size(); }

  Value function = Value::none(), info_class = Value::none();
  std::int64_t limit = -1;  // negative: none
  bool typed = false;
  std::int64_t hits = 0, misses = 0;
  Ref<Dict> all = make_dict();  // without a limit
  RecentResults recent;         // with one

 private:
  Attributes attributes_;
};

CachedFunction& cached(const Value& self) { return *self.as<CachedFunction>(); }

// Stands between positional and keyword arguments of a key.
const Value& keyword_mark() {
  static const Value mark = make<Instance>(&Type::object_type());
  return mark;
}

// One value that tells calls apart. A plain int or text stands for itself: nothing else that is
// used as a key is one.
Value make_key(const Arguments& arguments, bool typed) {
  const Value* first = arguments.values;
  bool alone = arguments.count == 1 && arguments.keyword_count == 0 && !typed;
  if (alone && (first->is_int() || (is_str(*first) && first->as<Str>()->is_exact()))) return *first;
  std::size_t mark = arguments.keyword_count ? 1 : 0;
  std::size_t size = arguments.count + mark + 2 * arguments.keyword_count;
  if (typed) size += arguments.count + arguments.keyword_count;
  Ref<Tuple> key = make_tuple_of<Tuple>(size);
  Value* place = std::copy_n(first, arguments.count, key->places());
  if (mark) *place++ = keyword_mark();
  for (const KeywordArgument& each : arguments.named()) {
    *place++ = Value(each.name);
    *place++ = each.value;
  }
  if (!typed) return key;
  for (const Value& each : arguments.positional()) *place++ = Value(type_of(each));
  for (const KeywordArgument& each : arguments.named()) *place++ = Value(type_of(each.value));
  return key;
}

Value call_unlimited(CachedFunction& self, const Arguments& arguments) {
  Value key = make_key(arguments, self.typed);
  std::int64_t key_hash = hash(key);
  if (const Value* found = self.all->find(key, key_hash)) {
    ++self.hits;
    return *found;
  }
  ++self.misses;
  Value result = call(Value(self.function), arguments);
  self.all->set(key, result, key_hash);
  return result;
}

Value call_limited(CachedFunction& self, const Arguments& arguments) {
  Value key = make_key(arguments, self.typed);
  std::int64_t key_hash = hash(key);
  if (const Value* found = self.recent.find(key, key_hash)) {
    ++self.hits;
    return *found;
  }
  ++self.misses;
  Value result = call(Value(self.function), arguments);
  bool kept = self.limit == 0 || self.recent.find(key, key_hash);  // the call may have kept it
  if (!kept) self.recent.add(key, key_hash, result, static_cast<std::size_t>(self.limit));
  return result;
}

Value call_cached(const Value& self, const Arguments& arguments) {
  Value keep = self;  // the function may rebind the only name of the wrapper
  CachedFunction& function = cached(keep);
  return function.is_limited() ? call_limited(function, arguments)
                               : call_unlimited(function, arguments);
}

// (function, limit or None, typed, the class of cache_info's results)
Value construct_cached(Type* cls, const Arguments& arguments) {
  if (arguments.count != 4 || arguments.keyword_count)
    raise(errors::TypeError, "{}() takes exactly 4 arguments ({} given)", plain_name(*cls),
          arguments.count);
  const Value* given = arguments.values;
  if (!is_callable(given[0])) raise(errors::TypeError, "the first argument must be callable");
  Ref<CachedFunction> made = make<CachedFunction>(cls);
  made->function = given[0];
  made->limit = given[1].is_none() ? -1 : std::max<std::int64_t>(to_int64(given[1]), 0);
  made->typed = truth(given[2]);
  made->info_class = given[3];
  return made;
}

Value cache_info(const Parameters& p) {
  const CachedFunction& self = cached(p[0]);
  Value limit = self.is_limited() ? Value::integer(self.limit) : Value::none();
  return call(Value(self.info_class), Value::integer(self.hits), Value::integer(self.misses), limit,
              Value::integer(static_cast<std::int64_t>(self.size())));
}

Value cache_clear(const Parameters& p) {
  CachedFunction& self = cached(p[0]);
  self.hits = self.misses = 0;
  self.all->clear();
  self.recent.clear();
  return Value::none();
}

Value bind_cached(const Value& self, const Value& instance, const Value&) {
  if (instance.is_empty() || instance.is_none()) return self;
  return make<BoundMethod>(self, instance);
}

const NativeRow kMethods[] = {
    {"cache_info(self, /)", cache_info, "Report cache statistics."},
    {"cache_clear(self, /)", cache_clear, "Clear the cache and cache statistics."},
    {"__copy__(self, /)", [](const Parameters& p) { return p[0]; }, "The same function."},
    {"__deepcopy__(self, memo, /)", [](const Parameters& p) { return p[0]; }, "The same function."},
    {"__reduce__(self, /)",
     [](const Parameters& p) { return get_attribute(p[0], names().qualname); },
     "The name by which pickles know the function."},
};

Type& CachedFunction::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("_lru_cache_wrapper", "functools");
    made.doc = "A function that remembers the results it gave.";
    made.slots.construct = construct_cached;
    made.slots.initialize = [](const Value&, const Arguments&) {};
    made.slots.call = call_cached;
    made.slots.get = bind_cached;
    made.set(Type::kHasInstanceDict);
    made.add(kMethods);
    return &made;
  }();
  return type;
}

Value reduce(const Parameters& p) {
  if (!type_of(p[1])->slots.iterate && !type_of(p[1])->slots.get_item)
    raise(errors::TypeError, "reduce() arg 2 must support iteration");
  Iteration items(p[1]);
  Value result = p[2], item;
  if (result.is_empty() && !items.next(result))
    raise(errors::TypeError, "reduce() of empty iterable with no initial value");
  while (items.next(item)) result = call(p[0], result, item);
  return result;
}

const NativeRow kFunctions[] = {
    {"reduce(function, iterable, initial=<none>, /)", reduce,
     "Folds an iterable from the left with a function of two arguments."},
};

const ConstantRow kTypes[] = {
    {"_lru_cache_wrapper", [] { return Value(&CachedFunction::type_object()); }},
    {"partial", [] { return Value(&partial_type()); }},
};

}  // namespace

const NativeModule kFunctoolsModule = {
    "_functools", "Functions that remember their results, and folds.", kFunctions, kTypes};

}  // namespace strider::lang
