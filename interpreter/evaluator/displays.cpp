// Displays ([...], {...}, (...)), formatted strings, and the walrus.
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error.h"
#include "interpreter/types/dict.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/set.h"
#include "interpreter/types/str.h"

namespace strider::lang {
namespace {

std::vector<Value> collect(Frame& frame, const NodeBase* at,
                           const std::vector<DisplayItem>& items) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const DisplayItem& item : items) {
    Value value = item.value->evaluate(frame);
    if (!item.starred) {
      values.push_back(std::move(value));
      continue;
    }
    frame.at = at;
    if (!type_of(value)->slots.iterate && !type_of(value)->slots.get_item)
      raise(errors::TypeError, "Value after * must be an iterable, not {}", type_name(value));
    Iteration iteration(value);
    Value each;
    while (iteration.next(each)) values.push_back(std::move(each));
  }
  return values;
}

class ListNode final : public Node {
 public:
  explicit ListNode(std::vector<DisplayItem> items) : items_(std::move(items)) {}
  Value evaluate(Frame& frame) const override { return make_list(collect(frame, this, items_)); }

 private:
  std::vector<DisplayItem> items_;
};

class TupleNode final : public Node {
 public:
  explicit TupleNode(std::vector<DisplayItem> items) : items_(std::move(items)) {}
  Value evaluate(Frame& frame) const override { return make_tuple(collect(frame, this, items_)); }

 private:
  std::vector<DisplayItem> items_;
};

class SetNode final : public Node {
 public:
  explicit SetNode(std::vector<DisplayItem> items) : items_(std::move(items)) {}
  Value evaluate(Frame& frame) const override {
    Ref<Set> set = make_set();
    for (const Value& value : collect(frame, this, items_)) {
      frame.at = this;
      set->add(value);
    }
    return set;
  }

 private:
  std::vector<DisplayItem> items_;
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
  Value evaluate(Frame& frame) const override {
    Value value = value_->evaluate(frame);
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

 private:
  // ascii(): the repr with everything beyond ASCII escaped.
  static std::string quote_ascii_of(const Value& value) {
    if (is_str(value)) return quote_ascii(text_of(value));
    Ref<Str> text = repr(value);
    if (text->is_ascii()) return std::string(text->text());
    std::string quoted = quote_ascii(text->text());
    return quoted.substr(1, quoted.size() - 2);
  }
  Node* value_;
  int conversion_;
  Node* spec_;
};

class JoinedNode final : public Node {
 public:
  explicit JoinedNode(Nodes parts) : parts_(std::move(parts)) {}
  Value evaluate(Frame& frame) const override {
    std::string text;
    for (const Node* part : parts_) {
      Value scratch;
      text += text_of(part->peek(frame, scratch));
    }
    return make_str(std::move(text));
  }

 private:
  Nodes parts_;
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
Node* make_joined(Code& code, Span span, Nodes parts) {
  return code.make<JoinedNode>(span, std::move(parts));
}
Node* make_walrus(Code& code, Span span, Target* target, Node* value) {
  return code.make<WalrusNode>(span, target, value);
}

}  // namespace strider::lang
