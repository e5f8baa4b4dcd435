// Compiled regular expressions: PCRE2 codes made when first needed, and the search itself.
#include "interpreter/builtins/modules/regex/re_pattern.h"

#include <algorithm>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"

namespace strider::lang {
namespace {

constexpr std::uint32_t kMatchLimit = 50'000'000;
constexpr int kLookbehindError = PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH;
constexpr std::size_t kStackStart = 32 * 1024, kStackLimit = 64 * 1024 * 1024;

// The settings that all matches share: limits, and a stack for compiled code.
pcre2_match_context* match_context() {
  static pcre2_match_context* context = [] {
    pcre2_match_context* made = pcre2_match_context_create(nullptr);
    pcre2_set_match_limit(made, kMatchLimit);
    pcre2_jit_stack* stack = pcre2_jit_stack_create(kStackStart, kStackLimit, nullptr);
    if (stack) pcre2_jit_stack_assign(made, nullptr, stack);
    return made;
  }();
  return context;
}

// Texts may hold lone surrogates, so patterns may, too.
pcre2_compile_context* compile_context() {
  static pcre2_compile_context* context = [] {
    pcre2_compile_context* made = pcre2_compile_context_create(nullptr);
    if (made) pcre2_set_compile_extra_options(made, PCRE2_EXTRA_ALLOW_SURROGATE_ESCAPES);
    return made;
  }();
  return context;
}

std::uint32_t compile_options(std::uint32_t flags, bool unicode, MatchKind kind) {
  std::uint32_t options = PCRE2_ALT_CIRCUMFLEX;  // lines begin behind the last line break, too
  if (flags & kIgnoreCase) options |= PCRE2_CASELESS;
  if (flags & kMultiLine) options |= PCRE2_MULTILINE;
  if (flags & kDotAll) options |= PCRE2_DOTALL;
  if (unicode) options |= PCRE2_UTF;
  if (unicode && !(flags & kAscii)) options |= PCRE2_UCP;
  if (kind != MatchKind::kSearch) options |= PCRE2_ANCHORED;
  if (kind == MatchKind::kFullMatch) options |= PCRE2_ENDANCHORED;
  return options;
}

[[noreturn]] void raise_match_error(int code) {
  if (code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_JIT_STACKLIMIT ||
      code == PCRE2_ERROR_HEAPLIMIT || code == PCRE2_ERROR_DEPTHLIMIT)
    raise(errors::RuntimeError, "regular expression took too many steps on this text");
  PCRE2_UCHAR message[256];
  pcre2_get_error_message(code, message, sizeof message);
  raise(errors::RuntimeError, "regular expression: {}", reinterpret_cast<const char*>(message));
}

}  // namespace

Pattern::Pattern(const Value& source, TranslatedRegex translated)
    : Object(Layout::kOther, &type_object()),
      source_(source),
      bytes_(!is_str(source)),
      translated_(std::move(translated)) {
  code_for(!bytes_, MatchKind::kSearch);
}

Pattern::~Pattern() {
  for (auto& row : codes_)
    for (pcre2_code* code : row) pcre2_code_free(code);
  pcre2_match_data_free(data_);
}

pcre2_code* Pattern::compile(bool unicode, MatchKind kind) const {
  int error;
  PCRE2_SIZE offset;
  bool folds = unicode && !translated_.folded.empty();
  const std::string& text = folds ? translated_.folded : translated_.pattern;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                   compile_options(translated_.spelled_flags, unicode, kind),
                                   &error, &offset, compile_context());
  if (!code && !unicode && !bytes_) return nullptr;
  if (!code) {
    std::string_view source = is_str(source_) ? text_of(source_) : to_bytes(source_);
    if (error == kLookbehindError)
      raise_regex_error("look-behind requires fixed-width pattern", source, source.npos, bytes_);
    PCRE2_UCHAR message[256];
    pcre2_get_error_message(error, message, sizeof message);
    raise_regex_error(reinterpret_cast<const char*>(message), source, source.npos, bytes_);
  }
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
  return code;
}

// The code for a kind of search; ASCII subjects have a quicker one without Unicode.
pcre2_code* Pattern::code_for(bool unicode, MatchKind kind) {
  pcre2_code*& code = codes_[unicode][static_cast<int>(kind)];
  if (!code) code = compile(unicode, kind);
  if (!code) return code_for(true, kind);  // the pattern itself needs Unicode
  return code;
}

bool Pattern::find(const Subject& subject, std::size_t start, std::size_t stop, MatchKind kind,
                   bool not_empty, Spans& spans) {
  if (start > stop) return false;
  pcre2_code* code = code_for(subject.is_text && !subject.ascii, kind);
  if (!data_)
    data_ = pcre2_match_data_create(static_cast<std::uint32_t>(group_count() + 1), nullptr);
  std::uint32_t options = PCRE2_NO_UTF_CHECK;
  if (not_empty) options |= PCRE2_NOTEMPTY_ATSTART;
  int count = pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(subject.text.data()), stop, start,
                          options, data_, match_context());
  poll_interrupt(Interpreter::current());
  if (count == PCRE2_ERROR_NOMATCH) return false;
  if (count < 0) raise_match_error(count);
  const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(data_);
  spans.assign(offsets, offsets + 2 * (group_count() + 1));
  for (std::size_t i = 2 * static_cast<std::size_t>(count); i < spans.size(); ++i)
    spans[i] = std::string_view::npos;
  return true;
}

Subject Pattern::subject_of(const Value& value) const {
  Subject subject;
  subject.value = value;
  if (value.has_layout(Layout::kByteArray))  // may change while it is searched
    subject.value = make<Bytes>(std::string(to_bytes(value)));
  subject.is_text = is_str(value);
  if (!subject.is_text && !is_bytes_like(value))
    raise(errors::TypeError, "expected string or bytes-like object, got '{}'", type_name(value));
  if (subject.is_text && bytes_)
    raise(errors::TypeError, "cannot use a bytes pattern on a string-like object");
  if (!subject.is_text && !bytes_)
    raise(errors::TypeError, "cannot use a string pattern on a bytes-like object");
  subject.text = subject.is_text ? text_of(value) : to_bytes(subject.value);
  subject.ascii = !subject.is_text || value.as<Str>()->is_ascii();
  return subject;
}

bool Pattern::is_inside(std::size_t inner, std::size_t outer) const {
  while (inner && inner != outer) inner = translated_.parents[inner];
  return inner == outer;
}

std::size_t Pattern::group_number(const Value& key) const {
  std::int64_t number;
  if (is_str(key)) {
    for (std::size_t i = 1; i < names().size(); ++i)
      if (names()[i] == text_of(key)) return i;
    return std::string::npos;
  }
  if (!try_index(key, number) || number < 0 || number > static_cast<std::int64_t>(group_count()))
    return std::string::npos;
  return static_cast<std::size_t>(number);
}

Value Pattern::group_index() const {
  Ref<Dict> dict = make_dict();
  for (std::size_t i = 1; i < names().size(); ++i)
    if (!names()[i].empty())
      dict->set(Value(make_str(names()[i])), Value::integer(static_cast<std::int64_t>(i)));
  return dict;
}

bool Scanner::advance(Spans& spans) {
  if (ended_ || !pattern_.find(subject_, next_, stop_, MatchKind::kSearch, after_empty_, spans)) {
    ended_ = true;
    return false;
  }
  next_ = spans[1];
  after_empty_ = spans[0] == spans[1];
  return true;
}

Value make_part(const Subject& subject, std::size_t start, std::size_t stop) {
  std::string_view part = subject.text.substr(start, stop - start);
  if (subject.is_text) {
    if (part.size() == subject.text.size() && subject.value.as<Str>()->is_exact())
      return subject.value;
    return make_str(part);
  }
  return make<Bytes>(std::string(part));
}

SearchWindow search_window(const Subject& subject, const Value& start, const Value& stop) {
  std::int64_t size = subject.is_text ? subject.value.as<Str>()->size()
                                      : static_cast<std::int64_t>(subject.text.size());
  auto offset = [&](const Value& value, std::int64_t absent) {
    std::int64_t place = value.is_empty() || value.is_none() ? absent : to_clamped_index(value);
    place = std::clamp<std::int64_t>(place, 0, size);
    return subject.ascii ? static_cast<std::size_t>(place) : subject.value.as<Str>()->offset(place);
  };
  return {offset(start, 0), offset(stop, size)};
}

}  // namespace strider::lang
