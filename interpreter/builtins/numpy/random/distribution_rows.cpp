// The distributions as methods of Generator and RandomState, one row of the table each.
#include <array>
#include <string>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/random/random_arguments.h"
#include "interpreter/builtins/numpy/random/random_objects.h"

namespace strider::lang {
namespace {

using nd::random::Distribution;

constexpr int kCount = nd::random::kDistributionCount;
constexpr std::size_t kMostParameters = 3;

// The parameters of a draw: everything between self and size.
struct DrawArguments {
  explicit DrawArguments(const Parameters& p) : count(p.count() - 2), size(to_size(p[count + 1])) {
    for (std::size_t i = 0; i < count; ++i) arrays[i] = to_parameter(p[i + 1]);
  }
  std::span<const nd::Array> parameters() const { return {arrays.data(), count}; }

  std::size_t count;
  std::array<nd::Array, kMostParameters> arrays;
  nd::random::Size size;
};

template <int kIndex>
Value draw(const Parameters& p) {
  DrawArguments arguments(p);
  nd::Array result =
      nd::random::draw(p[0].as<GeneratorObject>()->bits(), static_cast<Distribution>(kIndex),
                       arguments.parameters(), arguments.size);
  return drawn(std::move(result), p[arguments.count + 1]);
}

template <int kIndex>
Value draw_legacy(const Parameters& p) {
  DrawArguments arguments(p);
  nd::Array result = nd::random::draw_legacy(p[0].as<RandomStateObject>()->state,
                                             static_cast<Distribution>(kIndex),
                                             arguments.parameters(), arguments.size);
  return drawn(std::move(result), p[arguments.count + 1]);
}

// The texts of the rows of one class; they live as long as the process.
struct Rows {
  std::array<std::string, kCount> signatures, documents;
  std::array<NativeRow, kCount> rows;
};

const Rows& make_rows(const std::array<NativeCode, kCount>& codes) {
  Rows& made = *new Rows;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto& facts = nd::random::facts(static_cast<Distribution>(i));
    std::string& signature = made.signatures[i];
    signature = std::string(facts.name) + "(self, ";
    if (!facts.parameters.empty()) signature += std::string(facts.parameters) + ", ";
    signature += "size=None)";
    made.documents[i] = "Draws from the distribution " + std::string(facts.name) + ".";
    made.rows[i] = {signature.c_str(), codes[i], made.documents[i].c_str()};
  }
  return made;
}

template <int... kIndices>
constexpr std::array<NativeCode, kCount> draw_codes(std::integer_sequence<int, kIndices...>) {
  return {draw<kIndices>...};
}

template <int... kIndices>
constexpr std::array<NativeCode, kCount> legacy_codes(std::integer_sequence<int, kIndices...>) {
  return {draw_legacy<kIndices>...};
}

}  // namespace

std::span<const NativeRow> generator_distributions() {
  static const Rows& rows = make_rows(draw_codes(std::make_integer_sequence<int, kCount>()));
  return rows.rows;
}

std::span<const NativeRow> random_state_distributions() {
  static const Rows& rows = make_rows(legacy_codes(std::make_integer_sequence<int, kCount>()));
  return rows.rows;
}

}  // namespace strider::lang
