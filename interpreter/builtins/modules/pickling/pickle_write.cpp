// Plain values as the opcodes of a pickle: the bytes that CPython writes.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <string>

#include "interpreter/builtins/modules/pickling/pickle.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/plain_instance.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/str.h"

namespace strider::lang::pickle {
namespace {

constexpr std::size_t kFrame = 64 * 1024, kBatch = 1000;

// Where a Writer's opcodes go, and who writes what is not plain.
class Target {
 public:
  virtual ~Target() = default;
  // How many bytes the open frame has besides those of the Writer.
  virtual std::size_t open_size() const = 0;
  virtual void write(std::string bytes) = 0;
  virtual void end_frame() = 0;  // between two items, once the frame is long
  // What stands elsewhere in the language: it may write, and change what is being written.
  virtual void write_rest(const Value& value) = 0;
  // What rebuilds an object: (function, arguments), or a state behind them; Empty: write_rest() is
  // for it.
  virtual Value parts_of(const Value& value) = 0;
  // Whether a function is written by the module and the name that it tells.
  virtual bool is_named(const Value& function) const = 0;
  // Text or bytes that stand between frames; false where write_rest() is for them.
  virtual bool write_between_frames(std::string_view header, std::string_view bytes) = 0;
  // The number of an object that was written before; -1 for others.
  virtual std::int64_t number_of(const Value& value) const = 0;
  // Whether the memory that a PickleBuffer shows is written.
  virtual bool takes_buffers() const { return false; }
  virtual void note(const Value& value) = 0;
};

// Objects in the order in which they were written, all of which it keeps.
class Memo {
 public:
  std::int64_t number_of(const Object* object) const {
    if (slots_.empty()) return -1;
    return slots_[slot_of(object)].second;
  }
  void note(const Value& value) {
    if (kept_.size() * 2 >= slots_.size()) grow();
    slots_[slot_of(value.object())] = {value.object(), static_cast<std::int64_t>(kept_.size())};
    kept_.push_back(value);
  }

 private:
  using Slot = std::pair<const Object*, std::int64_t>;
  static constexpr Slot kFree{nullptr, -1};

  std::size_t slot_of(const Object* object) const {
    std::size_t mask = slots_.size() - 1, hash = std::bit_cast<std::size_t>(object) >> 4;
    std::size_t at = (hash ^ hash >> 9) & mask;
    while (slots_[at].first && slots_[at].first != object) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    constexpr std::size_t kFew = 16;
    slots_.assign(std::max(kFew, slots_.size() * 4), kFree);
    for (std::size_t i = 0; i < kept_.size(); ++i)
      slots_[slot_of(kept_[i].object())] = {kept_[i].object(), static_cast<std::int64_t>(i)};
  }

  std::vector<Slot> slots_;
  Values kept_;
};

// Writes into a buffer of its own, which goes to the target before anybody else writes there.
class Writer {
 public:
  explicit Writer(Target& target) : target_(target) { look_at_frames(); }

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
    if (!buffer_.empty()) target_.write(std::exchange(buffer_, {}));
  }

 private:
  void put(Opcode code) { buffer_ += static_cast<char>(code); }
  // The lower bytes of a number, the lowest first.
  void put_number(std::uint64_t number, int bytes) {
    char all[sizeof number];
    std::memcpy(all, &number, sizeof number);
    buffer_.append(all, static_cast<std::size_t>(bytes));
  }

  void look_at_frames() { base_ = target_.open_size(); }
  void end_item() {
    flush();
    target_.end_frame();
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
    if (type == &buffer_type() && target_.takes_buffers()) return save_buffer(value);
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

  void rest(const Value& value) {
    if (Value parts = target_.parts_of(value); !parts.is_empty()) return save_parts(value, parts);
    flush();
    target_.write_rest(value);
    look_at_frames();
  }

  // An object that a function makes of arguments, and that takes a state then.
  void save_parts(const Value& value, const Value& parts) {
    std::span<const Value> items = parts.as<Tuple>()->items();
    save_function(items[0]);
    save(items[1]);
    put(Opcode::kReduce);
    memoize(value);
    if (items.size() < 3) return;
    save(items[2]);
    put(Opcode::kBuild);
  }
  void save_function(const Value& function) {
    static const Name module = intern("module"), name = intern("name");
    if (!target_.is_named(function)) return save(function);
    if (refer(function)) return;
    save(module_name_of(text_of(get_attribute(function, module))));
    save(Value(intern(text_of(get_attribute(function, name)))));
    put(Opcode::kGlobal);
    memoize(function);
  }

  // Refers to an object that was written before.
  bool refer(const Value& value) {
    std::int64_t index = target_.number_of(value);
    if (index < 0) return false;
    if (index < 0x100)
      put_sized(Opcode::kGet8, index, 1);
    else
      put_sized(Opcode::kGet32, index, 4);
    return true;
  }
  void memoize(const Value& value) {
    target_.note(value);
    put(Opcode::kMemoize);
  }

  void save_bytes(const Value& value, std::string_view bytes, Opcode small, Opcode large) {
    if (bytes.size() < 0x100)
      put_sized(small, static_cast<std::int64_t>(bytes.size()), 1);
    else if (bytes.size() < kFrame)
      put_sized(large, static_cast<std::int64_t>(bytes.size()), 4);
    else
      return save_large(value, bytes, large);
    buffer_ += bytes;
    memoize(value);
  }
  void save_buffer(const Value& value) {
    std::string_view bytes = to_bytes(value);
    if (!find_buffer(value)->describe(value).writable)
      return save_bytes(value, bytes, Opcode::kBytes8, Opcode::kBytes32);
    if (bytes.size() >= kFrame) return save_large(value, bytes, Opcode::kByteArray, 8);
    put_sized(Opcode::kByteArray, static_cast<std::int64_t>(bytes.size()), 8);
    buffer_ += bytes;
    memoize(value);
  }
  void save_large(const Value& value, std::string_view bytes, Opcode code, int width = 4) {
    std::string header(1, static_cast<char>(code));
    for (int i = 0; i < width; ++i) header += static_cast<char>(bytes.size() >> 8 * i);
    flush();
    bool fits = width == 8 || bytes.size() <= UINT32_MAX;
    if (!fits || !target_.write_between_frames(header, bytes))
      return rest(value);
    look_at_frames();
    memoize(value);
  }

  void save_tuple(const Value& value) {
    std::span<const Value> items = value.as<Tuple>()->items();
    if (items.empty()) return put(Opcode::kEmptyTuple);
    bool few = items.size() <= 3;
    if (!few) put(Opcode::kMark);
    for (const Value& item : items) save(item);
    if (target_.number_of(value) >= 0) {  // made meanwhile, by an item that holds it
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

  Target& target_;
  std::string buffer_;
  std::size_t base_ = 0;  // bytes of the open frame that are not in the buffer
};

// The frames and the rest are those of a Pickler of the language.
class ToPickler final : public Target {
 public:
  ToPickler(const Value& pickler, const Value& frames, Dict& memo)
      : pickler_(pickler), frames_(frames), memo_(memo) {}
  std::size_t open_size() const override {
    return static_cast<std::size_t>(to_int64(get_attribute(frames_, intern("size"))));
  }
  void write(std::string bytes) override {
    Value written = make<Bytes>(std::move(bytes));
    call_method(frames_, intern("write"), written);
  }
  void end_frame() override { call_method(frames_, intern("end_item")); }
  void write_rest(const Value& value) override {
    call_method(pickler_, intern("save_rest"), value);
  }
  Value parts_of(const Value&) override { return Value(); }
  bool is_named(const Value&) const override { return false; }
  bool write_between_frames(std::string_view, std::string_view) override { return false; }
  std::int64_t number_of(const Value& value) const override {
    const Value* known = memo_.find(key_of(value));
    return known ? to_int64((*known->as<Tuple>())[0]) : -1;
  }
  void note(const Value& value) override {
    Value index = Value::integer(static_cast<std::int64_t>(memo_.size()));
    memo_.set(key_of(value), make_pair(index, value));
  }

 private:
  static Value key_of(const Value& value) {  // id(value)
    return Value::integer(reinterpret_cast<std::int64_t>(value.object()));
  }
  const Value& pickler_;
  const Value& frames_;
  Dict& memo_;
};

struct NotPlain {};  // thrown where a Pickler is needed

// A whole pickle of what is plain, or tells plain parts.
class Whole final : public Target {
 public:
  Whole(const Value& describe, const Type* named, int protocol)
      : describe_(describe), named_(named), protocol_(protocol) {
    pickle_ += static_cast<char>(protocol);
  }
  bool takes_buffers() const override { return protocol_ >= 5; }
  std::size_t open_size() const override { return frame_.size(); }
  void write(std::string bytes) override {
    if (frame_.empty())
      frame_ = std::move(bytes);
    else
      frame_ += bytes;
  }
  void end_frame() override {
    constexpr std::size_t kSmallestFrame = 4;
    if (frame_.size() >= kSmallestFrame) {
      pickle_ += static_cast<char>(Opcode::kFrame);
      for (int i = 0; i < 8; ++i) pickle_ += static_cast<char>(frame_.size() >> 8 * i);
    }
    pickle_ += frame_;
    frame_.clear();
  }
  [[noreturn]] void write_rest(const Value&) override { throw NotPlain(); }
  Value parts_of(const Value& value) override {
    Value parts = call(describe_, value);
    return is_tuple(parts) ? parts : Value();
  }
  bool is_named(const Value& function) const override { return type_of(function) == named_; }
  bool write_between_frames(std::string_view header, std::string_view bytes) override {
    end_frame();
    pickle_ += header;
    pickle_ += bytes;
    return true;
  }
  std::int64_t number_of(const Value& value) const override {
    return memo_.number_of(value.object());
  }
  void note(const Value& value) override { memo_.note(value); }
  std::string finished() {
    frame_ += '.';
    end_frame();
    return std::move(pickle_);
  }

 private:
  const Value& describe_;
  const Type* named_;
  int protocol_;
  Memo memo_;
  std::string pickle_ = "\x80", frame_;
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
  ToPickler target(parameters[0], parameters[1], *parameters[2].as<Dict>());
  Writer writer(target);
  writer.save(parameters[3]);
  writer.flush();
  return Value::none();
}

Value write_whole(const Parameters& parameters) {
  auto protocol = static_cast<int>(to_int64(parameters[3]));
  Whole target(parameters[1], parameters[2].as<Type>(), protocol);
  Writer writer(target);
  try {
    writer.save(parameters[0]);
  } catch (const NotPlain&) {
    return Value::none();
  }
  writer.flush();
  return make<Bytes>(target.finished());
}

}  // namespace strider::lang::pickle
