// What arrays share: overlap of memory, and views by explicit strides.
#include <strider/nd/index.h>

#include <algorithm>

#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
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

bool is_dense(const nd::Array& array) { return array.is_c_contiguous() || array.is_f_contiguous(); }

void append_addresses(const nd::Array& array, int axis, std::intptr_t address,
                      std::vector<std::intptr_t>& addresses) {
  if (axis == array.rank()) return addresses.push_back(address);
  std::int64_t places = array.strides()[axis] == 0 && array.size() > 0 ? 1 : array.shape()[axis];
  for (std::int64_t i = 0; i < places; ++i)
    append_addresses(array, axis + 1, address + i * array.strides()[axis], addresses);
}

std::vector<std::intptr_t> element_addresses(const nd::Array& array) {
  std::vector<std::intptr_t> addresses;
  append_addresses(array, 0, reinterpret_cast<std::intptr_t>(array.data()), addresses);
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

// Whether two arrays have a byte in common, found from all elements' addresses.
bool share_element(const nd::Array& a, const nd::Array& b) {
  if (!a.may_overlap(b)) return false;
  if (is_dense(a) && is_dense(b)) return true;
  std::vector<std::intptr_t> first = element_addresses(a), second = element_addresses(b);
  int first_size = nd::item_size(a.dtype()), second_size = nd::item_size(b.dtype());
  for (std::size_t i = 0, j = 0; i < first.size() && j < second.size();) {
    if (first[i] + first_size <= second[j])
      ++i;
    else if (second[j] + second_size <= first[i])
      ++j;
    else
      return true;
  }
  return false;
}

// f(a, b, max_work): 0 asks for the bounds alone, -1 for the truth.
template <bool kExact>
Value share_memory(const Parameters& p) {
  bool exact = p[2].is_none() ? kExact : to_int64(p[2]) != 0;
  nd::Array a = this_array(p[0]), b = this_array(p[1]);
  return Value::boolean(exact ? share_element(a, b) : a.may_overlap(b));
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
