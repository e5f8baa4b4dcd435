// One loop around the steps: inputs are read at their first use, results are written when the last
// step is done, so that an output may be an input's memory.
#include "kernels/backend/cpu/assembler/compile.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "kernels/backend/cpu/assembler/call.h"
#include "kernels/backend/cpu/assembler/emitter.h"
#include "kernels/backend/cpu/assembler/registers.h"
#include "kernels/backend/cpu/assembler/shared_loads.h"

namespace strider::nd {
namespace {

using namespace Xbyak;

constexpr std::size_t kMostCode = std::size_t{1} << 16;
constexpr std::size_t kMostSteps = 400;

// As many points as the largest elements leave room for, values on the way included: halves are
// computed as floats, and floats reach uint32 through int64.
int choose_lanes(const FusedLoop& loop, bool wide) {
  int largest = 1;
  auto widen = [&](DType dtype) {
    largest = std::max(largest, dtype == DType::kFloat16 ? 4 : item_size(dtype));
  };
  for (const LoopInput& input : loop.inputs) widen(input.dtype);
  for (const Step& step : loop.steps) {
    widen(step.result);
    bool to_uint32 = step.kind == Step::Kind::kConvert && step.result == DType::kUInt32;
    if (to_uint32 && is_inexact(step.types[0])) largest = std::max(largest, 8);
  }
  return (wide ? 64 : 32) / largest;
}

std::string describe(const Step& step) {
  if (step.kind == Step::Kind::kSelect) return "where of " + std::string(name(step.result));
  std::string type(name(step.types[0]));
  if (step.kind == Step::Kind::kOperation) return std::string(facts(step.op).name) + " of " + type;
  return "the conversion of " + type + " to " + std::string(name(step.result));
}

class Compiler : public InputCode, private SharedLoads::Loader {
 public:
  Compiler(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted,
           const std::vector<bool>& still, Target target, Stores stores,
           const std::vector<SharedInput>& shared, std::uint8_t* buffer)
      : loop_(loop),
        wanted_(wanted),
        still_(still),
        target_(target),
        stores_(stores),
        code_(target == Target::kAvx512, choose_lanes(loop, target == Target::kAvx512), buffer,
              kMostCode),
        emitter_(code_),
        registers_(code_, *this, loop, wanted),
        caller_(code_, registers_, target),
        shared_(code_, *this, loop, shared),
        shares_(!shared.empty()) {
    for (const Step& step : loop.steps) calls_ |= is_call(step);
  }

  bool compile() {
    Label again, done;
    enter();
    if (stores_ == Stores::kInPlace) return compile_in_place();
    if (shares_ && (calls_ || !emit_sharing_loop())) return false;
    if (!calls_) registers_.pin(still_inputs());
    if (shares_) go_to_rest(done);
    code_.L(again);
    if (!emit_points()) return false;
    close(again, done);
    leave();
    code_.place_literals();
    return true;
  }

  const std::uint8_t* bytes() const { return code_.getCode(); }
  std::size_t size() const { return code_.getSize(); }
  int lanes() const { return code_.lanes(); }
  // Why there is no code.
  const std::string& refused() const { return refused_; }

  void load_input(std::uint16_t input, int index) override {
    int size = item_size(loop_.inputs[input].dtype);
    Reg64 base = pointer(input, inputs(), 8 * input);
    if (still_[input]) return code_.broadcast(index, size, RegExp(base));
    if (sharing_ && shared_.emit(input, index)) return;
    if (loop_.inputs[input].kind == LoopInput::Kind::kRange) return count(index, base);
    code_.load(index, size, element(base, size));
  }

 private:
  void load_vector(std::uint16_t input, int index, int points) override {
    int size = item_size(loop_.inputs[input].dtype);
    RegExp here = element(pointer(input, inputs(), 8 * input), size);
    auto bytes = static_cast<std::size_t>(std::abs(points) * size);
    code_.load(index, size, points < 0 ? here - bytes : here + bytes);
  }

  // The steps for as many points as there are lanes; false where one has no code.
  bool emit_points() {
    for (std::size_t i = 0; i < loop_.steps.size(); ++i) {
      if (!emit_step(i)) {
        refused_ = "no machine code for " + describe(loop_.steps[i]);
        return false;
      }
      registers_.end_step();
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      store_output(i, registers_.use(wanted_[i]));
      registers_.end_step();
    }
    return true;
  }

  // The loop over whole vectors, whose inputs share loads.
  bool emit_sharing_loop() {
    Label again;
    shared_.enter(registers_);
    registers_.pin(still_inputs());
    code_.L(again);
    shared_.begin();
    sharing_ = true;
    if (!emit_points()) return false;
    sharing_ = false;
    shared_.end();
    code_.add(position(), code_.lanes());
    code_.lea(code_.rax, code_.ptr[position() + code_.lanes()]);
    code_.cmp(code_.rax, count());
    code_.jle(again, CodeGenerator::T_NEAR);
    registers_.start_again();
    return true;
  }

  // The points at both ends first, whose results wait on the stack; then, before these are stored,
  // the vectors between, from the head on.
  bool compile_in_place() {
    if (calls_) {
      refused_ = "it calls functions";
      return false;
    }
    if (!emit_ends()) return false;
    registers_.start_again();
    code_.mov(position(), head());
    if (!(shares_ ? emit_sharing_loop() : emit_late_loop())) return false;
    int size = item_size(loop_.type_of(wanted_[0]));
    code_.load(0, size, code_.rsp + kLastEnd);
    code_.lea(position(), code_.ptr[count() - code_.lanes()]);
    code_.store(0, size, output_element());
    code_.load(0, size, code_.rsp + kFirstEnd);
    code_.xor_(position(), position());
    code_.store(0, size, output_element());
    leave();
    code_.place_literals();
    return true;
  }

  bool emit_ends() {
    VectorCode::Scope scope(code_);
    Label again, done;
    int size = item_size(loop_.type_of(wanted_[0]));
    registers_.pin(still_inputs());
    code_.lea(position(), code_.ptr[count() - code_.lanes()]);
    code_.L(again);
    ends_ = true;
    if (!emit_points()) return false;
    ends_ = false;
    code_.test(position(), position());
    code_.je(done);
    Vec waiting = code_.temp(size);
    code_.load(waiting.getIdx(), size, code_.rsp + kFirstEnd);
    code_.store(waiting.getIdx(), size, code_.rsp + kLastEnd);
    code_.xor_(position(), position());
    code_.jmp(again, CodeGenerator::T_NEAR);
    code_.L(done);
    return true;
  }

  // The loop over whole vectors whose results are stored when those behind them are computed.
  bool emit_late_loop() {
    Label again;
    int size = item_size(loop_.type_of(wanted_[0]));
    late_ = registers_.set_aside(1);
    registers_.pin(still_inputs());
    code_.L(again);
    if (!emit_points()) return false;
    code_.add(position(), code_.lanes());
    code_.lea(code_.rax, code_.ptr[position() + code_.lanes()]);
    code_.cmp(code_.rax, count());
    code_.jle(again, CodeGenerator::T_NEAR);
    code_.sub(position(), code_.lanes());
    code_.store(late_, size, output_element());
    return true;
  }

  // Copies the old elements and keeps, or stores, the new ones.
  void replace(int index) {
    VectorCode::Scope scope(code_);
    int size = item_size(loop_.type_of(wanted_[0]));
    Vec old = code_.temp(size);
    code_.load(old.getIdx(), size, output_element());
    code_.store(old.getIdx(), size, element(pointer(0, outputs(), 8), size));
    if (ends_) return code_.store(index, size, code_.rsp + kFirstEnd);
    if (shares_) return code_.store(index, size, output_element());
    Label first;
    auto late = static_cast<std::size_t>(code_.lanes() * size);
    code_.cmp(position(), head());
    code_.je(first);
    code_.store(late_, size, output_element() - late);
    code_.L(first);
    code_.copy(code_.vec(late_, size), code_.vec(index, size));
  }

  RegExp output_element() {
    return element(pointer(0, outputs(), 0), item_size(loop_.type_of(wanted_[0])));
  }

  // The points that do not fill a vector.
  void go_to_rest(Label& done) {
    code_.cmp(position(), count());
    code_.jge(done, CodeGenerator::T_NEAR);
    code_.lea(position(), code_.ptr[count() - code_.lanes()]);
  }

  // The elements of a range, whose Counter the register points to.
  void count(int index, const Reg64& counter) {
    code_.mov(spare(), position());
    code_.imul(spare(), code_.ptr[counter + static_cast<int>(offsetof(Counter, step))]);
    code_.add(spare(), code_.ptr[counter + static_cast<int>(offsetof(Counter, first))]);
    Vec elements = code_.vec(index, 8);
    code_.vmovq(Xmm(index), spare());
    code_.vpbroadcastq(elements, Xmm(index));
    code_.vpaddq(elements, elements,
                 code_.ptr[counter + static_cast<int>(offsetof(Counter, lanes))]);
  }

  // Callee-saved registers hold what calls must not lose; the others hold pointers in loops without
  // calls. rax and r11 are free at every place.
  Reg64 inputs() const { return code_.rbx; }
  Reg64 position() const { return code_.r12; }
  Reg64 count() const { return code_.r13; }
  Reg32 flags() const { return code_.r14d; }
  Reg64 outputs() const { return code_.r15; }
  Reg64 spare() const { return code_.r11; }
  // Where the results at both ends wait: operands of calls, which code in place has none of.
  static constexpr int kFirstEnd = Caller::kArguments, kLastEnd = kFirstEnd + 64;
  // Where the head waits until the other points are done.
  Address head() const { return code_.qword[code_.rsp + Caller::kHead]; }

  std::vector<std::uint16_t> still_inputs() const {
    std::vector<std::uint16_t> list;
    for (std::size_t i = 0; i < still_.size(); ++i) {
      if (still_[i]) list.push_back(static_cast<std::uint16_t>(i));
    }
    return list;
  }

  void enter() {
    for (const Reg64& each : {code_.rbp, code_.rbx, code_.r12, code_.r13, code_.r14, code_.r15}) {
      code_.push(each);
    }
    code_.mov(code_.rbp, code_.rsp);
    code_.mov(code_.rbx, code_.rdi);
    code_.mov(code_.r15, code_.rsi);
    code_.mov(code_.r13, code_.rdx);
    code_.lea(code_.rsp, code_.ptr[code_.rsp - Caller::kFrame]);
    code_.and_(code_.rsp, -64);
    code_.xor_(flags(), flags());
    code_.mov(position(), code_.rcx);
    code_.mov(head(), code_.rcx);
    if (!calls_) load_pointers();
  }

  void load_pointers() {
    const Reg64 free[] = {code_.rcx, code_.rdx, code_.rsi, code_.rdi,
                          code_.r8,  code_.r9,  code_.r10};
    std::size_t next = 0;
    auto add = [&](const Reg64& array, std::size_t i) {
      if (next == std::size(free)) return;
      pointers_.push_back({array.getIdx(), 8 * static_cast<int>(i), free[next]});
      code_.mov(free[next++], code_.ptr[array + static_cast<int>(8 * i)]);
    };
    std::size_t copies = stores_ == Stores::kInPlace ? 1 : 0;
    for (std::size_t i = 0; i < wanted_.size() + copies; ++i) add(outputs(), i);
    for (std::size_t i = 0; i < loop_.inputs.size(); ++i) {
      if (!still_[i]) add(inputs(), i);
    }
  }

  // A register with an operand's pointer.
  Reg64 pointer(std::uint16_t, const Reg64& array, int offset) {
    for (const Pointer& each : pointers_) {
      if (each.array == array.getIdx() && each.offset == offset) return each.reg;
    }
    code_.mov(code_.rax, code_.ptr[array + offset]);
    return code_.rax;
  }

  RegExp element(const Reg64& base, int size) {
    if (size < 16) return base + position() * size;
    if (base.getIdx() != code_.rax.getIdx()) code_.mov(code_.rax, base);
    code_.lea(code_.rax, code_.ptr[code_.rax + position() * 8]);
    return code_.rax + position() * 8;
  }

  void store_output(std::size_t output, int index) {
    if (stores_ == Stores::kInPlace) return replace(index);
    int size = item_size(loop_.type_of(wanted_[output]));
    Reg64 base = pointer(0, outputs(), 8 * static_cast<int>(output));
    bool streams = stores_ == Stores::kPastCaches && code_.lanes() * size == vector_bytes(target_);
    streams ? code_.stream(index, element(base, size))
            : code_.store(index, size, element(base, size));
  }

  bool emit_step(std::size_t i) {
    const Step& step = loop_.steps[i];
    auto value = static_cast<std::uint16_t>(loop_.inputs.size() + i);
    int arguments[3] = {};
    for (int k = 0; k < step.count; ++k) arguments[k] = registers_.use(step.arguments[k]);
    if (is_call(step)) return caller_.emit(step, value, arguments, flags());
    return emitter_.emit(step, registers_.define(value), arguments);
  }

  // The next points; the last ones end where the operands end. Then those of the head.
  void close(Label& again, Label& done) {
    int lanes = code_.lanes();
    code_.add(position(), lanes);
    code_.lea(code_.rax, code_.ptr[position() + lanes]);
    code_.cmp(code_.rax, count());
    code_.jle(again, CodeGenerator::T_NEAR);
    code_.cmp(position(), count());
    code_.jge(done, CodeGenerator::T_NEAR);
    code_.lea(position(), code_.ptr[count() - lanes]);
    code_.jmp(again, CodeGenerator::T_NEAR);
    code_.L(done);
    Label out;
    code_.cmp(head(), 0);
    code_.je(out);
    code_.mov(head(), 0);
    code_.xor_(position(), position());
    code_.mov(count(), lanes);
    code_.jmp(again, CodeGenerator::T_NEAR);
    code_.L(out);
  }

  void leave() {
    if (stores_ == Stores::kPastCaches) code_.sfence();
    code_.mov(code_.eax, flags());
    code_.vzeroupper();
    code_.mov(code_.rsp, code_.rbp);
    for (const Reg64& each : {code_.r15, code_.r14, code_.r13, code_.r12, code_.rbx, code_.rbp}) {
      code_.pop(each);
    }
    code_.ret();
  }

  struct Pointer {
    int array;
    int offset;
    Reg64 reg;
  };

  const FusedLoop& loop_;
  const std::vector<std::uint16_t>& wanted_;
  const std::vector<bool>& still_;
  Target target_;
  Stores stores_;
  VectorCode code_;
  Emitter emitter_;
  Registers registers_;
  Caller caller_;
  SharedLoads shared_;
  bool shares_;
  bool sharing_ = false;  // within the loop whose inputs share loads
  bool ends_ = false;     // at the ends of what is replaced
  int late_ = 0;          // the register of results that are not stored yet
  bool calls_ = false;
  std::string refused_;
  std::vector<Pointer> pointers_;
};

// Compiles; `refusal`, if any, says why there is nothing.
std::optional<CompiledLoop> compile(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted,
                                    const std::vector<bool>& still, Target target, Stores stores,
                                    const std::vector<SharedInput>& shared, std::string* refusal) {
  auto refuse = [&](std::string reason) {
    if (refusal) *refusal = std::move(reason);
    return std::nullopt;
  };
  if (target == Target::kPlain) return refuse("the processor lacks AVX2");
  if (loop.steps.size() > kMostSteps) return refuse("it has too many steps for machine code");
  // Aligned as the pages that the code is copied to.
  struct alignas(64) Buffer {
    std::uint8_t bytes[kMostCode];
  };
  thread_local std::unique_ptr<Buffer> buffer(new Buffer);
  try {
    Compiler compiler(loop, wanted, still, target, stores, shared, buffer->bytes);
    if (!compiler.compile()) return refuse(compiler.refused());
    CompiledLoop compiled{CodeMemory(compiler.bytes(), compiler.size()), compiler.lanes()};
    if (!compiled.memory.entry()) return refuse("there is no executable memory");
    return compiled;
  } catch (const OutOfRoom&) {
    return refuse("its values need more registers than there are");
  } catch (const Xbyak::Error&) {
    return refuse("its machine code would be too long");
  }
}

}  // namespace

std::optional<CompiledLoop> compile_loop(const FusedLoop& loop,
                                         const std::vector<std::uint16_t>& wanted,
                                         const std::vector<bool>& still, Target target,
                                         Stores stores, std::string* refusal) {
  return compile(loop, wanted, still, target, stores, {}, refusal);
}

std::optional<CompiledLoop> compile_sharing_loop(const FusedLoop& loop,
                                                 const std::vector<std::uint16_t>& wanted,
                                                 const std::vector<bool>& still, Target target,
                                                 const std::vector<SharedInput>& shared,
                                                 Stores stores) {
  return compile(loop, wanted, still, target, stores, shared, nullptr);
}

}  // namespace strider::nd
