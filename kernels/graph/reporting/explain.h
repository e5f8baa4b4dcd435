// Planned loops in words.
#pragma once

#include <strider/nd/explain.h>

#include <string>
#include <vector>

#include "kernels/backend/backend.h"
#include "kernels/graph/plan/passes.h"

namespace strider::nd {

ExplainedLoop describe(const PlannedLoop& planned, const Backend& backend);
// "loop over (1000,1000), machine code".
std::string title_of(const ExplainedLoop& loop);
// Its inputs, instructions with the lines that ask for them, fold and outputs.
std::vector<std::string> lines_of(const ExplainedLoop& loop);

}  // namespace strider::nd
