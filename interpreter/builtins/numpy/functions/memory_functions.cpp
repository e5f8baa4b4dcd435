// What arrays share: overlap of memory, and views by explicit strides.
#include <strider/nd/index.h>

#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// f(a, b, max_work): 0 asks for the bounds alone, -1 for the truth.
template <bool kExact>
Value share_memory(const Parameters& p) {
  std::int64_t work = p[2].is_none() ? (kExact ? -1 : 0) : to_int64(p[2]);
  if (work < -2) raise(errors::ValueError, "Invalid value for max_work");
  nd::Array a = this_array(p[0]), b = this_array(p[1]);
  if (work == 0) return Value::boolean(a.may_overlap(b));
  nd::Sharing found = nd::find_shared_element(a, b, work);
  if (found == nd::Sharing::kTooHard) raise(too_hard_error, "Exceeded max_work");
  return Value::boolean(found == nd::Sharing::kSome);
}

// as_strided(x, shape, strides, subok, writeable)
Value as_strided(const Parameters& p) {
  if (is_boxed_array(p[0]))
    return call_in_npx("_answer_boxed", {make_str("as_strided"),
                                         make_tuple({p[0], p[1], p[2], p[3], p[4]}), make_dict()});
  nd::Array array = this_array(p[0]);
  nd::Dims shape = p[1].is_none() ? array.shape() : to_shape(p[1]);
  nd::Dims strides = p[2].is_none() ? array.strides() : to_shape(p[2]);
  nd::Array made = nd::as_strided(array, shape, strides, truth(p[4]));
  return truth(p[3]) ? wrap_view(std::move(made), p[0]) : plain_view(std::move(made), p[0]);
}

const NativeRow kFunctions[] = {
    {"may_share_memory(a, b, /, max_work=None)", share_memory<false>,
     "Whether two arrays' byte ranges overlap."},
    {"shares_memory(a, b, /, max_work=None)", share_memory<true>,
     "Whether two arrays have an element in common."},
};

const NativeRow kStrideFunctions[] = {
    {"as_strided(x, shape=None, strides=None, subok=False, writeable=True)", as_strided,
     "A view with the given shape and strides, kept within the array's memory."},
};

constexpr char kPackage[] = "numpy.lib.stride_tricks";

Value from_numpy(const char* name) { return get_attribute(import_module("numpy"), intern(name)); }

const ConstantRow kStrideConstants[] = {
    {"broadcast_to", [] { return from_numpy("broadcast_to"); }},
    {"broadcast_arrays", [] { return from_numpy("broadcast_arrays"); }},
    {"broadcast_shapes", [] { return from_numpy("broadcast_shapes"); }},
};

Value find(Name name) { return find_in_namespace(kPackage, text_of(name)); }

void list(std::vector<std::string_view>& names) { list_namespace(kPackage, names); }

}  // namespace

std::span<const NativeRow> memory_functions() { return kFunctions; }

const NativeModule kNumpyStrideTricksModule = {
    kPackage, "Views made by setting shape and strides.", kStrideFunctions, kStrideConstants, find,
    list};

}  // namespace strider::lang
