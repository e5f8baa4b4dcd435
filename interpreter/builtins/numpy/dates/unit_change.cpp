// A change of units is one to three steps, each of them a loop over all counts: what is alike for
// every count is found out once. Counts that are no time stay so.
#include "interpreter/builtins/numpy/dates/unit_change.h"

#include <algorithm>
#include <optional>

namespace strider::lang {
namespace {

using Unsigned = std::uint64_t;
__extension__ typedef unsigned __int128 Wide;

// Quotients by one divisor, rounded down, by a product with its reciprocal: that is too small by
// less than 1, which the remainder shows. Counts are lifted by a multiple of the divisor, so that
// none is negative.
class Quotients {
 public:
  explicit Quotients(Count divisor)
      : divisor_(static_cast<Unsigned>(divisor)),
        reciprocal_(~Unsigned{0} / divisor_),
        lift_(static_cast<Unsigned>(kReach) / divisor_ + 1) {}
  Count of(Count count) const {
    if (count <= -kReach || count >= kReach)
      return floor_divided(count, static_cast<Count>(divisor_));
    Unsigned lifted = static_cast<Unsigned>(count) + lift_ * divisor_;
    auto quotient = static_cast<Unsigned>(static_cast<Wide>(lifted) * reciprocal_ >> 64);
    quotient += lifted - quotient * divisor_ >= divisor_;
    return static_cast<Count>(quotient - lift_);
  }

 private:
  static constexpr Count kReach = Count{1} << 62;
  Unsigned divisor_, reciprocal_, lift_;
};

// A function of every count that is a time.
template <class Function>
void change_each(std::span<Count> counts, Function function) {
  for (Count& count : counts) count = count == kNoTime ? kNoTime : function(count);
}

// Whether all times lie within a limit.
bool all_within(std::span<const Count> counts, Count limit) {
  int beyond = 0;
  for (Count count : counts)
    beyond |= static_cast<int>(count != kNoTime) &
              (static_cast<int>(count > limit) | static_cast<int>(count < -limit));
  return beyond == 0;
}

bool multiply(std::span<Count> counts, Count factor) {
  if (factor == 1) return true;
  if (!all_within(counts, std::numeric_limits<Count>::max() / factor)) return false;
  change_each(counts, [=](Count count) { return count * factor; });
  return true;
}

void divide(std::span<Count> counts, Count divisor) {
  if (divisor == 1) return;
  change_each(counts,
              [quotients = Quotients(divisor)](Count count) { return quotients.of(count); });
}

// Between units of a fixed length, or between years and months.
bool scale(std::span<Count> counts, TimeUnit from, TimeUnit to) {
  std::optional<Count> factor = units_within(std::min(from, to), std::max(from, to));
  if (!factor) return false;
  if (from < to) return multiply(counts, *factor);
  divide(counts, *factor);
  return true;
}

bool days_to_months(std::span<Count> counts) {
  if (!all_within(counts, kFarthestDate)) return false;
  change_each(counts, months_of);
  return true;
}

bool months_to_days(std::span<Count> counts) {
  if (!all_within(counts, kFarthestDate)) return false;
  change_each(counts, [](Count months) { return days_of(first_of(months)); });
  return true;
}

}  // namespace

bool change_units(std::span<Count> counts, bool moments, TimeUnit from, TimeUnit to) {
  if (from == to) return true;
  if (from == TimeUnit::kOther || to == TimeUnit::kOther)
    return std::ranges::all_of(counts, [](Count count) { return count == kNoTime; });
  if (counts_months(from) == counts_months(to)) return scale(counts, from, to);
  if (!moments) return false;
  if (counts_months(from))
    return scale(counts, from, TimeUnit::kM) && months_to_days(counts) &&
           scale(counts, TimeUnit::kD, to);
  return scale(counts, from, TimeUnit::kD) && days_to_months(counts) &&
         scale(counts, TimeUnit::kM, to);
}

}  // namespace strider::lang
