// Times loops over candidates of LaunchShape on the first GPU:
//   cuda_sweep [NAME]   all loops, or those whose name begins so
// One line for each loop and size; microseconds, the best of several runs.
#include <cstdio>

#include "tests/unit/cuda_device.h"
#include "tests/unit/cuda_workloads.h"

using namespace strider::nd;
using namespace strider::nd::cuda;

namespace {

struct Candidate {
  std::string name;
  LaunchShape shape;
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> list{{"as it is", {}}};
  auto add = [&](std::string name, auto change) {
    list.push_back({std::move(name), {}});
    change(list.back().shape);
  };
  for (int waves : {1, 4, 16, 64, 4096}) {
    add("waves " + std::to_string(waves), [&](LaunchShape& shape) {
      shape.waves = shape.waves_watched = shape.waves_heavy = shape.waves_folding = waves;
    });
  }
  for (std::uint32_t threads : {64u, 256u}) {
    add("threads " + std::to_string(threads), [&](LaunchShape& s) { s.threads = threads; });
  }
  add("one each", [](LaunchShape& shape) { shape.work_alone = 0; });
  for (int resident : {4, 5, 6, 8}) {
    add("room " + std::to_string(resident), [&](LaunchShape& s) { s.resident = resident; });
  }
  add("one, room 8", [](LaunchShape& shape) {
    shape.work_alone = 0;
    shape.resident = 8;
  });
  return list;
}

struct Row {
  std::string name;
  std::vector<Workload> (*make)(std::int64_t count);
  bool watched;
  int fill;  // the inputs' bytes
};

template <DType kType>
std::vector<Workload> add_loops(std::int64_t count) {
  return {addition(kType, count)};
}
template <DType kType>
std::vector<Workload> scholes_loops(std::int64_t count) {
  return {black_scholes(kType, count)};
}
template <DType kType>
std::vector<Workload> sum_loops(std::int64_t count) {
  return {sum_of_squares(kType, {count})};
}
template <DType kType>
std::vector<Workload> row_loops(std::int64_t count) {
  return {sum_of_squares(kType, {count / 1000, 1000})};
}
template <DType kType>
std::vector<Workload> softmax_loops(std::int64_t count) {
  return softmax(kType, count / 1000, 1000);
}

constexpr int kOrdinary = 0x3f, kNan = 0xff;
const Row kRows[] = {
    {"add f64", add_loops<DType::kFloat64>, true, kOrdinary},
    {"add f32", add_loops<DType::kFloat32>, true, kOrdinary},
    {"add f32, unwatched", add_loops<DType::kFloat32>, false, kOrdinary},
    {"add i8", add_loops<DType::kInt8>, false, kOrdinary},
    {"scholes f64", scholes_loops<DType::kFloat64>, true, kOrdinary},
    {"scholes f64, unwatched", scholes_loops<DType::kFloat64>, false, kOrdinary},
    {"scholes f64, all NaN", scholes_loops<DType::kFloat64>, true, kNan},
    {"scholes f32", scholes_loops<DType::kFloat32>, true, kOrdinary},
    {"scholes f32, unwatched", scholes_loops<DType::kFloat32>, false, kOrdinary},
    {"scholes f32, all NaN", scholes_loops<DType::kFloat32>, true, kNan},
    {"sum f64", sum_loops<DType::kFloat64>, true, kOrdinary},
    {"sum f32", sum_loops<DType::kFloat32>, true, kOrdinary},
    {"row sums f64", row_loops<DType::kFloat64>, true, kOrdinary},
    {"softmax f64", softmax_loops<DType::kFloat64>, true, kOrdinary},
    {"softmax f32", softmax_loops<DType::kFloat32>, true, kOrdinary},
};

double seconds(DeviceExecutor& executor, const Workload& work, const Row& row,
               const LaunchShape& shape) {
  const FusedLoop& loop = work.loop;
  LoopMemory memory;
  std::size_t constant = 0;
  auto bytes = static_cast<std::size_t>(loop.point_count() * 8);
  for (const LoopInput& input : loop.inputs) {
    if (input.kind == LoopInput::Kind::kScalar) {
      memory.inputs.push_back(
          reinterpret_cast<const std::byte*>(work.constants[constant++].data()));
      continue;
    }
    std::byte* values = executor.take(bytes);
    must(cudaMemset(values, row.fill, bytes), "fill");
    memory.inputs.push_back(values);
  }
  for (std::size_t i = 0; i < loop.outputs.size() + loop.folds.size(); ++i) {
    memory.outputs.push_back(executor.take(bytes));
  }
  std::size_t words = (loop.steps.size() + 1) * 4;
  auto* conditions = reinterpret_cast<std::uint32_t*>(executor.take(words));
  must(cudaMemset(conditions, 0, words), "fill");
  DeviceFacts facts = executor.device_facts();
  facts.shape = shape;
  Rendering rendering = render(loop, memory, row.watched ? conditions : nullptr, facts, executor);
  double time = executor.time(kernel_text(loop, memory, rendering.key, shape), rendering);
  executor.clear();
  return time;
}

}  // namespace

int main(int count, char** arguments) try {
  std::string only = count > 1 ? arguments[1] : "";
  DeviceExecutor executor;
  std::vector<Candidate> list = candidates();
  std::printf("| µs | n |");
  for (const Candidate& candidate : list) std::printf(" %s |", candidate.name.c_str());
  std::printf("\n|---|---:|");
  for (std::size_t i = 0; i < list.size(); ++i) std::printf("---:|");
  std::printf("\n");
  for (const Row& row : kRows) {
    if (!row.name.starts_with(only)) continue;
    for (std::int64_t size : {10000, 1000000, 100000000}) {
      std::printf("| %s | %lld |", row.name.c_str(), static_cast<long long>(size));
      for (const Candidate& candidate : list) {
        double total = 0;
        for (const Workload& work : row.make(size)) {
          total += seconds(executor, work, row, candidate.shape);
        }
        std::printf(" %.1f |", total * 1e6);
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 2;
}
