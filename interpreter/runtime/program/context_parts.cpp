// The kinds of parts, each known by the function that exchanges it.
#include "interpreter/runtime/program/context_parts.h"

#include <utility>

namespace strider::lang {
namespace {

std::vector<ExchangePart>& exchanges() {
  static std::vector<ExchangePart>& instance = *new std::vector<ExchangePart>;
  return instance;
}

}  // namespace

void add_context_part(ExchangePart exchange) { exchanges().push_back(exchange); }

void exchange_context_parts(ContextParts& parts) {
  parts.resize(exchanges().size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = exchanges()[i](std::move(parts[i]));
}

ContextParts context_parts() {
  ContextParts found, held;
  exchange_context_parts(found);
  held = found;
  exchange_context_parts(found);
  return held;
}

}  // namespace strider::lang
