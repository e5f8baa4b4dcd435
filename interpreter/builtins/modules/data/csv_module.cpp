// The module _csv: rows of comma-separated values read and written. Which settings a dialect has
// and whether they make sense is decided in csv.npx.
#include <array>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

enum Quoting : std::int64_t { kMinimal, kAll, kNonNumeric, kNone };

Type& csv_error() {
  static Type& type = *[] {
    Ref<Dict> space = make_dict();
    space->set(names().module, Value(make_str("_csv")));
    Ref<Type> made =
        make_class("Error", {Ref<Type>(&errors::Exception())}, space, &Type::type_object());
    return made.detach();
  }();
  return type;
}

template <class... Args>
[[noreturn]] void fail_csv(fmt::format_string<Args...> message, Args&&... args) {
  raise_message(csv_error(), fmt::format(message, std::forward<Args>(args)...));
}

// The settings of a dialect. Characters are texts of one character, empty where there is none.
struct Settings {
  explicit Settings(const Value& given) : dialect(given) {
    static const Name kNames[] = {intern("delimiter"),        intern("quotechar"),
                                  intern("escapechar"),       intern("lineterminator"),
                                  intern("quoting"),          intern("doublequote"),
                                  intern("skipinitialspace"), intern("strict")};
    delimiter = text(kNames[0]);
    quote = text(kNames[1]);
    escape = text(kNames[2]);
    terminator = text(kNames[3]);
    quoting = to_int64(get_attribute(dialect, kNames[4]));
    double_quote = truth(get_attribute(dialect, kNames[5]));
    skips_space = truth(get_attribute(dialect, kNames[6]));
    strict = truth(get_attribute(dialect, kNames[7]));
  }
  std::string text(Name name) const {
    Value value = get_attribute(dialect, name);
    return is_str(value) ? std::string(text_of(value)) : std::string();
  }

  Value dialect;
  std::string delimiter, quote, escape, terminator;
  std::int64_t quoting;
  bool double_quote, skips_space, strict;
};

// The bytes with which characters begin that are more than themselves.
class FirstBytes {
 public:
  void add(std::string_view characters) {
    for (char c : characters) known_[static_cast<unsigned char>(c)] = true;
  }
  // Where the first one stands at `at` or behind it, or the size of the text.
  std::size_t find(std::string_view text, std::size_t at) const {
    while (at < text.size() && !known_[static_cast<unsigned char>(text[at])]) ++at;
    return at;
  }

 private:
  std::array<bool, 256> known_{};
};

std::string_view character_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  decode_code_point(text, end);
  return text.substr(at, end - at);
}

Type* reader_type();

// Iterates over the rows of an iterable of lines, each a list of texts.
class Reader final : public Iterator {
 public:
  Reader(const Value& lines, const Value& dialect, const Value& limits)
      : Iterator(reader_type()), lines_(iterate(lines)), settings(dialect), limits_(limits) {
    for (const std::string& each : {settings.delimiter, settings.quote, settings.escape})
      special_.add(each.substr(0, 1));
    special_.add("\r\n");
  }
  bool advance(Value& item) override {
    start_row();
    do {
      Value line;
      if (!next(lines_, line)) {
        if (!end_early()) return false;
        break;
      }
      if (!is_str(line))
        fail_csv("iterator should return strings, not {} (the file should be opened in text mode)",
                 type_name(line));
      ++line_number;
      read_line(text_of(line));
    } while (state_ != State::kStartRow);
    item = make_list(std::exchange(fields_, {}));
    return true;
  }
  void traverse(Visitor& visitor) override {
    for (const Value* each : {&lines_, &settings.dialect, &limits_}) visitor.visit(*each);
  }
  void clear_references() override { lines_ = limits_ = Value::none(); }

 private:
  enum class State {
    kStartRow,
    kStartField,
    kEscaped,
    kBehindEscapedBreak,
    kInField,
    kInQuotes,
    kEscapedInQuotes,
    kQuoteInQuotes,
    kEatBreak,
  };

  void start_row() {
    fields_.clear();
    field_.clear();
    state_ = State::kStartRow;
    numeric_ = false;
    static const Name field = intern("field");
    const Value* limit = is_dict(limits_) ? limits_.as<Dict>()->find(field) : nullptr;
    limit_ = limit && limit->is_int() ? limit->as_int() : 131072;
  }
  // The lines are over: whether a row had begun.
  bool end_early() {
    if (field_.empty() && state_ != State::kInQuotes) return false;
    if (settings.strict) fail_csv("unexpected end of data");
    save();
    return true;
  }
  void read_line(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
      if (state_ == State::kInField || state_ == State::kInQuotes) {
        std::size_t end = special_.find(line, at);
        if (end > at) add(line.substr(at, end - at));
        if (end == line.size()) break;
        at = end;
      }
      std::string_view character = character_at(line, at);
      take(character);
      at += character.size();
    }
    take({});
  }
  void take(std::string_view c);
  void take_at_start(std::string_view c);
  void take_in_field(std::string_view c);
  void take_in_quotes(std::string_view c);
  void take_behind_quote(std::string_view c);

  static bool is_break(std::string_view c) { return c == "\n" || c == "\r"; }
  // An empty character stands for the end of a line.
  bool ends_row(std::string_view c) const { return c.empty() || is_break(c); }
  void end_row(std::string_view c) {
    save();
    state_ = c.empty() ? State::kStartRow : State::kEatBreak;
  }
  bool is(const std::string& special, std::string_view c) const {
    return !c.empty() && c == special;
  }
  bool quotes(std::string_view c) const {
    return settings.quoting != kNone && is(settings.quote, c);
  }
  void add(std::string_view characters) {
    field_ += characters;
    auto bytes = static_cast<std::int64_t>(field_.size());
    if (bytes > limit_ && count_code_points(field_) > limit_)
      fail_csv("field larger than field limit ({})", limit_);
  }
  void save() {
    Value text = make_str(field_);
    field_.clear();
    if (std::exchange(numeric_, false)) text = call(Value(&float_type()), text);
    fields_.push_back(std::move(text));
  }

  Value lines_;

 public:
  Settings settings;
  std::int64_t line_number = 0;

 private:
  Value limits_;
  FirstBytes special_;
  State state_ = State::kStartRow;
  std::int64_t limit_ = 0;
  bool numeric_ = false;
  std::string field_;
  Values fields_;
};

void Reader::take(std::string_view c) {
  switch (state_) {
    case State::kStartRow:
      if (c.empty()) return;
      if (is_break(c)) {
        state_ = State::kEatBreak;
        return;
      }
      [[fallthrough]];
    case State::kStartField:
      return take_at_start(c);
    case State::kEscaped:
      add(c.empty() ? "\n" : c);
      state_ = is_break(c) ? State::kBehindEscapedBreak : State::kInField;
      return;
    case State::kBehindEscapedBreak:
      if (c.empty()) return;
      [[fallthrough]];
    case State::kInField:
      return take_in_field(c);
    case State::kInQuotes:
      return take_in_quotes(c);
    case State::kEscapedInQuotes:
      add(c.empty() ? "\n" : c);
      state_ = State::kInQuotes;
      return;
    case State::kQuoteInQuotes:
      return take_behind_quote(c);
    case State::kEatBreak:
      if (c.empty())
        state_ = State::kStartRow;
      else if (!is_break(c))
        fail_csv(
            "new-line character seen in unquoted field - do you need to open the file in "
            "universal-newline mode?");
  }
}

void Reader::take_at_start(std::string_view c) {
  state_ = State::kStartField;
  if (ends_row(c)) return end_row(c);
  if (quotes(c)) {
    state_ = State::kInQuotes;
  } else if (is(settings.escape, c)) {
    state_ = State::kEscaped;
  } else if (c == " " && settings.skips_space) {
    return;
  } else if (c == settings.delimiter) {
    save();
  } else {
    numeric_ = settings.quoting == kNonNumeric;
    add(c);
    state_ = State::kInField;
  }
}

void Reader::take_in_field(std::string_view c) {
  state_ = State::kInField;
  if (ends_row(c)) return end_row(c);
  if (is(settings.escape, c)) {
    state_ = State::kEscaped;
  } else if (c == settings.delimiter) {
    save();
    state_ = State::kStartField;
  } else {
    add(c);
  }
}

void Reader::take_in_quotes(std::string_view c) {
  if (c.empty()) return;
  if (is(settings.escape, c))
    state_ = State::kEscapedInQuotes;
  else if (quotes(c))
    state_ = settings.double_quote ? State::kQuoteInQuotes : State::kInField;
  else
    add(c);
}

void Reader::take_behind_quote(std::string_view c) {
  if (quotes(c)) {
    add(c);
    state_ = State::kInQuotes;
    return;
  }
  if (ends_row(c) || c == settings.delimiter) return take_in_field(c);
  if (settings.strict) fail_csv("'{}' expected after '{}'", settings.delimiter, settings.quote);
  add(c);
  state_ = State::kInField;
}

// Writes rows by a file's method write.
class Writer final : public Object {
 public:
  Writer(const Value& file, const Value& dialect);
  Value write_row(const Value& row) const;

  Settings settings;

 private:
  void append_field(std::string& line, const Value& value) const;
  void append_text(std::string& line, std::string_view text, bool quoted) const;
  // Appends text whose special characters are doubled or escaped; whether it needs quotes.
  bool append_marked(std::string& line, std::string_view text) const;

  Value write_;
  FirstBytes special_;
};

bool is_number(const Value& value) {
  const Slots& slots = type_of(value)->slots;
  return slots.to_float || slots.to_index || slots.to_int;
}

void Writer::append_field(std::string& line, const Value& value) const {
  bool quoted = settings.quoting == kAll || (settings.quoting == kNonNumeric && !is_number(value));
  if (is_str(value)) return append_text(line, text_of(value), quoted);
  if (value.is_none()) return append_text(line, {}, quoted);
  append_text(line, str(value)->text(), quoted);
}

void Writer::append_text(std::string& line, std::string_view text, bool quoted) const {
  if (!quoted && special_.find(text, 0) == text.size()) {
    line += text;
    return;
  }
  std::size_t start = line.size();
  if (append_marked(line, text) || quoted) {
    line.insert(start, settings.quote);
    line += settings.quote;
  }
}

bool Writer::append_marked(std::string& line, std::string_view text) const {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    std::string_view c = character_at(text, at);
    at += c.size();
    bool is_quote = c == settings.quote, is_escape = c == settings.escape;
    if (is_quote || is_escape || c == settings.delimiter ||
        settings.terminator.find(c) != std::string::npos) {
      bool escaped = settings.quoting == kNone || (is_quote && !settings.double_quote) ||
                     (is_escape && !is_quote);
      if (escaped && settings.escape.empty()) fail_csv("need to escape, but no escapechar set");
      if (escaped)
        line += settings.escape;
      else if (is_quote)
        line += settings.quote;
      quoted = quoted || !escaped;
    }
    line += c;
  }
  return quoted;
}

Value Writer::write_row(const Value& row) const {
  const Slots& slots = type_of(row)->slots;
  if (!slots.iterate && !slots.get_item) fail_csv("iterable expected, not {}", type_name(row));
  std::string line;
  bool first = true;
  std::size_t count = 0;
  Iteration items(row);
  Value value;
  for (; items.next(value); ++count) {
    if (!std::exchange(first, false)) line += settings.delimiter;
    append_field(line, value);
  }
  if (count > 0 && line.empty()) {
    if (settings.quoting == kNone) fail_csv("single empty field record must be quoted");
    line = settings.quote + settings.quote;
  }
  line += settings.terminator;
  return call(write_, Value(make_str(std::move(line))));
}

const PropertyRow kReaderProperties[] = {
    {"line_num", [](const Value& self) { return Value::integer(self.as<Reader>()->line_number); },
     nullptr, "How many lines were read."},
    {"dialect", [](const Value& self) { return self.as<Reader>()->settings.dialect; }, nullptr,
     "The settings."},
};

Type* reader_type() {
  static Type* type = [] {
    Type* made = make_iterator_type("reader");
    place_in_module(*made, "_csv");
    made->add(kReaderProperties);
    return made;
  }();
  return type;
}

Value writer_write_row(const Parameters& p) { return p[0].as<Writer>()->write_row(p[1]); }

Value writer_write_rows(const Parameters& p) {
  Iteration rows(p[1]);
  for (Value row; rows.next(row);) p[0].as<Writer>()->write_row(row);
  return Value::none();
}

const NativeRow kWriterMethods[] = {
    {"writerow(self, row, /)", writer_write_row,
     "Writes one row and returns what the file's write returns."},
    {"writerows(self, rows, /)", writer_write_rows, "Writes several rows."},
};

const PropertyRow kWriterProperties[] = {
    {"dialect", [](const Value& self) { return self.as<Writer>()->settings.dialect; }, nullptr,
     "The settings."},
};

Type& writer_type() {
  static Type& type = *[] {
    Type& made = make_module_type("writer", "_csv");
    made.add(kWriterMethods);
    made.add(kWriterProperties);
    return &made;
  }();
  return type;
}

Writer::Writer(const Value& file, const Value& dialect)
    : Object(Layout::kOther, &writer_type()),
      settings(dialect),
      write_(get_attribute(file, intern("write"))) {
  for (const std::string& each : {settings.delimiter, settings.quote, settings.escape})
    special_.add(each.substr(0, 1));
  special_.add(settings.terminator);
}

const NativeRow kFunctions[] = {
    {"make_reader(lines, dialect, limits, /)",
     [](const Parameters& p) { return Value(make<Reader>(p[0], p[1], p[2])); },
     "An iterator over the rows of lines; limits['field'] is the length of a field at most."},
    {"make_writer(file, dialect, /)",
     [](const Parameters& p) { return Value(make<Writer>(p[0], p[1])); },
     "What writes rows to a file."},
};

const ConstantRow kConstants[] = {
    {"Error", [] { return Value(&csv_error()); }},
    {"reader", [] { return Value(reader_type()); }},
    {"writer", [] { return Value(&writer_type()); }},
};

}  // namespace

const NativeModule kCsvModule = {"_csv", "Rows of comma-separated values.", kFunctions, kConstants};

}  // namespace strider::lang
