// Prints the tree of each file named on the command line, one line each, for the differential test
// against Python's own parser: "ok DUMP" or "error CLASS LINE COLUMN MESSAGE".
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "interpreter/syntax/dump.h"
#include "interpreter/syntax/parser.h"

namespace syntax = strider::syntax;

namespace {

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string describe(const char* path, bool spans) {
  auto source = std::make_shared<const syntax::Source>(path, read_file(path));
  try {
    syntax::Tree tree = syntax::parse(source);
    return "ok " + syntax::dump(tree, {.spans = spans});
  } catch (const syntax::SyntaxError& error) {
    syntax::Position place = source->position(error.span().begin);
    return std::string("error ") + error.class_name() + ' ' + std::to_string(place.line) + ' ' +
           std::to_string(place.column) + ' ' + error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool spans = argc > 1 && std::strcmp(argv[1], "--spans") == 0;
  for (int i = spans ? 2 : 1; i < argc; ++i) std::puts(describe(argv[i], spans).c_str());
}
