// Opens the plug-in for secure connections and translates what it tells.
#include "interpreter/builtins/tls/plugin.h"

#include "interpreter/builtins/plugin_file.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value text_or_none(const std::string& text) {
  return text.empty() ? Value::none() : Value(make_str(text));
}

Value texts(const std::vector<std::string>& all) {
  Values values;
  for (const std::string& each : all) values.push_back(make_str(each));
  return make_tuple(std::move(values));
}

Value names(const tls::Names& parts) {
  Values outer;
  for (const auto& part : parts) {
    Values inner;
    for (const auto& [kind, text] : part)
      inner.push_back(make_tuple({Value(make_str(kind)), Value(make_str(text))}));
    outer.push_back(make_tuple(std::move(inner)));
  }
  return make_tuple(std::move(outer));
}

Value alternative_names(const tls::Certificate& certificate) {
  Values values;
  std::size_t directory = 0;
  for (const auto& [kind, text] : certificate.alternative_names) {
    Value name = kind == "DirName"
                     ? names(certificate.alternative_directories.at(directory++).second)
                     : Value(make_str(text));
    values.push_back(make_tuple({Value(make_str(kind)), name}));
  }
  return make_tuple(std::move(values));
}

}  // namespace

const tls::Library& tls_plugin() {
  static const auto opened = open_plugin<tls::Library>("libstrider_tls.so", tls::kEntry, "OpenSSL",
                                                       tls::kContract, STRIDER_VERSION);
  if (!opened.offer) raise(errors::ImportError, "connections cannot be secured: {}", opened.reason);
  return *opened.offer;
}

void raise_tls_error(const tls::Error& error) {
  if (error.system_error != 0) raise_os_error(error.system_error);
  bool refused = !error.verification.empty();
  Value cls = get_attribute(import_module("ssl"),
                            intern(refused ? "SSLCertVerificationError" : "SSLError"));
  Value made = call(cls, Value::integer(error.code), Value(make_str(error.what())));
  set_attribute(made, intern("library"), text_or_none(error.library));
  set_attribute(made, intern("reason"), text_or_none(error.reason));
  if (refused) {
    set_attribute(made, intern("verify_code"), Value::integer(error.verification_code));
    set_attribute(made, intern("verify_message"), Value(make_str(error.verification)));
  }
  raise_exception(Ref<Exception>(made.as<Exception>()));
}

Value told(const tls::Certificate& certificate) {
  return make_tuple(
      {Value(make<Bytes>(certificate.der)), names(certificate.subject), names(certificate.issuer),
       Value::integer(certificate.version), Value(make_str(certificate.serial_number)),
       Value(make_str(certificate.not_before)), Value(make_str(certificate.not_after)),
       alternative_names(certificate), texts(certificate.status_servers),
       texts(certificate.issuer_places), texts(certificate.revocation_lists)});
}

Value told(const tls::Cipher& cipher) {
  return make_tuple({Value::integer(cipher.id), Value(make_str(cipher.name)),
                     Value(make_str(cipher.protocol)), Value(make_str(cipher.description)),
                     Value::integer(cipher.secret_bits), Value::integer(cipher.algorithm_bits),
                     Value::boolean(cipher.authenticated), text_or_none(cipher.symmetric),
                     text_or_none(cipher.digest), text_or_none(cipher.key_exchange),
                     text_or_none(cipher.authentication)});
}

Value told(const std::vector<tls::Cipher>& ciphers) {
  Values values;
  for (const tls::Cipher& each : ciphers) values.push_back(told(each));
  return make_list(std::move(values));
}

}  // namespace strider::lang
