// Descriptions of plans.
#include "kernels/graph/reporting/explain.h"

#include <strider/nd/device.h>
#include <strider/nd/explain.h>

#include <algorithm>
#include <charconv>

#include "kernels/graph/placement/placement.h"
#include "kernels/graph/plan/product.h"

namespace strider::nd {
namespace {

std::string value_name(std::uint16_t value) { return "v" + std::to_string(value); }

// The shortest text that reads back as the number.
std::string number_text(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string scalar_text(const Scalar& scalar) {
  if (is_complex(scalar.dtype())) {
    std::complex<double> value = scalar.to_complex();
    return number_text(value.real()) + "+" + number_text(value.imag()) + "j";
  }
  if (is_inexact(scalar.dtype())) return number_text(scalar.to_double());
  return std::to_string(scalar.as(DType::kInt64).get<std::int64_t>());
}

// The bytes of memory that an input reads: each element once.
std::int64_t bytes_of(const LoopInput& input, const Dims& extents) {
  if (input.kind != LoopInput::Kind::kMemory) return 0;
  std::int64_t count = item_size(input.dtype);
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (input.strides[axis] != 0) count *= extents[axis];
  }
  return count;
}

std::string input_text(const LoopInput& input, const PlannedInput& planned, const Dims& extents) {
  std::string type(name(input.dtype));
  if (input.kind == LoopInput::Kind::kScalar) return type + " " + scalar_text(*planned.scalar);
  if (input.kind == LoopInput::Kind::kRange) {
    return type + " range from " + std::to_string(input.first) + " by " + shape_text(input.strides);
  }
  Dims shape = extents;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (input.strides[axis] == 0) shape[axis] = 1;
  }
  return type + " " + shape_text(shape);
}

std::string step_text(const Step& step) {
  static constexpr const char* kNames[] = {"", "where", "convert"};
  std::string text = step.kind == Step::Kind::kOperation ? std::string(facts(step.op).name)
                                                         : kNames[static_cast<int>(step.kind)];
  text += "(";
  for (int i = 0; i < step.count; ++i) text += (i ? ", " : "") + value_name(step.arguments[i]);
  return text + ") " + std::string(name(step.result));
}

std::string fold_text(const LoopFold& fold, int rank) {
  std::string text = std::string(facts(fold.op).name) + " of " + value_name(fold.value) + " over";
  for (int axis = 0; axis < rank; ++axis) {
    if (fold.axes >> axis & 1) text += " " + std::to_string(axis);
  }
  return text;
}

// The lines that ask for a step.
std::string places_of(const PlannedLoop& planned, std::size_t step) {
  std::vector<std::string> places;
  std::string text;
  for (const StepOrigin& origin : planned.origins) {
    if (origin.step != step) continue;
    std::string place = to_text(origin.expression->place);
    if (place.empty() || std::find(places.begin(), places.end(), place) != places.end()) continue;
    text += (places.empty() ? "" : ", ") + place;
    places.push_back(std::move(place));
  }
  return text;
}

// A line of the program behind a line of text.
std::string with_place(std::string line, const std::string& place) {
  if (place.empty()) return line;
  constexpr std::size_t kColumn = 44;
  line.resize(std::max(line.size(), kColumn), ' ');
  return line + "  # " + place;
}

// "v0 = float64 (40000,200), transposed".
std::string operand_text(const PlannedLoop& step, int operand) {
  const LoopInput& input = step.loop.inputs[static_cast<std::size_t>(operand)];
  Dims shape = step.loop.extents;
  shape.erase(shape.size() - (operand == 0 ? 1 : 3));
  for (int axis = 0; axis < shape.size() - 2; ++axis) {
    if (input.strides[axis] == 0) shape[axis] = 1;
  }
  std::string text(name(input.dtype));
  text += " " + shape_text(shape);
  return is_transposed(step, operand) ? text + ", transposed" : text;
}

ExplainedLoop describe_product(const PlannedLoop& step, const Backend& backend) {
  const Expression& product = *step.outputs[0].promise;
  ExplainedLoop result;
  result.is_product = true;
  result.extents = product.shape;
  for (int i = 0; i < 2; ++i) {
    result.inputs.push_back(value_name(static_cast<std::uint16_t>(i)) + " = " +
                            operand_text(step, i));
    result.bytes_read += bytes_of(step.loop.inputs[static_cast<std::size_t>(i)], step.loop.extents);
  }
  std::string type(name(product.dtype));
  result.instructions.push_back("v2 = matmul(v0, v1) " + type);
  result.places.push_back(to_text(product.place));
  result.outputs.push_back("v2 " + type);
  result.bytes_written = product.size() * item_size(product.dtype);
  result.reason = step.reason;
  bool there = is_inexact(product.dtype);
  result.renderer = there ? "library" : "plain loops";
  if (!there && backend.name() != host_backend().name()) {
    result.renderer_reason = "the host multiplies " + type;
  }
  return result;
}

}  // namespace

ExplainedLoop describe(const PlannedLoop& planned, const Backend& backend) {
  if (planned.is_product) return describe_product(planned, backend);
  const FusedLoop& loop = planned.loop;
  ExplainedLoop result;
  result.extents = loop.extents;
  std::uint16_t value = 0;
  for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
    const LoopInput& input = loop.inputs[i];
    std::string text = input_text(input, planned.inputs[i], loop.extents);
    result.inputs.push_back(value_name(value++) + " = " + text);
    result.bytes_read += bytes_of(input, loop.extents);
  }
  for (std::size_t i = 0; i < loop.steps.size(); ++i) {
    result.instructions.push_back(value_name(value++) + " = " + step_text(loop.steps[i]));
    result.places.push_back(places_of(planned, i));
  }
  for (const LoopOutput& output : loop.outputs) {
    result.outputs.push_back(value_name(output.value) + " " + std::string(name(output.dtype)));
    result.bytes_written += loop.point_count() * item_size(output.dtype);
  }
  for (const LoopFold& fold : loop.folds) {
    result.fold = fold_text(fold, loop.extents.size());
    result.fold_place = to_text(planned.folded->place);
    std::int64_t results = 1;
    for (int axis = 0; axis < loop.extents.size(); ++axis) {
      if (!(fold.axes >> axis & 1)) results *= loop.extents[axis];
    }
    result.bytes_written += results * item_size(fold.type);
  }
  result.reason = planned.reason;
  RendererChoice choice = backend.choose_renderer(loop);
  result.renderer = choice.name;
  result.renderer_reason = choice.reason;
  return result;
}

std::string title_of(const ExplainedLoop& loop) {
  std::string text = loop.is_product ? "product of matrices " : "loop over ";
  text += shape_text(loop.extents) + ", " + loop.renderer;
  if (!loop.renderer_reason.empty()) text += " (" + loop.renderer_reason + ")";
  if (!loop.reason.empty()) text += ", before the rest: " + loop.reason;
  return text;
}

std::vector<std::string> lines_of(const ExplainedLoop& loop) {
  std::vector<std::string> lines = loop.inputs;
  for (std::size_t i = 0; i < loop.instructions.size(); ++i) {
    lines.push_back(with_place(loop.instructions[i], loop.places[i]));
  }
  if (!loop.fold.empty()) lines.push_back(with_place("fold " + loop.fold, loop.fold_place));
  for (const std::string& output : loop.outputs) lines.push_back("write " + output);
  return lines;
}

Explanation explain(const Array& array) {
  Explanation result;
  Storage& storage = *array.node()->storage;
  result.device = device_of(array);
  result.pending = storage.pending();
  if (!result.pending) return result;
  Plan plan = make_plan(*storage.expression());
  Placed placed(plan, nullptr);
  const Backend& backend = placed.backend();
  result.device = backend.name();
  for (const Pass& pass : plan) {
    for (const PlannedLoop& planned : pass.loops) {
      result.loops.push_back(describe(planned, backend));
      result.loops.back().pass = result.passes;
      result.loops.back().rows = pass.loops.size() > 1 ? pass.rows : 1;
    }
    ++result.passes;
  }
  return result;
}

std::string to_text(const Explanation& explanation) {
  if (!explanation.pending) return "the elements are in memory\n";
  std::string text = "on the " + explanation.device + ":\n";
  int number = 1;
  for (const ExplainedLoop& loop : explanation.loops) {
    text += std::to_string(number++) + ". " + title_of(loop);
    if (loop.rows > 1) {
      bool first = &loop == &explanation.loops[0] || (&loop)[-1].pass != loop.pass;
      text += first ? ", row by row" : ", in the same pass";
    }
    text += "\n";
    for (const std::string& line : lines_of(loop)) text += "  " + line + "\n";
    text += "  reads " + std::to_string(loop.bytes_read) + " bytes, writes " +
            std::to_string(loop.bytes_written) + " bytes\n";
  }
  return text;
}

}  // namespace strider::nd
