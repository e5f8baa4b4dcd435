// Feeds arbitrary bytes to lexer, parser, resolver, dump and the completeness check: each ends in a
// tree or in a SyntaxError whose place lies in the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "interpreter/syntax/completeness.h"
#include "interpreter/syntax/marks.h"
#include "interpreter/syntax/parser/parser.h"
#include "interpreter/syntax/resolver/resolver.h"
#include "interpreter/syntax/tree/dump.h"

namespace syntax = strider::syntax;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void parse_as(const std::string& text, syntax::Mode mode) {
  auto source = std::make_shared<const syntax::Source>("fuzz", text);
  try {
    syntax::Tree tree = syntax::parse(source, mode);
    syntax::resolve(tree);
    syntax::dump(tree, {.spans = true, .bindings = true});
    syntax::dump_scopes(tree);
  } catch (const syntax::SyntaxError& error) {
    require(error.span().begin <= error.span().end);
    require(error.span().end <= text.size() + 1);
    // One that can be shown, where this one is no text.
    require(error.source() && error.source()->text().size() == text.size());
    syntax::marked_line(*error.source(), error.span());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  parse_as(text, static_cast<syntax::Mode>(data[0] % 3));
  syntax::is_complete(text);
  return 0;
}
