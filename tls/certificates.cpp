// What certificates say.
#include <openssl/asn1.h>
#include <openssl/objects.h>
#include <openssl/x509v3.h>

#include "tls/handles.h"

namespace strider::tls {
namespace {

std::string text_of(BIO* memory) {
  char* start = nullptr;
  long size = BIO_get_mem_data(memory, &start);
  return std::string(start, static_cast<std::size_t>(std::max(size, 0L)));
}

OwnedBio open_memory() { return OwnedBio(BIO_new(BIO_s_mem())); }

std::string object_name(const ASN1_OBJECT* object) {
  int number = OBJ_obj2nid(object);
  if (number != NID_undef) return OBJ_nid2ln(number);
  char digits[128] = {};
  OBJ_obj2txt(digits, sizeof digits, object, 1);
  return digits;
}

std::string string_of(const ASN1_STRING* string) {
  unsigned char* bytes = nullptr;
  int size = ASN1_STRING_to_UTF8(&bytes, string);
  if (size < 0) return {};
  std::string text(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return text;
}

std::string plain_string(const ASN1_STRING* string) {
  return std::string(reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)),
                     static_cast<std::size_t>(ASN1_STRING_length(string)));
}

// Names that stand together are one part.
Names names_of(const X509_NAME* name) {
  Names parts;
  int set = -1;
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
    if (X509_NAME_ENTRY_set(entry) != set) parts.emplace_back();
    set = X509_NAME_ENTRY_set(entry);
    parts.back().emplace_back(object_name(X509_NAME_ENTRY_get_object(entry)),
                              string_of(X509_NAME_ENTRY_get_data(entry)));
  }
  return parts;
}

std::string time_text(const ASN1_TIME* time) {
  OwnedBio memory = open_memory();
  ASN1_TIME_print(memory.get(), time);
  return text_of(memory.get());
}

std::string serial_of(X509* certificate) {
  OwnedBio memory = open_memory();
  i2a_ASN1_INTEGER(memory.get(), X509_get0_serialNumber(certificate));
  return text_of(memory.get());
}

std::string printed_name(GENERAL_NAME* name) {
  OwnedBio memory = open_memory();
  GENERAL_NAME_print(memory.get(), name);
  return text_of(memory.get());
}

std::string address_text(const ASN1_OCTET_STRING* address) {
  const unsigned char* bytes = ASN1_STRING_get0_data(address);
  char text[64] = {};
  std::string words;
  int size = ASN1_STRING_length(address);
  if (size == 4) {
    for (int i = 0; i < 4; ++i) words += (i > 0 ? "." : "") + std::to_string(bytes[i]);
  } else if (size == 16) {
    for (int i = 0; i < 16; i += 2) {
      snprintf(text, sizeof text, "%s%X", i > 0 ? ":" : "", bytes[i] << 8 | bytes[i + 1]);
      words += text;
    }
  } else {
    words = "<invalid>";
  }
  return words;
}

void add_alternative(GENERAL_NAME* name, Certificate& told) {
  auto add = [&](const char* kind, std::string text) {
    told.alternative_names.emplace_back(kind, std::move(text));
  };
  char digits[128] = {};
  switch (name->type) {
    case GEN_DIRNAME:
      told.alternative_directories.emplace_back("DirName", names_of(name->d.dirn));
      add("DirName", "");  // its place; the names stand apart
      break;
    case GEN_EMAIL:
      return add("email", plain_string(name->d.rfc822Name));
    case GEN_DNS:
      return add("DNS", plain_string(name->d.dNSName));
    case GEN_URI:
      return add("URI", plain_string(name->d.uniformResourceIdentifier));
    case GEN_RID:
      i2t_ASN1_OBJECT(digits, sizeof digits, name->d.rid);
      return add("Registered ID", digits);
    case GEN_IPADD:
      return add("IP Address", address_text(name->d.iPAddress));
    default: {
      std::string words = printed_name(name);
      std::size_t colon = words.find(':');
      if (colon != std::string::npos)
        told.alternative_names.emplace_back(words.substr(0, colon), words.substr(colon + 1));
    }
  }
}

void add_alternatives(X509* certificate, Certificate& told) {
  auto* names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i)
    add_alternative(sk_GENERAL_NAME_value(names, i), told);
  GENERAL_NAMES_free(names);
}

void add_authorities(X509* certificate, Certificate& told) {
  auto* places = static_cast<AUTHORITY_INFO_ACCESS*>(
      X509_get_ext_d2i(certificate, NID_info_access, nullptr, nullptr));
  for (int i = 0; i < sk_ACCESS_DESCRIPTION_num(places); ++i) {
    const ACCESS_DESCRIPTION* place = sk_ACCESS_DESCRIPTION_value(places, i);
    if (place->location->type != GEN_URI) continue;
    std::string text = plain_string(place->location->d.uniformResourceIdentifier);
    int method = OBJ_obj2nid(place->method);
    if (method == NID_ad_OCSP) told.status_servers.push_back(text);
    if (method == NID_ad_ca_issuers) told.issuer_places.push_back(text);
  }
  AUTHORITY_INFO_ACCESS_free(places);
}

void add_revocations(X509* certificate, Certificate& told) {
  auto* points = static_cast<CRL_DIST_POINTS*>(
      X509_get_ext_d2i(certificate, NID_crl_distribution_points, nullptr, nullptr));
  for (int i = 0; i < sk_DIST_POINT_num(points); ++i) {
    const DIST_POINT* point = sk_DIST_POINT_value(points, i);
    if (!point->distpoint || point->distpoint->type != 0) continue;
    GENERAL_NAMES* names = point->distpoint->name.fullname;
    for (int k = 0; k < sk_GENERAL_NAME_num(names); ++k) {
      GENERAL_NAME* name = sk_GENERAL_NAME_value(names, k);
      if (name->type == GEN_URI)
        told.revocation_lists.push_back(plain_string(name->d.uniformResourceIdentifier));
    }
  }
  CRL_DIST_POINTS_free(points);
}

std::string der_of(X509* certificate) {
  unsigned char* bytes = nullptr;
  int size = i2d_X509(certificate, &bytes);
  if (size < 0) raise_failure();
  std::string der(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

}  // namespace

Certificate read_certificate(X509* certificate) {
  Certificate told;
  told.der = der_of(certificate);
  told.subject = names_of(X509_get_subject_name(certificate));
  told.issuer = names_of(X509_get_issuer_name(certificate));
  told.version = static_cast<int>(X509_get_version(certificate)) + 1;
  told.serial_number = serial_of(certificate);
  told.not_before = time_text(X509_get0_notBefore(certificate));
  told.not_after = time_text(X509_get0_notAfter(certificate));
  add_alternatives(certificate, told);
  add_authorities(certificate, told);
  add_revocations(certificate, told);
  return told;
}

}  // namespace strider::tls
