// Follows NumPy in asking: dtype by position, copy by name and only where it is wished for.
#include "interpreter/builtins/numpy/array/array_protocols.h"

#include <algorithm>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
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
         str_text(Value(raised.exception)).find("copy") != std::string::npos;
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

Value field(Dict& interface, const char* name) {
  Value* found = interface.find(intern(name));
  return found ? *found : Value::none();
}

nd::Dims to_dims(const Value& value) {
  nd::Dims dims;
  for (const Value& each : to_tuple(value)->items()) dims.push_back(to_int64(each));
  return dims;
}

nd::Dims steps_of(const nd::Dims& shape, const Value& given, std::int64_t size) {
  if (!given.is_none()) return to_dims(given);
  nd::Dims steps(shape.size(), size);
  for (int axis = shape.size() - 2; axis >= 0; --axis)
    steps[axis] = steps[axis + 1] * std::max<std::int64_t>(shape[axis + 1], 1);
  return steps;
}

// The array that an interface with an address describes.
Value on_address(const Value& object, Dict& interface, const Value& data) {
  Value type = field(interface, "typestr");
  std::optional<nd::DType> dtype = nd::parse_dtype(text_of(type));
  if (!dtype) return Value();
  std::int64_t size = nd::item_size(*dtype), low = 0, high = size;
  nd::Dims shape = to_dims(field(interface, "shape"));
  nd::Dims steps = steps_of(shape, field(interface, "strides"), size);
  for (int axis = 0; axis < shape.size(); ++axis) {
    std::int64_t reach = (std::max<std::int64_t>(shape[axis], 1) - 1) * steps[axis];
    (reach < 0 ? low : high) += reach;
  }
  auto* place = reinterpret_cast<char*>(to_int64((*data.as<Tuple>())[0]));
  bool writeable = !truth((*data.as<Tuple>())[1]);
  nd::Array bytes = nd::Array::on_memory(place + low, high - low, nd::Dims{high - low},
                                         nd::DType::kUInt8, new Held(object), let_go, writeable);
  return wrap(bytes.view(shape, steps, -low, *dtype));
}

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
  if (!interface.has_layout(Layout::kDict)) return Value();
  Value data = field(*interface.as<Dict>(), "data");
  if (!is_tuple(data) || data.as<Tuple>()->size() != 2) return Value();
  return on_address(object, *interface.as<Dict>(), data);
}

}  // namespace strider::lang
