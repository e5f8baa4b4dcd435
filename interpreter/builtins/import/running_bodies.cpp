// Threads begin and end the bodies of modules in any order.
#include "interpreter/builtins/import/running_bodies.h"

#include <vector>

#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/program/partial_module.h"

namespace strider::lang {
namespace {

struct Imports {
  struct Body {
    std::string_view module;
    Value thread;  // as Threads::current() tells it
  };
  std::vector<Body> bodies;
  std::vector<Value> waiting;
};

Imports& imports() {
  thread_local Imports instance;
  return instance;
}

Value this_thread() {
  const auto& threads = Interpreter::current().threads;
  return threads ? threads->current() : Value();
}

}  // namespace

RunningBody::RunningBody(std::string_view module) : module_(module), thread_(this_thread()) {
  imports().bodies.push_back({module_, thread_});
}

RunningBody::~RunningBody() {
  std::erase_if(imports().bodies, [this](const Imports::Body& each) {
    return each.module == module_ && identical(each.thread, thread_);
  });
}

bool is_partially_initialized(std::string_view module) {
  return std::ranges::any_of(imports().bodies,
                             [&](const Imports::Body& each) { return each.module == module; });
}

void wait_for_body(Interpreter& interpreter, std::string_view module) {
  if (imports().bodies.empty() || !has_other_threads(interpreter)) return;
  Value me = this_thread();
  auto runs_elsewhere = [&] {
    auto waits = [](const Value& thread) {
      return std::ranges::any_of(imports().waiting,
                                 [&](const Value& each) { return identical(each, thread); });
    };
    return std::ranges::any_of(imports().bodies, [&](const Imports::Body& each) {
      return each.module == module && !identical(each.thread, me) && !waits(each.thread);
    });
  };
  if (!runs_elsewhere()) return;
  imports().waiting.push_back(me);
  while (runs_elsewhere()) wait_a_little(interpreter);
  std::erase_if(imports().waiting, [&](const Value& each) { return identical(each, me); });
}

}  // namespace strider::lang
