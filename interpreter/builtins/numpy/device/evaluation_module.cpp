// _evaluation: when array operations run, what they will do and what they have done. The modules
// numpy and warnings are written on it.
#include <strider/nd/assign.h>
#include <strider/nd/device.h>
#include <strider/nd/eval.h>
#include <strider/nd/explain.h>
#include <strider/nd/generate.h>
#include <strider/nd/kernel_counts.h>

#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/builtins/numpy/ufunc/error_state.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value set_lazy(const Parameters& p) {
  bool before = nd::recording().lazy;
  nd::recording().lazy = truth(p[0]);
  return Value::boolean(before);
}

Value set_warnings(const Parameters& p) {
  announce_filters(truth(p[0]), truth(p[1]));
  return Value::none();
}

// Arrays, also those within tuples, lists and dicts.
void find_arrays(const Value& value, int depth, std::vector<nd::Array>& found) {
  constexpr int kDeepest = 32;
  if (is_array(value) || is_pending_scalar(value)) found.push_back(peek_array(value));
  if (depth == kDeepest) return;
  if (is_tuple(value)) {
    for (const Value& each : value.as<Tuple>()->items()) find_arrays(each, depth + 1, found);
  } else if (is_list(value)) {
    for (const Value& each : value.as<List>()->items) find_arrays(each, depth + 1, found);
  } else if (is_dict(value)) {
    for (const Dict::Entry& entry : value.as<Dict>()->entries())
      if (!entry.key.is_empty()) find_arrays(entry.value, depth + 1, found);
  }
}

Value evaluate(const Parameters& p) {
  const Tuple& arrays = *p[0].as<Tuple>();
  if (arrays.size() == 0) nd::evaluate_all();
  std::vector<nd::Array> found;
  find_arrays(p[0], 0, found);
  nd::evaluate(found);
  return arrays.size() == 1 ? arrays[0] : p[0];
}

Value texts(const std::vector<std::string>& lines) {
  Values values;
  for (const std::string& line : lines) values.push_back(Value(make_str(line)));
  return Value(make_list(std::move(values)));
}

Value text_or_none(const std::string& text) {
  return text.empty() ? Value::none() : Value(make_str(text));
}

Value describe(const nd::ExplainedLoop& loop) {
  Ref<Dict> result = make_dict();
  auto set = [&](const char* key, const Value& value) { result->set(Value(intern(key)), value); };
  Values extents;
  for (std::int64_t extent : loop.extents) extents.push_back(Value::integer(extent));
  set("product", Value::boolean(loop.is_product));
  set("shape", Value(make_tuple(std::move(extents))));
  set("inputs", texts(loop.inputs));
  set("instructions", texts(loop.instructions));
  set("places", texts(loop.places));
  set("outputs", texts(loop.outputs));
  set("fold", text_or_none(loop.fold));
  set("fold_place", text_or_none(loop.fold_place));
  set("bytes_read", Value::integer(loop.bytes_read));
  set("bytes_written", Value::integer(loop.bytes_written));
  set("pass", Value::integer(loop.pass));
  set("rows", Value::integer(loop.rows));
  set("reason", text_or_none(loop.reason));
  set("renderer", Value(make_str(loop.renderer)));
  set("renderer_reason", text_or_none(loop.renderer_reason));
  return Value(result);
}

Value explain(const Parameters& p) {
  nd::Explanation explanation = nd::explain(peek_array(p[0]));
  Ref<Dict> result = make_dict();
  Values loops;
  for (const nd::ExplainedLoop& loop : explanation.loops) loops.push_back(describe(loop));
  result->set(Value(intern("pending")), Value::boolean(explanation.pending));
  result->set(Value(intern("device")), Value(make_str(explanation.device)));
  result->set(Value(intern("passes")), Value::integer(explanation.passes));
  result->set(Value(intern("loops")), Value(make_list(std::move(loops))));
  result->set(Value(intern("text")), Value(make_str(nd::to_text(explanation))));
  return Value(result);
}

Value counts(const Parameters&) {
  const nd::EvaluationCounts& counted = nd::evaluation_counts();
  Ref<Dict> result = make_dict();
  nd::CompilationCounts compiled = nd::compilation_counts();
  auto set = [&](const char* key, std::int64_t count) {
    result->set(Value(intern(key)), Value::integer(count));
  };
  set("recorded", counted.recorded);
  set("loops", counted.loops);
  set("products", counted.products);
  set("passes", counted.passes);
  set("plans", counted.plans);
  set("plan_hits", counted.plan_hits);
  set("pending", counted.pending);
  set("bytes_read", counted.bytes_read);
  set("bytes_written", counted.bytes_written);
  set("compiled", compiled.compiled);
  set("refused", compiled.refused);
  set("code_hits", compiled.hits);
  set("code_bytes", compiled.bytes);
  const nd::DeviceCounts& device = nd::device_counts();
  set("launches", device.launches);
  set("graphs", device.graphs);
  set("uploads", device.uploads);
  set("downloads", device.downloads);
  set("bytes_up", device.bytes_up);
  set("bytes_down", device.bytes_down);
  set("copies_across", device.copies_across);
  set("bytes_across", device.bytes_across);
  set("waits", device.waits);
  set("spills", device.spills);
  set("bytes_spilled", device.bytes_spilled);
  nd::KernelCounts kernels = nd::kernel_counts();
  set("kernel_hits", kernels.hits);
  set("kernels_ready", kernels.ready);
  set("kernels_from_disk", kernels.from_disk);
  set("kernels_compiled", kernels.compiled);
  set("kernels_compiling", kernels.compiling);
  set("kernels_failed", kernels.failed);
  set("kernel_waits", kernels.waited);
  set("unfused", kernels.unfused);
  result->set(Value(intern("compile_seconds")), Value::real(kernels.compile_seconds));
  return Value(result);
}

// planes(arrays, shape, dtype)
Value planes(const Parameters& p) {
  std::vector<nd::Array> arrays;
  for (const Value& item : p[0].as<Tuple>()->items()) arrays.push_back(to_array(item));
  return wrap(nd::generate_planes(arrays, to_shape(p[1]), to_dtype(p[2])));
}

// assign(arrays, values)
Value assign(const Parameters& p) {
  std::vector<nd::Array> arrays, values;
  for (const Value& item : p[0].as<Tuple>()->items()) arrays.push_back(to_array(item));
  for (const Value& item : p[1].as<Tuple>()->items()) values.push_back(to_array(item));
  nd::assign_all(arrays, values);
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"assign(arrays, values, /)", assign,
     "arrays[i][...] = values[i] for tuples of as many arrays, at once where that is possible."},
    {"planes(arrays, shape, dtype, /)", planes,
     "A tuple of arrays of one type, broadcast to a shape, one behind another along a new axis."},
    {"set_lazy(on, /)", set_lazy, "Records operations, or runs them at once; the former setting."},
    {"set_warnings(can_wait, heard, /)", set_warnings,
     "Whether warnings about elements may come when those are computed, and whether anybody hears "
     "them."},
    {"evaluate(*arrays)", evaluate,
     "Computes the elements of arrays now, also of those in tuples, lists and dicts; returns what "
     "it was given (one by itself). Without arguments: of all arrays."},
    {"explain(array, /)", explain, "What computing an array will do."},
    {"is_pending(array, /)",
     [](const Parameters& p) { return Value::boolean(nd::is_pending(peek_array(p[0]))); },
     "Whether its elements are still to be computed."},
    {"counts()", counts, "What has been recorded and run."},
};

}  // namespace

const NativeModule kEvaluationModule = {
    "_evaluation", "When array operations run.", kFunctions, {}};

}  // namespace strider::lang
