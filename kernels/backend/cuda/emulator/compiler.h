// Kernels' texts as machine code of the host, made by clang++ (or what STRIDER_EMULATOR_COMPILER
// names), which is started for each. Knows nothing of what kernels do.
#pragma once

#include <string>

namespace strider::nd::cuda::emulator {

// Whether the compiler can be started; if not, `reason` is set.
bool has_compiler(std::string& reason);
// The compiler's version, the options given to it and what is put before texts.
std::string compiler_identity();
// The bytes of a shared object. Throws Error with what the compiler said. May be called by several
// threads at once.
std::string compile(const std::string& text);

}  // namespace strider::nd::cuda::emulator
