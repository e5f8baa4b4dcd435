// Plain values as the opcodes of a pickle: the bytes that CPython writes.
#include <bit>
#include <cstring>
#include <map>
#include <string>

#include "interpreter/builtins/modules/pickling/pickle.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/plain_instance.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/str.h"

namespace strider::lang::pickle {
namespace {

constexpr std::size_t kFrame = 64 * 1024, kBatch = 1000;

// Writes into a buffer of its own, which goes to the frames before anybody else writes there.
class Writer {
 public:
  Writer(const Value& pickler, const Value& frames, Dict& memo)
      : pickler_(pickler), frames_(frames), memo_(memo) {
    look_at_frames();
  }

  void save(const Value& value) {
    if (base_ + buffer_.size() >= kFrame) end_item();
    switch (value.tag()) {
      case Value::Tag::kNone:
        return put(Opcode::kNone);
      case Value::Tag::kBool:
        return put(value.as_bool() ? Opcode::kTrue : Opcode::kFalse);
      case Value::Tag::kInt:
        return save_int(value.as_int());
      case Value::Tag::kFloat:
        return save_float(value.as_float());
      default:
        return save_object(value);
    }
  }

  void flush() {
    if (buffer_.empty()) return;
    Value bytes = make<Bytes>(std::exchange(buffer_, {}));
    call_method(frames_, intern("write"), bytes);
  }

 private:
  void put(Opcode code) { buffer_ += static_cast<char>(code); }
  // The lower bytes of a number, the lowest first.
  void put_number(std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) buffer_ += static_cast<char>(number >> 8 * i);
  }

  void look_at_frames() {
    base_ = static_cast<std::size_t>(to_int64(get_attribute(frames_, intern("size"))));
  }
  void end_item() {
    flush();
    call_method(frames_, intern("end_item"));
    look_at_frames();
  }

  void save_int(std::int64_t number) {
    if (number >= 0 && number < 0x100) return put_sized(Opcode::kInt8, number, 1);
    if (number >= 0 && number < 0x10000) return put_sized(Opcode::kInt16, number, 2);
    if (number >= INT32_MIN && number <= INT32_MAX) return put_sized(Opcode::kInt32, number, 4);
    int bytes = 5;  // as few as leave the sign
    while (bytes < 8 && number >> (8 * bytes - 1) != number >> 63) ++bytes;
    put_sized(Opcode::kLong8, bytes, 1);
    put_number(static_cast<std::uint64_t>(number), bytes);
  }
  void put_sized(Opcode code, std::int64_t number, int bytes) {
    put(code);
    put_number(static_cast<std::uint64_t>(number), bytes);
  }

  void save_float(double number) {
    put(Opcode::kFloat);
    put_number(__builtin_bswap64(std::bit_cast<std::uint64_t>(number)), 8);
  }

  void save_object(const Value& value) {
    const Type* type = type_of(value);
    bool text = type == &Str::type_object(), list = type == &List::type_object(),
         tuple = type == &Tuple::type_object(), dict = type == &Dict::type_object(),
         bytes = type == &Bytes::type_object();
    bool known = text || list || tuple || dict || bytes || type == &Set::set_type();
    if (refer(value)) return;
    bool named = value.has_layout(Layout::kType) || value.has_layout(Layout::kFunction);
    if (named && save_global(value)) return;
    if (!known && save_reduced(value)) return;
    if (!known && !is_plain_instance(value)) return rest(value);
    check_stack("maximum recursion depth exceeded while pickling an object");
    if (text) return save_bytes(value, text_of(value), Opcode::kText8, Opcode::kText32);
    if (bytes) return save_bytes(value, to_bytes(value), Opcode::kBytes8, Opcode::kBytes32);
    if (tuple) return save_tuple(value);
    if (list) return save_list(value);
    if (dict) return save_dict(value);
    if (!known) return save_instance(value);
    save_set(value);
  }

  // A class or function by its name, if it is found under that. False, with nothing written, for
  // others.
  bool save_global(const Value& value) {
    static const Name module_name = intern("__module__"), qualified_name = intern("__qualname__");
    Value module = find_attribute(value, module_name);
    Value name = find_attribute(value, qualified_name);
    if (!is_str(module) || !is_str(name) || text_of(name).find('.') != std::string_view::npos)
      return false;
    const Value* home = Interpreter::current().modules->find(module);
    if (!home || !identical(find_attribute(*home, intern(text_of(name))), value)) return false;
    save(module_name_of(text_of(module)));
    save(Value(intern(text_of(name))));
    put(Opcode::kGlobal);
    memoize(value);
    return true;
  }

  // An object of a built-in type that tells the class and the arguments that make it again. False,
  // with nothing written, for others.
  bool save_reduced(const Value& value) {
    Value parts = reduced_parts(value);
    if (!is_tuple(parts)) return false;
    std::span<const Value> items = parts.as<Tuple>()->items();
    bool stateless = items.size() == 2 || (items.size() == 3 && items[2].is_none());
    if (!stateless || !items[0].has_layout(Layout::kType) || !is_tuple(items[1])) return false;
    save(items[0]);
    save(items[1]);
    put(Opcode::kReduce);
    memoize(value);
    return true;
  }

  void save_instance(const Value& value) {
    save(Value(const_cast<Type*>(type_of(value))));
    put(Opcode::kEmptyTuple);
    put(Opcode::kNewObject);
    memoize(value);
    Ref<Dict> state = copy_attributes(value);
    if (state->size() == 0) return;
    save_dict(Value(state));
    put(Opcode::kBuild);
  }

  // What stands elsewhere in the language: it may write, and change what is being written.
  void rest(const Value& value) {
    flush();
    call_method(pickler_, intern("save_rest"), value);
    look_at_frames();
  }

  static Value key_of(const Value& value) {  // id(value)
    return Value::integer(reinterpret_cast<std::int64_t>(value.object()));
  }
  // Refers to an object that was written before.
  bool refer(const Value& value) {
    const Value* known = memo_.find(key_of(value));
    if (!known) return false;
    std::int64_t index = to_int64((*known->as<Tuple>())[0]);
    if (index < 0x100)
      put_sized(Opcode::kGet8, index, 1);
    else
      put_sized(Opcode::kGet32, index, 4);
    return true;
  }
  void memoize(const Value& value) {
    Value index = Value::integer(static_cast<std::int64_t>(memo_.size()));
    memo_.set(key_of(value), make_pair(index, value));
    put(Opcode::kMemoize);
  }

  void save_bytes(const Value& value, std::string_view bytes, Opcode small, Opcode large) {
    if (bytes.size() < 0x100)
      put_sized(small, static_cast<std::int64_t>(bytes.size()), 1);
    else if (bytes.size() < kFrame)
      put_sized(large, static_cast<std::int64_t>(bytes.size()), 4);
    else
      return rest(value);
    buffer_ += bytes;
    memoize(value);
  }

  void save_tuple(const Value& value) {
    std::span<const Value> items = value.as<Tuple>()->items();
    if (items.empty()) return put(Opcode::kEmptyTuple);
    bool few = items.size() <= 3;
    if (!few) put(Opcode::kMark);
    for (const Value& item : items) save(item);
    if (memo_.find(key_of(value))) {  // made meanwhile, by an item that holds it
      if (!few) put(Opcode::kPopToMark);
      for (std::size_t i = 0; few && i < items.size(); ++i) put(Opcode::kPop);
      refer(value);
      return;
    }
    put(few ? static_cast<Opcode>(static_cast<std::size_t>(Opcode::kTuple1) + items.size() - 1)
            : Opcode::kTuple);
    memoize(value);
  }

  // Items in rows behind a mark each; a single one stands alone where `alone` says how.
  template <class Item, class Save>
  void save_rows(const std::vector<Item>& items, Save save_one, const Opcode* alone, Opcode end) {
    if (items.size() == 1 && alone) {
      save_one(items[0]);
      return put(*alone);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i % kBatch == 0) put(Opcode::kMark);
      save_one(items[i]);
      if (i % kBatch == kBatch - 1 || i + 1 == items.size()) put(end);
    }
  }

  void save_list(const Value& value) {
    put(Opcode::kEmptyList);
    memoize(value);
    const Values& items = value.as<List>()->items;
    constexpr Opcode kAlone = Opcode::kAppend;
    save_rows(
        std::vector<Value>(items.begin(), items.end()), [this](const Value& item) { save(item); },
        &kAlone, Opcode::kAppends);
  }

  void save_dict(const Value& value) {
    put(Opcode::kEmptyDict);
    memoize(value);
    std::vector<std::pair<Value, Value>> pairs;
    for (const Dict::Entry& entry : value.as<Dict>()->entries())
      if (!entry.key.is_empty()) pairs.emplace_back(entry.key, entry.value);
    auto save_pair = [this](const auto& pair) {
      save(pair.first);
      save(pair.second);
    };
    constexpr Opcode kAlone = Opcode::kSetItem;
    save_rows(pairs, save_pair, &kAlone, Opcode::kSetItems);
  }

  void save_set(const Value& value) {
    put(Opcode::kEmptySet);
    memoize(value);
    std::vector<Value> items;
    for (const Set::Entry& entry : value.as<Set>()->entries())
      if (!entry.key.is_empty()) items.push_back(entry.key);
    save_rows(
        items, [this](const Value& item) { save(item); }, nullptr, Opcode::kAddItems);
  }

  const Value& pickler_;
  const Value& frames_;
  Dict& memo_;
  std::string buffer_;
  std::size_t base_ = 0;  // bytes of the open frame that are not in the buffer
};

}  // namespace

// One text for each name, as texts are written once; other texts of a program are others.
Value module_name_of(std::string_view name) {
  static auto& known = *new std::map<std::string, Value, std::less<>>;
  auto found = known.find(name);
  if (found == known.end()) found = known.emplace(name, make_str(name)).first;
  return found->second;
}

Value write(const Parameters& parameters) {
  Writer writer(parameters[0], parameters[1], *parameters[2].as<Dict>());
  writer.save(parameters[3]);
  writer.flush();
  return Value::none();
}

}  // namespace strider::lang::pickle
