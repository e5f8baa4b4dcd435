// The counts of arguments of slots, and the errors for others.
#include "interpreter/runtime/type/slot_arguments.h"

#include "interpreter/runtime/error/error.h"

namespace strider::lang {
namespace {

constexpr std::string_view kAlone =
    " repr str hash len int float index bool iter next neg pos invert abs aiter anext await del ";
constexpr std::string_view kWithOne =
    " add sub mul matmul truediv floordiv mod divmod lshift rshift and xor or"
    " radd rsub rmul rmatmul rtruediv rfloordiv rmod rdivmod rlshift rrshift rand rxor ror"
    " iadd isub imul imatmul itruediv ifloordiv imod ilshift irshift iand ixor ior"
    " eq ne lt le gt ge getitem delitem contains getattribute getattr delattr delete ";
constexpr std::string_view kWithTwo = " setitem setattr set ";
constexpr std::string_view kWithOneOrTwo = " pow rpow ipow get ";

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

}  // namespace

bool is_one_of(std::string_view words, std::string_view word) {
  std::size_t place = words.find(word);
  for (; place != words.npos; place = words.find(word, place + 1))
    if (words[place - 1] == ' ' && words[place + word.size()] == ' ') return true;
  return false;
}

std::optional<SlotCounts> slot_counts(std::string_view name) {
  if (name.size() < 5 || !name.starts_with("__") || !name.ends_with("__")) return {};
  std::string_view inner = name.substr(2, name.size() - 4);
  if (is_one_of(kAlone, inner)) return SlotCounts{0, 0, false};
  if (is_one_of(kWithOne, inner)) return SlotCounts{1, 1, false};
  if (is_one_of(kWithTwo, inner)) return SlotCounts{2, 2, true};
  if (is_one_of(kWithOneOrTwo, inner)) return SlotCounts{1, 2, true};
  return {};
}

void check_slot_arguments(std::string_view name, const SlotCounts& counts,
                          const Arguments& arguments) {
  if (arguments.keyword_count > 0)
    raise(errors::TypeError, "wrapper {}() takes no keyword arguments", name);
  std::size_t given = arguments.count;
  if (given >= counts.least && given <= counts.most) return;
  std::size_t wanted = given < counts.least ? counts.least : counts.most;
  const char* bound = counts.least == counts.most ? ""
                      : given < counts.least      ? "at least "
                                                  : "at most ";
  raise(errors::TypeError, "{}expected {}{} argument{}, got {}", counts.unpacked ? " " : "", bound,
        wanted, plural(wanted), given);
}

}  // namespace strider::lang
