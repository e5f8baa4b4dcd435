// What arrays of texts, bytes and objects of numpy's own class consist of. For the files that work
// with them natively.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/builtins/numpy/elements/boxed_classes.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/types/support.h"

namespace strider::lang {

// Gives the class of boxed arrays native operators.
void give_boxed_operators(Type& type);
// astype(self, dtype, order, casting, subok, copy) and tobytes(self, order).
Value convert_boxed(const Parameters& p);
Value bytes_boxed(const Parameters& p);
// view(self, dtype, type)
Value see_texts(const Parameters& p);
// A text, or bytes, without what is behind so many characters, nor zeros at the end.
Value cut_text(const Value& item, std::int64_t length);
// Writes an element of texts or bytes into so many bytes, which hold zeros; false for others.
bool write_text(const Value& item, char* place, std::size_t width);
// where(condition, x, y) of texts.
Value choose_texts(const Value& function, const Arguments& arguments);

namespace boxed_parts {

inline const nd::Array& places_of(const Value& self) {
  return array_of(*boxed_part(self, BoxedPart::kPlaces));
}
inline const Value& pool_of(const Value& self) { return *boxed_part(self, BoxedPart::kPool); }
inline const Value& dtype_of(const Value& self) { return *boxed_part(self, BoxedPart::kDType); }
// Whether it is no view.
inline bool is_whole(const Value& self) {
  const Value* whole = boxed_part(self, BoxedPart::kWhole);
  return whole && whole->is_bool() && whole->as_bool();
}
inline Type* dtype_class(const Value& self) { return type_of(dtype_of(self)); }

// An array of texts, bytes or objects of numpy's own class.
inline bool is_plain(const Value& self) {
  if (!is_boxed(self)) return false;
  const Value* places = boxed_part(self, BoxedPart::kPlaces);
  const Value* dtype = boxed_part(self, BoxedPart::kDType);
  if (!places || !is_array(*places) || !dtype) return false;
  const Type* type = type_of(*dtype);
  return type == boxed().text_dtype || type == boxed().bytes_dtype || type == boxed().object_dtype;
}

inline bool holds_texts(const Value& self) { return dtype_class(self) != boxed().object_dtype; }

inline std::int64_t item_size(const Value& dtype) {
  const Value* bytes = boxed_attribute(dtype, boxed().itemsize);
  return bytes && bytes->is_int() ? bytes->as_int() : 0;
}

// The elements of an array in C order.
struct Elements {
  explicit Elements(const Value& self) : items(boxed_items(self, kept)) {}
  explicit operator bool() const { return items.data() != nullptr; }
  Values kept;
  std::span<const Value> items;
};

inline bool view_text(const Value& item, std::string_view& view) {
  if (is_exact_text(item))
    view = text_of(item);
  else if (is_exactly(item, Bytes::type_object()))
    view = item.as<Bytes>()->bytes();
  else
    return false;
  return true;
}

// The dtype that has room for the elements of both, if they are of one kind; Empty otherwise.
inline Value wider(const Value& first, const Value& second) {
  if (identical(first, second)) return first;
  if (type_of(first) != type_of(second)) return {};
  return item_size(second) > item_size(first) ? second : first;
}

}  // namespace boxed_parts
}  // namespace strider::lang
