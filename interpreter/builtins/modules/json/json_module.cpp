// The module json: dump, dumps, load, loads; classes JSONEncoder and JSONDecoder are in npx.
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/json/json.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/search.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// The settings of dumps(obj, …) whose keyword arguments begin at `first`.
JsonWriter::Settings write_settings(const Parameters& p, std::size_t first) {
  JsonWriter::Settings settings;
  settings.skip_keys = truth(p[first]);
  settings.ascii = truth(p[first + 1]);
  settings.check_cycles = truth(p[first + 2]);
  settings.allow_nan = truth(p[first + 3]);
  const Value &indent = p[first + 5], &separators = p[first + 6];
  settings.indented = !indent.is_none();
  if (is_str(indent))
    settings.indent = text_of(indent);
  else if (settings.indented)
    settings.indent =
        std::string(static_cast<std::size_t>(std::max<std::int64_t>(0, to_int64(indent))), ' ');
  if (settings.indented) settings.item_separator = ",";
  if (!separators.is_none()) {
    Ref<Tuple> pair = to_tuple(separators);
    if (pair->size() != 2)
      raise(errors::ValueError, "{} values to unpack (expected 2, got {})",
            pair->size() < 2 ? "not enough" : "too many", pair->size());
    settings.item_separator = to_text((*pair)[0], "separator");
    settings.key_separator = to_text((*pair)[1], "separator");
  }
  settings.fallback = p[first + 7];
  settings.sort_keys = truth(p[first + 8]);
  return settings;
}

// An encoder of a class with the settings of dump(obj, …) or dumps(obj, …) whose keyword arguments
// begin at `first`.
Value make_encoder(const Value& cls, const Parameters& p, std::size_t first) {
  ArgumentList arguments;
  constexpr const char* kNames[] = {"skipkeys", "ensure_ascii", "check_circular", "allow_nan", "",
                                    "indent",   "separators",   "default",        "sort_keys"};
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (i != 4) arguments.keywords.push_back({intern(kNames[i]), p[first + i]});
  for (const Dict::Entry& entry : p[first + 9].as<Dict>()->entries())
    if (!entry.key.is_empty())
      arguments.keywords.push_back({intern(entry.key.as<Str>()), entry.value});
  return call(cls, arguments);
}

std::string written(const Value& value, const Parameters& p, std::size_t first) {
  return JsonWriter(write_settings(p, first)).write(value);
}

// An encoder class of the user's makes the text itself.
Value json_dumps(const Parameters& p) {
  const Value& cls = p[5];
  if (cls.is_none()) return make_str(written(p[0], p, 1));
  Value text = call_method(make_encoder(cls, p, 1), intern("encode"), p[0]);
  return make_str(std::string(to_text(text, "encode() result")));
}

// Pieces that an encoder yields reach the stream one by one where it, or the class of the encoder,
// is the user's.
Value json_dump(const Parameters& p) {
  Value cls = p[6];
  if (cls.is_none()) {
    if (!p[1].is_object() || !p[1].object()->type()->has(Type::kUserDefined)) {
      call_method(p[1], names().write, Value(make_str(written(p[0], p, 2))));
      return Value::none();
    }
    cls = get_attribute(import_module("json"), intern("JSONEncoder"));
  }
  Value pieces = iterate(call_method(make_encoder(cls, p, 2), intern("iterencode"), p[0]));
  for (Value piece; next(pieces, piece);) call_method(p[1], names().write, piece);
  return Value::none();
}

JsonReader::Hooks read_hooks(const Parameters& p, std::size_t first) {
  JsonReader::Hooks hooks;
  hooks.object = p[first];
  hooks.real = p[first + 1];
  hooks.integer = p[first + 2];
  hooks.constant = p[first + 3];
  hooks.pairs = p[first + 4];
  return hooks;
}

// The encoding of a document in bytes: its marks, or the zeros among its first characters, tell.
const char* find_encoding(std::string_view bytes) {
  using std::string_view_literals::operator""sv;
  if (bytes.starts_with("\xff\xfe\0\0"sv) || bytes.starts_with("\0\0\xfe\xff"sv)) return "utf-32";
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return "utf-16";
  if (bytes.size() < 2) return "utf-8";
  bool longer = bytes.size() >= 4;
  if (bytes[0] == 0) return longer && bytes[1] == 0 ? "utf-32-be" : "utf-16-be";
  if (bytes[1] != 0 || bytes.size() == 3) return "utf-8";
  return longer && bytes[2] == 0 && bytes[3] == 0 ? "utf-32-le" : "utf-16-le";
}

// The text of a document: str, or bytes in UTF-8, UTF-16 or UTF-32.
Ref<Str> document_text(const Value& value) {
  if (is_str(value)) {
    Ref<Str> text(value.as<Str>());
    if (text->text().starts_with("\xef\xbb\xbf"))
      raise_json_error("Unexpected UTF-8 BOM (decode using utf-8-sig)", value, 0);
    return text;
  }
  if (!is_bytes_like(value))
    raise(errors::TypeError, "the JSON object must be str, bytes or bytearray, not {}",
          type_name(value));
  std::string_view bytes = to_bytes(value);
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  return make_str(decode_bytes(bytes, find_encoding(bytes), "surrogatepass"));
}

Value read_document(const Value& document, const Parameters& p, std::size_t first) {
  const Value& cls = p[first];
  if (cls.is_none()) {
    JsonReader::Hooks hooks = read_hooks(p, first + 1);
    const Value* strict = p[first + 6].as<Dict>()->find(intern("strict"));
    hooks.strict = !strict || truth(*strict);
    return JsonReader(document_text(document), std::move(hooks)).read_document();
  }
  ArgumentList arguments;
  for (const Dict::Entry& entry : p[first + 6].as<Dict>()->entries())
    if (!entry.key.is_empty())
      arguments.keywords.push_back({intern(entry.key.as<Str>()), entry.value});
  return call_method(call(cls, arguments), intern("decode"), Value(document_text(document)));
}

Value json_loads(const Parameters& p) { return read_document(p[0], p, 1); }

Value json_load(const Parameters& p) {
  return read_document(call_method(p[0], intern("read")), p, 1);
}

// _scan(text, start, hooks…): (value, end) of the document part that begins at `start`.
Value json_scan(const Parameters& p) {
  to_text(p[0], "first argument");
  Ref<Str> text(p[0].as<Str>());
  JsonReader reader(text, read_hooks(p, 2));
  std::size_t place = text->offset(std::min(to_int64(p[1]), text->size()));
  Value value = reader.read_value(place);
  return make_tuple({value, Value::integer(code_point_index(*text, place))});
}

const NativeRow kFunctions[] = {
    {"dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, "
     "cls=None, indent=None, separators=None, default=None, sort_keys=False, **kw)",
     json_dumps, "A value as JSON text."},
    {"dump(obj, fp, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, "
     "cls=None, indent=None, separators=None, default=None, sort_keys=False, **kw)",
     json_dump, "Writes a value as JSON text to a file."},
    {"loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, "
     "parse_constant=None, object_pairs_hook=None, **kw)",
     json_loads, "The value that a JSON text stands for."},
    {"load(fp, *, cls=None, object_hook=None, parse_float=None, parse_int=None, "
     "parse_constant=None, object_pairs_hook=None, **kw)",
     json_load, "The value that a file of JSON text stands for."},
    {"_scan(text, start, object_hook, parse_float, parse_int, parse_constant, "
     "object_pairs_hook, /)",
     json_scan, "A value inside a text, and where it ends."},
};

const ConstantRow kConstants[] = {
    {"JSONDecodeError", json_decode_error},
};

Value find_class(Name name) {
  std::string_view text = text_of(name);
  if (text == "scanner") return import_module("json.scanner");
  if (text != "JSONEncoder" && text != "JSONDecoder" && text != "decoder" && text != "encoder")
    return Value();
  Value classes = import_module("_jsonclasses");
  return text.starts_with("JSON") ? get_attribute(classes, name) : classes;
}

}  // namespace

const NativeModule kJsonModule = {"json", "JSON texts.", kFunctions, kConstants, find_class};

}  // namespace strider::lang
