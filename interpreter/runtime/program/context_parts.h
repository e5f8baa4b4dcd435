// What belongs to a context of variables (contextvars) besides its variables: how arrays are
// printed and what floating-point conditions do.
#pragma once

#include <memory>
#include <vector>

namespace strider::lang {

using ContextPart = std::shared_ptr<const void>;  // null: as contexts begin
using ContextParts = std::vector<ContextPart>;    // those that follow in a longer one are null

// Puts the part of another context in force; returns the former one.
using ExchangePart = ContextPart (*)(ContextPart next);

// Once for each kind of part.
void add_context_part(ExchangePart exchange);
// Puts the parts of another context in force and holds the former ones instead.
void exchange_context_parts(ContextParts& parts);
// Those in force.
ContextParts context_parts();

}  // namespace strider::lang
