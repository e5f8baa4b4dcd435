// Plain values from the opcodes of a pickle. Whatever is amiss is left to stdlib/pickle, which has
// the words for it.
#include <algorithm>
#include <bit>
#include <cstring>

#include "interpreter/builtins/modules/pickling/pickle.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang::pickle {
namespace {

// A step is false, and has changed nothing, where it is not for this reader.
class Reader {
 public:
  Reader(std::string_view data, std::size_t at, Ref<List> stack, List& marks, Dict& memo,
         const Type* unfinished, const Value& globals)
      : data_(data),
        at_(at),
        stack_(std::move(stack)),
        marks_(marks),
        memo_(memo),
        unfinished_(unfinished),
        globals_(globals) {}

  void run() {
    while (at_ < data_.size()) {
      std::size_t start = at_++;
      if (step(static_cast<Opcode>(data_[start]))) continue;
      at_ = start;
      return;
    }
  }
  std::size_t place() const { return at_; }
  const Ref<List>& stack() const { return stack_; }

 private:
  bool step(Opcode code) {
    switch (code) {
      case Opcode::kNone:
        return push(Value::none());
      case Opcode::kTrue:
      case Opcode::kFalse:
        return push(Value::boolean(code == Opcode::kTrue));
      case Opcode::kInt8:
      case Opcode::kInt16:
        return read_unsigned(code == Opcode::kInt8 ? 1 : 2);
      case Opcode::kInt32:
        return has(4) && push(Value::integer(static_cast<std::int32_t>(take_number(4))));
      case Opcode::kLong8:
        return read_long();
      case Opcode::kFloat:
        return has(8) &&
               push(Value::real(std::bit_cast<double>(__builtin_bswap64(take_number(8)))));
      case Opcode::kText8:
      case Opcode::kText32:
        return read_text(code == Opcode::kText8 ? 1 : 4);
      case Opcode::kBytes8:
      case Opcode::kBytes32:
        return read_bytes(code == Opcode::kBytes8 ? 1 : 4);
      case Opcode::kByteArray:
        return read_byte_array();
      case Opcode::kFrame:
        if (!has(8)) return false;
        at_ += 8;
        return true;
      default:
        return step_memo(code) || step_container(code) || step_object(code);
    }
  }

  bool step_memo(Opcode code) {
    switch (code) {
      case Opcode::kMemoize:
        return put(static_cast<std::int64_t>(memo_.size()));
      case Opcode::kPut8:
        return has(1) && can_put() && put(static_cast<std::int64_t>(take_number(1)));
      case Opcode::kPut32:
        return has(4) && can_put() && put(static_cast<std::int64_t>(take_number(4)));
      case Opcode::kGet8:
        return get(1);
      case Opcode::kGet32:
        return get(4);
      default:
        return false;
    }
  }

  bool step_container(Opcode code) {
    switch (code) {
      case Opcode::kMark:
        marks_.items.push_back(Value(stack_));
        stack_ = make_list();
        return true;
      case Opcode::kEmptyTuple:
        return push(Value(empty_tuple()));
      case Opcode::kEmptyList:
        return push(Value(make_list()));
      case Opcode::kEmptyDict:
        return push(Value(make_dict()));
      case Opcode::kEmptySet:
        return push(Value(make_set()));
      case Opcode::kTuple:
        return close_tuple();
      case Opcode::kTuple1:
      case Opcode::kTuple2:
      case Opcode::kTuple3:
        return make_short_tuple(static_cast<std::size_t>(code) - 0x84);
      case Opcode::kAppend:
        return append();
      case Opcode::kAppends:
        return append_all();
      case Opcode::kSetItem:
        return set_item();
      case Opcode::kSetItems:
        return set_items();
      case Opcode::kAddItems:
        return add_items();
      default:
        return false;
    }
  }

  bool step_object(Opcode code) {
    switch (code) {
      case Opcode::kNewObject:
        return make_instance();
      case Opcode::kBuild:
        return finish() || build();
      case Opcode::kReduce:
        return call_function() || make_of_arguments();
      case Opcode::kGlobal:
        return find_global();
      default:
        return false;
    }
  }

  bool has(std::size_t count) const { return data_.size() - at_ >= count; }
  // The number that the bytes at a place are, the lowest first.
  std::uint64_t number_at(std::size_t at, std::size_t bytes) const {
    std::uint64_t number = 0;
    std::memcpy(&number, data_.data() + at, bytes);
    return number;
  }
  std::uint64_t take_number(std::size_t bytes) {
    at_ += bytes;
    return number_at(at_ - bytes, bytes);
  }
  // Bytes behind their number, of `width` bytes.
  bool take_sized(std::size_t width, std::string_view& bytes) {
    if (!has(width)) return false;
    std::size_t size = number_at(at_, width);
    if (data_.size() - at_ - width < size) return false;
    bytes = data_.substr(at_ + width, size);
    at_ += width + size;
    return true;
  }

  Values& items() { return stack_->items; }
  [[gnu::noinline]] bool push(const Value& value) {
    items().push_back(value);
    return true;
  }
  Value pop() {
    Value last = std::move(items().back());
    items().pop_back();
    return last;
  }

  bool read_unsigned(std::size_t bytes) {
    return has(bytes) && push(Value::integer(static_cast<std::int64_t>(take_number(bytes))));
  }
  bool read_long() {
    std::string_view bytes;
    if (!has(1) || number_at(at_, 1) > 8 || !take_sized(1, bytes)) return false;
    if (bytes.empty()) return push(Value::integer(0));
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), bytes.size());
    auto unused = static_cast<int>(64 - 8 * bytes.size());
    return push(Value::integer(static_cast<std::int64_t>(number << unused) >> unused));
  }
  bool read_text(std::size_t width) {
    std::string_view bytes;
    if (!take_sized(width, bytes)) return false;
    if (is_ascii_text(bytes)) return push(make_str(bytes, static_cast<std::int64_t>(bytes.size())));
    return push(make_str(decode_bytes(bytes, "utf-8", "surrogatepass")));
  }
  bool read_byte_array() {
    std::string_view bytes;
    return take_sized(8, bytes) && push(Value(make<ByteArray>(std::string(bytes))));
  }
  bool read_bytes(std::size_t width) {
    std::string_view bytes;
    return take_sized(width, bytes) && push(Value(make<Bytes>(std::string(bytes))));
  }

  bool can_put() { return !items().empty(); }
  bool put(std::int64_t index) {
    if (!can_put()) return false;
    memo_.set(Value::integer(index), items().back());
    if (type_of(items().back()) == unfinished_)
      places_of(items().back())->items.push_back(Value::integer(index));
    return true;
  }

  // Where the memo has what stands for an array or a dtype that is to come.
  static Ref<List> places_of(const Value& unfinished) {
    static const Name places = intern("places");
    return get_attribute(unfinished, places).as<List>();
  }
  // Puts what it is with its state in all its places.
  bool finish() {
    static const Name finished = intern("finished");
    if (items().size() < 2 || type_of(items()[items().size() - 2]) != unfinished_) return false;
    Value state = pop(), target = pop();
    Value made = call_method(target, finished, state);
    for (const Value& place : places_of(target)->items) memo_.set(place, made);
    return push(made);
  }

  // What a name stands for that the language has told.
  bool find_global() {
    if (!globals_.has_layout(Layout::kDict) || items().size() < 2) return false;
    const Value &name = items().back(), &module = items()[items().size() - 2];
    if (type_of(name) != &Str::type_object() || type_of(module) != &Str::type_object())
      return false;
    std::string both = fmt::format("{} {}", text_of(module), text_of(name));
    const Value* found = globals_.as<Dict>()->find(Value(make_str(std::move(both))));
    if (!found) return false;
    Value kept = *found;
    pop();
    pop();
    return push(kept);
  }
  // What one of those functions makes of arguments.
  bool call_function() {
    bool called = items().size() > 1 && globals_.has_layout(Layout::kDict) &&
                  type_of(items().back()) == &Tuple::type_object() &&
                  items()[items().size() - 2].has_layout(Layout::kFunction);
    if (!called) return false;
    const Value& function = items()[items().size() - 2];
    const auto& entries = globals_.as<Dict>()->entries();
    auto is_it = [&](const Dict::Entry& entry) {
      return !entry.key.is_empty() && identical(entry.value, function);
    };
    if (std::none_of(entries.begin(), entries.end(), is_it)) return false;
    Value arguments = pop(), callee = pop();
    return push(call(callee, Arguments(arguments.as<Tuple>()->items())));
  }
  bool get(std::size_t width) {
    if (!has(width)) return false;
    const Value* known =
        memo_.find(Value::integer(static_cast<std::int64_t>(number_at(at_, width))));
    if (!known) return false;
    at_ += width;
    return push(*known);
  }

  // The container under the last mark, where it is of a type and the mark is there; else null.
  template <class Container>
  Container* marked(const Type& type) {
    if (marks_.items.empty() || !is_list(marks_.items.back())) return nullptr;
    const Values& below = marks_.items.back().as<List>()->items;
    if (below.empty() || type_of(below.back()) != &type) return nullptr;
    return below.back().as<Container>();
  }
  // What stands behind the last mark, which is there.
  Values take_marked() {
    Values taken = std::move(items());
    stack_ = marks_.items.back().as<List>();
    marks_.items.pop_back();
    return taken;
  }

  bool close_tuple() {
    if (marks_.items.empty() || !is_list(marks_.items.back())) return false;
    return push(Value(make_tuple(take_marked())));
  }
  bool make_short_tuple(std::size_t count) {
    if (items().size() < count) return false;
    Ref<Tuple> tuple = make_tuple_of(count);
    for (std::size_t i = count; i > 0; --i) tuple->places()[i - 1] = pop();
    return push(Value(tuple));
  }

  // The container below the last `count` values, where it is of a type; else null.
  template <class Container>
  Container* below(std::size_t count, const Type& type) {
    if (items().size() <= count) return nullptr;
    const Value& value = items()[items().size() - count - 1];
    return type_of(value) == &type ? value.as<Container>() : nullptr;
  }
  bool append() {
    List* list = below<List>(1, List::type_object());
    if (list) list->items.push_back(pop());
    return list;
  }
  bool set_item() {
    Dict* dict = below<Dict>(2, Dict::type_object());
    if (!dict) return false;
    Value value = pop(), key = pop();
    dict->set(key, value);
    return true;
  }

  bool append_all() {
    List* list = marked<List>(List::type_object());
    if (!list) return false;
    for (Value& item : take_marked()) list->items.push_back(std::move(item));
    return true;
  }
  bool set_items() {
    Dict* dict = marked<Dict>(Dict::type_object());
    if (!dict || items().size() % 2) return false;
    Value kept(dict);  // hashes may run a program
    Values pairs = take_marked();
    for (std::size_t i = 0; i < pairs.size(); i += 2) dict->set(pairs[i], pairs[i + 1]);
    return true;
  }
  bool add_items() {
    Set* set = marked<Set>(Set::set_type());
    if (!set) return false;
    Value kept(set);
    for (const Value& item : take_marked()) set->add(item);
    return true;
  }

  // An instance of a class that leaves to object how instances are made.
  bool make_instance() {
    const Type* arguments = items().size() < 2 ? nullptr : type_of(items().back());
    if (arguments != &Tuple::type_object() || items().back().as<Tuple>()->size() > 0) return false;
    const Value& named = items()[items().size() - 2];
    if (!named.has_layout(Layout::kType)) return false;
    Type* type = named.as<Type>();
    bool plain = type->has(Type::kUserDefined) && !type->has(Type::kAbstract) &&
                 type->instance_layout == Layout::kInstance && type != unfinished_ &&
                 type->owner_of(intern("__new__")) == &Type::object_type();
    if (!plain) return false;
    Value made = make<Instance>(type);
    pop();
    pop();
    return push(made);
  }

  // What a built-in class makes of arguments that hold nothing themselves.
  bool make_of_arguments() {
    if (items().size() < 2 || type_of(items().back()) != &Tuple::type_object()) return false;
    const Value& cls = items()[items().size() - 2];
    if (!cls.has_layout(Layout::kType) || cls.object()->type() != &Type::type_object())
      return false;
    const Type& type = *cls.as<Type>();
    if (type.has(Type::kUserDefined) || type.module.starts_with("numpy")) return false;
    for (const Value& each : items().back().as<Tuple>()->items())
      if (each.is_object() && (each.object()->is_container() || type_of(each) == unfinished_))
        return false;
    Value arguments = pop(), callee = pop();
    return push(call(callee, Arguments(arguments.as<Tuple>()->items())));
  }

  // Attributes of an instance that has no say in it.
  bool build() {
    const Dict* state = items().size() < 2 || type_of(items().back()) != &Dict::type_object()
                            ? nullptr
                            : items().back().as<Dict>();
    if (!state) return false;
    Value target = items()[items().size() - 2];
    const Type* type = type_of(target);
    if (!target.has_layout(Layout::kInstance) || !type->has(Type::kUserDefined) ||
        type->has(Type::kSlotsOnly) || type->has(Type::kCustomGetAttribute) ||
        type == unfinished_ || type->lookup(intern("__setstate__")) ||
        type->lookup(intern("__getattr__")))
      return false;
    for (const Dict::Entry& entry : state->entries())
      if (!entry.key.is_empty() && !is_str(entry.key)) return false;
    for (const Dict::Entry& entry : state->entries())
      if (!entry.key.is_empty())
        target.object()->attributes()->set(intern(text_of(entry.key)), entry.value);
    pop();
    return true;
  }

  std::string_view data_;
  std::size_t at_;
  Ref<List> stack_;
  List& marks_;
  Dict& memo_;
  const Type* unfinished_;
  const Value& globals_;
};

}  // namespace

Value read(const Parameters& parameters) {
  Reader reader(to_bytes(parameters[0]), static_cast<std::size_t>(to_int64(parameters[1])),
                parameters[2].as<List>(), *parameters[3].as<List>(), *parameters[4].as<Dict>(),
                parameters[5].as<Type>(), parameters[6]);
  reader.run();
  return make_pair(Value::integer(static_cast<std::int64_t>(reader.place())),
                   Value(reader.stack()));
}

Value read_whole(const Parameters& parameters) {
  constexpr char kProtocol = '\x80', kStop = '.';
  if (type_of(parameters[0]) != &Bytes::type_object()) return Value::none();
  std::string_view data = to_bytes(parameters[0]);
  bool known = data.size() > 2 && data[0] == kProtocol && data[1] > 2 && data[1] < 6;
  if (!known) return Value::none();
  Ref<List> stack = make_list(), marks = make_list();
  Ref<Dict> memo = make_dict();
  Reader reader(data, 2, stack, *marks, *memo, parameters[1].as<Type>(), parameters[2]);
  reader.run();
  const Values& made = reader.stack()->items;
  bool ends = reader.place() < data.size() && data[reader.place()] == kStop;
  return ends && !made.empty() ? Value(make_tuple({made.back()})) : Value::none();
}

}  // namespace strider::lang::pickle
