// Every value is computed by itself, by the kernels that eager operations use, before anything is
// written; so no order of points and no sharing of memory can matter.
#include "kernels/backend/reference/reference.h"

#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/backend/cpu/fused/program.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kInterruptSpan = 1 << 14;

struct Value {
  alignas(16) std::byte bytes[16];
};

class LoopRun {
 public:
  explicit LoopRun(BoundLoop& bound)
      : loop_(*bound.loop),
        memory_(bound.memory),
        conditions_(bound.conditions),
        values_(loop_.inputs.size() + loop_.steps.size()),
        at_(loop_.extents.size()) {
    conditions_.assign(loop_.steps.size() + 1, 0);
  }

  void run() {
    std::int64_t points = loop_.point_count();
    std::vector<std::vector<Value>> results(loop_.outputs.size());
    std::vector<Value> folded;
    for (std::int64_t point = 0; point < points; ++point) {
      compute();
      for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].push_back(values_[loop_.outputs[i].value]);
      }
      if (!loop_.folds.empty()) folded.push_back(values_[loop_.folds[0].value]);
      next();
      if (point % kInterruptSpan == kInterruptSpan - 1) check_interrupt();
    }
    for (std::size_t i = 0; i < results.size(); ++i) write(i, results[i]);
    if (!loop_.folds.empty()) fold(folded);
  }

 private:
  void next() {
    for (int axis = at_.size() - 1; axis >= 0; --axis) {
      if (++at_[axis] < loop_.extents[axis]) return;
      at_[axis] = 0;
    }
  }
  std::int64_t offset(const Dims& strides) const {
    std::int64_t total = 0;
    for (int axis = 0; axis < at_.size(); ++axis) total += at_[axis] * strides[axis];
    return total;
  }

  void compute() {
    for (std::size_t i = 0; i < loop_.inputs.size(); ++i) {
      const LoopInput& input = loop_.inputs[i];
      if (input.kind == LoopInput::Kind::kRange) {
        std::int64_t element = input.first + offset(input.strides);
        std::memcpy(values_[i].bytes, &element, sizeof element);
        continue;
      }
      std::int64_t place = input.kind == LoopInput::Kind::kScalar ? 0 : offset(input.strides);
      std::memcpy(values_[i].bytes, memory_.inputs[i] + place,
                  static_cast<std::size_t>(item_size(input.dtype)));
    }
    for (std::size_t i = 0; i < loop_.steps.size(); ++i) {
      clear_floating_errors();
      compute_step(loop_.steps[i], values_[loop_.inputs.size() + i].bytes);
      conditions_[i] |= take_floating_errors().flags;
    }
  }

  void compute_step(const Step& step, std::byte* result) {
    const std::byte* inputs[3] = {};
    for (int i = 0; i < step.count; ++i) inputs[i] = values_[step.arguments[i]].bytes;
    if (step.kind == Step::Kind::kConvert) {
      int from = static_cast<int>(step.types[0]), to = static_cast<int>(step.result);
      return kernels().casts[from][to](inputs[0], item_size(step.types[0]), result,
                                       item_size(step.result), 1);
    }
    if (step.kind == Step::Kind::kSelect) {
      const std::byte* chosen = inputs[inputs[0][0] != std::byte{0} ? 1 : 2];
      std::memcpy(result, chosen, static_cast<std::size_t>(item_size(step.result)));
      return;
    }
    kernel_of(step)(inputs, &result, 1);
  }

  void write(std::size_t index, const std::vector<Value>& results) {
    const LoopOutput& output = loop_.outputs[index];
    auto size = static_cast<std::size_t>(item_size(output.dtype));
    for (const Value& value : results) {
      std::memcpy(memory_.outputs[index] + offset(output.strides), value.bytes, size);
      next();
    }
  }

  // Whether neighbouring points belong to neighbouring results: then they are combined one by one,
  // by the operation's own kernel.
  bool folds_columns(const LoopFold& fold) const {
    for (int axis = loop_.extents.size() - 1; axis >= 0; --axis) {
      if (loop_.extents[axis] > 1) return !(fold.axes >> axis & 1);
    }
    return false;
  }

  // The elements that are combined into one result lie in rows along the innermost axes, if these
  // are folded, and rows are combined in order.
  void fold(const std::vector<Value>& values) {
    const LoopFold& fold = loop_.folds[0];
    auto size = static_cast<std::size_t>(item_size(fold.type));
    std::int64_t row = row_length(fold);
    Kernel combine = folds_columns(fold) ? find_kernel(fold.op, fold.type) : nullptr;
    std::vector<std::byte> elements(static_cast<std::size_t>(row) * size);
    std::vector<bool> begun(values.size());
    clear_floating_errors();
    for (std::size_t first = 0; first < values.size(); first += static_cast<std::size_t>(row)) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(row); ++i) {
        std::memcpy(elements.data() + i * size, values[first + i].bytes, size);
      }
      std::int64_t place = fold_place(fold, static_cast<std::int64_t>(first));
      std::byte* result = memory_.outputs.back() + place * item_size(fold.result());
      bool fresh = !begun[static_cast<std::size_t>(place)];
      fold_row(fold, combine, elements.data(), row, result, fresh);
      begun[static_cast<std::size_t>(place)] = true;
    }
    conditions_.back() |= take_floating_errors().flags;
  }

  std::int64_t row_length(const LoopFold& fold) const {
    std::int64_t row = 1;
    for (int axis = loop_.extents.size() - 1; axis >= 0; --axis) {
      if (!(fold.axes >> axis & 1) && loop_.extents[axis] > 1) break;
      row *= loop_.extents[axis];
    }
    return row;
  }

  // The number of the result that a point is combined into.
  std::int64_t fold_place(const LoopFold& fold, std::int64_t point) const {
    if (fold.kind == LoopFold::Kind::kScan) return point;
    std::int64_t place = 0, weight = 1;
    for (int axis = loop_.extents.size() - 1; axis >= 0; --axis) {
      std::int64_t extent = loop_.extents[axis], index = point % extent;
      point /= extent;
      if (fold.axes >> axis & 1) continue;
      place += index * weight;
      weight *= extent;
    }
    return place;
  }

  static void fold_row(const LoopFold& fold, Kernel combine, const std::byte* elements,
                       std::int64_t row, std::byte* result, bool first) {
    int op = static_cast<int>(fold.op), type = static_cast<int>(fold.type);
    std::int64_t size = item_size(fold.type);
    if (fold.kind == LoopFold::Kind::kScan) {
      return kernels().scans[op][type](elements, size, result, size, row);
    }
    if (fold.kind == LoopFold::Kind::kFind) {
      const auto& find =
          fold.op == Op::kMaximum ? kernels().find_maximum : kernels().find_minimum;
      std::int64_t place = find[type](elements, row);
      std::memcpy(result, &place, sizeof place);
      return;
    }
    if (first) {
      const void* start = fold.from_first ? elements : fold.start.data();
      std::memcpy(result, start, static_cast<std::size_t>(size));
    }
    std::int64_t skipped = first && fold.from_first ? 1 : 0;
    if (combine && skipped < row) {
      const std::byte* inputs[2] = {result, elements};
      return combine(inputs, &result, 1);
    }
    bool chunked = fold.op == Op::kAdd && is_inexact(fold.type) && fold.chunk > 0;
    std::int64_t chunk = chunked ? fold.chunk : std::max<std::int64_t>(row, 1);
    for (std::int64_t i = skipped; i < row; i += chunk) {
      kernels().folds[op][type](elements + i * size, size, std::min(chunk, row - i), result);
    }
  }

  const FusedLoop& loop_;
  const LoopMemory& memory_;
  StepConditions& conditions_;
  std::vector<Value> values_;  // of the point
  Dims at_;
};

class ReferenceBackend : public Backend {
 public:
  std::string name() const override { return "cpu"; }
  RendererChoice choose_renderer(const FusedLoop&) const override {
    return {"reference", "STRIDER_RENDERER asks for it"};
  }
  void run(std::span<BoundLoop> pass, std::int64_t) override {
    for (BoundLoop& bound : pass) LoopRun(bound).run();
    clear_floating_errors();
  }
};

}  // namespace

Backend& reference_backend() {
  static ReferenceBackend backend;
  return backend;
}

}  // namespace strider::nd
