// Where bytes come from: a file descriptor or memory, read at any place. Knows nothing of formats.
#pragma once

#include <strider/nd/file.h>

#include <cstdint>
#include <memory>
#include <string>

namespace strider::nd::file {

// A sequence of bytes of known length.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::uint64_t size() const = 0;
  // Reads up to `count` bytes at `offset`; fewer at the end.
  virtual std::size_t read(std::uint64_t offset, void* out, std::size_t count) const = 0;

  std::string text(std::uint64_t offset, std::size_t count) const;

  static std::shared_ptr<const Source> open(const std::string& path);
  static std::shared_ptr<const Source> of_bytes(std::string content);
  static std::shared_ptr<const Source> of_span(Bytes content);  // the bytes stay the caller's
};

// Reverses the bytes of each real number or part.
void swap_bytes(std::byte* data, std::int64_t byte_count, DType dtype);
// Makes every byte of a bool array 0 or 1.
void normalise_bools(std::byte* data, std::int64_t count);
// What foreign bytes need to become elements: byte order and clean booleans.
void adopt_bytes(const Array& array, bool swapped);

}  // namespace strider::nd::file
