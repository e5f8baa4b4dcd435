// The devices' own rules; the host's functions are the judge.
#include "kernels/backend/mirror/drawing.h"

#include "kernels/backend/draws/rules.h"

namespace strider::nd {
namespace {

using namespace drawing;

// Puts numbers one behind another; those of the last try that are too many are dropped.
template <class Rule>
struct Row {
  using Value = typename Rule::Value;
  Value* to;
  std::int64_t count, made = 0;

  void put(Value value) {
    if (made < count) to[made] = value;
    ++made;
  }
  void defer(std::uint64_t bits) {
    if constexpr (Rule::kAsks) put(Rule::made_of(bits));
  }
};

template <class Words>
std::int64_t draw_from(const RandomStream& stream, const RandomDraw& draw, std::byte* to,
                       std::int64_t count) {
  std::int64_t unit = 0;
  with_rule(draw, draw.table, [&](const auto& rule) {
    using Rule = std::remove_cvref_t<decltype(rule)>;
    using Cursor = CursorFor<Words, typename Rule::Unit>;
    auto source = Cursor::source(stream);
    Cursor cursor = Cursor::at(source, 0);
    HostJudge judge;
    Row<Rule> row{reinterpret_cast<typename Rule::Value*>(to), count};
    while (row.made < count) unit += rule(cursor, unit, judge, row);
  });
  return unit;
}

}  // namespace

std::int64_t draw_in_order(const RandomStream& stream, const RandomDraw& draw, std::byte* to,
                           std::int64_t count) {
  switch (stream.kind) {
    case StreamKind::kPcg64:
      return draw_from<PcgWords<false>>(stream, draw, to, count);
    case StreamKind::kPcg64Dxsm:
      return draw_from<PcgWords<true>>(stream, draw, to, count);
    case StreamKind::kPhilox:
      return draw_from<PhiloxWords>(stream, draw, to, count);
  }
  return 0;
}

}  // namespace strider::nd
