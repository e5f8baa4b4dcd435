// Expressions that yield within: what comes before a yield is evaluated by statements that keep it
// at resume points, and what remains reads it there. Made by the lowering of generators, run by
// resumable.cpp.
#pragma once

#include <vector>

#include "interpreter/evaluator/nodes.h"

namespace strider::lang {

// Keeps what a yield is sent, at a resume point.
Target* make_kept_target(Code& code, Span span, int point);
// Keeps a value at a resume point.
Statement* make_keep(Code& code, Span span, int point, Node* value);
// The value that is kept at a resume point, which keeps it no more.
Node* make_kept(Code& code, Span span, int point);
// Parts of one statement: a watcher is told of none of them.
Statement* make_settled_block(Code& code, Span span, std::vector<Statement*> parts);
// `ask` keeps the truth of the test at the point.
Statement* make_settled_while(Code& code, Span span, int point, Statement* ask, Statement* body,
                              Statement* otherwise);

struct ResumableHandler {
  Node* type;  // null: catches everything
  Target* target;
  Statement* body;
};
Statement* make_resumable_except(Code& code, Span span, Statement* body,
                                 std::vector<ResumableHandler> handlers, Statement* otherwise);
Statement* make_resumable_finally(Code& code, Span span, Statement* body, Statement* finalizer);
Statement* make_resumable_with(Code& code, Span span, const WithPart& part, Statement* body);

}  // namespace strider::lang
