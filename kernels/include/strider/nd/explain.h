// What the evaluation of an array will do: the fused loops, what they read and write. Runs nothing.
#pragma once

#include <strider/nd/array.h>

#include <string>
#include <vector>

namespace strider::nd {

struct ExplainedLoop {
  bool is_product = false;                // of matrices, done by a library
  Dims extents;                           // outermost axis first; of a product, its shape
  std::vector<std::string> instructions;  // "v3 = multiply(v0, v1) float64"
  std::vector<std::string> places;        // of each: "program.npx:12", several divided by commas
  std::vector<std::string> inputs;        // "v0 = float64 (1000, 1000)"
  std::vector<std::string> outputs;       // "float64"
  std::string fold;                       // "add over axes 1", empty when there is none
  std::string fold_place;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  int pass = 0;           // loops of one pass run together, row by row
  std::int64_t rows = 1;  // of the pass
  std::string reason;    // why the result is in memory before what follows; empty for the last loop
  std::string renderer;  // what would compute it: "machine code", "tiles"
  std::string renderer_reason;  // why it is not the fastest there is
};

struct Explanation {
  bool pending = false;  // false: the elements are there already
  std::vector<ExplainedLoop> loops;
  int passes = 0;
  std::string device;  // "cpu"
};

Explanation explain(const Array& array);
// The explanation as lines of text.
std::string to_text(const Explanation& explanation);

}  // namespace strider::nd
