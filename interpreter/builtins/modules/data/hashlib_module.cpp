// The module hashlib: digests as objects.
#include "interpreter/builtins/modules/data/digests.h"
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr const char* kAlgorithms[] = {"md5",       "sha1",      "sha224",   "sha256",   "sha384",
                                       "sha512",    "sha3_224",  "sha3_256", "sha3_384", "sha3_512",
                                       "shake_128", "shake_256", "blake2b",  "blake2s"};

Type& hash_type();
Type& long_hash_type();

class Hash final : public Object {
 public:
  Hash(std::string algorithm, std::unique_ptr<Digest> made, Type& type = hash_type())
      : Object(Layout::kOther, &type), name(std::move(algorithm)), digest(std::move(made)) {}
  std::string name;
  std::unique_ptr<Digest> digest;
};

Hash& hash_of(const Value& self) { return *self.as<Hash>(); }

// The bytes of what has a buffer, which is kept in `source`.
std::string_view data_of(const Value& value, Value& source) {
  if (is_str(value)) raise(errors::TypeError, "Strings must be encoded before hashing");
  source = memory_source(value);
  if (!find_buffer(source)) raise(errors::TypeError, "object supporting the buffer API required");
  return to_bytes(source);
}

std::string to_hex(const std::string& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(2 * bytes.size(), '\0');
  char* place = text.data();
  for (unsigned char c : bytes) {
    *place++ = kDigits[c >> 4];
    *place++ = kDigits[c & 15];
  }
  return text;
}

void update(Digest& digest, const Value& data) {
  Value source;
  digest.update(data_of(data, source));
}

Value hash_update(const Parameters& p) {
  update(*hash_of(p[0]).digest, p[1]);
  return Value::none();
}

const NativeRow kHashMethods[] = {
    {"update(self, data, /)", hash_update, "Adds bytes."},
    {"digest(self)",
     [](const Parameters& p) { return Value(make<Bytes>(hash_of(p[0]).digest->finish())); },
     "The digest as bytes."},
    {"hexdigest(self)",
     [](const Parameters& p) { return Value(make_str(to_hex(hash_of(p[0]).digest->finish()))); },
     "The digest as hexadecimal digits."},
    {"copy(self)",
     [](const Parameters& p) {
       return Value(make<Hash>(hash_of(p[0]).name, hash_of(p[0]).digest->clone(), *type_of(p[0])));
     },
     "A copy that goes on separately."},
};

const PropertyRow kHashProperties[] = {
    {"name", [](const Value& self) { return Value(make_str(hash_of(self).name)); }, nullptr,
     "The algorithm."},
    {"digest_size",
     [](const Value& self) {
       return Value::integer(static_cast<std::int64_t>(hash_of(self).digest->finish().size()));
     },
     nullptr, "Bytes of the digest."},
    {"block_size",
     [](const Value& self) {
       return Value::integer(static_cast<std::int64_t>(hash_of(self).digest->block_size()));
     },
     nullptr, "Bytes of a block."},
};

std::string squeeze(const Parameters& p) {
  std::int64_t size = to_int64(p[1]);
  if (size < 0) raise(errors::ValueError, "value must be positive");
  if (size >= std::int64_t{1} << 29) raise(errors::ValueError, "length is too large");
  return hash_of(p[0]).digest->squeeze(static_cast<std::size_t>(size));
}

const NativeRow kLongHashMethods[] = {
    {"digest(self, length, /)", [](const Parameters& p) { return Value(make<Bytes>(squeeze(p))); },
     "A digest of so many bytes."},
    {"hexdigest(self, length, /)",
     [](const Parameters& p) { return Value(make_str(to_hex(squeeze(p)))); },
     "A digest of so many bytes as hexadecimal digits."},
};

Type& long_hash_type() {
  static Type& type = *[] {
    Type& made = make_module_type("HASHXOF", "_hashlib", hash_type());
    made.add(kLongHashMethods);
    return &made;
  }();
  return type;
}

Type& hash_type() {
  static Type& type = *[] {
    Type& made = make_module_type("HASH", "_hashlib");
    made.add(kHashMethods);
    made.add(kHashProperties);
    made.slots.repr = [](const Value& self) {
      return Value(make_str(fmt::format("<{} _hashlib.HASH object @ {}>", hash_of(self).name,
                                        fmt::ptr(self.object()))));
    };
    return &made;
  }();
  return type;
}

// The name of an algorithm among those that OpenSSL has for it.
std::string algorithm_of(std::string_view given) {
  std::string name;
  for (char each : given)
    name += (each >= 'A' && each <= 'Z') ? static_cast<char>(each + 32) : each;
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"blake2b512", "blake2b"},
      {"blake2s256", "blake2s"},
      {"ripemd", "ripemd160"},
      {"rmd160", "ripemd160"},
      {"sha-1", "sha1"},
      {"sha-224", "sha224"},
      {"sha-256", "sha256"},
      {"sha-384", "sha384"},
      {"sha-512", "sha512"},
      {"sha2-224", "sha224"},
      {"sha2-256", "sha256"},
      {"sha2-384", "sha384"},
      {"sha2-512", "sha512"},
      {"sha2-512/224", "sha512_224"},
      {"sha2-512/256", "sha512_256"},
      {"sha3-224", "sha3_224"},
      {"sha3-256", "sha3_256"},
      {"sha3-384", "sha3_384"},
      {"sha3-512", "sha3_512"},
      {"sha512-224", "sha512_224"},
      {"sha512-256", "sha512_256"},
      {"shake-128", "shake_128"},
      {"shake-256", "shake_256"},
      {"shake128", "shake_128"},
      {"shake256", "shake_256"},
      {"ssl3-md5", "md5"},
      {"ssl3-sha1", "sha1"}};
  for (const auto& [other, plain] : kOthers)
    if (name == other) return std::string(plain);
  return name;
}

// A setting of BLAKE2 in bytes.
std::string setting_of(const Value& value, const char* name, std::size_t limit) {
  if (value.is_empty()) return {};
  Value source;
  std::string_view bytes = data_of(value, source);
  if (bytes.size() > limit) raise(errors::ValueError, "maximum {} length is {} bytes", name, limit);
  return std::string(bytes);
}

std::uint64_t number_of(const Value& value, const char* name, std::uint64_t least,
                        std::uint64_t most, const char* between) {
  Integer number = to_integer(exact_int(value));
  if (most > 255 && number < 0) raise(errors::ValueError, "value must be positive");
  if (number > UINT64_MAX) raise(errors::OverflowError, "int too big to convert");
  if (most > 255 && number > most) raise(errors::OverflowError, "{} is too large", name);
  if (number < least || number > most)
    raise(errors::ValueError, "{} must be between {} and {}{}", name, least, between, most);
  return static_cast<std::uint64_t>(number);
}

template <bool kWide>
constexpr std::size_t kLargest = kWide ? 64 : 32;

template <bool kWide>
Value make_blake2_object(const Blake2Settings& settings, const Value& data);

template <bool kWide>
Value construct_blake2(Type*, const Arguments& arguments) {
  static const Signature& signature = *new Signature(fmt::format(
      "blake2{}(data=<none>, /, *, digest_size={}, key=<none>, salt=<none>, person=<none>, "
      "fanout=1, "
      "depth=1, leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, "
      "usedforsecurity=True)",
      kWide ? 'b' : 's', kLargest<kWide>));
  constexpr std::size_t kLimit = kLargest<kWide>;
  Value p[13];
  bind_constructor(signature, arguments, p);
  std::int64_t size = to_int64(p[1]);
  if (size < 1 || size > static_cast<std::int64_t>(kLimit))
    raise(errors::ValueError, "digest_size must be between 1 and {} bytes", kLimit);
  Blake2Settings settings{static_cast<std::size_t>(size), setting_of(p[2], "key", kLimit),
                          setting_of(p[3], "salt", kLimit / 4),
                          setting_of(p[4], "person", kLimit / 4)};
  settings.fanout = static_cast<std::uint8_t>(number_of(p[5], "fanout", 0, 255, ""));
  settings.depth = static_cast<std::uint8_t>(number_of(p[6], "depth", 1, 255, ""));
  settings.leaf_size = static_cast<std::uint32_t>(number_of(p[7], "leaf_size", 0, UINT32_MAX, ""));
  settings.node_offset =
      number_of(p[8], "node_offset", 0, kWide ? UINT64_MAX : (std::uint64_t{1} << 48) - 1, "");
  settings.node_depth = static_cast<std::uint8_t>(number_of(p[9], "node_depth", 0, 255, ""));
  settings.inner_size = static_cast<std::uint8_t>(number_of(p[10], "inner_size", 0, kLimit, "is "));
  settings.last_node = truth(p[11]);
  return make_blake2_object<kWide>(settings, p[0]);
}

template <bool kWide>
Type& blake2_type() {
  static Type& type = *[] {
    Type& made = make_module_type(kWide ? "blake2b" : "blake2s", "_blake2", hash_type());
    made.slots.construct = construct_blake2<kWide>;
    made.slots.repr = [](const Value& self) -> Value {
      return make_str(
          fmt::format("<_blake2.{} object at {}>", hash_of(self).name, fmt::ptr(self.object())));
    };
    auto limit = static_cast<std::int64_t>(kLargest<kWide>);
    for (auto [name, size] :
         {std::pair("MAX_DIGEST_SIZE", limit), std::pair("MAX_KEY_SIZE", limit),
          std::pair("SALT_SIZE", limit / 4), std::pair("PERSON_SIZE", limit / 4)})
      made.set_own(intern(name), Value::integer(size));
    return &made;
  }();
  return type;
}

template <bool kWide>
Value make_blake2_object(const Blake2Settings& settings, const Value& data) {
  std::unique_ptr<Digest> digest = make_blake2(kWide, settings);
  if (!data.is_empty()) update(*digest, data);
  return make<Hash>(kWide ? "blake2b" : "blake2s", std::move(digest), blake2_type<kWide>());
}

Value start(std::string_view name, std::string_view given, const Value& data) {
  std::unique_ptr<Digest> digest = make_digest(name);
  if (!digest) digest = make_sha3(name);
  if (!digest) digest = make_other_digest(name);
  if (!digest && name == "blake2b") return make_blake2_object<true>({64u, {}, {}, {}}, data);
  if (!digest && name == "blake2s") return make_blake2_object<false>({32u, {}, {}, {}}, data);
  if (!digest) raise(errors::ValueError, "unsupported hash type {}", given);
  if (!data.is_empty()) update(*digest, data);
  bool any_size = name.starts_with("shake");
  return make<Hash>(std::string(name), std::move(digest),
                    any_size ? long_hash_type() : hash_type());
}

template <std::size_t kIndex>
Value start_known(const Parameters& p) {
  return start(kAlgorithms[kIndex], kAlgorithms[kIndex], p[0]);
}

Value start_named(const Parameters& p) {
  std::string given(to_text(p[0], "new() argument 'name'"));
  return start(algorithm_of(given), given, p[1]);
}

const NativeRow kFunctions[] = {
    {"new(name, data=<none>, *, usedforsecurity=True)", start_named, "A digest by its name."},
    {"md5(string=<none>, *, usedforsecurity=True)", start_known<0>, "An MD5 digest."},
    {"sha1(string=<none>, *, usedforsecurity=True)", start_known<1>, "A SHA-1 digest."},
    {"sha224(string=<none>, *, usedforsecurity=True)", start_known<2>, "A SHA-224 digest."},
    {"sha256(string=<none>, *, usedforsecurity=True)", start_known<3>, "A SHA-256 digest."},
    {"sha384(string=<none>, *, usedforsecurity=True)", start_known<4>, "A SHA-384 digest."},
    {"sha512(string=<none>, *, usedforsecurity=True)", start_known<5>, "A SHA-512 digest."},
    {"sha3_224(string=<none>, *, usedforsecurity=True)", start_known<6>, "A SHA3-224 digest."},
    {"sha3_256(string=<none>, *, usedforsecurity=True)", start_known<7>, "A SHA3-256 digest."},
    {"sha3_384(string=<none>, *, usedforsecurity=True)", start_known<8>, "A SHA3-384 digest."},
    {"sha3_512(string=<none>, *, usedforsecurity=True)", start_known<9>, "A SHA3-512 digest."},
    {"shake_128(string=<none>, *, usedforsecurity=True)", start_known<10>,
     "A SHAKE128 digest, of any size."},
    {"shake_256(string=<none>, *, usedforsecurity=True)", start_known<11>,
     "A SHAKE256 digest, of any size."},
};

Value algorithm_names() {
  Ref<Set> names = make_set();
  for (const char* name : kAlgorithms) names->add(Value(make_str(name)));
  return names;
}

Value available_names() {
  Value names = algorithm_names();
  for (const char* name : {"md5-sha1", "ripemd160", "sha512_224", "sha512_256", "sm3"})
    names.as<Set>()->add(Value(make_str(name)));
  return names;
}

// A function of the module that is written in the language.
Value written(const char* name) { return get_attribute(import_module("_hashing"), intern(name)); }

const ConstantRow kConstants[] = {
    {"blake2b", [] { return Value(&blake2_type<true>()); }},
    {"blake2s", [] { return Value(&blake2_type<false>()); }},
    {"pbkdf2_hmac", [] { return written("pbkdf2_hmac"); }},
    {"file_digest", [] { return written("file_digest"); }},
    {"algorithms_available", available_names},
    {"algorithms_guaranteed", algorithm_names},
};

}  // namespace

const NativeModule kHashlibModule = {"hashlib", "Message digests.", kFunctions, kConstants};

}  // namespace strider::lang
