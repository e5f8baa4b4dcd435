// The three works differ in nothing but the names of their attributes.
#include "kernels/backend/cuda/library/cudnn/graph.h"

#include <algorithm>

namespace strider::nd::cuda {
namespace {

// Tensors by their numbers in a graph.
constexpr std::int64_t kX = 1, kW = 2, kY = 3;
// More than there ever are.
constexpr std::size_t kMostNotes = 32, kMostKnobs = 32, kMostSuggestions = 128;

struct WorkNames {
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t windows, x, w, y, factor, kept;
};

WorkNames names_of(ConvolutionWork work) {
  switch (work) {
    case ConvolutionWork::kForward:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
    case ConvolutionWork::kData:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
    default:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
  }
}

cudnnDataType_t type_of(DType dtype) {
  return dtype == DType::kFloat32 ? CUDNN_DATA_FLOAT : CUDNN_DATA_DOUBLE;
}

std::vector<std::int64_t> both(const std::int64_t (&axes)[2]) { return {axes[0], axes[1]}; }

template <class Note>
bool has(const std::vector<Note>& notes, Note note) {
  return std::find(notes.begin(), notes.end(), note) != notes.end();
}

EngineChoice read_choice(const BackendDescriptor& configuration) {
  EngineChoice choice{-1, {}};
  for (const BackendDescriptor& engine : configuration.read_descriptors(
           CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1))
    choice.engine = engine.read_one<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, -1);
  for (const BackendDescriptor& knob : configuration.read_descriptors(
           CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, kMostKnobs)) {
    auto type = knob.read_one(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_KNOB_TYPE_COUNTS);
    auto value = knob.read_one<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, 0);
    choice.knobs.emplace_back(static_cast<int>(type), value);
  }
  return choice;
}

}  // namespace

ExecutionPlan::ExecutionPlan(const CudnnFunctions& functions, BackendDescriptor plan,
                             std::vector<BackendDescriptor> parts)
    : functions_(functions),
      parts_(std::move(parts)),
      plan_(std::move(plan)),
      space_(static_cast<std::size_t>(
          plan_.read_one<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, 0))) {
  packs_.reserve(kPacks);
}

ExecutionPlan::Pack& ExecutionPlan::find(const ConvolutionOperands& operands, std::byte* space) {
  auto place = [&](const std::byte* operand) -> void* {
    return operand ? const_cast<std::byte*>(operand) : operands.result;
  };
  Addresses addresses = {place(operands.x), place(operands.w), place(operands.y), space};
  for (Pack& pack : packs_)
    if (pack.addresses == addresses) return pack;
  BackendDescriptor made(functions_, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  made.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, std::vector<std::int64_t>{kX, kW, kY});
  made.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS,
           std::vector<void*>(addresses.begin(), addresses.begin() + 3));
  made.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, addresses[3]);
  made.finish();
  if (packs_.size() < kPacks) return packs_.emplace_back(Pack{addresses, std::move(made), {}});
  Pack& pack = packs_[next_];
  next_ = (next_ + 1) % kPacks;
  pack = {addresses, std::move(made), {}};
  return pack;
}

cudnnStatus_t ExecutionPlan::execute(cudnnHandle_t handle, const ConvolutionOperands& operands,
                                     std::byte* space) {
  Pack& pack = find(operands, space);
  if (!pack.descriptor.is_good()) return pack.descriptor.status();
  return functions_.execute(handle, plan_.get(), pack.descriptor.get());
}

cudnnStatus_t ExecutionPlan::replay(cudnnHandle_t handle, GraphQueue& queue, Recorder& recorder,
                                    const ConvolutionOperands& operands, std::byte* space) {
  Pack& pack = find(operands, space);
  if (!pack.descriptor.is_good()) return pack.descriptor.status();
  auto go_to = [&](cudaStream_t to) { return functions_.set_stream(handle, to); };
  return pack.replay.run(queue, recorder, go_to, [&] {
    return functions_.execute(handle, plan_.get(), pack.descriptor.get());
  });
}

ConvolutionGraph::ConvolutionGraph(const CudnnFunctions& functions, cudnnHandle_t handle,
                                   const ConvolutionKey& key)
    : functions_(functions),
      handle_(handle),
      key_(key),
      graph_(functions, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR) {
  parts_.push_back(describe_tensor(kX, {key.batch, key.channels, key.extent[0], key.extent[1]}));
  parts_.push_back(
      describe_tensor(kW, {key.filters, key.channels / key.groups, key.size[0], key.size[1]}));
  parts_.push_back(describe_tensor(kY, {key.batch, key.filters, key.places(0), key.places(1)}));
  parts_.push_back(describe_windows());
  std::vector<BackendDescriptor> works;
  works.push_back(describe_work());
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle);
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, works);
  graph_.finish();
  parts_.push_back(std::move(works.front()));
}

BackendDescriptor ConvolutionGraph::describe_tensor(std::int64_t number,
                                                    std::vector<std::int64_t> extents) const {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t i = extents.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * extents[i];
  BackendDescriptor tensor(functions_, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, number);
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type_of(key_.dtype));
  tensor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, extents);
  tensor.set(CUDNN_ATTR_TENSOR_STRIDES, strides);
  tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, key_.alignment);
  tensor.finish();
  return tensor;
}

BackendDescriptor ConvolutionGraph::describe_windows() const {
  BackendDescriptor windows(functions_, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  windows.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2});
  windows.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, type_of(key_.dtype));
  windows.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
  windows.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, both(key_.edge));
  windows.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, both(key_.edge));
  windows.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, both(key_.dilation));
  windows.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, both(key_.stride));
  windows.finish();
  return windows;
}

BackendDescriptor ConvolutionGraph::describe_work() const {
  WorkNames names = names_of(key_.work);
  BackendDescriptor work(functions_, names.type);
  work.set(names.x, parts_[0]);
  work.set(names.w, parts_[1]);
  work.set(names.y, parts_[2]);
  work.set(names.windows, parts_[3]);
  double kept = key_.adds ? 1 : 0;
  if (key_.dtype == DType::kFloat32) {
    work.set(names.factor, 1.0f);
    work.set(names.kept, static_cast<float>(kept));
  } else {
    work.set(names.factor, 1.0);
    work.set(names.kept, kept);
  }
  work.finish();
  return work;
}

// What is compiled would be so again in every program.
bool ConvolutionGraph::may_use(const BackendDescriptor& engine) const {
  auto numerical =
      engine.read<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, kMostNotes);
  auto behavior =
      engine.read<cudnnBackendBehaviorNote_t>(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, kMostNotes);
  bool rounds = key_.dtype == DType::kFloat32 && !key_.tf32 &&
                has(numerical, CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
  return !rounds && !has(numerical, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC) &&
         !has(numerical, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS) &&
         !has(numerical, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION) &&
         !has(behavior, CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION);
}

void ConvolutionGraph::add_suggested(cudnnBackendHeurMode_t mode,
                                     std::vector<EngineChoice>& found) const {
  BackendDescriptor heuristics(functions_, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph_);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, mode);
  heuristics.finish();
  for (const BackendDescriptor& configuration : heuristics.read_descriptors(
           CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, kMostSuggestions)) {
    EngineChoice choice = read_choice(configuration);
    bool known = std::find(found.begin(), found.end(), choice) != found.end();
    if (choice.engine >= 0 && !known) found.push_back(std::move(choice));
  }
}

std::vector<EngineChoice> ConvolutionGraph::list_choices() const {
  std::vector<EngineChoice> found;
  for (cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
    add_suggested(mode, found);
  auto count = graph_.read_one<std::int64_t>(CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, 0);
  for (std::int64_t engine = 0; engine < count; ++engine) {
    auto is_it = [&](const EngineChoice& choice) { return choice.engine == engine; };
    if (std::none_of(found.begin(), found.end(), is_it)) found.push_back({engine, {}});
  }
  return found;
}

std::unique_ptr<ExecutionPlan> ConvolutionGraph::build(const EngineChoice& choice) const {
  BackendDescriptor engine(functions_, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph_);
  engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, choice.engine);
  engine.finish();
  if (!engine.is_good() || !may_use(engine)) return nullptr;
  BackendDescriptor configuration(functions_, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  configuration.set(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
  std::vector<BackendDescriptor> parts;
  for (const auto& [type, value] : choice.knobs) {
    BackendDescriptor& knob = parts.emplace_back(functions_, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    knob.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, static_cast<cudnnBackendKnobType_t>(type));
    knob.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, value);
    knob.finish();
  }
  if (!parts.empty()) configuration.set(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, parts);
  configuration.finish();
  BackendDescriptor plan(functions_, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, handle_);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
  plan.finish();
  if (!plan.is_good()) return nullptr;
  parts.push_back(std::move(engine));
  parts.push_back(std::move(configuration));
  return std::make_unique<ExecutionPlan>(functions_, std::move(plan), std::move(parts));
}

}  // namespace strider::nd::cuda
