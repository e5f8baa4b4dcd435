// The plug-in on LLVM's C interface: reads a text, checks and optimises it, and keeps its machine
// code.
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>

#include <stdexcept>
#include <string>

#include "compiler/compiler.h"

namespace strider::compiler {
namespace {

// Throws what LLVM says, and gives its text back.
[[noreturn]] void fail(char* message) {
  std::string text = message ? message : "LLVM failed";
  if (message) LLVMDisposeMessage(message);
  throw std::runtime_error(text);
}

void check(LLVMErrorRef error) {
  if (!error) return;
  char* message = LLVMGetErrorMessage(error);
  std::string text = message;
  LLVMDisposeErrorMessage(message);
  throw std::runtime_error(text);
}

struct Disposal {
  void operator()(LLVMOrcLLJITRef jit) const { LLVMConsumeError(LLVMOrcDisposeLLJIT(jit)); }
  void operator()(LLVMModuleRef module) const { LLVMDisposeModule(module); }
  void operator()(LLVMTargetMachineRef machine) const { LLVMDisposeTargetMachine(machine); }
  void operator()(LLVMPassBuilderOptionsRef options) const {
    LLVMDisposePassBuilderOptions(options);
  }
  void operator()(LLVMOrcThreadSafeContextRef context) const {
    LLVMOrcDisposeThreadSafeContext(context);
  }
};
template <class Pointer>
using Owned = std::unique_ptr<std::remove_pointer_t<Pointer>, Disposal>;

Owned<LLVMTargetMachineRef> this_machine() {
  char* triple = LLVMGetDefaultTargetTriple();
  LLVMTargetRef target = nullptr;
  char* message = nullptr;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) fail(message);
  char* processor = LLVMGetHostCPUName();
  char* features = LLVMGetHostCPUFeatures();
  Owned<LLVMTargetMachineRef> machine(
      LLVMCreateTargetMachine(target, triple, processor, features, LLVMCodeGenLevelDefault,
                              LLVMRelocDefault, LLVMCodeModelJITDefault));
  for (char* text : {triple, processor, features}) LLVMDisposeMessage(text);
  return machine;
}

Owned<LLVMModuleRef> read_text(const std::string& text, LLVMContextRef context) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data(), text.size(), "kernel");
  LLVMModuleRef module = nullptr;
  char* message = nullptr;
  if (LLVMParseIRInContext(context, buffer, &module, &message)) fail(message);  // takes the buffer
  Owned<LLVMModuleRef> owned(module);
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) fail(message);
  LLVMDisposeMessage(message);
  return owned;
}

void optimise(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  char* triple = LLVMGetTargetMachineTriple(machine);
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  Owned<LLVMPassBuilderOptionsRef> options(LLVMCreatePassBuilderOptions());
  LLVMPassBuilderOptionsSetLoopVectorization(options.get(), true);
  LLVMPassBuilderOptionsSetSLPVectorization(options.get(), true);
  LLVMPassBuilderOptionsSetLoopUnrolling(options.get(), true);
  check(LLVMRunPasses(module, "default<O2>", machine, options.get()));
}

class CompiledCode final : public Code {
 public:
  CompiledCode(const std::string& text, const std::string& name) {
    Owned<LLVMOrcThreadSafeContextRef> context(LLVMOrcCreateNewThreadSafeContext());
    Owned<LLVMTargetMachineRef> machine = this_machine();
    Owned<LLVMModuleRef> module =
        read_text(text, LLVMOrcThreadSafeContextGetContext(context.get()));
    optimise(module.get(), machine.get());
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine.release()));
    LLVMOrcLLJITRef jit = nullptr;
    check(LLVMOrcCreateLLJIT(&jit, builder));  // takes the builder
    jit_.reset(jit);
    LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
    LLVMOrcDefinitionGeneratorRef process = nullptr;
    check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        &process, LLVMOrcLLJITGetGlobalPrefix(jit), nullptr, nullptr));
    LLVMOrcJITDylibAddGenerator(library, process);
    check(LLVMOrcLLJITAddLLVMIRModule(
        jit, library, LLVMOrcCreateNewThreadSafeModule(module.release(), context.get())));
    LLVMOrcExecutorAddress address = 0;
    check(LLVMOrcLLJITLookup(jit, &address, name.c_str()));
    function_ = reinterpret_cast<Function*>(address);
  }
  std::int64_t run(std::uint64_t* words) const override { return function_(words); }

 private:
  using Function = std::int64_t(std::uint64_t*);
  Owned<LLVMOrcLLJITRef> jit_;
  Function* function_ = nullptr;
};

class LlvmLibrary final : public Library {
 public:
  LlvmLibrary() {
    version = STRIDER_VERSION;
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
  }
  std::unique_ptr<Code> compile(const std::string& text, const std::string& name) const override {
    return std::make_unique<CompiledCode>(text, name);
  }
  int language_version() const override { return LLVM_VERSION_MAJOR; }
};

}  // namespace
}  // namespace strider::compiler

extern "C" __attribute__((visibility("default"))) const strider::compiler::Library*
strider_compiler_entry() {
  static const strider::compiler::LlvmLibrary library;
  return &library;
}
