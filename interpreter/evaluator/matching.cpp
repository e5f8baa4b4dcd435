// match statements. Source: PEP 634.
#include <algorithm>

#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

// What names are to be bound to, once the whole pattern has matched.
class Captures {
 public:
  void add(const Target* target, Value value) { bound_.emplace_back(target, std::move(value)); }
  std::size_t size() const { return bound_.size(); }
  // Forgets what was added behind the first `size`.
  void shrink(std::size_t size) { bound_.resize(size); }
  void assign(Frame& frame) const {
    for (const auto& [target, value] : bound_) target->assign(frame, value);
  }

 private:
  std::vector<std::pair<const Target*, Value>> bound_;
};

class PatternNode : public NodeBase {
 public:
  virtual bool matches(Frame& frame, const Value& subject, Captures& captures) const = 0;
};

namespace {

class ValuePattern final : public PatternNode {
 public:
  explicit ValuePattern(Node* value) : value_(value) {}
  bool matches(Frame& frame, const Value& subject, Captures&) const override {
    Value value = value_->evaluate(frame);
    frame.at = this;
    return truth(compare(CompareOperator::kEq, subject, value));
  }

 private:
  Node* value_;
};

class SingletonPattern final : public PatternNode {
 public:
  explicit SingletonPattern(Value value) : value_(std::move(value)) {}
  bool matches(Frame&, const Value& subject, Captures&) const override {
    return identical(subject, value_);
  }

 private:
  Value value_;
};

// Binds the subject to a name, after an optional inner pattern; without either it matches anything.
class CapturePattern final : public PatternNode {
 public:
  CapturePattern(PatternNode* inner, Target* target) : inner_(inner), target_(target) {}
  bool matches(Frame& frame, const Value& subject, Captures& captures) const override {
    if (inner_ && !inner_->matches(frame, subject, captures)) return false;
    if (target_) captures.add(target_, subject);
    return true;
  }

 private:
  PatternNode* inner_;
  Target* target_;
};

class SequencePattern final : public PatternNode {
 public:
  SequencePattern(std::vector<PatternNode*> parts, int star, Target* star_target)
      : parts_(std::move(parts)), star_(star), star_target_(star_target) {}

  // parts_ holds the patterns without the starred one, which stands before parts_[star_].
  bool matches(Frame& frame, const Value& subject, Captures& captures) const override {
    frame.at = this;
    if (!is_sequence(subject)) return false;
    auto size = static_cast<std::size_t>(length(subject));
    if (star_ < 0 ? size != parts_.size() : size < parts_.size()) return false;
    std::size_t before = star_ < 0 ? parts_.size() : static_cast<std::size_t>(star_);
    std::size_t skipped = size - parts_.size();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::size_t index = i < before ? i : i + skipped;
      Value item = get_item(subject, Value::integer(static_cast<std::int64_t>(index)));
      if (!parts_[i]->matches(frame, item, captures)) return false;
    }
    if (star_target_) captures.add(star_target_, rest(subject, before, skipped));
    return true;
  }

 private:
  static bool is_sequence(const Value& subject) {
    if (is_tuple(subject) || is_list(subject) || subject.has_layout(Layout::kRange)) return true;
    return type_of(subject)->has(Type::kSequencePattern);
  }
  static Value rest(const Value& subject, std::size_t start, std::size_t count) {
    Values items;
    for (std::size_t i = 0; i < count; ++i)
      items.push_back(get_item(subject, Value::integer(static_cast<std::int64_t>(start + i))));
    return make_list(std::move(items));
  }
  std::vector<PatternNode*> parts_;
  int star_;
  Target* star_target_;
};

class MappingPattern final : public PatternNode {
 public:
  MappingPattern(Nodes keys, std::vector<PatternNode*> values, Target* rest)
      : keys_(std::move(keys)), values_(std::move(values)), rest_(rest) {}

  bool matches(Frame& frame, const Value& subject, Captures& captures) const override {
    frame.at = this;
    if (!is_dict(subject) && !type_of(subject)->has(Type::kMappingPattern)) return false;
    Values used;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      Value key = keys_[i]->evaluate(frame);
      Value item = find(subject, key);
      if (item.is_empty() || !values_[i]->matches(frame, item, captures)) return false;
      used.push_back(key);
    }
    if (rest_) captures.add(rest_, remaining(subject, used));
    return true;
  }

 private:
  static Value find(const Value& subject, const Value& key) {
    if (!is_dict(subject)) return contains(subject, key) ? get_item(subject, key) : Value();
    Value* found = subject.as<Dict>()->find(key);
    return found ? *found : Value();
  }
  static Value remaining(const Value& subject, const Values& used) {
    Ref<Dict> result = make_dict();
    Iteration keys(is_dict(subject) ? subject : call_method(subject, names().keys));
    Value key;
    while (keys.next(key)) result->set(key, get_item(subject, key));
    for (const Value& each : used) result->erase(each);
    return result;
  }
  Nodes keys_;
  std::vector<PatternNode*> values_;
  Target* rest_;
};

class ClassPattern final : public PatternNode {
 public:
  ClassPattern(Node* cls, std::vector<PatternNode*> positional,
               std::vector<std::pair<Name, PatternNode*>> named)
      : cls_(cls), positional_(std::move(positional)), named_(std::move(named)) {}

  bool matches(Frame& frame, const Value& subject, Captures& captures) const override {
    Value cls = cls_->evaluate(frame);
    frame.at = this;
    if (!cls.has_layout(Layout::kType))
      raise(errors::TypeError, "called match pattern must be a type");
    if (!is_instance_of(subject, cls)) return false;
    if (!positional_.empty() && !match_positional(frame, *cls.as<Type>(), subject, captures))
      return false;
    for (const auto& [name, pattern] : named_)
      if (!match_attribute(frame, subject, name, pattern, captures)) return false;
    return true;
  }

 private:
  static bool match_attribute(Frame& frame, const Value& subject, Name name,
                              const PatternNode* pattern, Captures& captures) {
    Value value = find_attribute(subject, name);
    return !value.is_empty() && pattern->matches(frame, value, captures);
  }

  // int(x), str(x), list(x)…: the one positional pattern matches the subject itself.
  static bool matches_self(const Type& cls) {
    for (const Type* type : {&bool_type(), &int_type(), &float_type(), &Str::type_object(),
                             &List::type_object(), &Tuple::type_object(), &Dict::type_object()})
      if (cls.is_subclass_of(type)) return true;
    return cls.instance_layout == Layout::kSet || cls.instance_layout == Layout::kFrozenSet ||
           cls.instance_layout == Layout::kBytes || cls.instance_layout == Layout::kByteArray;
  }

  // Each positional pattern has an attribute that is neither an earlier one's nor a named one's.
  // A class is looked at again when it has changed, or another one is met.
  void check_attributes(const Type& cls, const Value& listed) const {
    if (cls.version() == checked_) return;
    if (!listed.has_layout(Layout::kTuple))
      raise(errors::TypeError, "{}.__match_args__ must be a tuple (got {})", cls.name(),
            type_name(listed));
    const Tuple& attributes = *listed.as<Tuple>();
    std::vector<std::string_view> seen;
    for (const auto& [name, pattern] : named_) seen.push_back(text_of(name));
    for (std::size_t i = 0; i < std::min(positional_.size(), attributes.size()); ++i) {
      std::string_view attribute = to_text(attributes[i], "__match_args__ elements");
      if (std::find(seen.begin(), seen.end(), attribute) != seen.end())
        raise(errors::TypeError, "{}() got multiple sub-patterns for attribute '{}'", cls.name(),
              attribute);
      seen.push_back(attribute);
    }
    checked_ = cls.version();
  }

  bool match_positional(Frame& frame, Type& cls, const Value& subject, Captures& captures) const {
    Value listed = find_attribute(Value(&cls), names().match_args);
    if (listed.is_empty() && matches_self(cls) && positional_.size() == 1)
      return positional_[0]->matches(frame, subject, captures);
    if (!listed.is_empty()) check_attributes(cls, listed);
    std::size_t accepted =
        listed.is_empty() ? matches_self(cls) : static_cast<std::size_t>(length(listed));
    if (positional_.size() > accepted)
      raise(errors::TypeError, "{}() accepts {} positional sub-pattern{} ({} given)", cls.name(),
            accepted, accepted == 1 ? "" : "s", positional_.size());
    for (std::size_t i = 0; i < positional_.size(); ++i) {
      Value name = get_item(listed, Value::integer(static_cast<std::int64_t>(i)));
      Name attribute = intern(to_text(name, "__match_args__ elements"));
      if (!match_attribute(frame, subject, attribute, positional_[i], captures)) return false;
    }
    return true;
  }

  mutable std::uint64_t checked_ = 0;  // the version of the class that was checked last
  Node* cls_;
  std::vector<PatternNode*> positional_;
  std::vector<std::pair<Name, PatternNode*>> named_;
};

class OrPattern final : public PatternNode {
 public:
  explicit OrPattern(std::vector<PatternNode*> alternatives)
      : alternatives_(std::move(alternatives)) {}
  bool matches(Frame& frame, const Value& subject, Captures& captures) const override {
    std::size_t before = captures.size();
    for (const PatternNode* alternative : alternatives_) {
      if (alternative->matches(frame, subject, captures)) return true;
      captures.shrink(before);
    }
    return false;
  }

 private:
  std::vector<PatternNode*> alternatives_;
};

class MatchStatement final : public Statement {
 public:
  MatchStatement(Node* subject, std::vector<MatchBranch> branches)
      : subject_(subject), branches_(std::move(branches)) {}
  Flow execute(Frame& frame) const override {
    Value subject = subject_->evaluate(frame);
    for (const MatchBranch& branch : branches_) {
      Captures captures;
      if (!branch.pattern->matches(frame, subject, captures)) continue;
      captures.assign(frame);
      if (!branch.guard || branch.guard->test(frame)) return branch.body.execute(frame);
    }
    return Flow::kNext;
  }

 private:
  Node* subject_;
  std::vector<MatchBranch> branches_;
};

}  // namespace

PatternNode* make_value_pattern(Code& code, Span span, Node* value) {
  return code.make<ValuePattern>(span, value);
}
PatternNode* make_singleton_pattern(Code& code, Span span, const Value& value) {
  return code.make<SingletonPattern>(span, value);
}
PatternNode* make_capture_pattern(Code& code, Span span, PatternNode* inner, Target* target) {
  return code.make<CapturePattern>(span, inner, target);
}
PatternNode* make_sequence_pattern(Code& code, Span span, std::vector<PatternNode*> parts, int star,
                                   Target* star_target) {
  return code.make<SequencePattern>(span, std::move(parts), star, star_target);
}
PatternNode* make_mapping_pattern(Code& code, Span span, Nodes keys,
                                  std::vector<PatternNode*> values, Target* rest) {
  return code.make<MappingPattern>(span, std::move(keys), std::move(values), rest);
}
PatternNode* make_class_pattern(Code& code, Span span, Node* cls,
                                std::vector<PatternNode*> positional,
                                std::vector<std::pair<Name, PatternNode*>> named) {
  return code.make<ClassPattern>(span, cls, std::move(positional), std::move(named));
}
PatternNode* make_or_pattern(Code& code, Span span, std::vector<PatternNode*> alternatives) {
  return code.make<OrPattern>(span, std::move(alternatives));
}
Statement* make_match(Code& code, Span span, Node* subject, std::vector<MatchBranch> branches) {
  return code.make<MatchStatement>(span, subject, std::move(branches));
}

}  // namespace strider::lang
