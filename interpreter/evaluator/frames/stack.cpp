// Fibers on boost.context's jump; exception-handling state and stack limits are switched along.
#include "interpreter/evaluator/frames/stack.h"

#include <cxxabi.h>
#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <new>
#include <vector>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"

#ifdef STRIDER_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef STRIDER_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace strider::lang {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t kGuardSize = 4096;
constexpr std::size_t kContinuationStack = 8 * 1024 * 1024;
constexpr int kMaxContinuations = 128;
constexpr std::size_t kPooledBytes = 128 * 1024 * 1024;
// Each guard page costs a mapping of the 65,530 that a process may have; without, neighbouring
// stacks are one mapping. Calls leave a stack long before its end.
constexpr std::size_t kGuardedStacks = 10'000;

struct Stack {
  char* base = nullptr;
  std::size_t size = 0;
};

// Stacks kept for the next fiber, as long as there are not too many bytes of them.
struct Pool {
  std::vector<Stack> stacks;
  std::size_t bytes = 0;
  std::size_t mapped = 0;  // in use and kept
};

Pool& pool() {
  thread_local Pool kept;
  return kept;
}

Stack allocate_stack(std::size_t size) {
  auto& [stacks, bytes, mapped] = pool();
  for (std::size_t i = stacks.size(); i-- > 0;) {
    if (stacks[i].size != size) continue;
    Stack found = stacks[i];
    stacks.erase(stacks.begin() + static_cast<std::ptrdiff_t>(i));
    bytes -= size;
    return found;
  }
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) raise_message(errors::MemoryError(), "cannot allocate a stack");
  if (mapped++ < kGuardedStacks) mprotect(memory, kGuardSize, PROT_NONE);
  return {static_cast<char*>(memory), size};
}

void free_stack(Stack stack) {
  Pool& kept = pool();
  if (kept.bytes + stack.size > kPooledBytes) {
    munmap(stack.base, stack.size);
    --kept.mapped;
    return;
  }
  kept.stacks.push_back(stack);
  kept.bytes += stack.size;
}

// The C++ runtime's record of exceptions in flight, which belongs to a stack.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  void exchange() {
    ExceptionState mine = *this;
    void* globals = abi::__cxa_get_globals();
    std::memcpy(this, globals, sizeof *this);
    std::memcpy(globals, &mine, sizeof mine);
  }
};

}  // namespace

struct Fiber::Context {
  Stack stack;
  context::fcontext_t inside = nullptr;
  context::fcontext_t outside = nullptr;
  ExceptionState exceptions;
  const char* outer_stack_end = nullptr;
  const char* inner_stack_end = nullptr;  // of the stack that paused, which may be another fiber's
#ifdef STRIDER_ADDRESS_SANITIZER
  void* fake_inside = nullptr;
  void* fake_outside = nullptr;
  const void* inner_bottom = nullptr;
  std::size_t inner_size = 0;
  const void* outer_bottom = nullptr;
  std::size_t outer_size = 0;
#endif
#ifdef STRIDER_THREAD_SANITIZER
  void* tsan_own = nullptr;
  void* tsan_inside = nullptr;
  void* tsan_outside = nullptr;
#endif
};

Fiber::Fiber(std::function<void()> entry, std::size_t stack_size)
    : entry_(std::move(entry)), context_(new Context) {
  Stack stack = context_->stack = allocate_stack(stack_size);
  context_->inner_stack_end = usable_end(stack.base + kGuardSize, stack.base + stack.size);
#ifdef STRIDER_ADDRESS_SANITIZER
  context_->inner_bottom = stack.base;
  context_->inner_size = stack.size;
#endif
#ifdef STRIDER_THREAD_SANITIZER
  context_->tsan_own = context_->tsan_inside = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
  assert(finished_ || !started_);
#ifdef STRIDER_THREAD_SANITIZER
  __tsan_destroy_fiber(context_->tsan_own);
#endif
  free_stack(context_->stack);
  delete context_;
}

void Fiber::forget(std::unique_ptr<Fiber> fiber) { static_cast<void>(fiber.release()); }

static void enter_fiber(context::transfer_t transfer) {
  auto* entry = static_cast<std::pair<void (*)(void*), void*>*>(transfer.data);
  void* arguments[2] = {transfer.fctx, entry->second};
  entry->first(arguments);
}

void Fiber::run(void* packed) {
  auto** arguments = static_cast<void**>(packed);
  auto* fiber = static_cast<Fiber*>(arguments[1]);
  Context& c = *fiber->context_;
  c.outside = arguments[0];
#ifdef STRIDER_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(nullptr, &c.outer_bottom, &c.outer_size);
#endif
  fiber->entry_();
  fiber->finished_ = true;
#ifdef STRIDER_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(nullptr, c.outer_bottom, c.outer_size);
#endif
#ifdef STRIDER_THREAD_SANITIZER
  __tsan_switch_to_fiber(c.tsan_outside, 0);
#endif
  context::jump_fcontext(c.outside, nullptr);
}

void Fiber::resume() {
  Context& c = *context_;
  c.exceptions.exchange();
  c.outer_stack_end = set_stack_end(c.inner_stack_end);
#ifdef STRIDER_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&c.fake_outside, c.inner_bottom, c.inner_size);
#endif
#ifdef STRIDER_THREAD_SANITIZER
  c.tsan_outside = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(c.tsan_inside, 0);
#endif
  context::transfer_t back;
  if (!started_) {
    started_ = true;
    c.inside = context::make_fcontext(c.stack.base + c.stack.size, c.stack.size, enter_fiber);
    std::pair<void (*)(void*), void*> entry{&Fiber::run, this};
    back = context::jump_fcontext(c.inside, &entry);
  } else {
    back = context::jump_fcontext(c.inside, nullptr);
  }
  c.inside = back.fctx;
#ifdef STRIDER_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(c.fake_outside, &c.inner_bottom, &c.inner_size);
#endif
  c.inner_stack_end = set_stack_end(c.outer_stack_end);
  c.exceptions.exchange();
}

void Fiber::pause() {
  Context& c = *context_;
#ifdef STRIDER_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&c.fake_inside, c.outer_bottom, c.outer_size);
#endif
#ifdef STRIDER_THREAD_SANITIZER
  c.tsan_inside = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(c.tsan_outside, 0);
#endif
  context::transfer_t back = context::jump_fcontext(c.outside, nullptr);
  c.outside = back.fctx;
#ifdef STRIDER_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(c.fake_inside, &c.outer_bottom, &c.outer_size);
#endif
}

Value run_on_new_stack(const std::function<Value()>& routine) {
  thread_local int continuations = 0;
  if (continuations >= kMaxContinuations)
    raise_message(errors::RecursionError(), "maximum recursion depth exceeded");
  ++continuations;
  Value result;
  std::exception_ptr failure;
  Fiber fiber(
      [&] {
        try {
          result = routine();
        } catch (...) {
          failure = std::current_exception();
        }
      },
      kContinuationStack);
  fiber.resume();
  --continuations;
  if (failure) std::rethrow_exception(failure);
  return result;
}

}  // namespace strider::lang
