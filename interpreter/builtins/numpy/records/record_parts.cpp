// Arrays of records taken apart, put together, copied as a whole and written as bytes.
#include "interpreter/builtins/numpy/records/record_parts.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "interpreter/builtins/numpy/elements/boxed_parts.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"
#include "interpreter/types/support.h"

namespace strider::lang::record_parts {

RecordClasses& known() {
  static RecordClasses& classes = *new RecordClasses;
  return classes;
}

const List* columns_of(const Value& array) {
  const Value* columns = attribute(array, known().columns);
  return columns && is_list(*columns) ? columns->as<List>() : nullptr;
}

const Value* find_column(const Value& array, const Value& name) {
  const Value* dtype = attribute(array, known().dtype);
  const Value* names = dtype ? attribute(*dtype, known().names) : nullptr;
  const List* columns = columns_of(array);
  if (!columns || !names || !is_tuple(*names) || !is_exact_text(name)) return nullptr;
  std::span<const Value> all = names->as<Tuple>()->items();
  for (std::size_t i = 0; i < std::min(all.size(), columns->size()); ++i)
    if (is_str(all[i]) && text_of(all[i]) == text_of(name)) return &columns->items[i];
  return nullptr;
}

Value make_records(const Value& places, const Value& columns, const Value& dtype, const Value& base,
                   bool whole) {
  static Shape* const placed = Shape::empty()->with(known().places);
  static Shape* const filled = placed->with(known().columns);
  static Shape* const typed = filled->with(known().dtype);
  static Shape* const based = typed->with(boxed().base);
  static Shape* const told = based->with(known().whole);
  Value made = make<Instance>(known().array);
  Attributes& attributes = *made.object()->attributes();
  attributes.append(placed, places);
  attributes.append(filled, columns);
  attributes.append(typed, dtype);
  attributes.append(based, base);
  attributes.append(told, Value::boolean(whole));
  return made;
}

bool is_whole_line(const Value& array) {
  const Value *whole = attribute(array, known().whole), *places = attribute(array, known().places);
  return whole && whole->is_bool() && whole->as_bool() && places && is_array(*places) &&
         array_of(*places).rank() == 1;
}

Value chosen_fields(const Value& self, const Value& key) {
  static const Name selected = intern("selected");
  if (!is_list(key) || key.as<List>()->items.empty()) return {};
  const Value *dtype = attribute(self, known().dtype), *places = attribute(self, known().places),
              *base = attribute(self, boxed().base), *whole = attribute(self, known().whole);
  if (!dtype || !places || !base || !whole || !whole->is_bool()) return {};
  Values columns;
  for (const Value& name : key.as<List>()->items) {
    const Value* column = name.is_object() ? find_column(self, name) : nullptr;
    if (!column) return {};
    columns.push_back(*column);
  }
  Value kind = call_method(*dtype, selected, key);
  return make_records(*places, Value(make_list(std::move(columns))), kind,
                      base->is_none() ? self : *base, whole->as_bool());
}

namespace {

bool is_full_slice(const Value& key) {
  if (!key.has_layout(Layout::kSlice)) return false;
  const Slice& slice = *key.as<Slice>();
  return slice.start.is_none() && slice.stop.is_none() && slice.step.is_none();
}

// Copies the elements of a column; false where its class has to.
bool copy_column(const Value& to, const Value& from) {
  if (is_array(to) && is_array(from)) return array_of(to).assign(array_of(from)), true;
  using namespace boxed_parts;
  bool boxes = is_plain(to) && is_plain(from) && identical(dtype_of(to), dtype_of(from));
  const Value* whole = boxes ? attribute(to, boxed().whole) : nullptr;
  if (!whole || !whole->is_bool() || !whole->as_bool()) return false;
  if (fill_packed(to, from)) return true;
  Elements given(from);
  Value pool = *attribute(to, boxed().pool);
  if (!given || packed_pool_of(to)) return false;
  Values& kept = is_text_pool(pool) ? text_pool_of(pool).items() : pool.as<List>()->items;
  if (given.items.size() != kept.size()) return false;
  Values items(given.items.begin(), given.items.end());
  kept.swap(items);
  return true;
}

bool can_copy(const Value& to, const Value& from) {
  if (is_array(to) && is_array(from)) return true;
  using namespace boxed_parts;
  return is_plain(to) && is_plain(from) && identical(dtype_of(to), dtype_of(from));
}

}  // namespace

bool store_whole_records(const Value& self, const Value& key, const Value& value) {
  if (!is_full_slice(key) || !value.is_object() || type_of(value) != known().array) return false;
  const Value *own = attribute(self, known().dtype), *other = attribute(value, known().dtype);
  if (!own || !other || !is_whole_line(self) || !is_whole_line(value)) return false;
  if (!identical(*own, *other) && !truth(compare(CompareOperator::kEq, *own, *other))) return false;
  const nd::Array &places = array_of(*attribute(self, known().places)),
                  &givers = array_of(*attribute(value, known().places));
  const List *columns = columns_of(self), *sources = columns_of(value);
  bool alike = columns && sources && columns->size() == sources->size() && places.writeable() &&
               places.size() == givers.size();
  if (!alike) return false;
  Values to = columns->items, from = sources->items;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (!can_copy(to[i], from[i])) return false;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (!copy_column(to[i], from[i])) set_item(to[i], ellipsis(), from[i]);
  return true;
}

// --- Bytes ---

namespace {

// The numbers of a field, and where they begin in each record.
struct NumberColumn {
  nd::Array values;
  std::size_t offset;
};

template <std::size_t kSize>
void write_numbers(const std::byte* from, char* to, std::size_t record, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i, from += kSize, to += record)
    std::memcpy(to, from, kSize);
}

void write_numbers(const NumberColumn& column, std::int64_t begin, std::int64_t count,
                   std::string& bytes, std::size_t record) {
  auto size = static_cast<std::int64_t>(nd::item_size(column.values.dtype()));
  const std::byte* from = column.values.data() + begin * size;
  char* to = bytes.data() + static_cast<std::size_t>(begin) * record + column.offset;
  auto write = size == 1   ? write_numbers<1>
               : size == 2 ? write_numbers<2>
               : size == 4 ? write_numbers<4>
               : size == 8 ? write_numbers<8>
                           : write_numbers<16>;
  write(from, to, record, count);
}

// Some records at a time, which stay in the first cache until all their fields are written.
void write_all_numbers(std::span<const NumberColumn> columns, std::int64_t count,
                       std::string& bytes, std::size_t record) {
  constexpr std::size_t kCached = 1 << 14;
  if (record == 0) return;
  auto together = static_cast<std::int64_t>(std::max<std::size_t>(1, kCached / record));
  for (std::int64_t begin = 0; begin < count; begin += together)
    for (const NumberColumn& column : columns)
      write_numbers(column, begin, std::min(together, count - begin), bytes, record);
}

// The field's texts written into records of so many bytes; false where npx has to.
bool write_texts(const Value& column, std::string& bytes, std::size_t offset, std::size_t record) {
  using namespace boxed_parts;
  if (!is_plain(column) || !holds_texts(column)) return false;
  if (packed_pool_of(column)) {
    PackedTexts packed;
    if (!packed.read_packed(column)) return false;
    char* row = bytes.data() + offset;
    for (std::size_t i = 0; i < packed.rows.count; ++i, row += record)
      std::memcpy(row, packed.rows.row(i), packed.rows.width);
    return true;
  }
  Elements elements(column);
  if (!elements) return false;
  auto width = static_cast<std::size_t>(item_size(dtype_of(column)));
  char* to = bytes.data() + offset;
  for (const Value& item : elements.items) {
    if (!write_text(item, to, width)) return false;
    to += record;
  }
  return true;
}

// tobytes(order)
Value bytes_of_records(const Parameters& p) {
  const Value *dtype = attribute(p[0], known().dtype),
              *parts = dtype ? attribute(*dtype, known().parts) : nullptr;
  const Value* size = dtype ? attribute(*dtype, boxed().itemsize) : nullptr;
  const List* columns = columns_of(p[0]);
  static const Name offset = intern("offset");
  bool plain = is_whole_line(p[0]) && columns && parts && is_list(*parts) && size &&
               size->is_int() && is_str(p[1]) && text_of(p[1]) == "C" &&
               parts->as<List>()->size() == columns->size();
  if (!plain) return call_general(*known().array, "tobytes", p);
  auto record = static_cast<std::size_t>(size->as_int());
  auto count = static_cast<std::size_t>(array_of(*attribute(p[0], known().places)).size());
  std::string bytes(count * record, '\0');
  std::vector<NumberColumn> numbers;
  for (std::size_t i = 0; i < columns->size(); ++i) {
    const Value& part = parts->as<List>()->items[i];
    const Value *begin = attribute(part, offset), *shape = attribute(part, known().shape),
                *own = attribute(part, known().dtype);
    // Numbers in the other byte order are kept in this machine's.
    bool native = own && (own->has_layout(Layout::kDType) || !read_boxed_dtype(*own).is_empty());
    bool single = native && begin && begin->is_int() && shape && is_tuple(*shape) &&
                  shape->as<Tuple>()->size() == 0;
    const Value& column = columns->items[i];
    bool plain_numbers = single && is_array(column) && array_of(column).rank() == 1;
    if (plain_numbers)
      numbers.push_back({array_of(column).contiguous(), static_cast<std::size_t>(begin->as_int())});
    else if (!single || is_array(column) ||
             !write_texts(column, bytes, static_cast<std::size_t>(begin->as_int()), record))
      return call_general(*known().array, "tobytes", p);
  }
  write_all_numbers(numbers, static_cast<std::int64_t>(count), bytes, record);
  return make<Bytes>(std::move(bytes));
}

// --- Shapes ---

// The records in another order of axes that a view of their places tells; Empty of copies.
Value seen_at(const Value& self, const Value& places) {
  const Value *own = attribute(self, known().places), *columns = attribute(self, known().columns),
              *dtype = attribute(self, known().dtype), *base = attribute(self, boxed().base);
  bool plain = own && is_array(*own) && columns && dtype && base && is_array(places) &&
               array_of(places).same_storage(array_of(*own));
  if (!plain) return {};
  return make_records(places, *columns, *dtype, base->is_none() ? self : *base, false);
}

bool has_places(const Value& self) {
  const Value* places = attribute(self, known().places);
  return is_records(self) && places && is_array(*places);
}

// reshape(*extents, shape, order, copy)
Value reshape_records(const Parameters& p) {
  if (has_places(p[0]))
    if (Value made = seen_at(p[0], reshaped(*attribute(p[0], known().places), p));
        !made.is_empty())
      return made;
  ArgumentList list = reshape_arguments(p);
  list.values.insert(list.values.begin(), p[0]);
  return call_general_with(*known().array, "reshape", list);
}

// ravel(order)
Value ravel_records(const Parameters& p) {
  if (has_places(p[0]) && is_str(p[1]) && text_of(p[1]) == "C") {
    const Value& places = *attribute(p[0], known().places);
    Value made = seen_at(p[0], wrap_view(array_of(places).ravel(), places));
    if (!made.is_empty()) return made;
  }
  return call_general(*known().array, "ravel", p);
}

const NativeRow kMethods[] = {
    {"reshape(self, *extents, shape=<none>, order=<none>, copy=<none>)", reshape_records,
     "The records in another shape."},
    {"ravel(self, order='C')", ravel_records, "The records along one axis."},
    {"tobytes(self, order='C')", bytes_of_records, "The bytes of the records."},
};

}  // namespace

void add_record_methods(Type& type) {
  for (const NativeRow& row : kMethods) add_native_method(type, row);
}

}  // namespace strider::lang::record_parts
