// The plug-in that secures connections, opened when a program first needs it, and its values as
// values of the language.
#pragma once

#include <utility>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/value/value.h"
#include "tls/tls.h"

namespace strider::lang {

// ImportError, with the reason, where it cannot be opened: it was not built, or OpenSSL is not
// installed.
const tls::Library& tls_plugin();

// Raises an error of the library as the class of ssl that fits.
[[noreturn]] void raise_tls_error(const tls::Error& error);
// Calls the library; its errors are raised.
template <class Function>
auto guarded_tls(Function function) {
  try {
    return function();
  } catch (const tls::Error& error) {
    raise_tls_error(error);
  }
}

// (der, subject, issuer, version, serial number, not before, not after, names, status servers,
// places of issuers, places of revocation lists).
Value told(const tls::Certificate& certificate);
// (id, name, protocol, description, secret bits, bits, authenticated, symmetric, digest, exchange
// of keys, authentication).
Value told(const tls::Cipher& cipher);
Value told(const std::vector<tls::Cipher>& ciphers);

// _tls.Context(side): what connections are made of.
Value make_tls_context(const Parameters& p);
// A connection, which keeps its context.
Value make_tls_connection(std::unique_ptr<tls::Connection> connection, const Value& context);
const tls::Context& tls_context_of(const Value& value);

}  // namespace strider::lang
