// Follows NumPy in asking: dtype by position, copy by name and only where it is wished for.
#include "interpreter/builtins/numpy/array/array_protocols.h"

#include <algorithm>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

bool is_of_users(const Value& object) {
  return object.is_object() && !is_array(object) && type_of(object)->has(Type::kUserDefined);
}

void warn_of_copy() {
  warn(errors::DeprecationWarning(),
       "__array__ implementation doesn't accept a copy keyword, so passing copy=False failed. "
       "__array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the "
       "migration guide "
       "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-"
       "keyword");
}

bool is_about_copy(const Raised& raised) {
  return raised.exception->type()->is_subclass_of(&errors::TypeError()) &&
         str_text(Value(raised.exception))
                 .find("__array__() got an unexpected keyword argument 'copy'") !=
             std::string::npos;
}

// method(dtype, copy=copy); what is not given is left out.
Value ask(const Value& method, std::optional<nd::DType> dtype, const Value& copy) {
  ArgumentList list;
  if (dtype) list.values = {make_dtype(*dtype)};
  if (!copy.is_empty()) list.keywords = {{intern("copy"), copy}};
  return call(method, list);
}

// The object whose memory an array relies on.
struct Held {
  explicit Held(const Value& value) : owner(value) {}
  Value owner;
};

void let_go(void* held) { delete static_cast<Held*>(held); }

}  // namespace

void refuse_copy() {
  raise(errors::ValueError,
        "Unable to avoid copy while creating an array as requested.\nIf using `np.array(obj, "
        "copy=False)` replace it with `np.asarray(obj)` to allow a copy when needed (no behavior "
        "change in NumPy 1.x).\nFor more details, see "
        "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-"
        "keyword.");
}

Value array_by_method(const Value& object, std::optional<nd::DType> dtype, CopyWish wish,
                      bool& copied) {
  copied = false;
  if (!is_of_users(object)) return Value();
  Value method = find_special(object, names().array);
  if (method.is_empty()) return Value();
  if (wish == CopyWish::kIfNeeded) return ask(method, dtype, Value());
  try {
    Value made = ask(method, dtype, Value::boolean(wish == CopyWish::kAlways));
    copied = true;
    return made;
  } catch (const Raised& raised) {
    if (!is_about_copy(raised)) throw;
  }
  warn_of_copy();
  if (wish == CopyWish::kNever) refuse_copy();
  return ask(method, dtype, Value());
}

Value array_by_interface(const Value& object) {
  if (!is_of_users(object)) return Value();
  Value interface = find_attribute(object, intern("__array_interface__"));
  if (interface.is_empty()) return Value();
  Value made = call_in_npx("_array_of_interface", {object, interface});
  if (is_boxed_array(made)) refuse_elements("object");
  return made;
}

Value bytes_on_address(const Parameters& p) {
  std::int64_t count = to_int64(p[2]);
  auto* place = reinterpret_cast<char*>(to_int64(p[1]));
  return wrap(nd::Array::on_memory(place, count, nd::Dims{count}, nd::DType::kUInt8, new Held(p[0]),
                                   let_go, truth(p[3])));
}

}  // namespace strider::lang
