// Amounts of memory as people write them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>

namespace strider::nd::cuda {

// The bytes that a text such as "4G", "512MiB" or "1000000" stands for; `otherwise` where it is
// null or not of this form.
inline std::size_t parse_bytes(const char* text, std::size_t otherwise) {
  if (!text || *text < '0' || *text > '9') return otherwise;
  char* rest = nullptr;
  double amount = std::strtod(text, &rest);
  std::string unit = rest;
  for (const char* ending : {"iB", "B"}) {
    if (unit.ends_with(ending)) {
      unit.resize(unit.size() - std::string(ending).size());
      break;
    }
  }
  std::size_t exponent = unit.empty() ? 0 : std::string("KMGT").find(unit) + 1;
  if (unit.size() > 1 || exponent > 4) return otherwise;
  for (; exponent > 0; --exponent) amount *= 1024;
  return amount < 0x1p63 ? static_cast<std::size_t>(amount) : otherwise;
}

}  // namespace strider::nd::cuda
