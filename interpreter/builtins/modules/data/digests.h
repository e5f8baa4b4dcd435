// Message digests: MD5 (RFC 1321), SHA-1 and SHA-2 (FIPS 180-4). Knows nothing of the language.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace strider::lang {

// A digest of bytes that come piece by piece.
class Digest {
 public:
  virtual ~Digest() = default;
  virtual void update(std::string_view bytes) = 0;
  // The digest of what came so far; more may follow.
  virtual std::string finish() const = 0;
  virtual std::unique_ptr<Digest> clone() const = 0;
  virtual std::size_t block_size() const = 0;
};

// The digest of a name ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"), or null.
std::unique_ptr<Digest> make_digest(std::string_view name);

}  // namespace strider::lang
