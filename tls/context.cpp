// Contexts: certificates, rules, and what connections are made of.
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tls/handles.h"

namespace strider::tls {
namespace {

constexpr const char* kUsualCiphers =
    "@SECLEVEL=2:ECDH+AESGCM:ECDH+CHACHA20:ECDH+AES:DHE+AES:!aNULL:!eNULL:!aDSS:!SHA1:!AESCCM";
constexpr std::string_view kSessionRoom = "Strider";

// Gives OpenSSL a password; what the handler throws is kept until OpenSSL has returned.
struct PasswordQuestion {
  const PasswordHandler& handler;
  std::exception_ptr thrown;
};

int answer_password(char* buffer, int size, int, void* data) {
  auto* question = static_cast<PasswordQuestion*>(data);
  try {
    std::string password = question->handler();
    if (password.size() > static_cast<std::size_t>(size))
      throw make_failure("password cannot be longer than " + std::to_string(size) + " bytes");
    std::memcpy(buffer, password.data(), password.size());
    return static_cast<int>(password.size());
  } catch (...) {
    question->thrown = std::current_exception();
    return -1;
  }
}

class OpenContext final : public Context {
 public:
  explicit OpenContext(Side side);
  std::uint64_t options() const override { return SSL_CTX_get_options(get()); }
  void set_options(std::uint64_t options) override {
    std::uint64_t now = SSL_CTX_get_options(get());
    SSL_CTX_clear_options(get(), now & ~options);
    SSL_CTX_set_options(get(), options & ~now);
  }
  int version_limit(bool highest) const override {
    return static_cast<int>(highest ? SSL_CTX_get_max_proto_version(get())
                                    : SSL_CTX_get_min_proto_version(get()));
  }
  bool set_version_limit(bool highest, int version) override {
    return (highest ? SSL_CTX_set_max_proto_version(get(), version)
                    : SSL_CTX_set_min_proto_version(get(), version)) != 0;
  }
  int verification() const override { return SSL_CTX_get_verify_mode(get()); }
  void set_verification(int mode) override { SSL_CTX_set_verify(get(), mode, nullptr); }
  std::uint64_t flags(Flags which) const override {
    X509_VERIFY_PARAM* rules = SSL_CTX_get0_param(get());
    return which == Flags::kHostNames ? X509_VERIFY_PARAM_get_hostflags(rules)
                                      : X509_VERIFY_PARAM_get_flags(rules);
  }
  void set_flags(Flags which, std::uint64_t flags) override;
  int security_level() const override { return SSL_CTX_get_security_level(get()); }
  int tickets() const override { return static_cast<int>(SSL_CTX_get_num_tickets(get())); }
  void set_tickets(int count) override {
    SSL_CTX_set_num_tickets(get(), static_cast<std::size_t>(count));
  }
  void set_later_authentication(bool allowed) override { later_authentication_ = allowed; }
  void trust_files(const char* file, const char* folder) override;
  void trust_usual_places() override {
    if (SSL_CTX_set_default_verify_paths(get()) != 1) raise_failure();
  }
  void trust(std::string_view bytes, bool pem) override;
  StoreCounts trusted_counts() const override;
  std::vector<Certificate> trusted_authorities() const override;
  void use_certificate(const std::string& chain, const std::string& key,
                       const PasswordHandler& password) override;
  bool set_ciphers(const std::string& rules) override {
    bool set = SSL_CTX_set_cipher_list(get(), rules.c_str()) == 1;
    ERR_clear_error();
    return set;
  }
  std::vector<Cipher> ciphers() const override {
    OwnedConnection probe(SSL_new(get()));
    if (!probe) raise_failure();
    return describe_all(SSL_get_ciphers(probe.get()));
  }
  void set_protocols(std::string_view wire) override;
  bool set_curve(const std::string& name) override {
    int number = OBJ_sn2nid(name.c_str());
    if (number == NID_undef) return false;
    if (SSL_CTX_set1_groups(get(), &number, 1) != 1) raise_failure();
    return true;
  }
  void use_parameters(const std::string& file) override;
  void set_key_log(const std::string& file) override;
  std::vector<std::pair<const char*, std::int64_t>> session_counts() const override;
  std::unique_ptr<Connection> connect(int descriptor, bool server, const std::string& host,
                                      bool check, NameHandler named) override {
    Opening opening{descriptor, server, check, later_authentication_, host};
    return open_connection(get(), opening, std::move(named));
  }
  SSL_CTX* get() const { return context_.get(); }

 private:
  static int choose_protocol(SSL* connection, const unsigned char** chosen, unsigned char* size,
                             const unsigned char* offered, unsigned int offered_size, void*);
  static void log_key(const SSL* connection, const char* line);

  OwnedContext context_;
  bool later_authentication_ = false;
  std::string protocols_;
  std::unique_ptr<FILE, Freeing<fclose>> key_log_;
};

const SSL_METHOD* method_of(Side side) {
  if (side == Side::kClient) return TLS_client_method();
  return side == Side::kServer ? TLS_server_method() : TLS_method();
}

OpenContext::OpenContext(Side side) : context_(SSL_CTX_new(method_of(side))) {
  if (!context_) raise_failure();
  SSL_CTX_set_app_data(get(), this);
  SSL_CTX_set_options(get(), (SSL_OP_ALL & ~SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS) | SSL_OP_NO_SSLv3 |
                                 SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                 SSL_OP_SINGLE_DH_USE | SSL_OP_SINGLE_ECDH_USE |
                                 SSL_OP_ENABLE_MIDDLEBOX_COMPAT);
  SSL_CTX_set_mode(get(), SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_min_proto_version(get(), TLS1_2_VERSION);
  if (!set_ciphers(kUsualCiphers)) throw make_failure("No cipher can be selected.");
  SSL_CTX_set_session_id_context(get(), reinterpret_cast<const unsigned char*>(kSessionRoom.data()),
                                 static_cast<unsigned int>(kSessionRoom.size()));
  X509_VERIFY_PARAM* rules = SSL_CTX_get0_param(get());
  X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_TRUSTED_FIRST);
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  SSL_CTX_set_tlsext_servername_callback(get(), answer_name);
}

void OpenContext::set_flags(Flags which, std::uint64_t flags) {
  X509_VERIFY_PARAM* rules = SSL_CTX_get0_param(get());
  if (which == Flags::kHostNames)
    return X509_VERIFY_PARAM_set_hostflags(rules, static_cast<unsigned int>(flags));
  X509_VERIFY_PARAM_clear_flags(rules, X509_VERIFY_PARAM_get_flags(rules) & ~flags);
  if (X509_VERIFY_PARAM_set_flags(rules, flags) != 1) raise_failure();
}

void OpenContext::trust_files(const char* file, const char* folder) {
  errno = 0;
  if (SSL_CTX_load_verify_locations(get(), file, folder) == 1) return;
  if (errno != 0) raise_system_failure(errno);
  raise_failure();
}

void OpenContext::trust(std::string_view bytes, bool pem) {
  OwnedBio source(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
  X509_STORE* store = SSL_CTX_get_cert_store(get());
  int count = 0;
  ERR_clear_error();
  while (true) {
    OwnedCertificate found(pem ? PEM_read_bio_X509(source.get(), nullptr, nullptr, nullptr)
                               : d2i_X509_bio(source.get(), nullptr));
    if (!found) break;
    if (X509_STORE_add_cert(store, found.get()) != 1) raise_failure();
    ++count;
  }
  unsigned long last = ERR_peek_last_error();
  bool ended = pem ? ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE
                   : BIO_ctrl_pending(source.get()) == 0;
  if (count == 0)
    throw make_failure(std::string(pem ? "no start line" : "not enough data") +
                       ": cadata does not contain a certificate");
  if (!ended) raise_failure();
  ERR_clear_error();
}

StoreCounts OpenContext::trusted_counts() const {
  StoreCounts counts;
  STACK_OF(X509_OBJECT)* objects = X509_STORE_get0_objects(SSL_CTX_get_cert_store(get()));
  for (int i = 0; i < sk_X509_OBJECT_num(objects); ++i) {
    X509_OBJECT* object = sk_X509_OBJECT_value(objects, i);
    if (X509_OBJECT_get_type(object) == X509_LU_CRL) ++counts.revocation_lists;
    if (X509_OBJECT_get_type(object) != X509_LU_X509) continue;
    ++counts.certificates;
    if (X509_check_ca(X509_OBJECT_get0_X509(object)) != 0) ++counts.authorities;
  }
  return counts;
}

std::vector<Certificate> OpenContext::trusted_authorities() const {
  std::vector<Certificate> found;
  STACK_OF(X509_OBJECT)* objects = X509_STORE_get0_objects(SSL_CTX_get_cert_store(get()));
  for (int i = 0; i < sk_X509_OBJECT_num(objects); ++i) {
    X509* certificate = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(objects, i));
    if (certificate && X509_check_ca(certificate) != 0)
      found.push_back(read_certificate(certificate));
  }
  return found;
}

void OpenContext::use_certificate(const std::string& chain, const std::string& key,
                                  const PasswordHandler& password) {
  PasswordQuestion question{password, nullptr};
  struct Asking {
    ~Asking() {
      SSL_CTX_set_default_passwd_cb(context, nullptr);
      SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
    }
    SSL_CTX* context;
  } asking{get()};
  if (password) {
    SSL_CTX_set_default_passwd_cb(get(), answer_password);
    SSL_CTX_set_default_passwd_cb_userdata(get(), &question);
  }
  auto require = [&](int result) {
    if (question.thrown) std::rethrow_exception(question.thrown);
    if (result == 1) return;
    if (errno != 0) raise_system_failure(errno);
    raise_failure();
  };
  ERR_clear_error();
  errno = 0;
  require(SSL_CTX_use_certificate_chain_file(get(), chain.c_str()));
  errno = 0;
  require(SSL_CTX_use_PrivateKey_file(get(), key.c_str(), SSL_FILETYPE_PEM));
  errno = 0;
  require(SSL_CTX_check_private_key(get()));
}

int OpenContext::choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                                 const unsigned char* offered, unsigned int offered_size,
                                 void* data) {
  const std::string& known = static_cast<OpenContext*>(data)->protocols_;
  unsigned char* found = nullptr;
  int result =
      SSL_select_next_proto(&found, size, reinterpret_cast<const unsigned char*>(known.data()),
                            static_cast<unsigned int>(known.size()), offered, offered_size);
  *chosen = found;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

void OpenContext::set_protocols(std::string_view wire) {
  protocols_ = wire;
  auto* bytes = reinterpret_cast<const unsigned char*>(protocols_.data());
  if (SSL_CTX_set_alpn_protos(get(), bytes, static_cast<unsigned int>(protocols_.size())) != 0)
    raise_failure();
  SSL_CTX_set_alpn_select_cb(get(), choose_protocol, this);
}

void OpenContext::use_parameters(const std::string& file) {
  OwnedBio source(BIO_new_file(file.c_str(), "r"));
  if (!source) raise_system_failure(errno);
  EVP_PKEY* parameters = PEM_read_bio_Parameters(source.get(), nullptr);
  if (!parameters) {
    ERR_clear_error();
    Error error("[PEM: NO_START_LINE] no start line");
    error.library = "PEM";
    error.reason = "NO_START_LINE";
    throw error;
  }
  if (SSL_CTX_set0_tmp_dh_pkey(get(), parameters) == 1) return;
  EVP_PKEY_free(parameters);
  raise_failure();
}

void OpenContext::log_key(const SSL* connection, const char* line) {
  auto* context = static_cast<OpenContext*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(connection)));
  if (!context || !context->key_log_) return;
  std::fprintf(context->key_log_.get(), "%s\n", line);
  std::fflush(context->key_log_.get());
}

void OpenContext::set_key_log(const std::string& file) {
  key_log_.reset();
  SSL_CTX_set_keylog_callback(get(), nullptr);
  if (file.empty()) return;
  key_log_.reset(std::fopen(file.c_str(), "ae"));
  if (!key_log_) raise_system_failure(errno);
  std::fseek(key_log_.get(), 0, SEEK_END);
  if (std::ftell(key_log_.get()) == 0) std::fputs("# Secrets of TLS connections\n", key_log_.get());
  std::fflush(key_log_.get());
  SSL_CTX_set_keylog_callback(get(), log_key);
}

std::vector<std::pair<const char*, std::int64_t>> OpenContext::session_counts() const {
  return {{"number", SSL_CTX_sess_number(get())},
          {"connect", SSL_CTX_sess_connect(get())},
          {"connect_good", SSL_CTX_sess_connect_good(get())},
          {"connect_renegotiate", SSL_CTX_sess_connect_renegotiate(get())},
          {"accept", SSL_CTX_sess_accept(get())},
          {"accept_good", SSL_CTX_sess_accept_good(get())},
          {"accept_renegotiate", SSL_CTX_sess_accept_renegotiate(get())},
          {"hits", SSL_CTX_sess_hits(get())},
          {"misses", SSL_CTX_sess_misses(get())},
          {"timeouts", SSL_CTX_sess_timeouts(get())},
          {"cache_full", SSL_CTX_sess_cache_full(get())}};
}

}  // namespace

SSL_CTX* handle_of(const Context& context) {
  return static_cast<const OpenContext&>(context).get();
}

std::unique_ptr<Context> open_context(Side side) { return std::make_unique<OpenContext>(side); }

}  // namespace strider::tls
