// array.array: its methods.
#include <algorithm>

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/number_array.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

NumberArray& self_of(const Parameters& p) { return *p[0].as<NumberArray>(); }

Value append(const Parameters& p) {
  self_of(p).append(p[1]);
  return Value::none();
}

Value extend(const Parameters& p) {
  self_of(p).extend(p[1]);
  return Value::none();
}

Value from_list(const Parameters& p) {
  if (!is_list(p[1])) raise(errors::TypeError, "arg must be list");
  std::string before = self_of(p).bytes;
  try {
    self_of(p).extend(p[1]);
  } catch (const Raised&) {
    self_of(p).bytes.swap(before);
    throw;
  }
  return Value::none();
}

Value from_bytes(const Parameters& p) {
  self_of(p).append_bytes(std::string(to_bytes(p[1])));
  return Value::none();
}

Value to_bytes_object(const Parameters& p) { return make<Bytes>(self_of(p).bytes); }

Value to_list_object(const Parameters& p) {
  Ref<List> list = make_list();
  for (std::int64_t i = 0; i < self_of(p).size(); ++i) list->items.push_back(self_of(p).item(i));
  return list;
}

Value insert(const Parameters& p) {
  NumberArray& array = self_of(p);
  std::int64_t index = to_clamped_index(p[1]);
  if (index < 0) index = std::max<std::int64_t>(0, index + array.size());
  index = std::min(index, array.size());
  array.append(p[2]);
  auto from = array.bytes.begin() + index * array.item_size;
  std::rotate(from, array.bytes.end() - array.item_size, array.bytes.end());
  return Value::none();
}

void erase(NumberArray& array, std::int64_t index) {
  array.require_resizable();
  array.bytes.erase(static_cast<std::size_t>(index * array.item_size),
                    static_cast<std::size_t>(array.item_size));
}

Value pop(const Parameters& p) {
  NumberArray& array = self_of(p);
  std::int64_t index = to_int64(p[1]);
  if (array.size() == 0) raise(errors::IndexError, "pop from empty array");
  if (index < 0) index += array.size();
  if (index < 0 || index >= array.size()) raise(errors::IndexError, "pop index out of range");
  Value item = array.item(index);
  erase(array, index);
  return item;
}

// The first place of p[1] at or behind `start`, before `stop`; -1 if there is none.
std::int64_t find(const Parameters& p, std::int64_t start, std::int64_t stop) {
  for (std::int64_t i = start; i < std::min(stop, self_of(p).size()); ++i)
    if (equal(self_of(p).item(i), p[1])) return i;
  return -1;
}

Value index(const Parameters& p) {
  SearchRange range = search_range(p[2], p[3], self_of(p).size());
  std::int64_t found = find(p, range.start, range.stop);
  if (found < 0) raise(errors::ValueError, "array.index(x): x not in array");
  return Value::integer(found);
}

Value remove(const Parameters& p) {
  std::int64_t found = find(p, 0, self_of(p).size());
  if (found < 0) raise(errors::ValueError, "array.remove(x): x not in array");
  erase(self_of(p), found);
  return Value::none();
}

Value count(const Parameters& p) {
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < self_of(p).size(); ++i) total += equal(self_of(p).item(i), p[1]);
  return Value::integer(total);
}

void reverse_parts(std::string& bytes, std::size_t size) {
  for (std::size_t i = 0; i + size <= bytes.size(); i += size)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
}

Value reverse(const Parameters& p) {
  NumberArray& array = self_of(p);
  std::reverse(array.bytes.begin(), array.bytes.end());
  reverse_parts(array.bytes, static_cast<std::size_t>(array.item_size));
  return Value::none();
}

Value byteswap(const Parameters& p) {
  reverse_parts(self_of(p).bytes, static_cast<std::size_t>(self_of(p).item_size));
  return Value::none();
}

Value buffer_info(const Parameters& p) {
  auto address = reinterpret_cast<std::intptr_t>(self_of(p).bytes.data());
  return make_pair(Value::integer(address), Value::integer(self_of(p).size()));
}

Value copy(const Parameters& p) {
  Ref<NumberArray> result = make<NumberArray>(self_of(p).code, &NumberArray::type_object());
  result->bytes = self_of(p).bytes;
  return result;
}

Value to_file(const Parameters& p) {
  call_method(p[1], intern("write"), to_bytes_object(p));
  return Value::none();
}

Value from_file(const Parameters& p) {
  NumberArray& array = self_of(p);
  std::int64_t wanted = to_int64(p[2]);
  if (wanted < 0) raise(errors::ValueError, "negative count");
  Value read = call_method(p[1], intern("read"), Value::integer(wanted * array.item_size));
  if (!is_bytes(read)) raise(errors::TypeError, "read() didn't return bytes");
  array.append_bytes(to_bytes(read));
  if (static_cast<std::int64_t>(to_bytes(read).size()) < wanted * array.item_size)
    raise(errors::EOFError, "read() didn't return enough bytes");
  return Value::none();
}

void require_characters(const NumberArray& array, const char* method) {
  if (array.code != 'u')
    raise(errors::ValueError, "{}() may only be called on unicode type arrays", method);
}

Value to_text_object(const Parameters& p) {
  require_characters(self_of(p), "tounicode");
  std::string text;
  for (std::int64_t i = 0; i < self_of(p).size(); ++i) text += text_of(self_of(p).item(i));
  return make_str(text);
}

Value from_text(const Parameters& p) {
  require_characters(self_of(p), "fromunicode");
  to_text(p[1], "fromunicode() argument");
  self_of(p).extend(p[1]);
  return Value::none();
}

Value reduce(const Parameters& p) {
  Value state = find_attribute(p[0], names().dict);
  Value arguments = make_pair(make_str(std::string(1, self_of(p).code)), to_list_object(p));
  return make_tuple({Value(type_of(p[0])), arguments, state.is_empty() ? Value::none() : state});
}

constexpr NativeRow kMethods[] = {
    {"append(self, v, /)", append, "Add an item at the end."},
    {"extend(self, bb, /)", extend, "Add all items of an iterable."},
    {"fromlist(self, list, /)", from_list, "Add all items of a list."},
    {"frombytes(self, buffer, /)", from_bytes, "Add the items that bytes hold."},
    {"fromfile(self, f, n, /)", from_file, "Add n items read from a file."},
    {"fromunicode(self, ustr, /)", from_text, "Add the characters of a text."},
    {"tobytes(self, /)", to_bytes_object, "The items as bytes of the machine."},
    {"tolist(self, /)", to_list_object, "The items as a list."},
    {"tofile(self, f, /)", to_file, "Write all items to a file."},
    {"tounicode(self, /)", to_text_object, "The characters as a text."},
    {"insert(self, i, v, /)", insert, "Insert an item before a place."},
    {"pop(self, i=-1, /)", pop, "Remove and return an item (default the last)."},
    {"remove(self, v, /)", remove, "Remove the first item that equals v."},
    {"index(self, v, start=None, stop=None, /)", index, "Where the first item equals v."},
    {"count(self, v, /)", count, "How many items equal v."},
    {"reverse(self, /)", reverse, "Reverse in place."},
    {"byteswap(self, /)", byteswap, "Reverse the bytes of every item."},
    {"buffer_info(self, /)", buffer_info, "The address of the memory and the number of items."},
    {"__copy__(self, /)", copy, "Return a copy."},
    {"__deepcopy__(self, memo, /)", copy, "Return a copy."},
    {"__reduce_ex__(self, protocol, /)", reduce, "What makes an equal array."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

constexpr PropertyRow kProperties[] = {
    {"typecode",
     [](const Value& self) {
       return Value(make_str(std::string(1, self.as<NumberArray>()->code)));
     },
     nullptr, "The letter of the machine type."},
    {"itemsize",
     [](const Value& self) { return Value::integer(self.as<NumberArray>()->item_size); }, nullptr,
     "Bytes of one item."},
};

}  // namespace

void add_number_array_methods(Type& type) {
  type.add(kMethods);
  type.add(kProperties);
}

}  // namespace strider::lang
