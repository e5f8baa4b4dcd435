// One secured connection.
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "tls/handles.h"

namespace strider::tls {
namespace {

constexpr std::size_t kLongestBinding = 128;  // bytes

// While it lives, calls on a descriptor do not wait.
class Impatient {
 public:
  explicit Impatient(int descriptor)
      : descriptor_(descriptor), flags_(descriptor < 0 ? -1 : fcntl(descriptor, F_GETFL)) {
    if (flags_ >= 0) fcntl(descriptor_, F_SETFL, flags_ | O_NONBLOCK);
  }
  ~Impatient() {
    if (flags_ >= 0) fcntl(descriptor_, F_SETFL, flags_);
  }
  Impatient(const Impatient&) = delete;

 private:
  int descriptor_, flags_;
};

class OpenSession final : public Session {
 public:
  explicit OpenSession(SSL_SESSION* session) : session_(session) {}
  std::string id() const override {
    unsigned int size = 0;
    const unsigned char* bytes = SSL_SESSION_get_id(session_.get(), &size);
    return std::string(reinterpret_cast<const char*>(bytes), size);
  }
  std::int64_t time() const override { return SSL_SESSION_get_time(session_.get()); }
  std::int64_t timeout() const override { return SSL_SESSION_get_timeout(session_.get()); }
  bool has_ticket() const override { return SSL_SESSION_has_ticket(session_.get()) != 0; }
  std::int64_t ticket_lifetime() const override {
    return static_cast<std::int64_t>(SSL_SESSION_get_ticket_lifetime_hint(session_.get()));
  }
  SSL_SESSION* get() const { return session_.get(); }

 private:
  OwnedSession session_;
};

class OpenConnection final : public Connection {
 public:
  OpenConnection(SSL_CTX* context, int descriptor, NameHandler named)
      : ssl_(SSL_new(context)), descriptor_(descriptor), named_(std::move(named)) {
    if (!ssl_) raise_failure();
    SSL_set_app_data(ssl_.get(), this);
    SSL_set_mode(ssl_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                 SSL_MODE_AUTO_RETRY);
    if (descriptor_ >= 0) {
      if (SSL_set_fd(ssl_.get(), descriptor_) != 1) raise_failure();
      return;
    }
    incoming_ = BIO_new(BIO_s_mem());
    outgoing_ = BIO_new(BIO_s_mem());
    BIO_set_mem_eof_return(incoming_, -1);
    SSL_set_bio(ssl_.get(), incoming_, outgoing_);  // they belong to the connection now
  }

  // A session stays of use though nobody said that its connection ends.
  ~OpenConnection() override {
    SSL_set_shutdown(ssl_.get(), SSL_SENT_SHUTDOWN | SSL_get_shutdown(ssl_.get()));
  }

  void begin(const Opening& opening) {
    host_ = opening.host;
    if (!host_.empty()) set_host(host_, opening.check_host);
    int mode = SSL_get_verify_mode(ssl_.get());
    if (opening.later_authentication && !opening.server)
      SSL_set_post_handshake_auth(ssl_.get(), 1);
    else if (opening.later_authentication && (mode & SSL_VERIFY_PEER))
      SSL_set_verify(ssl_.get(), mode | SSL_VERIFY_POST_HANDSHAKE, nullptr);
    if (opening.server)
      SSL_set_accept_state(ssl_.get());
    else
      SSL_set_connect_state(ssl_.get());
  }

  Progress handshake() override {
    return step([&] { return SSL_do_handshake(ssl_.get()); });
  }
  Progress read(std::size_t size, std::string& bytes) override;
  Progress write(std::string_view bytes, std::size_t& written) override {
    if (bytes.empty()) return Progress::kDone;
    return step([&] { return SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written); });
  }
  Progress shut() override {
    // The first call says that this side ends, the second asks whether the other one does.
    return step([&] {
      int result = SSL_shutdown(ssl_.get());
      return result != 0 ? result : SSL_shutdown(ssl_.get());
    });
  }
  std::size_t pending() const override {
    return static_cast<std::size_t>(std::max(SSL_pending(ssl_.get()), 0));
  }
  void feed(std::string_view bytes) override {
    BIO_write(incoming_, bytes.data(), static_cast<int>(bytes.size()));
  }
  void end_feed() override { BIO_set_mem_eof_return(incoming_, 0); }
  std::string take() override {
    std::string bytes(BIO_ctrl_pending(outgoing_), '\0');
    if (!bytes.empty()) BIO_read(outgoing_, bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }

  std::string version() const override {
    return finished() ? SSL_get_version(ssl_.get()) : std::string();
  }
  bool cipher(Cipher& cipher) const override {
    const SSL_CIPHER* current = SSL_get_current_cipher(ssl_.get());
    if (current) cipher = describe(current);
    return current != nullptr;
  }
  std::vector<Cipher> shared_ciphers() const override;
  std::string protocol() const override {
    const unsigned char* bytes = nullptr;
    unsigned int size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &bytes, &size);
    return std::string(reinterpret_cast<const char*>(bytes), size);
  }
  bool finished() const override { return SSL_is_init_finished(ssl_.get()) != 0; }
  bool peer(Certificate& certificate) const override {
    OwnedCertificate found(SSL_get1_peer_certificate(ssl_.get()));
    if (found) certificate = read_certificate(found.get());
    return found != nullptr;
  }
  std::string channel_binding(bool server) const override;
  std::unique_ptr<Session> session() const override {
    SSL_SESSION* found = SSL_get1_session(ssl_.get());
    return found ? std::make_unique<OpenSession>(found) : nullptr;
  }
  void set_session(const Session& session) override {
    if (SSL_set_session(ssl_.get(), static_cast<const OpenSession&>(session).get()) != 1)
      raise_failure();
  }
  bool session_reused() const override { return SSL_session_reused(ssl_.get()) != 0; }
  void use_context(const Context& context) override {
    SSL_set_SSL_CTX(ssl_.get(), handle_of(context));
  }
  void ask_for_certificate() override {
    if (SSL_verify_client_post_handshake(ssl_.get()) != 1) raise_failure();
  }
  int answer(std::string_view name) { return named_ ? named_(name) : 0; }
  bool has_handler() const { return static_cast<bool>(named_); }

 private:
  void set_host(const std::string& host, bool check) {
    X509_VERIFY_PARAM* rules = SSL_get0_param(ssl_.get());
    ASN1_OCTET_STRING* address = a2i_IPADDRESS(host.c_str());
    ASN1_OCTET_STRING_free(address);
    // Addresses of numbers are not sent as names.
    if (!address && SSL_set_tlsext_host_name(ssl_.get(), host.c_str()) != 1) raise_failure();
    if (!check) return;
    int set = address ? X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str())
                      : X509_VERIFY_PARAM_set1_host(rules, host.data(), host.size());
    if (set != 1) raise_failure();
  }

  template <class Call>
  Progress step(Call call) {
    int result, kind, number;
    {
      Impatient impatient(descriptor_);
      ERR_clear_error();
      errno = 0;
      result = call();
      number = errno;
      kind = SSL_get_error(ssl_.get(), result);
    }
    switch (kind) {
      case SSL_ERROR_NONE:
        return Progress::kDone;
      case SSL_ERROR_WANT_READ:
        return Progress::kWantsToRead;
      case SSL_ERROR_WANT_WRITE:
        return Progress::kWantsToWrite;
      case SSL_ERROR_ZERO_RETURN:
        return Progress::kClosed;
      case SSL_ERROR_SYSCALL:
        if (ERR_peek_last_error() != 0) break;
        if (result == 0 || number == 0) return Progress::kCut;
        raise_system_failure(number);
      default:
        break;
    }
    if (ERR_GET_LIB(ERR_peek_last_error()) == ERR_LIB_SSL &&
        ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
      return Progress::kCut;
    raise_failure(ssl_.get(), kind, host_);
  }

  OwnedConnection ssl_;
  int descriptor_;
  NameHandler named_;
  std::string host_;
  BIO* incoming_ = nullptr;
  BIO* outgoing_ = nullptr;
};

Progress OpenConnection::read(std::size_t size, std::string& bytes) {
  if (size == 0) return Progress::kDone;
  // A call gives no more than a record, however much is asked for.
  bytes.resize(std::min<std::size_t>(size, SSL3_RT_MAX_PLAIN_LENGTH));
  std::size_t got = 0;
  Progress progress =
      step([&] { return SSL_read_ex(ssl_.get(), bytes.data(), bytes.size(), &got); });
  bytes.resize(progress == Progress::kDone ? got : 0);
  // The other side ended and this one did not: the end of what there is to read.
  bool ended =
      progress == Progress::kClosed && SSL_get_shutdown(ssl_.get()) == SSL_RECEIVED_SHUTDOWN;
  return ended ? Progress::kDone : progress;
}

std::vector<Cipher> OpenConnection::shared_ciphers() const {
  STACK_OF(SSL_CIPHER)* theirs = SSL_get_client_ciphers(ssl_.get());
  STACK_OF(SSL_CIPHER)* ours = SSL_get_ciphers(ssl_.get());
  std::vector<Cipher> shared;
  for (int i = 0; theirs && i < sk_SSL_CIPHER_num(theirs); ++i)
    if (sk_SSL_CIPHER_find(ours, sk_SSL_CIPHER_value(theirs, i)) >= 0)
      shared.push_back(describe(sk_SSL_CIPHER_value(theirs, i)));
  return shared;
}

std::string OpenConnection::channel_binding(bool server) const {
  std::string bytes(kLongestBinding, '\0');
  // What the side that began sent as its last message: a resumed session begins at the server.
  bool own = (SSL_session_reused(ssl_.get()) != 0) != !server;
  std::size_t size = own ? SSL_get_finished(ssl_.get(), bytes.data(), bytes.size())
                         : SSL_get_peer_finished(ssl_.get(), bytes.data(), bytes.size());
  bytes.resize(std::min(size, bytes.size()));
  return bytes;
}

}  // namespace

int answer_name(SSL* connection, int* alert, void*) {
  auto* object = static_cast<OpenConnection*>(SSL_get_app_data(connection));
  if (!object || !object->has_handler()) return SSL_TLSEXT_ERR_NOACK;
  const char* name = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
  int refusal = object->answer(name ? name : "");
  if (refusal == 0) return SSL_TLSEXT_ERR_OK;
  *alert = refusal;
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

std::unique_ptr<Connection> open_connection(SSL_CTX* context, const Opening& opening,
                                            NameHandler named) {
  auto made = std::make_unique<OpenConnection>(context, opening.descriptor, std::move(named));
  made->begin(opening);
  return made;
}

}  // namespace strider::tls
