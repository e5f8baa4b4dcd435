// Owners of what OpenSSL hands out, and its failures as errors.
#pragma once

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string_view>

#include "tls/tls.h"

namespace strider::tls {

template <auto kFree>
struct Freeing {
  template <class Thing>
  void operator()(Thing* thing) const {
    kFree(thing);
  }
};
using OwnedContext = std::unique_ptr<SSL_CTX, Freeing<SSL_CTX_free>>;
using OwnedConnection = std::unique_ptr<SSL, Freeing<SSL_free>>;
using OwnedSession = std::unique_ptr<SSL_SESSION, Freeing<SSL_SESSION_free>>;
using OwnedCertificate = std::unique_ptr<X509, Freeing<X509_free>>;
using OwnedBio = std::unique_ptr<BIO, Freeing<BIO_free_all>>;

// Raises what the library noted last; a certificate that was refused is told from `connection`.
[[noreturn]] void raise_failure(const SSL* connection = nullptr, int kind = SSL_ERROR_SSL,
                                std::string_view host = {});
// Raises a failure of the system.
[[noreturn]] void raise_system_failure(int number);
// A failure in words of our own.
Error make_failure(std::string_view words);

Certificate read_certificate(X509* certificate);
Cipher describe(const SSL_CIPHER* cipher);
std::vector<Cipher> describe_all(const STACK_OF(SSL_CIPHER) * ciphers);

// A context and the handlers that connections made of it use.
std::unique_ptr<Context> open_context(Side side);
SSL_CTX* handle_of(const Context& context);
struct Opening {
  int descriptor;  // -1: in memory
  bool server, check_host, later_authentication;
  const std::string& host;
};
std::unique_ptr<Connection> open_connection(SSL_CTX* context, const Opening& opening,
                                            NameHandler named);
// The servername callback of contexts: asks the handler of the connection.
int answer_name(SSL* connection, int* alert, void*);

}  // namespace strider::tls
