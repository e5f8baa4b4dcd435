// Printing: array2string, printoptions and the formatting of single floats.
#include "interpreter/builtins/numpy/print_options.h"

#include <memory>
#include <utility>
#include <vector>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/print_options_type.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/context_parts.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Calls a function of the language for each element.
class CallingFormatter final : public nd::ElementFormatter {
 public:
  explicit CallingFormatter(const Value& function) : function_(function) {}
  std::string format(const nd::Scalar& element) override {
    return str_text(call(function_, make_scalar(element)));
  }

 private:
  Value function_;
};

// The options with the formatters they point to.
struct Settings {
  nd::PrintOptions options;
  // As they were given; what is more than the options hold, such as infinity, is their most.
  Value threshold = Value::integer(nd::PrintOptions().threshold);
  Value line_width = Value::integer(nd::PrintOptions().line_width);
  Value formatter = Value::none();
  Value override_repr = Value::none();
  std::vector<std::shared_ptr<CallingFormatter>> formatters;
};

// Those in force; null: as contexts begin.
std::shared_ptr<const Settings>& settings_here() {
  static std::shared_ptr<const Settings>& instance = *new std::shared_ptr<const Settings>;
  return instance;
}

const Settings& settings() {
  static const Settings& first = *new Settings;
  const std::shared_ptr<const Settings>& here = settings_here();
  return here ? *here : first;
}

void use_settings(const Settings& changed) {
  settings_here() = std::make_shared<const Settings>(changed);
}

ContextPart exchange_settings(ContextPart next) {
  return std::exchange(settings_here(), std::static_pointer_cast<const Settings>(next));
}

void use_formatter(Settings& changed, const Value& formatter) {
  changed.formatter = formatter;
  changed.options.bool_formatter = changed.options.integer_formatter = nullptr;
  changed.options.float_formatter = changed.options.complex_formatter = nullptr;
  if (formatter.is_none()) return;
  if (!is_dict(formatter)) raise(errors::TypeError, "formatter must be a dict or None");
  Dict& given = *formatter.as<Dict>();
  auto take = [&](const char* key, std::initializer_list<nd::ElementFormatter**> places) {
    Value* function = given.find(intern(key));
    if (!function || function->is_none()) return;
    changed.formatters.push_back(std::make_shared<CallingFormatter>(*function));
    for (nd::ElementFormatter** place : places) *place = changed.formatters.back().get();
  };
  nd::PrintOptions& options = changed.options;
  take("all", {&options.bool_formatter, &options.integer_formatter, &options.float_formatter,
               &options.complex_formatter});
  take("int_kind", {&options.integer_formatter});
  take("float_kind", {&options.float_formatter});
  take("complex_kind", {&options.complex_formatter});
  take("bool", {&options.bool_formatter});
  take("int", {&options.integer_formatter});
  take("float", {&options.float_formatter});
  take("complexfloat", {&options.complex_formatter});
}

constexpr const char* kFloatModes[] = {"fixed", "unique", "maxprec", "maxprec_equal"};

void set_float_mode(nd::PrintOptions& options, const Value& value) {
  for (int i = 0; i < 4; ++i)
    if (is_str(value) && text_of(value) == kFloatModes[i]) {
      options.float_mode = static_cast<nd::FloatMode>(i);
      return;
    }
  raise(errors::ValueError,
        "floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", \"maxprec_equal\"");
}

void set_sign(nd::PrintOptions& options, const Value& value) {
  std::string_view text = is_str(value) ? text_of(value) : std::string_view();
  if (text != "-" && text != "+" && text != " ")
    raise(errors::ValueError, "sign option must be one of ' ', '+', or '-'");
  options.sign = text[0];
}

std::int64_t at_most_int64(double number) {
  return number > 9e18 ? std::numeric_limits<std::int64_t>::max()
                       : static_cast<std::int64_t>(number);
}

void set_threshold(Settings& changed, const Value& value) {
  bool number = is_integer(value) || is_float(value) || is_numpy_scalar(value);
  if (!number) raise(errors::TypeError, "threshold must be numeric");
  double threshold = to_double(value);
  if (threshold != threshold)
    raise(errors::ValueError,
          "threshold must be non-NAN, try sys.maxsize for untruncated representation");
  changed.options.threshold = at_most_int64(threshold);
  changed.threshold = value;
}

void set_line_width(Settings& changed, const Value& value) {
  changed.options.line_width = is_float(value) ? at_most_int64(to_double(value)) : to_int64(value);
  changed.line_width = value;
}

constexpr const char* kManners[] = {"1.13", "1.21", "1.25", "2.1", "2.2"};

void set_manner(nd::PrintOptions& options, const Value& value) {
  if (value.is_bool() && !value.as_bool()) {
    options.manner = nd::Manner::kCurrent;
    return;
  }
  for (std::size_t i = 0; i < std::size(kManners); ++i)
    if (is_str(value) && text_of(value) == kManners[i]) {
      options.manner = static_cast<nd::Manner>(i);
      return;
    }
  warn(errors::UserWarning(),
       "legacy printing option can currently only be '1.13', '1.21', '1.25', '2.1', '2.2' or "
       "`False`");
}

// Changes one option by its name; None leaves it.
void set_option(Settings& changed, std::string_view name, const Value& value) {
  nd::PrintOptions& options = changed.options;
  if (name == "formatter") {
    if (!value.is_none()) use_formatter(changed, value);
    return;
  }
  if (value.is_none()) return;
  if (name == "precision") {
    std::int64_t digits;
    if (!try_index(value, digits)) raise(errors::TypeError, "precision must be an integer");
    options.precision = static_cast<int>(digits);
  } else if (name == "threshold") {
    set_threshold(changed, value);
  } else if (name == "edgeitems") {
    options.edge_items = to_int64(value);
  } else if (name == "linewidth" || name == "max_line_width") {
    set_line_width(changed, value);
  } else if (name == "suppress" || name == "suppress_small") {
    options.suppress = truth(value);
  } else if (name == "nanstr") {
    options.nan_text = to_text(value, "nanstr");
  } else if (name == "infstr") {
    options.inf_text = to_text(value, "infstr");
  } else if (name == "sign") {
    set_sign(options, value);
  } else if (name == "floatmode") {
    set_float_mode(options, value);
  } else if (name == "legacy") {
    set_manner(options, value);
  }
}

constexpr const char* kOptionNames[] = {"precision", "threshold", "edgeitems", "linewidth",
                                        "suppress",  "nanstr",    "infstr",    "formatter",
                                        "sign",      "floatmode", "legacy"};
constexpr std::size_t kOverridePlace = std::size(kOptionNames);

#define OPTION_PARAMETERS                                                                        \
  "precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, " \
  "infstr=None, formatter=<none>, sign=None, floatmode=None, *, legacy=None, override_repr=None)"

void set_options(Settings& changed, const Value* given) {
  for (std::size_t i = 0; i < std::size(kOptionNames); ++i) {
    if (std::string_view(kOptionNames[i]) == "formatter") {
      use_formatter(changed, given[i].is_empty() ? Value::none() : given[i]);
      continue;
    }
    set_option(changed, kOptionNames[i], given[i]);
  }
  if (changed.options.manner == nd::Manner::k1_13) changed.options.sign = '-';
  changed.override_repr = given[kOverridePlace];
}

Value set_print_options(const Parameters& p) {
  Settings changed = settings();
  set_options(changed, &p[0]);
  use_settings(changed);
  return Value::none();
}

Value get_print_options(const Parameters&) {
  const nd::PrintOptions& options = settings().options;
  Ref<Dict> result = make_dict();
  auto set = [&result](const char* name, const Value& value) { result->set(intern(name), value); };
  set("edgeitems", Value::integer(options.edge_items));
  set("threshold", settings().threshold);
  set("floatmode", make_str(kFloatModes[static_cast<int>(options.float_mode)]));
  set("precision", Value::integer(options.precision));
  set("suppress", Value::boolean(options.suppress));
  set("linewidth", settings().line_width);
  set("nanstr", make_str(options.nan_text));
  set("infstr", make_str(options.inf_text));
  set("sign", make_str(std::string(1, options.sign)));
  set("formatter", settings().formatter);
  set("legacy", options.manner == nd::Manner::kCurrent
                    ? Value::boolean(false)
                    : Value(make_str(kManners[static_cast<int>(options.manner)])));
  set("override_repr", settings().override_repr);
  return result;
}

void check_precision(const nd::Array& array, const nd::PrintOptions& options) {
  if (options.precision < 0 && array.size() && nd::is_inexact(array.dtype()))
    raise(errors::ValueError, "precision must be >= 0");
}

// array2string(a, max_line_width, precision, suppress_small, separator, prefix, *, formatter,
// threshold, edgeitems, sign, floatmode, suffix, legacy)
Value array_to_string(const Parameters& p) {
  Settings chosen = settings();
  set_option(chosen, "linewidth", p[1]);
  set_option(chosen, "precision", p[2]);
  set_option(chosen, "suppress", p[3]);
  set_option(chosen, "formatter", p[6]);
  set_option(chosen, "threshold", p[7]);
  set_option(chosen, "edgeitems", p[8]);
  set_option(chosen, "sign", p[9]);
  set_option(chosen, "floatmode", p[10]);
  set_option(chosen, "legacy", p[12]);
  nd::Array array = to_array(p[0]);
  check_precision(array, chosen.options);
  return make_str(nd::array2string(array, chosen.options, to_text(p[4], "separator"),
                                   to_text(p[5], "prefix"), to_text(p[11], "suffix")));
}

// f(arr, max_line_width, precision, suppress_small)
template <bool kRepr>
Value array_text(const Parameters& p) {
  if (kRepr && !repr_override().is_none()) return call(repr_override(), p[0]);
  Settings chosen = settings();
  set_option(chosen, "linewidth", p[1]);
  set_option(chosen, "precision", p[2]);
  set_option(chosen, "suppress", p[3]);
  nd::Array array = to_array(p[0]);
  check_precision(array, chosen.options);
  if (!kRepr) return make_str(nd::array_str(array, chosen.options));
  std::string_view name = is_array(p[0]) ? p[0].as<ArrayObject>()->type()->name() : "array";
  if (name == "numpy.ndarray") name = "array";
  return make_str(nd::array_repr(array, chosen.options, name));
}

// A number of places; -1 for None.
int to_places(const Value& value, const char* name) {
  if (value.is_none()) return -1;
  if (is_float(value)) raise(errors::TypeError, "integer argument expected, got float");
  std::int64_t places = to_int64(value);
  if (places < 0) raise(errors::ValueError, "{} must be >= 0", name);
  return static_cast<int>(places);
}

nd::Trim to_trim(const Value& value) {
  std::string_view text = to_text(value, "trim");
  if (text == "k") return nd::Trim::kKeep;
  if (text == ".") return nd::Trim::kPoint;
  if (text == "0") return nd::Trim::kOneZero;
  if (text == "-") return nd::Trim::kAll;
  raise(errors::TypeError, "if supplied, trim must be 'k', '.', '0' or '-' found `{}`", text);
}

nd::Scalar floating(const Value& value) {
  bool real = value.is_bool() || is_integer(value) || is_float(value) ||
              (is_numpy_scalar(value) && !nd::is_complex(scalar_dtype(value))) ||
              (is_array(value) && array_of(value).rank() == 0);
  if (!real) raise(errors::TypeError, "must be real number, not {}", type_name(value));
  nd::Scalar scalar = to_scalar(value);
  return nd::is_floating(scalar.dtype()) ? scalar : scalar.as(nd::DType::kFloat64);
}

// (x, precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits)
Value format_positional(const Parameters& p) {
  nd::FloatFormat format;
  format.precision = to_places(p[1], "precision");
  format.unique = truth(p[2]);
  format.fractional = truth(p[3]);
  format.trim = to_trim(p[4]);
  format.sign = truth(p[5]);
  format.pad_left = to_places(p[6], "pad_left");
  format.pad_right = to_places(p[7], "pad_right");
  format.min_digits = to_places(p[8], "min_digits");
  return make_str(nd::format_float_positional(floating(p[0]), format));
}

// (x, precision, unique, trim, sign, pad_left, exp_digits, min_digits)
Value format_scientific(const Parameters& p) {
  nd::FloatFormat format;
  format.precision = to_places(p[1], "precision");
  format.unique = truth(p[2]);
  format.trim = to_trim(p[3]);
  format.sign = truth(p[4]);
  format.pad_left = to_places(p[5], "pad_left");
  format.exp_digits = to_places(p[6], "exp_digits");
  format.min_digits = to_places(p[7], "min_digits");
  return make_str(nd::format_float_scientific(floating(p[0]), format));
}

const NativeRow kFunctions[] = {
    {"set_printoptions(" OPTION_PARAMETERS, set_print_options, "Sets how arrays are printed."},
    {"get_printoptions()", get_print_options, "How arrays are printed."},
    {"array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=' ', "
     "prefix='', *, formatter=None, threshold=None, edgeitems=None, sign=None, floatmode=None, "
     "suffix='', legacy=None)",
     array_to_string, "An array as text."},
    {"array_repr(arr, max_line_width=None, precision=None, suppress_small=None)", array_text<true>,
     "An array as repr shows it."},
    {"array_str(a, max_line_width=None, precision=None, suppress_small=None)", array_text<false>,
     "An array as print shows it."},
    {"format_float_positional(x, precision=None, unique=True, fractional=True, trim='k', "
     "sign=False, pad_left=None, pad_right=None, min_digits=None)",
     format_positional, "A number in positional notation."},
    {"format_float_scientific(x, precision=None, unique=True, trim='k', sign=False, "
     "pad_left=None, exp_digits=None, min_digits=None)",
     format_scientific, "A number in scientific notation."},
};

// --- printoptions(...): a context manager ---

class PrintOptionsGuard : public Object {
 public:
  PrintOptionsGuard(const Settings& wanted, Type* type)
      : Object(Layout::kOther, type), wanted(wanted) {}
  Settings wanted;
  std::vector<Settings> saved;
};

Value construct_guard(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature("printoptions(" OPTION_PARAMETERS);
  Value given[12];
  signature.bind(arguments, given);
  Settings wanted = settings();
  set_options(wanted, given);
  return make_instance<PrintOptionsGuard>(cls, wanted);
}

Value enter_guard(const Parameters& p) {
  auto* self = p[0].as<PrintOptionsGuard>();
  self->saved.push_back(settings());
  use_settings(self->wanted);
  return get_print_options(p);
}

Value leave_guard(const Parameters& p) {
  auto* self = p[0].as<PrintOptionsGuard>();
  if (self->saved.empty()) return Value::none();
  use_settings(self->saved.back());
  self->saved.pop_back();
  return Value::none();
}

const NativeRow kGuardMethods[] = {
    {"__enter__(self, /)", enter_guard, "Puts the options in force."},
    {"__exit__(self, /, *exc_info)", leave_guard, "Restores the former options."},
};

}  // namespace

std::shared_ptr<const nd::PrintOptions> print_options() {
  return {settings_here(), &settings().options};
}

Value repr_override() { return settings().override_repr; }

std::span<const NativeRow> print_functions() { return kFunctions; }

void install_print_options() { add_context_part(exchange_settings); }

Type& print_options_type() {
  static Type& type = *[] {
    Type& made = new_type("printoptions", Type::object_type());
    made.module = "numpy";
    made.instance_layout = Layout::kOther;
    made.doc = "How arrays are printed inside a with block.";
    made.slots.construct = construct_guard;
    made.add(kGuardMethods);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
