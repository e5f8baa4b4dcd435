// The kernels that a plug-in is built with: they compile, and loops that were taken apart find
// theirs among them.
#include <doctest/doctest.h>

#include <set>

#include "kernels/backend/cuda/jit/nvrtc.h"
#include "kernels/backend/cuda/jit/ready_set.h"
#include "kernels/backend/cuda/jit/unplaced.h"
#include "kernels/backend/cuda/ready/pack.h"
#include "kernels/core/node.h"
#include "tests/unit/cuda_random.h"

using namespace strider::nd;
using namespace strider::nd::cuda;
namespace cuda = strider::nd::cuda;

namespace {

const std::set<std::string>& ready_keys() {
  static const std::set<std::string>* keys = [] {
    auto* all = new std::set<std::string>;
    for (const ReadyModule& module : make_ready_modules()) {
      all->insert(module.keys.begin(), module.keys.end());
    }
    return all;
  }();
  return *keys;
}

// The loops into which a loop is taken apart whose kernels would have to be compiled.
std::vector<std::string> find_missing(const FusedLoop& loop) {
  LoopMemory memory = unplaced(loop);
  std::optional<UnfusedLoop> unfused = unfuse(loop, memory);
  if (!unfused) return {"the whole"};
  std::vector<std::byte*> temporaries;
  for (std::size_t i = 0; i < unfused->temporaries.size(); ++i) {
    temporaries.push_back(reinterpret_cast<std::byte*>((i + 1) << 40));
  }
  std::vector<std::string> missing;
  for (const SingleLoop& single : unfused->loops) {
    LoopMemory own = memory_of(single, memory, temporaries);
    std::uint32_t word = 0;
    NoScratch scratch;
    DeviceFacts facts;
    facts.shape = ready_shape(single, facts.shape);
    std::string key = render(single.loop, own, &word, facts, scratch).key;
    if (!ready_keys().count(key)) missing.push_back(key);
  }
  return missing;
}

// The random loops' own limits of what they watch, and types that are folded at once.
bool is_usual(const FusedLoop& loop) {
  for (const Step& step : loop.steps) {
    if (step.watched & ~kUsuallyWatched) return false;
  }
  return loop.folds.empty() || loop.folds[0].type != DType::kFloat16;
}

}  // namespace

TEST_CASE("kernels of single instructions compile, several in one text") {
  if (!has_nvrtc()) return;
  std::vector<ReadyModule> modules = make_ready_modules();
  CHECK(modules.size() > 900);
  for (std::size_t i = 0; i < modules.size(); i += 97) {
    CAPTURE(modules[i].keys[0]);
    std::string code;
    CHECK_NOTHROW(code = compile(modules[i].text, "sm_90"));
    for (std::size_t number = 0; number < modules[i].keys.size(); ++number) {
      CHECK(code.find(".text." + ready_prefix(number)) != code.npos);
    }
  }
}

TEST_CASE("no two modules have a kernel of the same key") {
  std::size_t count = 0;
  for (const ReadyModule& module : make_ready_modules()) count += module.keys.size();
  CHECK(count == ready_keys().size());
}

TEST_CASE("loops that are taken apart find their kernels") {
  int asked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    FusedLoop loop = RandomTrial(seed, true).map().loop;
    if (!is_usual(loop)) continue;
    CAPTURE(describe(loop));
    CHECK(find_missing(loop) == std::vector<std::string>());
    ++asked;
  }
  CHECK(asked > 100);
}

TEST_CASE("folds, searches and scans find their kernels, whatever computes their elements") {
  struct Case {
    LoopFold::Kind kind;
    Op op;
    Dims extents;
    std::uint64_t axes;
  };
  using Kind = LoopFold::Kind;
  const Case cases[] = {
      {Kind::kFold, Op::kAdd, {5000}, 1},          {Kind::kFold, Op::kAdd, {40, 500}, 2},
      {Kind::kFold, Op::kAdd, {40, 500}, 1},       {Kind::kFold, Op::kAdd, {7, 40, 30}, 2},
      {Kind::kFold, Op::kAdd, {7, 40, 30}, 5},     {Kind::kFold, Op::kMultiply, {100, 9}, 2},
      {Kind::kFold, Op::kMaximum, {100, 9}, 3},    {Kind::kFold, Op::kMaximum, {100, 9}, 1},
      {Kind::kFold, Op::kMinimum, {1, 9000}, 1},   {Kind::kFind, Op::kMaximum, {100, 900}, 2},
      {Kind::kFind, Op::kMinimum, {90000}, 1},     {Kind::kScan, Op::kAdd, {90000}, 1},
      {Kind::kScan, Op::kMultiply, {90, 1000}, 2},
  };
  for (DType dtype : {DType::kInt64, DType::kFloat32, DType::kFloat64, DType::kComplex128}) {
    for (const Case& each : cases) {
      FusedLoop loop = loop_of(operation(facts(Op::kSquare), dtype, {0}), 1);
      loop.extents = each.extents;
      loop.inputs[0].strides = dense_strides(each.extents, 2 * item_size(dtype));
      loop.outputs.clear();
      LoopFold fold;
      fold.kind = each.kind;
      fold.op = each.op;
      fold.type = dtype;
      fold.value = 1;
      fold.axes = each.axes;
      std::optional<Scalar> start = identity_of(each.op, dtype);
      fold.from_first = each.kind == Kind::kFold && !start;
      fold.start = start.value_or(Scalar());
      loop.folds.push_back(fold);
      CAPTURE(describe(loop));
      CHECK(find_missing(loop) == std::vector<std::string>());
    }
  }
}

TEST_CASE("copies between layouts share one kernel") {
  std::set<std::string> keys;
  for (Dims strides : {Dims{8, 800}, Dims{1600, 16}, Dims{0, 8}, Dims{-800, 8}}) {
    FusedLoop loop;
    loop.extents = {100, 100};
    LoopInput input;
    input.dtype = DType::kUInt64;
    input.strides = strides;
    loop.inputs.push_back(input);
    loop.outputs.push_back({0, DType::kUInt64, Dims{800, 8}});
    SingleLoop single;
    single.arranges = true;
    DeviceFacts facts;
    facts.shape = ready_shape(single, facts.shape);
    NoScratch scratch;
    keys.insert(render(loop, unplaced(loop), nullptr, facts, scratch).key);
  }
  CHECK(keys.size() == 1);
}

TEST_CASE("a pack finds keys, and has the best code for a device") {
  auto module = [](std::string key, char code) {
    return pack_module({key, key + "2"}, std::string(10000, code));
  };
  std::string bytes = pack({{80, {module("a", 'a'), module("b", 'b')}},
                            {86, {module("a", 'A'), module("b", 'B')}},
                            {90, {module("a", '9')}}});
  auto code_of = [&](int capability, const char* key) {
    ReadyPack ready(bytes);
    ready.open(capability);
    auto place = ready.find(key);
    return place ? ready.machine_code(place->module) : "none";
  };
  CHECK(code_of(80, "b2") == std::string(10000, 'b'));
  CHECK(code_of(89, "a") == std::string(10000, 'A'));
  CHECK(code_of(90, "a2") == std::string(10000, '9'));
  CHECK(code_of(90, "b") == "none");
  CHECK(code_of(100, "a") == "none");
  ReadyPack ready(bytes);
  ready.open(86);
  CHECK(ready.find("b2")->number == 1);
}

TEST_CASE("nothing is found in a pack that is not whole") {
  std::string bytes = pack({{90, {pack_module({"a"}, std::string(1000, 'a'))}}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ReadyPack ready(std::string_view(bytes).substr(0, size));
    ready.open(90);
    CHECK(!ready.find("a"));
  }
  bytes[bytes.size() - 3] ^= 1;
  ReadyPack damaged(bytes);
  damaged.open(90);
  CHECK(damaged.machine_code(damaged.find("a")->module).empty());
}
