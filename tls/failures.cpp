// What OpenSSL says went wrong, in its words.
#include <openssl/err.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "tls/handles.h"

namespace strider::tls {
namespace {

const char* library_name(unsigned long code) {
  switch (ERR_GET_LIB(code)) {
    case ERR_LIB_SSL:
      return "SSL";
    case ERR_LIB_X509:
      return "X509";
    case ERR_LIB_PEM:
      return "PEM";
    case ERR_LIB_SYS:
      return "SYS";
    case ERR_LIB_EVP:
      return "EVP";
    case ERR_LIB_ASN1:
      return "ASN1";
    default:
      return "";
  }
}

// Reasons are named as their words are: "no start line" is NO_START_LINE.
std::string reason_name(const char* words) {
  std::string name(words);
  for (char& each : name)
    each = std::isalnum(static_cast<unsigned char>(each)) != 0
               ? static_cast<char>(std::toupper(static_cast<unsigned char>(each)))
               : '_';
  return name;
}

// Why a certificate was refused.
std::string refusal(long verification, std::string_view host) {
  bool name = verification == X509_V_ERR_HOSTNAME_MISMATCH;
  if (!name && verification != X509_V_ERR_IP_ADDRESS_MISMATCH)
    return X509_verify_cert_error_string(verification);
  return std::string(name ? "Hostname" : "IP address") +
         " mismatch, certificate is not valid for '" + std::string(host) + "'.";
}

}  // namespace

Error make_failure(std::string_view words) { return Error(std::string(words)); }

void raise_system_failure(int number) {
  Error error(std::strerror(number));
  error.system_error = number;
  error.code = SSL_ERROR_SYSCALL;
  ERR_clear_error();
  throw error;
}

void raise_failure(const SSL* connection, int kind, std::string_view host) {
  unsigned long code = ERR_peek_last_error();
  if (ERR_GET_LIB(code) == ERR_LIB_SYS && ERR_GET_REASON(code) != 0)
    raise_system_failure(ERR_GET_REASON(code));
  const char* words = code != 0 ? ERR_reason_error_string(code) : nullptr;
  std::string library = library_name(code), reason = words ? reason_name(words) : "";
  std::string text = words ? words : "unknown error";
  bool refused = connection && ERR_GET_LIB(code) == ERR_LIB_SSL &&
                 ERR_GET_REASON(code) == SSL_R_CERTIFICATE_VERIFY_FAILED;
  long verification = refused ? SSL_get_verify_result(connection) : X509_V_OK;
  std::string why = refused ? refusal(verification, host) : "";
  if (refused) text += ": " + why;
  if (!reason.empty() && !library.empty()) text = "[" + library + ": " + reason + "] " + text;
  Error error(text);
  error.library = library;
  error.reason = reason;
  error.verification = why;
  error.verification_code = static_cast<int>(verification);
  error.code = kind;
  ERR_clear_error();
  throw error;
}

}  // namespace strider::tls
