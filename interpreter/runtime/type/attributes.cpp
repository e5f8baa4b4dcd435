// Shapes and the attributes of instances.
#include <algorithm>

#include "interpreter/runtime/type/type.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

Shape* Shape::empty() {
  static Shape& shape = *new Shape;
  return &shape;
}

int Shape::find(Name name) const {
  for (std::size_t index = 0; index < names_.size(); ++index)
    if (names_[index] == name) return static_cast<int>(index);
  return -1;
}

Shape* Shape::with(Name name) {
  for (auto& [added, shape] : next_)
    if (added == name) return shape;
  auto* shape = new Shape;  // kept for the life of the process: caches hold its address
  shape->names_ = names_;
  shape->names_.push_back(name);
  shape->size_ = size_ + 1;
  next_.emplace_back(name, shape);
  return shape;
}

// More attributes than this, or attributes named by data, are better kept in a dict.
static constexpr int kMaxShapeSize = 48;

Attributes::Attributes() = default;
Attributes::~Attributes() { release_values(); }

Value* Attributes::find(Name name) {
  if (hidden_)
    if (Value* slot = hidden_->find(name)) return slot;
  if (dict_) return dict_->find(name);
  int index = shape_->find(name);
  return index < 0 ? nullptr : &values_[index];
}

void Attributes::set(Name name, const Value& value) {
  if (hidden_ && hidden_->find(name)) return hidden_->set(name, value);
  if (dict_) return dict_->set(name, value);
  if (Value* place = find(name)) {
    *place = value;
    return;
  }
  if (shape_->size() >= kMaxShapeSize) {
    shift_to_dict();
    return dict_->set(name, value);
  }
  reserve(shape_->size() + 1);
  values_[shape_->size()] = value;
  shape_ = shape_->with(name);
}

bool Attributes::erase(Name name) {
  if (hidden_ && hidden_->erase(Value(name))) return true;
  if (!dict_ && shape_->find(name) < 0) return false;
  shift_to_dict();  // rare: keep shapes append-only
  return dict_->erase(Value(name));
}

Ref<Dict> Attributes::dict() {
  shift_to_dict();
  return dict_;
}

void Attributes::replace(const Ref<Dict>& dict) {
  Ref<Dict> slots = hidden_;
  clear();
  dict_ = dict;
  hidden_ = slots;
}

void Attributes::hide(Name name) {
  shift_to_dict();
  Value* place = dict_->find(name);
  if (!place) return;
  if (!hidden_) hidden_ = make_dict();
  hidden_->set(name, *place);
  dict_->erase(Value(name));
}

void Attributes::traverse(Visitor& visitor) {
  for (int index = 0; index < shape_->size(); ++index) visitor.visit(values_[index]);
  visitor.visit(dict_);
  visitor.visit(hidden_);
}

void Attributes::clear() {
  Attributes dropped;  // dies last, when this is whole again
  std::swap(values_, dropped.values_);
  std::swap(capacity_, dropped.capacity_);
  shape_ = Shape::empty();
  dict_ = nullptr;
  hidden_ = nullptr;
}

void Attributes::list_names(std::vector<std::string_view>& names) const {
  for (int index = 0; index < shape_->size(); ++index)
    names.push_back(text_of(shape_->name_at(index)));
  for (const Ref<Dict>& dict : {dict_, hidden_}) {
    if (!dict) continue;
    for (const Dict::Entry& entry : dict->entries())
      if (!entry.key.is_empty() && is_str(entry.key)) names.push_back(text_of(entry.key));
  }
}

void Attributes::reserve(int capacity) {
  if (capacity <= capacity_) return;
  int grown = std::max(4, 2 * capacity_);
  auto count = static_cast<std::size_t>(grown);
  auto* values = static_cast<Value*>(pool::allocate(count * sizeof(Value)));
  for (int i = 0; i < capacity_; ++i) ::new (values + i) Value(std::move(values_[i]));
  for (int i = capacity_; i < grown; ++i) ::new (values + i) Value();
  release_values();
  values_ = values;
  capacity_ = grown;
}

void Attributes::release_values() {
  if (!values_) return;
  for (int i = 0; i < capacity_; ++i) values_[i].~Value();
  pool::release(values_, static_cast<std::size_t>(capacity_) * sizeof(Value));
}

void Attributes::shift_to_dict() {
  if (dict_) return;
  Ref<Dict> dict = make_dict();
  for (int index = 0; index < shape_->size(); ++index)
    dict->set(shape_->name_at(index), values_[index]);
  clear();
  dict_ = dict;
}

}  // namespace strider::lang
