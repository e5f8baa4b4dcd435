// Bit streams and draws against numbers that NumPy 2.4 gave for the same seeds.
#include <doctest/doctest.h>
#include <strider/nd/error.h>
#include <strider/nd/random.h>

#include <string>

using namespace strider::nd;
using namespace strider::nd::random;

namespace {

std::unique_ptr<BitGenerator> seeded(BitGeneratorKind kind) {
  return BitGenerator::create(kind, SeedSequence(seed_words(12345)));
}

struct Expected {
  BitGeneratorKind kind;
  std::uint64_t raw[3];
  double uniform, normal;
  std::int64_t integer;
  double gamma;
  std::int64_t binomial, poisson;
};

const Expected kExpected[] = {
    {BitGeneratorKind::kPcg64,
     {4193609425186963869u, 5843160025838961886u, 14708796524633321433u},
     0x1.d1958c6d97fe0p-3,
     0x1.4383b54eb0649p+0,
     204,
     0x1.0773dbf1adbc0p-1,
     396,
     90},
    {BitGeneratorKind::kPcg64Dxsm,
     {17193872397121361007u, 6225879447261284483u, 4002610872796635837u},
     0x1.dd39cfb23fa02p-1,
     0x1.16ce2d1bc4d7dp+0,
     809,
     0x1.fd8ca2b2897c3p-4,
     400,
     95},
    {BitGeneratorKind::kMt19937,
     {1622936285u, 3620788691u, 1426156273u},
     0x1.82f02b6be86cep-2,
     0x1.0eef8c65e3be0p+1,
     623,
     0x1.be122b7201842p-4,
     388,
     93},
    {BitGeneratorKind::kPhilox,
     {7761547988346370368u, 12048877680314648833u, 7990457742470656338u},
     0x1.aeda3b178221ep-2,
     -0x1.8d61ddb8a5676p-5,
     239,
     0x1.2935f05cf99f8p-1,
     391,
     96},
    {BitGeneratorKind::kSfc64,
     {3527068094297800258u, 5648030432468382359u, 9063957079744815110u},
     0x1.87954df4d9dfcp-3,
     0x1.8624cafa34da8p-1,
     928,
     0x1.57d6ec85c6dd5p-2,
     409,
     84},
};

std::string error_of(void (*action)(BitGenerator&)) {
  auto bits = seeded(BitGeneratorKind::kPcg64);
  try {
    action(*bits);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

Array draw_one(BitGenerator& bits, Distribution distribution, double a, double b) {
  const Array parameters[2] = {Array::scalar(a), Array::scalar(b)};
  return draw(bits, distribution,
              {parameters, static_cast<std::size_t>(facts(distribution).parameter_count)});
}

}  // namespace

TEST_CASE("a seed sequence mixes long entropy and spawn keys as NumPy does") {
  SeedSequence sequence({5, 0, 64}, {3});
  CHECK(sequence.generate_state32(4) ==
        std::vector<std::uint32_t>{0xc31a6272, 0x2e5b06b5, 0x2e9f7b0f, 0xd8411306});
}

TEST_CASE("bit generators give NumPy's raw streams") {
  for (const Expected& expected : kExpected) {
    auto bits = seeded(expected.kind);
    for (std::uint64_t raw : expected.raw) CHECK(bits->next_raw() == raw);
  }
}

TEST_CASE("draws of several distributions follow one another as in NumPy") {
  for (const Expected& expected : kExpected) {
    auto bits = seeded(expected.kind);
    CHECK(random::random(*bits).item().to_double() == expected.uniform);
    CHECK(standard_normal(*bits).item().to_double() == expected.normal);
    Array number =
        integers(*bits, Array::scalar(std::int64_t{0}), Array::scalar(std::int64_t{1000}), {});
    CHECK(number.as<std::int64_t>()[0] == expected.integer);
    CHECK(standard_gamma(*bits, Array::scalar(0.5)).item().to_double() == expected.gamma);
    const Array parameters[2] = {Array::scalar(std::int64_t{1000}), Array::scalar(0.4)};
    CHECK(draw(*bits, Distribution::kBinomial, parameters).as<std::int64_t>()[0] ==
          expected.binomial);
    CHECK(draw_one(*bits, Distribution::kPoisson, 100.0, 0).as<std::int64_t>()[0] ==
          expected.poisson);
  }
}

TEST_CASE("a state that is saved and restored repeats the stream") {
  for (const Expected& expected : kExpected) {
    auto bits = seeded(expected.kind);
    bits->next_uint32();
    BitGeneratorState state = bits->state();
    Array first = standard_normal(*bits, Dims{100});
    bits->set_state(state);
    Array again = standard_normal(*bits, Dims{100});
    for (int i = 0; i < 100; ++i) CHECK(first.as<double>()[i] == again.as<double>()[i]);
  }
}

TEST_CASE("advancing equals drawing and throwing away") {
  for (BitGeneratorKind kind : {BitGeneratorKind::kPcg64, BitGeneratorKind::kPcg64Dxsm}) {
    auto walked = seeded(kind), jumped = seeded(kind);
    for (int i = 0; i < 1000; ++i) walked->next_uint64();
    jumped->advance(1000, 0);
    CHECK(walked->next_uint64() == jumped->next_uint64());
  }
}

TEST_CASE("RandomState's algorithms give the old numbers") {
  LegacyState state{BitGenerator::legacy_mt19937(7)};
  CHECK(random_sample(state).item().to_double() == 0x1.388f0a7465c98p-4);
  CHECK(legacy_standard_normal(state).item().to_double() == -0x1.484c383be8b2ep-2);
  CHECK(legacy_standard_normal(state).item().to_double() == 0x1.7503680ef5db1p+0);
  CHECK(randint(state, Array::scalar(std::int64_t{0}), Array::scalar(std::int64_t{1000}), {})
            .as<std::int64_t>()[0] == 919);
  const std::int64_t order[] = {0, 3, 2, 1, 4};
  Array shuffled = legacy_permutation(state, 5);
  for (int i = 0; i < 5; ++i) CHECK(shuffled.as<std::int64_t>()[i] == order[i]);
  CHECK(legacy_standard_gamma(state, Array::scalar(2.5)).item().to_double() ==
        0x1.3354f198debcdp+0);
}

TEST_CASE("blocks of normals equal single ones, and the spare one is kept") {
  LegacyState whole{BitGenerator::legacy_mt19937(3)}, single{BitGenerator::legacy_mt19937(3)};
  for (std::int64_t count : {1, 2, 511, 512, 513, 1200}) {
    Array block = legacy_standard_normal(whole, Dims{count});
    for (std::int64_t i = 0; i < count; ++i)
      CHECK(block.as<double>()[i] == legacy_standard_normal(single).item().to_double());
    CHECK(whole.has_gauss == single.has_gauss);
  }
}

TEST_CASE("parameters broadcast against each other and the size") {
  auto bits = seeded(BitGeneratorKind::kPcg64);
  const Array parameters[2] = {Array::zeros(Dims{3, 1}, DType::kFloat64),
                               Array::full(Dims{2}, 1.0, DType::kFloat64)};
  CHECK(draw(*bits, Distribution::kNormal, parameters).shape() == Dims{3, 2});
  CHECK(draw(*bits, Distribution::kNormal, parameters, Dims{4, 3, 2}).shape() == Dims{4, 3, 2});
  CHECK_THROWS_WITH(draw(*bits, Distribution::kNormal, parameters, Dims{2}),
                    "Output size (2,) is not compatible with broadcast dimensions of inputs "
                    "(3, 2).");
}

TEST_CASE("impossible parameters are refused in NumPy's words") {
  CHECK(error_of([](BitGenerator& b) { draw_one(b, Distribution::kNormal, 0, -1); }) ==
        "scale < 0");
  CHECK(error_of([](BitGenerator& b) { draw_one(b, Distribution::kGeometric, 2, 0); }) ==
        "p <= 0, p > 1 or p contains NaNs");
  CHECK(error_of([](BitGenerator& b) {
          integers(b, Array::scalar(std::int64_t{5}), Array::scalar(std::int64_t{5}), {});
        }) == "low >= high");
  CHECK(error_of([](BitGenerator& b) { choice(b, 3, Dims{5}, false); }) ==
        "Cannot take a larger sample than population when replace is False");
  CHECK(error_of([](BitGenerator& b) { b.clone()->set_state({}); }) ==
        "state must be for a PCG64 RNG");
}
