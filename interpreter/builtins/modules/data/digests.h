// Message digests: MD5 (RFC 1321), SHA-1 and SHA-2 (FIPS 180-4), SHA-3 (FIPS 202), BLAKE2
// (RFC 7693). Knows nothing of the language.
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
  // As many bytes as wanted, of digests that have no size of their own.
  virtual std::string squeeze(std::size_t) const { return finish(); }
  virtual std::unique_ptr<Digest> clone() const = 0;
  virtual std::size_t block_size() const = 0;
};

// The digest of a name ("md5", "sha1", "sha224" to "sha512", "sha512_224" and "sha512_256"), or
// null.
std::unique_ptr<Digest> make_digest(std::string_view name);
// The same of "sha3_224" to "sha3_512", and of "shake_128" and "shake_256", which have no size.
std::unique_ptr<Digest> make_sha3(std::string_view name);

// The same of "sm3", "ripemd160" and "md5-sha1", which OpenSSL has besides.
std::unique_ptr<Digest> make_other_digest(std::string_view name);

struct Blake2Settings {
  std::size_t size;  // of the digest in bytes
  std::string key, salt, person;
  // Where a digest stands in a tree of digests.
  std::uint8_t fanout = 1, depth = 1, node_depth = 0, inner_size = 0;
  std::uint32_t leaf_size = 0;
  std::uint64_t node_offset = 0;
  bool last_node = false;
};
// BLAKE2b if `wide`, else BLAKE2s; the settings must fit.
std::unique_ptr<Digest> make_blake2(bool wide, const Blake2Settings& settings);

}  // namespace strider::lang
