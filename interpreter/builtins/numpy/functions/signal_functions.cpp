// Sequences as functions of numpy: correlate, convolve, interpolation cores, packed bits.
#include <strider/nd/signal.h>

#include <algorithm>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

nd::CorrelateMode to_correlate_mode(const Value& value) {
  if (!is_str(value)) {
    std::int64_t number = to_int64(value);
    if (number < 0 || number > 2)
      raise(errors::ValueError, "integer convolve mode must be 0, 1, or 2 (got {})", number);
    return static_cast<nd::CorrelateMode>(number);
  }
  std::string_view text = text_of(value);
  if (text == "valid") return nd::CorrelateMode::kValid;
  if (text == "same") return nd::CorrelateMode::kSame;
  if (text == "full") return nd::CorrelateMode::kFull;
  raise(errors::ValueError, "Use one of 'valid', 'same', or 'full' for convolve/correlate mode");
}

Value correlate(const Parameters& p) {
  const Value& model = is_subclass_array(p[0]) ? p[0] : p[1];
  return wrap_like(nd::correlate(to_array(p[0]), to_array(p[1]), to_correlate_mode(p[2])), model);
}

nd::Array at_least_vector(const Value& value) {
  nd::Array array = to_array(value);
  return array.rank() == 0 ? array.reshape(nd::Dims{1}) : array;
}

Value convolve(const Parameters& p) {
  return wrap(nd::convolve(at_least_vector(p[0]), at_least_vector(p[1]), to_correlate_mode(p[2])));
}

// _interp(x, xp, fp, left, right)
Value interpolate(const Parameters& p) {
  nd::Scalar left, right;
  if (is_given(p[3])) left = to_scalar(p[3]);
  if (is_given(p[4])) right = to_scalar(p[4]);
  return wrap_result(nd::interp(to_array(p[0]), to_array(p[1]), to_array(p[2]),
                                is_given(p[3]) ? &left : nullptr,
                                is_given(p[4]) ? &right : nullptr));
}

bool is_plain_number(const Value& value) { return value.is_float() || value.is_int(); }

// Whether a value is numbers that are real at first sight: one, an array, a list.
bool is_plainly_real(const Value& value) {
  if (is_plain_number(value)) return true;
  if (is_array(value)) return !is_subclass_array(value) && !nd::is_complex(array_of(value).dtype());
  return is_list(value) && value.as<List>()->is_exact() &&
         std::ranges::all_of(value.as<List>()->items, is_plain_number);
}

// _interp_plainly(x, xp, fp, left, right)
Value interpolate_plainly(const Parameters& p) {
  for (int i = 0; i < 3; ++i)
    if (!is_plainly_real(p[i])) return Value::none();
  return interpolate(p);
}

bool is_little(const Value& value) {
  std::string_view text = to_text(value, "bitorder");
  if (text == "little") return true;
  if (text == "big") return false;
  raise(errors::ValueError, "'bitorder' must be either 'little' or 'big'");
}

Value pack_bits(const Parameters& p) {
  return wrap_view(nd::packbits(to_array(p[0]), to_optional_axis(p[1]), is_little(p[2])), p[0]);
}

// unpackbits(a, axis, count, bitorder)
Value unpack_bits(const Parameters& p) {
  std::optional<std::int64_t> count;
  if (is_given(p[2])) count = to_int64(p[2]);
  return wrap_view(nd::unpackbits(to_array(p[0]), to_optional_axis(p[1]), count, is_little(p[3])),
                   p[0]);
}

const NativeRow kFunctions[] = {
    {"correlate(a, v, mode='valid')", correlate, "The correlation of two sequences."},
    {"convolve(a, v, mode='full')", convolve, "The convolution of two sequences."},
    {"_interp(x, xp, fp, left=None, right=None)", interpolate,
     "Values between given points, linearly."},
    {"_interp_plainly(x, xp, fp, left=None, right=None)", interpolate_plainly,
     "The same of anything that is plainly real numbers; None: of other things."},
    {"packbits(a, /, axis=None, bitorder='big')", pack_bits, "Booleans packed into bytes."},
    {"unpackbits(a, /, axis=None, count=None, bitorder='big')", unpack_bits,
     "The bits of bytes, one an element."},
};

}  // namespace

std::span<const NativeRow> signal_functions() { return kFunctions; }

}  // namespace strider::lang
