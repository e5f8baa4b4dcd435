// How the elements of one array print: widths and precision decided from all of them, then each
// turned into text. Knows nothing of brackets and lines.
#pragma once

#include <strider/nd/format.h>

#include <memory>
#include <string>

#include "kernels/format/digits.h"

namespace strider::nd::format {

// Prints the elements of one array so that they align.
class ElementPrinter {
 public:
  virtual ~ElementPrinter() = default;
  virtual void append(std::string& text, const void* element) const = 0;
};

// A printer for the elements of `visible` (those that will be shown, C-contiguous).
std::unique_ptr<ElementPrinter> make_printer(const Array& visible, const PrintOptions& options);

}  // namespace strider::nd::format
