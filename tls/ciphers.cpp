// What there is to tell of ciphers.
#include <openssl/objects.h>

#include <algorithm>

#include "tls/handles.h"

namespace strider::tls {
namespace {

std::string long_name(int number) { return number == NID_undef ? "" : OBJ_nid2ln(number); }

}  // namespace

Cipher describe(const SSL_CIPHER* cipher) {
  Cipher told;
  told.name = SSL_CIPHER_get_name(cipher);
  told.protocol = SSL_CIPHER_get_version(cipher);
  told.id = SSL_CIPHER_get_id(cipher);
  told.secret_bits = SSL_CIPHER_get_bits(cipher, &told.algorithm_bits);
  char words[256] = {};
  SSL_CIPHER_description(cipher, words, sizeof words);
  told.description = words;
  while (!told.description.empty() && told.description.back() == '\n') told.description.pop_back();
  told.authenticated = SSL_CIPHER_is_aead(cipher) != 0;
  told.symmetric = long_name(SSL_CIPHER_get_cipher_nid(cipher));
  told.digest = long_name(SSL_CIPHER_get_digest_nid(cipher));
  told.key_exchange = long_name(SSL_CIPHER_get_kx_nid(cipher));
  told.authentication = long_name(SSL_CIPHER_get_auth_nid(cipher));
  return told;
}

std::vector<Cipher> describe_all(const STACK_OF(SSL_CIPHER) * ciphers) {
  std::vector<Cipher> told;
  for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); ++i)
    told.push_back(describe(sk_SSL_CIPHER_value(ciphers, i)));
  return told;
}

}  // namespace strider::tls
