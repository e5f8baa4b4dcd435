// Iterator: the base of every iterator written in C++ (of lists, dicts, enumerate, zip,
// itertools…).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/value/value.h"
#include "interpreter/runtime/value/values.h"

namespace strider::lang {

class Iterator : public Container {
 public:
  // Gives the next item; false at the end (and ever after).
  virtual bool advance(Value& item) = 0;
  // How many parts each item has that advance_parts() can give; 0: items come whole only.
  virtual std::size_t part_count() const { return 0; }
  // As advance(), with the item taken apart: `for key, value in table.items()` needs no tuple.
  virtual bool advance_parts(Value*) { return false; }
  // Adds all items still to come to a row at once; false where they are asked for one by one.
  virtual bool append_rest(Values&) { return false; }
  // Items still to come if known (__length_hint__), else -1.
  virtual std::int64_t remaining() const { return -1; }
  // What rebuilds the iterator as it stands, as __reduce__ has it; TypeError where nothing does.
  virtual Value reduced();
  // Takes the place that reduced() gave as its state.
  virtual void set_place(std::int64_t) {}
  // Of a class written in the language, whose own __iter__ and __next__ count: loops that advance
  // native iterators directly no longer take it for one.
  void obey_class() { set_layout(Layout::kOther); }

 protected:
  explicit Iterator(Type* type) : Container(Layout::kIterator, type) {}
  // (function, arguments) or (function, arguments, place): what reduced() gives.
  static Value rebuilt_by(const Value& function, Values arguments, std::int64_t place = -1);
  // The same by a builtin function.
  static Value rebuilt_by(std::string_view function, Values arguments, std::int64_t place = -1);
};

// Adds all items that an iterator of any kind still gives.
void append_rest(Values& items, const Value& iterator);

// The type of one kind of iterator: __iter__ gives itself, __next__ advances. Kept for the process.
Type* make_iterator_type(std::string_view name);

}  // namespace strider::lang
