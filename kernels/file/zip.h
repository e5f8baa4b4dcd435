// Zip archives, as far as .npz files go: stored and deflated members, zip64. Knows nothing of
// arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/file/source.h"

namespace strider::nd::file {

struct ZipMember {
  std::string name;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::uint32_t crc = 0;
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header_offset = 0;
};

// The members that the archive's directory lists; kFileFormat when it is damaged.
std::vector<ZipMember> read_directory(const Source& source);
// One member's bytes, decompressed, length and checksum verified.
std::string read_member(const Source& source, const ZipMember& member);

// Builds an archive in memory, byte for byte as Python's zipfile would with zip64 forced.
class ZipWriter {
 public:
  explicit ZipWriter(bool compressed) : compressed_(compressed) {}
  void add(const std::string& name, std::string_view content);
  // Writes the directory and returns the archive.
  std::string finish();

 private:
  bool compressed_;
  std::string archive_;
  std::vector<ZipMember> members_;
};

}  // namespace strider::nd::file
