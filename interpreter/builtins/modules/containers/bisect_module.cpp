// The module bisect: binary search in sorted sequences, and insertion into sorted lists.
// Knows lists apart from other sequences only to be quick.
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

Value item_of(const Value& sequence, std::int64_t index) {
  auto place = static_cast<std::size_t>(index);
  if (is_list(sequence) && place < sequence.as<List>()->size())
    return sequence.as<List>()->items[place];
  return get_item(sequence, Value::integer(index));
}

bool is_before(const Value& left, const Value& right) {
  if (left.is_int() && right.is_int()) return left.as_int() < right.as_int();
  if (left.is_float() && right.is_float()) return left.as_float() < right.as_float();
  return less(left, right);
}

// The place of p[1] in the sequence p[0] between p[2] and p[3], by the key p[4]; behind equal items
// or before them.
std::int64_t find_place(const Parameters& p, const Value& wanted, bool behind) {
  std::int64_t low = to_clamped_index(p[2]);
  if (low < 0) raise(errors::ValueError, "lo must be non-negative");
  std::int64_t high = p[3].is_none() ? length(p[0]) : to_clamped_index(p[3]);
  while (low < high) {
    std::int64_t middle = low + (high - low) / 2;
    Value item = item_of(p[0], middle);
    if (!p[4].is_none()) item = call(p[4], item);
    bool left = behind ? is_before(wanted, item) : !is_before(item, wanted);
    (left ? high : low) = left ? middle : middle + 1;
  }
  return low;
}

Value bisect_right(const Parameters& p) { return Value::integer(find_place(p, p[1], true)); }

Value bisect_left(const Parameters& p) { return Value::integer(find_place(p, p[1], false)); }

Value insert(const Parameters& p, bool behind) {
  Value wanted = p[4].is_none() ? p[1] : call(p[4], p[1]);
  Value place = Value::integer(find_place(p, wanted, behind));
  static const Name insert = intern("insert");
  call_method(p[0], insert, place, p[1]);
  return Value::none();
}

Value insort_right(const Parameters& p) { return insert(p, true); }

Value insort_left(const Parameters& p) { return insert(p, false); }

constexpr const char* kBehind = "The place behind the last item that is at most x.";
constexpr const char* kInsertBehind = "Inserts x into a sorted list, behind items that equal it.";

const NativeRow kFunctions[] = {
    {"bisect_right(a, x, lo=0, hi=None, *, key=None)", bisect_right, kBehind},
    {"bisect_left(a, x, lo=0, hi=None, *, key=None)", bisect_left,
     "The place of the first item that is at least x."},
    {"insort_right(a, x, lo=0, hi=None, *, key=None)", insort_right, kInsertBehind},
    {"insort_left(a, x, lo=0, hi=None, *, key=None)", insort_left,
     "Inserts x into a sorted list, before items that equal it."},
};

Value of_this_module(const char* name) {
  return get_attribute(import_module("bisect"), intern(name));
}

// The same functions by other names.
const ConstantRow kAliases[] = {
    {"bisect", [] { return of_this_module("bisect_right"); }},
    {"insort", [] { return of_this_module("insort_right"); }},
};

}  // namespace

const NativeModule kBisectModule = {"bisect", "Binary search in sorted sequences.", kFunctions,
                                    kAliases};

}  // namespace strider::lang
