// Measuring waits for the device, once for each shape that no file knows. It begins with an idle
// queue, so that what a plan costs the host counts, too.
#include "kernels/backend/cuda/library/cudnn/convolution_plans.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "kernels/backend/cuda/library/timed_queue.h"
#include "kernels/backend/cuda/workspace.h"
#include "kernels/core/log.h"

namespace strider::nd::cuda {
namespace {

// What is slower by less takes about as long.
constexpr float kAlike = 1.03f;
// An engine that is slower by as much is not measured again with its knobs turned.
constexpr float kHopeless = 8;
// Plans that want more bytes are not considered.
constexpr std::size_t kMostSpace = std::size_t{1} << 30;
constexpr const char* kChoice = "plans";
constexpr float kLast = std::numeric_limits<float>::infinity();

// What there is no memory for comes last. Of those that take about as long the one comes first that
// was estimated to, so that chance seldom decides.
template <class Candidates>
void sort_by_time(Candidates& candidates) {
  float best = kLast;
  for (const auto& each : candidates) best = std::min(best, each.milliseconds);
  auto first = std::find_if(candidates.begin(), candidates.end(),
                            [&](const auto& each) { return each.milliseconds <= best * kAlike; });
  if (first != candidates.end() && best < kLast) first->milliseconds = 0;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.milliseconds < b.milliseconds; });
}

// Leaves the first, and behind it what needs less room than all before it.
template <class Candidates>
void keep_useful(Candidates& candidates) {
  std::size_t least = SIZE_MAX;
  std::erase_if(candidates, [&](const auto& each) {
    bool useful = each.plan->space() < least;
    least = std::min(least, each.plan->space());
    return !useful;
  });
}

}  // namespace

struct ConvolutionPlans::Shape {
  Shape(const Cudnn& cudnn, const ConvolutionKey& asked)
      : key(asked), graph(cudnn.functions(), cudnn.handle(), asked) {}

  ConvolutionKey key;
  ConvolutionGraph graph;
  Candidates candidates;
  bool is_listed = false;  // a second time
};

ConvolutionPlans::ConvolutionPlans(Cudnn& cudnn, CudnnChoices& choices)
    : cudnn_(cudnn), choices_(choices) {}

ConvolutionPlans::~ConvolutionPlans() = default;

ConvolutionPlans::Shape& ConvolutionPlans::find(const ConvolutionKey& key,
                                                const ConvolutionOperands& operands) {
  auto found = std::find_if(shapes_.begin(), shapes_.end(),
                            [&](const Shape& shape) { return shape.key == key; });
  if (found != shapes_.end()) {
    shapes_.splice(shapes_.begin(), shapes_, found);
    return shapes_.front();
  }
  if (shapes_.size() == kKept) shapes_.pop_back();
  Shape& shape = shapes_.emplace_front(cudnn_, key);
  shape.candidates = choose(shape, operands);
  shape.is_listed = shape.candidates.empty();
  if (shape.candidates.empty() && is_logged(LogSubject::kPasses)) {
    log_line("cuDNN has no plan for the convolution " + to_text(key) + ": " +
             cudnn_.functions().error_text(shape.graph.status()));
  }
  return shape;
}

ConvolutionPlans::Candidates ConvolutionPlans::build(
    const ConvolutionGraph& graph, const std::vector<EngineChoice>& choices) const {
  Candidates candidates;
  for (const EngineChoice& choice : choices) {
    std::unique_ptr<ExecutionPlan> plan = graph.build(choice);
    if (plan && plan->space() <= kMostSpace) candidates.push_back({choice, std::move(plan)});
  }
  return candidates;
}

ConvolutionPlans::Candidates ConvolutionPlans::choose(const Shape& shape,
                                                      const ConvolutionOperands& operands) {
  std::optional<std::string> kept = choices_.find(kChoice, shape.key);
  Candidates candidates;
  if (kept) candidates = build(shape.graph, to_choices(*kept));
  if (!candidates.empty()) return candidates;
  candidates = build(shape.graph, shape.graph.list_choices());
  bool complete = choices_.are_measured() && measure(shape, operands, candidates);
  keep_useful(candidates);
  if (complete) {
    std::vector<EngineChoice> choices;
    for (const Candidate& each : candidates) choices.push_back(each.choice);
    choices_.store(kChoice, shape.key, to_text(choices));
  }
  return candidates;
}

bool ConvolutionPlans::measure(const Shape& shape, ConvolutionOperands operands,
                               Candidates& candidates) const {
  CudaDevice& device = cudnn_.device();
  std::optional<Workspace> result = Workspace::if_free(device, shape.key.result_bytes());
  if (!result) return false;
  operands.result = result->start();
  TimedQueue queue(device);
  float best = kLast;
  bool complete = true;
  std::map<std::int64_t, float> engines;  // their first times
  Candidates timed;
  for (Candidate& each : candidates) {
    auto known = engines.find(each.choice.engine);
    if (known != engines.end() && known->second > kHopeless * best) continue;
    std::optional<Workspace> space = Workspace::if_free(device, each.plan->space());
    std::optional<float> time = kLast;
    if (space) {
      time = queue.time(
          [&] {
            return each.plan->execute(cudnn_.handle(), operands, space->start()) ==
                   CUDNN_STATUS_SUCCESS;
          },
          best);
    }
    if (!time) continue;
    complete = complete && space;
    best = std::min(best, *time);
    if (space) engines.emplace(each.choice.engine, *time);
    each.milliseconds = *time;
    timed.push_back(std::move(each));
  }
  candidates = std::move(timed);
  sort_by_time(candidates);
  return complete && !candidates.empty();
}

// First whatever finds room for its work space as things are; then the one that needs least, for
// which arrays have to make room. What cuDNN does not support after all is not tried again.
bool ConvolutionPlans::run(Candidates& candidates, const ConvolutionOperands& operands) {
  for (std::size_t i = 0; i < candidates.size();) {
    ExecutionPlan& plan = *candidates[i].plan;
    std::optional<Workspace> space = Workspace::if_free(cudnn_.device(), plan.space());
    if (!space) {
      ++i;
      continue;
    }
    if (plan.replay(cudnn_.handle(), cudnn_.device(), recorder_, operands, space->start()) ==
        CUDNN_STATUS_SUCCESS)
      return true;
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (candidates.empty()) return false;
  ExecutionPlan& least =
      *std::min_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
         return a.plan->space() < b.plan->space();
       })->plan;
  Workspace space(cudnn_.device(), least.space());
  cudnn_.device().activate();
  cudnn_.check(least.execute(cudnn_.handle(), operands, space.start()), "convolving");
  return true;
}

bool ConvolutionPlans::run(const ConvolutionKey& key, const ConvolutionOperands& operands) {
  Shape& shape = find(key, operands);
  if (run(shape.candidates, operands)) return true;
  // What was kept has failed: whatever else there is, once.
  if (std::exchange(shape.is_listed, true)) return false;
  shape.candidates = build(shape.graph, shape.graph.list_choices());
  return run(shape.candidates, operands);
}

}  // namespace strider::nd::cuda
