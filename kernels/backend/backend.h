// What a backend fulfils.
#pragma once

#include <strider/nd/kernel_counts.h>

#include <span>
#include <string>

#include "kernels/backend/loop.h"

namespace strider::nd {

class Arranger;
class Device;
class Library;
class Networks;

// What computes the steps of a loop, and why nothing faster does (empty where there is nothing).
struct RendererChoice {
  std::string name;
  std::string reason;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  // Where operands and results lie; null: in host memory. (Scalars are always read from there.)
  virtual Device* device() { return nullptr; }
  // What else is done on the device; null: nothing.
  virtual Library* library() { return nullptr; }
  virtual Arranger* arranger() { return nullptr; }
  virtual Networks* networks() { return nullptr; }
  // What a run of the loop would be computed by. Runs nothing.
  virtual RendererChoice choose_renderer(const FusedLoop& loop) const = 0;
  // What became of the kernels that its loops needed.
  virtual KernelCounts kernel_counts() { return {}; }
  // Ends what compiles kernels beside the program; from now on loops wait for them.
  virtual void stop_compiling() {}
  // Runs a pass: loops in their order. The outermost axes of all of them count `rows` points, none
  // of those axes is folded, and a row of a loop reads or replaces, of what the other loops write,
  // nothing but the same row: all loops may run for some rows before any runs for the others. One
  // row: nothing is known. An interrupt ends it early with what the interrupt throws, but not when
  // it writes over inputs. On a device the work may still be queued when this returns.
  virtual void run(std::span<BoundLoop> pass, std::int64_t rows) = 0;
  // Runs loops none of which touches what another writes, in any order or at once.
  virtual void run_side_by_side(std::span<BoundLoop> loops) {
    for (BoundLoop& bound : loops) run({&bound, 1}, 1);
  }
};

// The backend that is always there.
Backend& cpu_backend();
// The one that runs in host memory what the graph plans: the CPU's, or the reference.
Backend& host_backend();

// Opens the backend of a device by number; null, with the reason, where there is none.
Backend* open_cuda_backend(int number, std::string* reason);
// Whether it is worth asking for one that nobody named: false where no driver is installed.
bool may_have_device();
// Has all opened backends stop compiling beside the program.
void stop_compiling();

}  // namespace strider::nd
