// NVRTC, the compiler that turns CUDA text into machine code while the program runs; opened at its
// first use. Needs neither a device nor a driver.
#pragma once

#include <strider/nd/error.h>

#include <string>
#include <vector>

namespace strider::nd::cuda {

// A text that did not compile.
class CompileError : public Error {
 public:
  // `text` is shown with its lines numbered, below what the compiler said.
  CompileError(const std::string& text, const std::string& log);

  const std::string& log() const { return log_; }

 private:
  std::string log_;
};

// Whether there is a compiler; if not, `reason` (may be null) is set.
bool has_nvrtc(std::string* reason = nullptr);

// The compiler's version and the options given to it: what, beside text and architecture, its
// results depend on.
std::string compiler_identity();

// What to compile for on a device of this compute capability (90 for 9.0): machine code ("sm_90"),
// or, for one that the compiler does not know, portable code for the latest before it
// ("compute_90").
std::string architecture_for(int capability);

// How hard the compiler tries: kQuick is for code that is looked at and never run.
enum class Effort { kFull, kQuick };

// The machine code (cubin) of `text` for "sm_90" or the like; portable code (PTX) for "compute_90".
// Throws CompileError; Error(kNotImplemented) without a compiler. May be called by several threads
// at once.
std::string compile(const std::string& text, const std::string& architecture,
                    Effort effort = Effort::kFull);

}  // namespace strider::nd::cuda
