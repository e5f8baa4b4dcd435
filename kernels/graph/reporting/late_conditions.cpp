// What was met is told in the order in which the operations were recorded; an operation tells each
// condition once.
#include "kernels/graph/reporting/late_conditions.h"

#include <utility>
#include <vector>

#include "kernels/core/device.h"
#include "kernels/graph/reporting/reports.h"

namespace strider::nd {
namespace {

// Words that may wait to be read before the device is waited for.
constexpr std::size_t kMostWords = 1 << 14;

struct Expected {
  Device* device;
  std::uint32_t* word;
  std::uint8_t watched;
  Report report;  // its flags come later
};

std::vector<Expected>& expected() {
  thread_local std::vector<Expected> instance;
  return instance;
}

}  // namespace

void expect_conditions(Device& device, const PlannedLoop& planned, std::uint32_t* words) {
  std::size_t before = expected().size();
  thread_local std::vector<Expression*> concerned;
  concerned.clear();
  auto expect = [&](Expression& expression, std::size_t place, std::uint8_t watched,
                    std::string_view operation) {
    watched &= expression.watched;
    if (!watched) return;
    Report report{0, expression.number, operation, expression.place, expression.strict};
    expected().push_back({&device, words + place, watched, report});
    concerned.push_back(&expression);
  };
  for (const StepOrigin& origin : planned.origins) {
    const Step& step = planned.loop.steps[origin.step];
    expect(*origin.expression, origin.step, step.watched, operation_name(step, *origin.expression));
  }
  for (const LoopFold& fold : planned.loop.folds) {
    if (!tells_conditions(fold)) continue;
    expect(*planned.folded, planned.loop.steps.size(), 0xff, operation_name(fold));
  }
  // Only now, because several steps may belong to one operation.
  for (std::size_t i = 0; i < concerned.size(); ++i)
    concerned[i]->watched &= static_cast<std::uint8_t>(~expected()[before + i].watched);
  if (expected().size() < kMostWords) return;
  device.synchronize();
  tell_what_was_met(device);
}

void tell_what_was_met(Device& device) {
  std::vector<Expected>& all = expected();
  if (all.empty()) return;
  std::vector<Report> met;
  std::vector<std::uint32_t*> words;  // an operation's steps may share one
  auto kept = all.begin();
  for (Expected& each : all) {
    if (each.device != &device) {
      *kept++ = each;
    } else if (*each.word) {
      words.push_back(each.word);
      each.report.flags = static_cast<std::uint8_t>(*each.word & each.watched);
      if (each.report.flags) met.push_back(each.report);
    }
  }
  for (std::uint32_t* word : words) *word = 0;
  all.erase(kept, all.end());
  deliver(std::move(met));
}

}  // namespace strider::nd
