// The elements of an array of texts or of bytes: objects of the language where they are few, else
// packed memory as NumPy has it, of one width, filled up with zeros. It answers as a list does.
#pragma once

#include <span>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/texts/text_rows.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/value/values.h"

namespace strider::lang {

class TextPool : public Object {
 public:
  // More elements than these are packed: fewer are made, compared and shown faster as objects.
  static constexpr std::size_t kFew = 64;

  // Whether so many elements, with so many bytes of content in all, are packed where nobody asks
  // for it: not a few, nor where nearly all of the memory would be zeros behind the content.
  static bool packs(std::size_t count, std::size_t content, std::size_t width, bool wide);

  // Of `width` bytes each, of characters of four bytes where `wide`. Texts that are wider are cut
  // where they are packed.
  TextPool(Values items, std::size_t width, bool wide);
  // Of items that are copied.
  static Ref<TextPool> of(std::span<const Value> items, std::size_t width, bool wide);
  // So many that are all the same.
  static Ref<TextPool> repeated(const Value& item, std::size_t count, std::size_t width, bool wide);
  // Over memory, a contiguous line of bytes, that others may see, too.
  TextPool(nd::Array memory, std::size_t width, bool wide);
  static Type& type_object();

  bool is_packed() const { return static_cast<bool>(memory_); }
  std::size_t size() const { return is_packed() ? count_ : items_.size(); }
  std::size_t width() const { return width_; }
  bool is_wide() const { return wide_; }
  // For how many characters elements have room.
  std::size_t rows_letters() const { return wide_ ? width_ / 4 : width_; }

  // The elements while they are objects.
  Values& items() { return items_; }
  // The memory once they are packed.
  const nd::Array& memory() const { return memory_; }
  text_rows::Rows rows() const;
  std::byte* mutable_rows() const { return memory_.mutable_data(); }
  // From now on they lie in memory. Elements without bytes stay objects: false.
  bool pack();

  // An element as text or bytes; ValueError where a character is none.
  Value item(std::size_t i) const;
  void set_item(std::size_t i, const Value& item);
  // All of them, or those at places, which are checked.
  Values all() const;
  Values at(std::span<const std::int64_t> places) const;

 private:
  std::size_t width_, count_ = 0;
  bool wide_;
  Values items_;
  nd::Array memory_;
};

inline bool is_text_pool(const Value& value) {
  return value.is_object() && value.object()->type() == &TextPool::type_object();
}
inline TextPool& text_pool_of(const Value& value) { return *value.as<TextPool>(); }

// A text of the language of a packed element.
Value text_of_row(const std::byte* row, std::size_t width, bool wide);
// Memory for so many elements; MemoryError where there is none.
nd::Array text_memory(std::size_t count, std::size_t width);

// text_pool(items, itemsize, wide): of a list, which is copied, or of another pool, which stays
// what it is where it has that width.
Value make_text_pool(const Parameters& p);
// repeated_texts(item, count, itemsize, wide)
Value repeated_texts(const Parameters& p);
// text_pool_over(memory, itemsize, wide): over a native array of bytes.
Value make_text_pool_over(const Parameters& p);
// packed_memory(pool, packs=True): the native array of bytes in which the elements lie from now on;
// None of lists and of elements without bytes, and, where it packs none, of what is not packed.
Value packed_memory(const Parameters& p);

}  // namespace strider::lang
