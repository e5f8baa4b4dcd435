// The order of what draws random numbers on a device: runs are walked until they fit each other,
// the host answers what only it can, numbers are written, and the host makes the deferred ones. A
// machine has memory and launches kernels: a GPU, or in tests the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/backend/cuda/precompiled/draw_kernels.h"

namespace strider::nd::cuda {

struct DrawLimits {
  std::int64_t units = std::int64_t{1} << 27;  // looked at together: they take 8 bytes for each 32
  double doubtfulness = 1;
};

template <class Machine, class Cursor, class Rule>
class DrawRun {
 public:
  using Value = typename Rule::Value;
  using Memory = typename Machine::Memory;

  // The rule's table is the host's.
  DrawRun(Machine& machine, const RandomStream& stream, const Rule& rule, DrawLimits limits = {})
      : machine_(machine), rule_(rule), limits_(limits), work_{Cursor::source(stream), rule} {
    work_.doubtfulness = limits.doubtfulness;
  }

  // Writes the numbers that the stream gives next, and tells how many units they take. False: more
  // needs the host than there is room for, and what was written is worth nothing.
  bool draw(Value* to, std::int64_t count, std::int64_t* units) {
    work_.to = to;
    if (rule_.steady) {
      *units = (count + Rule::kMost - 1) / Rule::kMost;
      work_.wanted = count;
      launch(write_draws<Cursor, Rule>, blocks_of(*units), kDrawThreads);
      return true;
    }
    Room room(machine_, blocks_for(count), rule_);
    use(room);
    while (count > 0) {
      work_.wanted = count;
      work_.blocks = blocks_for(count);
      DrawOutcome outcome;
      if (!settle() || !write(outcome)) return false;
      std::int64_t written = std::min(count, outcome.total);
      count -= written;
      work_.to += written;
      work_.first = outcome.end;
    }
    *units = work_.first;
    return true;
  }

 private:
  // What is needed in between.
  struct Room {
    Room(Machine& machine, unsigned blocks, const Rule& rule)
        : runs(machine.take(blocks * kDrawThreads * sizeof(DrawnRun))),
          counted(machine.take(blocks * sizeof(DrawnBlock))),
          exits(machine.take(blocks * sizeof(std::uint32_t))),
          exits_before(machine.take(blocks * sizeof(std::uint32_t))),
          offsets(machine.take((blocks + 1) * sizeof(std::int64_t))),
          outcome(machine.take(sizeof(DrawOutcome))),
          lists(Rule::kAsks ? 4096 + std::size_t{blocks} * kBlockUnits<Rule> / 1024 : 0),
          deferred(machine.take(lists * sizeof(DeferredNumber))),
          doubts(machine.take(lists * sizeof(std::uint64_t))),
          answered(machine.take(lists * sizeof(std::uint64_t))),
          table(machine.take(table_bytes())) {
      if constexpr (Rule::kAsks)
        machine.upload(table.start(), reinterpret_cast<const std::byte*>(rule.table),
                       table_bytes());
    }
    static constexpr std::size_t table_bytes() {
      if constexpr (Rule::kAsks)
        return sizeof(*Rule::table);
      else
        return 0;
    }
    Memory runs, counted, exits, exits_before, offsets, outcome;
    std::size_t lists;
    Memory deferred, doubts, answered, table;
  };

  static unsigned blocks_of(std::int64_t units) {
    return static_cast<unsigned>((units + kBlockUnits<Rule> - 1) / kBlockUnits<Rule>);
  }
  // For as many units as so many numbers are likely to take.
  unsigned blocks_for(std::int64_t count) const {
    double likely = static_cast<double>(count) / rule_.expected;
    likely += 6 * std::sqrt(likely) + 64;
    return blocks_of(likely < static_cast<double>(limits_.units) ? static_cast<std::int64_t>(likely)
                                                                 : limits_.units);
  }

  void use(const Room& room) {
    work_.runs = room.runs.template as<DrawnRun>();
    work_.counted = room.counted.template as<DrawnBlock>();
    work_.exits = room.exits.template as<std::uint32_t>();
    work_.exits_before = room.exits_before.template as<std::uint32_t>();
    work_.offsets = room.offsets.template as<std::int64_t>();
    work_.outcome = room.outcome.template as<DrawOutcome>();
    work_.deferred = room.deferred.template as<DeferredNumber>();
    work_.doubts = room.doubts.template as<std::uint64_t>();
    work_.answered = room.answered.template as<std::uint64_t>();
    work_.deferred_room = work_.doubt_room = static_cast<unsigned>(room.lists);
    if constexpr (Rule::kAsks) work_.rule.table = room.table.template as<TableOf<Rule>>();
  }
  template <class Asking>
  using TableOf = std::remove_cv_t<std::remove_reference_t<decltype(*Asking::table)>>;

  template <class Kernel>
  void launch(Kernel kernel, unsigned blocks, unsigned threads) {
    machine_.launch(kernel, blocks, threads, work_);
  }
  DrawOutcome read() {
    DrawOutcome outcome;
    machine_.download(reinterpret_cast<std::byte*>(&outcome),
                      reinterpret_cast<const std::byte*>(work_.outcome), sizeof outcome);
    return outcome;
  }
  void clear(unsigned* counter) {
    machine_.clear(reinterpret_cast<std::byte*>(counter), sizeof *counter);
  }

  void walk(bool again) {
    work_.again = again;
    std::swap(work_.exits, work_.exits_before);
    launch(walk_draws<Cursor, Rule>, work_.blocks, kDrawThreads);
  }

  // Finds where all runs begin, and how many numbers each has.
  bool settle() {
    std::vector<std::uint64_t> answered;
    work_.answers = 0;
    for (;;) {
      machine_.clear(reinterpret_cast<std::byte*>(work_.outcome), sizeof(DrawOutcome));
      walk(false);
      if constexpr (!Rule::kLonger) return true;
      DrawOutcome outcome;
      do {
        walk(true);
        clear(&work_.outcome->changed);
        walk(true);
        outcome = read();
      } while (outcome.changed > 0);
      if (outcome.doubts == 0) return true;
      if (outcome.doubts + answered.size() > work_.doubt_room) return false;
      if constexpr (Rule::kAsks) answer(outcome.doubts, answered);
    }
  }

  // Answers what the device has asked, beside what it asked before.
  void answer(unsigned count, std::vector<std::uint64_t>& answered) {
    constexpr std::uint64_t kAnswer = std::uint64_t{1} << 63;
    std::vector<std::uint64_t> asked(count);
    machine_.download(reinterpret_cast<std::byte*>(asked.data()),
                      reinterpret_cast<const std::byte*>(work_.doubts),
                      count * sizeof(std::uint64_t));
    for (std::uint64_t question : asked)
      answered.push_back(question | (answer_to(question) ? kAnswer : 0));
    auto before = [](std::uint64_t a, std::uint64_t b) { return (a & ~kAnswer) < (b & ~kAnswer); };
    std::sort(answered.begin(), answered.end(), before);
    answered.erase(std::unique(answered.begin(), answered.end()), answered.end());
    work_.answers = static_cast<unsigned>(answered.size());
    machine_.upload(reinterpret_cast<std::byte*>(work_.answered),
                    reinterpret_cast<const std::byte*>(answered.data()),
                    answered.size() * sizeof(std::uint64_t));
  }
  bool answer_to(std::uint64_t question) const {
    auto unit = static_cast<std::int64_t>(question >> 1);
    Cursor cursor = Cursor::at(work_.source, unit);
    drawing::HostJudge judge;
    if (question & 1) {
      auto u = cursor.next(), v = cursor.next();
      return judge.fits_tail(question, drawing::unit_real(u), drawing::unit_real(v));
    }
    CountingSink nowhere;
    rule_(cursor, unit, judge, nowhere);
    return judge.answer;
  }

  bool write(DrawOutcome& outcome) {
    launch(place_draws<Cursor, Rule>, 1, kScanThreads);
    launch(write_draws<Cursor, Rule>, work_.blocks, kDrawThreads);
    outcome = read();
    if (outcome.deferred > work_.deferred_room) return false;
    if constexpr (Rule::kAsks) make_deferred(outcome.deferred);
    return true;
  }

  void make_deferred(unsigned count) {
    if (count == 0) return;
    std::vector<DeferredNumber> deferred(count);
    machine_.download(reinterpret_cast<std::byte*>(deferred.data()),
                      reinterpret_cast<const std::byte*>(work_.deferred),
                      count * sizeof(DeferredNumber));
    std::vector<std::int64_t> places(count);
    std::vector<Value> values(count);
    for (unsigned i = 0; i < count; ++i) {
      places[i] = deferred[i].place;
      values[i] = Rule::made_of(deferred[i].bits);
    }
    Memory there = machine_.take(count * sizeof(std::int64_t));
    Memory values_there = machine_.take(count * sizeof(Value));
    machine_.upload(there.start(), reinterpret_cast<const std::byte*>(places.data()),
                    count * sizeof(std::int64_t));
    machine_.upload(values_there.start(), reinterpret_cast<const std::byte*>(values.data()),
                    count * sizeof(Value));
    PutWork<Value> put{work_.to, there.template as<std::int64_t>(),
                       values_there.template as<Value>(), count};
    machine_.launch(put_draws<Value>, (count + kDrawThreads - 1) / kDrawThreads, kDrawThreads, put);
  }

  Machine& machine_;
  Rule rule_;
  DrawLimits limits_;
  DrawWork<Cursor, Rule> work_;
};

}  // namespace strider::nd::cuda
