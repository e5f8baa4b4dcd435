// JSON: values to text and back. Part of the module json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/type/type.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

class JsonWriter {
 public:
  struct Settings {
    bool skip_keys = false, ascii = true, check_cycles = true, allow_nan = true;
    bool indented = false, sort_keys = false;
    std::string indent, item_separator = ", ", key_separator = ": ";
    Value fallback = Value::none();  // called for values that JSON does not know
  };
  explicit JsonWriter(Settings settings) : settings_(std::move(settings)) {}
  // The JSON text of a value; TypeError, ValueError, RecursionError as CPython's.
  std::string write(const Value& value);

 private:
  void append(const Value& value);
  void append_string(std::string_view text);
  void append_float(double number);
  void append_list(const Value& value);
  void append_dict(const Value& value);
  // False for a key that is skipped.
  bool append_key(const Value& key);
  void append_other(const Value& value);
  void begin_line();
  void enter(const Value& value);

  Settings settings_;
  std::string text_;
  std::size_t depth_ = 0;
  std::vector<const Object*> open_;  // containers being written, outermost first
};

class JsonReader {
 public:
  struct Hooks {
    Value object = Value::none(), real = Value::none(), integer = Value::none();
    Value constant = Value::none(), pairs = Value::none();
    bool strict = true;  // no control characters in strings
  };
  JsonReader(const Ref<Str>& text, Hooks hooks)
      : document_(text), text_(text->text()), hooks_(std::move(hooks)) {}
  // The value of the whole text.
  Value read_document();
  // The value that begins at byte `place`, which moves behind it.
  Value read_value(std::size_t& place);

 private:
  [[noreturn]] void fail(const char* message, std::size_t place) const;
  [[noreturn]] void fail_value(std::size_t place) const;
  void skip_space(std::size_t& place) const;
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }
  Value read_string(std::size_t& place);
  std::string read_escaped(std::size_t begin, std::size_t& place);
  char32_t read_unicode_escape(std::size_t place) const;
  Value read_number(std::size_t& place);
  Value read_array(std::size_t& place);
  Value read_object(std::size_t& place);
  Value read_constant(std::size_t& place, std::string_view word, const Value& value);
  Value shared_key(const Value& key);

  Ref<Str> document_;
  std::string_view text_;
  Hooks hooks_;
  Ref<class Dict> keys_;  // equal keys are one object
};

// json.JSONDecodeError, a ValueError with msg, doc, pos, lineno and colno.
Value json_decode_error();
// Raises it for a byte offset into the document.
[[noreturn]] void raise_json_error(std::string_view message, const Value& document,
                                   std::size_t offset);

}  // namespace strider::lang
