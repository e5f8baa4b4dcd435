// Displays ([...], {...}, (...)), formatted strings, and the walrus.
#include <algorithm>
#include <charconv>

#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/value/value_rows.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

void append_all(Values& values, const Value& iterable) {
  if (type_of(iterable) == &List::type_object()) {
    append_values(values, iterable.as<List>()->items);
    return;
  }
  Iteration iteration(iterable);
  Value each;
  while (iteration.next(each)) values.push_back(std::move(each));
}

Values collect(Frame& frame, const NodeBase* at, const std::vector<DisplayItem>& items,
               std::size_t room = 0) {
  Values values;
  values.reserve(std::max(room, items.size()));
  for (const DisplayItem& item : items) {
    Value value = item.value->evaluate(frame);
    if (!item.starred) {
      values.push_back(std::move(value));
      continue;
    }
    frame.at = at;
    if (!type_of(value)->slots.iterate && !type_of(value)->slots.get_item)
      raise(errors::TypeError, "Value after * must be an iterable, not {}", type_name(value));
    append_all(values, value);
  }
  return values;
}

// Constants, of which CPython copies a tuple into the list.
bool are_constants(const std::vector<DisplayItem>& items) {
  return items.size() >= 3 && std::all_of(items.begin(), items.end(), [](const DisplayItem& item) {
           return !item.starred && constant_value(item.value);
         });
}

class ListNode final : public Node {
 public:
  explicit ListNode(std::vector<DisplayItem> items)
      : items_(std::move(items)), room_(are_constants(items_) ? even_room(items_.size()) : 0) {}
  Value evaluate(Frame& frame) const override {
    return make_list(collect(frame, this, items_, room_));
  }

 private:
  std::vector<DisplayItem> items_;
  std::size_t room_;
};

class TupleNode final : public Node {
 public:
  explicit TupleNode(std::vector<DisplayItem> items) : items_(std::move(items)) {}
  Value evaluate(Frame& frame) const override { return make_tuple(collect(frame, this, items_)); }

 private:
  std::vector<DisplayItem> items_;
};

// (a, b) without stars.
class PlainTupleNode final : public Node {
 public:
  explicit PlainTupleNode(const std::vector<DisplayItem>& items) {
    for (const DisplayItem& item : items) items_.emplace_back(item.value);
  }
  Value evaluate(Frame& frame) const override {
    Ref<Tuple> tuple = make_tuple_of(items_.size());
    Value* place = tuple->places();
    for (const Operand& item : items_) (place++)->fill(item.evaluate(frame));
    return tuple;
  }

 private:
  std::vector<Operand> items_;
};

bool has_stars(const std::vector<DisplayItem>& items) {
  return std::any_of(items.begin(), items.end(),
                     [](const DisplayItem& item) { return item.starred; });
}

class SetNode final : public Node {
 public:
  // More than two constants are kept as a set, which new ones take over, as in CPython: their order
  // follows from that.
  explicit SetNode(std::vector<DisplayItem> items) : items_(std::move(items)) {
    constexpr std::size_t kFewest = 3;
    if (items_.size() < kFewest) return;
    Ref<Set> kept = make_set();
    for (const DisplayItem& item : items_) {
      const Value* value = item.starred ? nullptr : constant_value(item.value);
      if (!value) return;
      kept->add(*value);
    }
    kept_ = Value(kept);
  }
  Value evaluate(Frame& frame) const override {
    Ref<Set> set = make_set();
    if (!kept_.is_empty()) {
      set->update(*kept_.as<Set>());
      return set;
    }
    for (const Value& value : collect(frame, this, items_)) {
      frame.at = this;
      set->add(value);
    }
    return set;
  }

 private:
  std::vector<DisplayItem> items_;
  Value kept_;
};

class DictNode final : public Node {
 public:
  DictNode(Nodes keys, Nodes values) : keys_(std::move(keys)), values_(std::move(values)) {}
  Value evaluate(Frame& frame) const override {
    Ref<Dict> dict = make_dict();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (!keys_[i]) {
        merge(frame, *dict, values_[i]->evaluate(frame));
        continue;
      }
      Value key = keys_[i]->evaluate(frame);
      Value value = values_[i]->evaluate(frame);
      frame.at = this;
      dict->set(key, value);
    }
    return dict;
  }

 private:
  void merge(Frame& frame, Dict& dict, const Value& mapping) const {
    frame.at = this;
    if (type_of(mapping) == &Dict::type_object()) return dict.update(*mapping.as<Dict>());
    if (!is_dict(mapping) && !has_attribute(mapping, names().keys))
      raise(errors::TypeError, "'{}' object is not a mapping", type_name(mapping));
    Iteration keys(is_dict(mapping) ? mapping : call_method(mapping, names().keys));
    Value key;
    while (keys.next(key)) dict.set(key, get_item(mapping, key));
  }
  Nodes keys_;
  Nodes values_;
};

class FormattedNode final : public Node {
 public:
  FormattedNode(Node* value, int conversion, Node* spec)
      : value_(value), conversion_(conversion), spec_(spec) {}
  Value evaluate(Frame& frame) const override { return shown(frame, value_.evaluate(frame)); }

  // Appends the text without making an object of it where the value is plain.
  void append_to(Frame& frame, fmt::memory_buffer& text) const {
    Value scratch;
    const Value& value = value_.peek(frame, scratch);
    if (!spec_ && conversion_ != 'r' && conversion_ != 'a') {
      if (value.is_int()) {
        char digits[24];
        return text.append(digits, std::to_chars(digits, std::end(digits), value.as_int()).ptr);
      }
      if (is_str(value) && value.as<Str>()->is_exact()) return text.append(text_of(value));
    }
    text.append(text_of(shown(frame, value)));
  }

 private:
  Value shown(Frame& frame, Value value) const {
    Value spec = spec_ ? spec_->evaluate(frame) : Value();
    frame.at = this;
    if (conversion_ == 'r')
      value = repr(value);
    else if (conversion_ == 's')
      value = str(value);
    else if (conversion_ == 'a')
      value = make_str(quote_ascii_of(value));
    if (spec.is_empty()) {
      if (is_str(value) && value.object()->type() == &Str::type_object()) return value;
      spec = make_str("");
    }
    return format(value, spec);
  }

  // ascii(): the repr with everything beyond ASCII escaped.
  static std::string quote_ascii_of(const Value& value) {
    if (is_str(value)) return quote_ascii(text_of(value));
    Ref<Str> text = repr(value);
    if (text->is_ascii()) return std::string(text->text());
    std::string quoted = quote_ascii(text->text());
    return quoted.substr(1, quoted.size() - 2);
  }
  Operand value_;
  int conversion_;
  Node* spec_;
};

class JoinedNode final : public Node {
 public:
  explicit JoinedNode(const Nodes& parts) {
    for (Node* part : parts) parts_.push_back({part, dynamic_cast<const FormattedNode*>(part)});
  }
  Value evaluate(Frame& frame) const override {
    fmt::memory_buffer text;
    for (const Part& part : parts_) {
      Value scratch;
      if (part.formatted)
        part.formatted->append_to(frame, text);
      else
        text.append(text_of(part.text.peek(frame, scratch)));
    }
    return make_str(std::string_view(text.data(), text.size()));
  }

 private:
  struct Part {
    Operand text;
    const FormattedNode* formatted;  // null: plain text
  };
  std::vector<Part> parts_;
};

class WalrusNode final : public Node {
 public:
  WalrusNode(Target* target, Node* value) : target_(target), value_(value) {}
  Value evaluate(Frame& frame) const override {
    Value value = value_->evaluate(frame);
    target_->assign(frame, value);
    return value;
  }

 private:
  Target* target_;
  Node* value_;
};

}  // namespace

Node* make_list_display(Code& code, Span span, std::vector<DisplayItem> items) {
  return code.make<ListNode>(span, std::move(items));
}
Node* make_tuple_display(Code& code, Span span, std::vector<DisplayItem> items) {
  if (!items.empty() && !has_stars(items)) return code.make<PlainTupleNode>(span, items);
  return code.make<TupleNode>(span, std::move(items));
}
Node* make_set_display(Code& code, Span span, std::vector<DisplayItem> items) {
  return code.make<SetNode>(span, std::move(items));
}
Node* make_dict_display(Code& code, Span span, Nodes keys, Nodes values) {
  return code.make<DictNode>(span, std::move(keys), std::move(values));
}
Node* make_formatted(Code& code, Span span, Node* value, int conversion, Node* spec) {
  return code.make<FormattedNode>(span, value, conversion, spec);
}
Node* make_joined(Code& code, Span span, Nodes parts) { return code.make<JoinedNode>(span, parts); }
Node* make_walrus(Code& code, Span span, Target* target, Node* value) {
  return code.make<WalrusNode>(span, target, value);
}

}  // namespace strider::lang
