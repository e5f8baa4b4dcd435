// Convolutions as graphs of cuDNN's, described for a GPU that is not there: that cuDNN takes the
// descriptions, lists engines and makes plans of them. Runs nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "kernels/backend/cuda/library/cudnn/graph.h"
#include "kernels/backend/cuda/toolkit.h"

using namespace strider::nd;
using namespace strider::nd::cuda;

#if CUDNN_VERSION >= 91300

namespace {

const std::string kDevice =
    R"({"cudaDeviceId":0,"deviceName":"NVIDIA H100 80GB HBM3","deviceVer":900,"driverVer":13000,)"
    R"("isTccDriver":0,"l2CacheSize":52428800,"maxBlockSize":[1024,1024,64],"maxCtasPerSM":32,)"
    R"("maxGridSize":[2147483647,65535,65535],"maxRegistersPerSM":65536,)"
    R"("maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":232448,)"
    R"("maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"memClockRateKHz":2619000,)"
    R"("multiProcessorCount":132,"pciDeviceId":0,"regsPerBlock":65536,)"
    R"("reservedSharedMemoryPerBlock":1024,"smClockRateKHz":1980000,"supportCoopLaunch":1,)"
    R"("totalGlobalMem":85017755648,"warpSize":32})";

struct Opened {
  Opened() : library("libcudnn.so.9"), real(library), functions(real) {
    if (!real.are_there() ||
        real.create_descriptor(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, &device) != 0)
      return;
    auto letters = static_cast<std::int64_t>(kDevice.size() + 1);
    is_ready = real.set_attribute(device, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                                  CUDNN_TYPE_CHAR, letters, kDevice.c_str()) == 0 &&
               real.finalize(device) == 0;
    functions.set_attribute = &set;
  }

  // Names the device wherever a graph names a handle, or nothing.
  static cudnnStatus_t set(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                           cudnnBackendAttributeType_t type, std::int64_t count,
                           const void* values);

  ToolkitLibrary library;
  CudnnFunctions real, functions;
  cudnnBackendDescriptor_t device = nullptr;
  bool is_ready = false;
};

Opened& opened() {
  static Opened* made = new Opened;
  return *made;
}

cudnnStatus_t Opened::set(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                          cudnnBackendAttributeType_t type, std::int64_t count,
                          const void* values) {
  auto name_device = [&](cudnnBackendAttributeName_t place) {
    return opened().real.set_attribute(descriptor, place, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                       &opened().device);
  };
  if (name == CUDNN_ATTR_OPERATIONGRAPH_HANDLE) return CUDNN_STATUS_SUCCESS;
  if (name == CUDNN_ATTR_EXECUTION_PLAN_HANDLE)
    return name_device(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP);
  if (name == CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH) name_device(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP);
  if (name == CUDNN_ATTR_ENGINE_OPERATION_GRAPH) name_device(CUDNN_ATTR_ENGINE_DEVICEPROP);
  return opened().real.set_attribute(descriptor, name, type, count, values);
}

ConvolutionKey key_of(ConvolutionWork work, DType dtype) {
  ConvolutionKey key;
  key.work = work;
  key.dtype = dtype;
  key.batch = 16, key.channels = 32, key.filters = 64;
  for (int axis = 0; axis < 2; ++axis) {
    key.extent[axis] = 28, key.size[axis] = 3, key.stride[axis] = 1;
    key.edge[axis] = 1, key.dilation[axis] = 1;
  }
  return key;
}

// How many of the listed engines can be had.
std::size_t count_plans(const ConvolutionKey& key) {
  ConvolutionGraph graph(opened().functions, nullptr, key);
  CHECK(graph.is_good());
  std::vector<EngineChoice> choices = graph.list_choices();
  std::size_t count = 0;
  bool has_knobs = false;
  for (const EngineChoice& choice : choices) {
    CHECK(std::count(choices.begin(), choices.end(), choice) == 1);
    if (!choice.knobs.empty()) has_knobs = true;
    if (graph.build(choice)) ++count;
  }
  CHECK(has_knobs);
  return count;
}

}  // namespace

TEST_CASE("plans of convolutions are made of all that cuDNN lists") {
  if (!opened().is_ready) return;
  for (auto work : {ConvolutionWork::kForward, ConvolutionWork::kData, ConvolutionWork::kWeights}) {
    for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
      ConvolutionKey key = key_of(work, dtype);
      INFO(to_text(key));
      CHECK(count_plans(key) > 1);
    }
    ConvolutionKey key = key_of(work, DType::kFloat32);
    std::size_t exact = count_plans(key);
    key.tf32 = true;
    CHECK(count_plans(key) > exact);
    key = key_of(work, DType::kFloat32);
    key.groups = 2, key.alignment = 4, key.stride[1] = 2, key.dilation[0] = 2, key.edge[0] = 3;
    key.adds = work == ConvolutionWork::kWeights;
    CHECK(count_plans(key) > 0);
  }
}

TEST_CASE("what is no engine, or no knob of one, gives no plan") {
  if (!opened().is_ready) return;
  ConvolutionGraph graph(opened().functions, nullptr,
                         key_of(ConvolutionWork::kForward, DType::kFloat32));
  CHECK(graph.build({0, {}}));
  CHECK_FALSE(graph.build({100000, {}}));
  CHECK_FALSE(graph.build({0, {{2, 1}}}));
  ConvolutionKey wrong = key_of(ConvolutionWork::kForward, DType::kFloat32);
  wrong.extent[0] = 0;
  ConvolutionGraph none(opened().functions, nullptr, wrong);
  CHECK_FALSE(none.is_good());
  CHECK_FALSE(none.build({0, {}}));
}

#endif
