// The door of the plug-in: what the program calls.
#include <openssl/crypto.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

#include <cerrno>

#include "tls/handles.h"

namespace strider::tls {
namespace {

class OpenLibrary final : public Library {
 public:
  OpenLibrary() { version = STRIDER_VERSION; }
  std::unique_ptr<Context> open_context(Side side) const override {
    return tls::open_context(side);
  }
  Certificate read_certificate(const std::string& file) const override {
    OwnedBio source(BIO_new_file(file.c_str(), "r"));
    if (!source) raise_system_failure(errno);
    OwnedCertificate found(PEM_read_bio_X509(source.get(), nullptr, nullptr, nullptr));
    if (!found) raise_failure();
    return tls::read_certificate(found.get());
  }
  std::string library_version() const override { return OpenSSL_version(OPENSSL_VERSION); }
  std::uint64_t library_number() const override { return OpenSSL_version_num(); }
  std::vector<std::string> usual_places() const override {
    return {X509_get_default_cert_file_env(), X509_get_default_cert_file(),
            X509_get_default_cert_dir_env(), X509_get_default_cert_dir()};
  }
  std::string random(std::size_t size) const override {
    std::string bytes(size, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size)) != 1)
      raise_failure();
    return bytes;
  }
  void stir(std::string_view bytes, double entropy) const override {
    RAND_add(bytes.data(), static_cast<int>(bytes.size()), entropy);
  }
};

}  // namespace
}  // namespace strider::tls

extern "C" __attribute__((visibility("default"))) const strider::tls::Library* strider_tls_entry() {
  static const strider::tls::OpenLibrary library;
  return &library;
}
