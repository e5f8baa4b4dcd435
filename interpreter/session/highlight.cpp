// Program text is cut by the language's own lexer; a traceback is read line by line.
#include "interpreter/session/highlight.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "interpreter/syntax/lexer/lexer.h"
#include "interpreter/syntax/utf8.h"

namespace strider {
namespace {

using syntax::Token;
using syntax::TokenKind;

constexpr std::string_view kPlaceColour = "\x1b[36m", kErrorColour = "\x1b[1;31m",
                           kCaretColour = "\x1b[31m";

std::string wrapped(std::string_view sequence, std::string_view text) {
  if (sequence.empty() || text.empty()) return std::string(text);
  return std::string(sequence) + std::string(text) + std::string(kPlainSequence);
}

// Comments stand between tokens.
void add_comments(std::string_view text, std::size_t begin, std::size_t end,
                  std::vector<InkSpan>& spans) {
  for (std::size_t at = text.find('#', begin); at < end; at = text.find('#', at)) {
    std::size_t stop = std::min(text.find('\n', at), end);
    spans.push_back({at, stop, Ink::kComment});
    at = stop;
  }
}

Ink ink_of(TokenKind kind, TokenKind before) {
  if (kind == TokenKind::kNumber) return Ink::kNumber;
  if (kind == TokenKind::kString) return Ink::kString;
  if (syntax::is_keyword(kind)) return Ink::kKeyword;
  bool defined = before == TokenKind::kDef || before == TokenKind::kClass;
  return defined && kind == TokenKind::kName ? Ink::kDefinition : Ink::kPlain;
}

// What is behind the place where lexing stopped: an unfinished text, or nothing known.
void add_rest(std::string_view text, std::size_t at, std::vector<InkSpan>& spans) {
  std::size_t quote = text.find_first_of("'\"", at);
  add_comments(text, at, std::min(quote, text.size()), spans);
  bool inside = !spans.empty() && spans.back().ink == Ink::kComment && quote < spans.back().end;
  if (quote != text.npos && !inside) spans.push_back({quote, text.size(), Ink::kString});
}

// The lexer takes UTF-8 only: other bytes count as letters.
std::string readable(std::string_view text) {
  std::string result(text);
  for (std::size_t at = 0; at < result.size();) {
    std::size_t size = syntax::decode_character(text, at).size;
    if (size == 0) result[at] = '_';
    at += std::max<std::size_t>(size, 1);
  }
  return result;
}

void add_program(std::string_view text, std::size_t begin, std::vector<InkSpan>& spans) {
  syntax::Source source("<input>", readable(text));
  syntax::Span range{static_cast<uint32_t>(begin), static_cast<uint32_t>(source.text().size())};
  std::size_t at = begin;
  TokenKind before = TokenKind::kNewline;
  for (const Token& token : tokenize(source, range, syntax::LexMode::kStatements).tokens) {
    if (token.kind == TokenKind::kError) break;
    std::size_t first = token.span.begin, last = std::min<std::size_t>(token.span.end, text.size());
    if (first < at || last <= first) continue;
    add_comments(text, at, first, spans);
    Ink ink = ink_of(token.kind, before);
    if (ink != Ink::kPlain) spans.push_back({first, last, ink});
    at = last;
    before = token.kind;
  }
  add_rest(text, at, spans);
}

// Colours the source lines below a `File` line and the marks below them.
std::string colour_source_line(std::string_view line) {
  bool marks = line.find_first_not_of(" ^~") == line.npos;
  return marks ? wrapped(kCaretColour, line) : colour_program(line);
}

// `  File "name", line 3, in function`
std::string colour_place(std::string_view line) {
  std::size_t open = line.find('"'), close = line.rfind('"');
  if (close <= open) return std::string(line);
  return std::string(line.substr(0, open)) +
         wrapped(kPlaceColour, line.substr(open, close + 1 - open)) +
         std::string(line.substr(close + 1));
}

// `numpy.linalg.LinAlgError: text`; only a dotted name may stand before the colon.
std::string colour_error(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) ||
                               line[end] == '_' || line[end] == '.'))
    ++end;
  bool named = end > 0 && (end == line.size() || line[end] == ':');
  return named ? wrapped(kErrorColour, line.substr(0, end)) + std::string(line.substr(end))
               : std::string(line);
}

}  // namespace

std::vector<InkSpan> ink_spans(std::string_view entry) {
  std::vector<InkSpan> spans;
  std::size_t first = entry.find_first_not_of(" \t");
  if (first == entry.npos) return spans;
  if (entry[first] != '%' && entry[first] != '!') {
    add_program(entry, 0, spans);
    return spans;
  }
  std::size_t end = std::min(entry.find_first_of(" \n", first), entry.size());
  spans.push_back({first, end, Ink::kCommand});
  if (entry[first] == '%') add_program(entry, end, spans);
  return spans;
}

std::string_view ink_sequence(Ink ink) {
  switch (ink) {
    case Ink::kKeyword:
      return "\x1b[1;34m";
    case Ink::kNumber:
      return "\x1b[36m";
    case Ink::kString:
      return "\x1b[32m";
    case Ink::kComment:
      return "\x1b[90m";
    case Ink::kDefinition:
      return "\x1b[1m";
    case Ink::kCommand:
      return "\x1b[35m";
    default:
      return {};
  }
}

std::string colour_program(std::string_view entry) {
  std::string result;
  std::size_t at = 0;
  for (const InkSpan& span : ink_spans(entry)) {
    result += entry.substr(at, span.begin - at);
    result += wrapped(ink_sequence(span.ink), entry.substr(span.begin, span.end - span.begin));
    at = span.end;
  }
  return result + std::string(entry.substr(at));
}

std::string colour_traceback(std::string_view traceback) {
  std::string result;
  bool in_frames = true;  // not yet in the lines of a message
  while (!traceback.empty()) {
    std::size_t end = std::min(traceback.find('\n'), traceback.size());
    std::string_view line = traceback.substr(0, end);
    traceback.remove_prefix(std::min(end + 1, traceback.size()));
    if (line.starts_with("Traceback (") || line.starts_with("  File \"")) in_frames = true;
    if (line.starts_with("  File \"")) {
      result += colour_place(line);
    } else if (in_frames && line.starts_with("    ")) {
      result += colour_source_line(line);
    } else if (in_frames && !line.starts_with(' ') && !line.starts_with("Traceback (")) {
      result += colour_error(line);
      in_frames = line.empty();
    } else {
      result += line;
    }
    result += '\n';
  }
  return result;
}

bool wants_colour(int descriptor) {
  const char *refused = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  if (refused && *refused) return false;
  return terminal && *terminal && std::string_view(terminal) != "dumb" && isatty(descriptor) == 1;
}

}  // namespace strider
