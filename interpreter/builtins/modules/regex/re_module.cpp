// The module re: functions that compile (or find in the cache) and pass on to the pattern.
#include "interpreter/builtins/modules/regex/re_pattern.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

constexpr std::size_t kCacheSize = 512;

// The module's compiled patterns: by source, then by flags (and str or bytes).
Dict& pattern_cache() {
  static const Name kName = intern("_cache");
  Dict& module = import_module("re").as<Module>()->dict();
  Value* cache = module.find(kName);
  if (!cache) {
    module.set(kName, Value(make_dict()));
    cache = module.find(kName);
  }
  return *cache->as<Dict>();
}

Ref<Pattern> make_pattern(const Value& source, std::uint32_t flags) {
  bool text = is_str(source);
  std::string_view pattern = text ? text_of(source) : to_bytes(source);
  check_flags(flags, !text);
  return make<Pattern>(source, translate_regex(pattern, flags, !text));
}

// A function of the module: its pattern and flags, then the method's own arguments.
template <std::size_t kMethod, std::size_t kFlags>
Value pass_on(const Parameters& p) {
  Ref<Pattern> pattern = compile_pattern(p[0], p[kFlags]);
  constexpr std::size_t kCount = kFlags;
  Value values[kCount + 2];
  values[0] = Value(pattern);
  for (std::size_t i = 1; i < kCount; ++i) values[i] = p[i];
  return kPatternMethods[kMethod].code(Parameters(values, kCount + 2));
}

Value re_compile(const Parameters& p) { return compile_pattern(p[0], p[1]); }

Value re_purge(const Parameters&) {
  pattern_cache().clear();
  return Value::none();
}

Value re_escape(const Parameters& p) {
  bool text = is_str(p[0]);
  std::string result;
  for (char c : text ? text_of(p[0]) : to_bytes(p[0])) {
    if (std::string_view("()[]{}?*+-|^$\\.&~# \t\n\r\v\f").find(c) != std::string_view::npos)
      result += '\\';
    result += c;
  }
  if (text) return make_str(std::move(result));
  return make<Bytes>(std::move(result));
}

const NativeRow kFunctions[] = {
    {"compile(pattern, flags=0)", re_compile, "A pattern object."},
    {"match(pattern, string, flags=0)", pass_on<0, 2>, "The match at the start, or None."},
    {"_compile(pattern, flags, /)", re_compile, "What pickles of patterns call."},
    {"fullmatch(pattern, string, flags=0)", pass_on<1, 2>, "The match of the whole text, or None."},
    {"search(pattern, string, flags=0)", pass_on<2, 2>, "The first match, or None."},
    {"findall(pattern, string, flags=0)", pass_on<3, 2>, "All matches as a list."},
    {"finditer(pattern, string, flags=0)", pass_on<4, 2>, "All matches, one by one."},
    {"sub(pattern, repl, string, count=0, flags=0)", pass_on<5, 4>,
     "The text with matches replaced."},
    {"subn(pattern, repl, string, count=0, flags=0)", pass_on<6, 4>,
     "The text with matches replaced, and how many."},
    {"split(pattern, string, maxsplit=0, flags=0)", pass_on<7, 3>, "The parts between matches."},
    {"escape(pattern)", re_escape, "A text with all special characters escaped."},
    {"purge()", re_purge, "Forgets the compiled patterns."},
};

// A name of the module that is written in the language.
Value written(const char* name) {
  return get_attribute(import_module("_regexextras"), intern(name));
}

template <std::uint32_t kFlag>
Value flag() {
  return call(written("RegexFlag"), Value::integer(kFlag));
}

const ConstantRow kConstants[] = {
    {"RegexFlag", [] { return written("RegexFlag"); }},
    {"Scanner", [] { return written("Scanner"); }},
    {"error", [] { return Value(&regex_error()); }},
    {"Pattern", [] { return Value(&Pattern::type_object()); }},
    {"Match", [] { return Value(&Match::type_object()); }},
    {"NOFLAG", flag<0>},
    {"T", flag<kTemplate>},
    {"TEMPLATE", flag<kTemplate>},
    {"DEBUG", flag<kDebug>},
    {"A", flag<kAscii>},
    {"ASCII", flag<kAscii>},
    {"I", flag<kIgnoreCase>},
    {"IGNORECASE", flag<kIgnoreCase>},
    {"L", flag<kLocale>},
    {"LOCALE", flag<kLocale>},
    {"M", flag<kMultiLine>},
    {"MULTILINE", flag<kMultiLine>},
    {"S", flag<kDotAll>},
    {"DOTALL", flag<kDotAll>},
    {"U", flag<kUnicode>},
    {"UNICODE", flag<kUnicode>},
    {"X", flag<kVerbose>},
    {"VERBOSE", flag<kVerbose>},
};

}  // namespace

Ref<Pattern> compile_pattern(const Value& source, const Value& flags_value) {
  auto flags = static_cast<std::uint32_t>(to_int64(flags_value));
  if (source.is_object() && source.object()->type() == &Pattern::type_object()) {
    if (flags) raise(errors::ValueError, "cannot process flags argument with a compiled pattern");
    return source.as<Pattern>();
  }
  if (!is_str(source) && !is_bytes_like(source))
    raise(errors::TypeError, "first argument must be string or compiled pattern");
  bool plain = is_str(source) && flags == 0;
  Value key =
      plain ? source
            : Value(make_tuple({source, Value::integer(flags), Value::boolean(is_str(source))}));
  Dict& cache = pattern_cache();
  if (!source.has_layout(Layout::kByteArray))
    if (const Value* known = cache.find(key)) return known->as<Pattern>();
  Ref<Pattern> pattern = make_pattern(source, flags);
  if (cache.size() >= kCacheSize) cache.clear();
  if (!source.has_layout(Layout::kByteArray)) cache.set(key, Value(pattern));
  return pattern;
}

const NativeModule kReModule = {"re", "Regular expressions.", kFunctions, kConstants};

}  // namespace strider::lang
