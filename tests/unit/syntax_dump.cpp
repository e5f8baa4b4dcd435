// Prints the tree of each file named on the command line, one line each, for the differential test
// against Python's own parser: "ok DUMP" or "error CLASS LINE COLUMN MESSAGE". With --scopes the
// frame layouts instead, then a line "end".
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "interpreter/syntax/parser/parser.h"
#include "interpreter/syntax/resolver/resolver.h"
#include "interpreter/syntax/tree/dump.h"

namespace syntax = strider::syntax;

namespace {

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

enum class Show { kTree, kSpans, kScopes };

std::string describe(const char* path, Show show) {
  auto source = std::make_shared<const syntax::Source>(path, read_file(path));
  try {
    syntax::Tree tree = syntax::parse(source);
    if (show != Show::kScopes) return "ok " + syntax::dump(tree, {.spans = show == Show::kSpans});
    syntax::resolve(tree);
    return syntax::dump_scopes(tree) + "end";
  } catch (const syntax::SyntaxError& error) {
    syntax::Position place = source->position(error.span().begin);
    return std::string("error ") + error.class_name() + ' ' + std::to_string(place.line) + ' ' +
           std::to_string(place.column) + ' ' + error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  Show show = Show::kTree;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--spans") == 0) {
      show = Show::kSpans;
    } else if (std::strcmp(argv[i], "--scopes") == 0) {
      show = Show::kScopes;
    } else {
      std::puts(describe(argv[i], show).c_str());
    }
  }
}
