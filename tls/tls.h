// What the language and the plug-in that secures connections agree on: contexts, which hold
// certificates and rules, and connections over descriptors or over bytes in memory. No call waits:
// each tells what it needs to go on. Knows no sockets and no values of the language.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strider::tls {

// Grows by one when something that both sides compile in changes.
inline constexpr int kContract = 1;

// What the library says went wrong.
class __attribute__((visibility("default"))) Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  std::string library, reason;  // "SSL", "CERTIFICATE_VERIFY_FAILED"; empty where unknown
  std::string verification;     // why a certificate was refused
  int verification_code = 0;
  int code = 1;          // what kind of failure it is, in OpenSSL's numbers
  int system_error = 0;  // errno where the system failed, not the library
};

// How a step of a connection ended; values are OpenSSL's.
enum class Progress : std::uint8_t {
  kDone = 0,
  kWantsToRead = 2,
  kWantsToWrite = 3,
  kClosed = 6,  // the other side said that it ends
  kCut = 8      // it ended without saying so
};

enum class Side : std::uint8_t { kEither, kClient, kServer };
enum class Flags : std::uint8_t { kVerification, kHostNames };

using Names = std::vector<std::vector<std::pair<std::string, std::string>>>;

struct Certificate {
  std::string der;
  Names subject, issuer;
  int version = 0;
  std::string serial_number, not_before, not_after;
  std::vector<std::pair<std::string, std::string>> alternative_names;  // kind, text
  std::vector<std::pair<std::string, Names>> alternative_directories;
  std::vector<std::string> status_servers, issuer_places, revocation_lists;
};

struct Cipher {
  std::string name, protocol, description;
  std::uint32_t id = 0;
  int secret_bits = 0, algorithm_bits = 0;
  bool authenticated = false;
  std::string symmetric, digest, key_exchange, authentication;  // empty: none
};

struct StoreCounts {
  int certificates = 0, authorities = 0, revocation_lists = 0;
};

// What a connection agreed on, so that another can begin sooner.
class Session {
 public:
  virtual ~Session() = default;
  virtual std::string id() const = 0;
  virtual std::int64_t time() const = 0;
  virtual std::int64_t timeout() const = 0;
  virtual bool has_ticket() const = 0;
  virtual std::int64_t ticket_lifetime() const = 0;
};

class Context;

class Connection {
 public:
  virtual ~Connection() = default;
  virtual Progress handshake() = 0;
  // Puts what came into `bytes`, at most `size`.
  virtual Progress read(std::size_t size, std::string& bytes) = 0;
  virtual Progress write(std::string_view bytes, std::size_t& written) = 0;
  virtual Progress shut() = 0;
  virtual std::size_t pending() const = 0;
  // For connections in memory: what came from the other side, and what is to be sent there.
  virtual void feed(std::string_view bytes) = 0;
  virtual void end_feed() = 0;
  virtual std::string take() = 0;

  virtual std::string version() const = 0;        // empty before the handshake
  virtual bool cipher(Cipher& cipher) const = 0;  // false before the handshake
  virtual std::vector<Cipher> shared_ciphers() const = 0;
  virtual std::string protocol() const = 0;  // chosen by ALPN, or empty
  virtual bool finished() const = 0;         // whether the handshake is over
  virtual bool peer(Certificate& certificate) const = 0;
  virtual std::string channel_binding(bool server) const = 0;
  virtual std::unique_ptr<Session> session() const = 0;
  virtual void set_session(const Session& session) = 0;
  virtual bool session_reused() const = 0;
  virtual void use_context(const Context& context) = 0;
  virtual void ask_for_certificate() = 0;  // a server, after the handshake
};

// Called with a server's name ("" for none): 0, or the alert with which to refuse.
using NameHandler = std::function<int(std::string_view name)>;
// Gives the password of a key.
using PasswordHandler = std::function<std::string()>;

class Context {
 public:
  virtual ~Context() = default;
  virtual std::uint64_t options() const = 0;
  virtual void set_options(std::uint64_t options) = 0;
  virtual int version_limit(bool highest) const = 0;  // 0: what the library has
  virtual bool set_version_limit(bool highest, int version) = 0;
  virtual int verification() const = 0;
  virtual void set_verification(int mode) = 0;
  virtual std::uint64_t flags(Flags which) const = 0;
  virtual void set_flags(Flags which, std::uint64_t flags) = 0;
  virtual int security_level() const = 0;
  virtual int tickets() const = 0;
  virtual void set_tickets(int count) = 0;
  // Whether a server may ask for a certificate after the handshake.
  virtual void set_later_authentication(bool allowed) = 0;
  virtual void trust_files(const char* file, const char* folder) = 0;
  virtual void trust_usual_places() = 0;
  virtual void trust(std::string_view bytes, bool pem) = 0;
  virtual StoreCounts trusted_counts() const = 0;
  virtual std::vector<Certificate> trusted_authorities() const = 0;
  virtual void use_certificate(const std::string& chain, const std::string& key,
                               const PasswordHandler& password) = 0;
  virtual bool set_ciphers(const std::string& rules) = 0;
  virtual std::vector<Cipher> ciphers() const = 0;
  virtual void set_protocols(std::string_view wire) = 0;
  virtual bool set_curve(const std::string& name) = 0;
  virtual void use_parameters(const std::string& file) = 0;
  virtual void set_key_log(const std::string& file) = 0;
  virtual std::vector<std::pair<const char*, std::int64_t>> session_counts() const = 0;
  // A connection over a descriptor, or in memory where it is -1. Names of hosts are checked where
  // `check` says so. `named` is called on servers while the handshake goes on.
  virtual std::unique_ptr<Connection> connect(int descriptor, bool server, const std::string& host,
                                              bool check, NameHandler named) = 0;
};

class Library {
 public:
  int contract = kContract;
  const char* version = "";  // of the program it belongs to
  virtual ~Library() = default;
  virtual std::unique_ptr<Context> open_context(Side side) const = 0;
  virtual Certificate read_certificate(const std::string& file) const = 0;
  virtual std::string library_version() const = 0;
  virtual std::uint64_t library_number() const = 0;
  virtual std::vector<std::string> usual_places() const = 0;
  virtual std::string random(std::size_t size) const = 0;
  virtual void stir(std::string_view bytes, double entropy) const = 0;
};

inline constexpr const char* kEntry = "strider_tls_entry";
using Entry = const Library*();

}  // namespace strider::tls
