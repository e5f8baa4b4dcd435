// The module _tls: secured connections, without waiting. ssl is written on it.
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/tls/plugin.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value open(const Parameters&) {
  tls_plugin();
  return Value::none();
}

Value read_certificate(const Parameters& p) {
  std::string file(to_text(p[0], "file"));
  return told(guarded_tls([&] { return tls_plugin().read_certificate(file); }));
}

Value random(const Parameters& p) {
  std::int64_t size = to_int64(p[0]);
  if (size < 0) raise(errors::ValueError, "num must be positive");
  return make<Bytes>(
      guarded_tls([&] { return tls_plugin().random(static_cast<std::size_t>(size)); }));
}

Value stir(const Parameters& p) {
  std::string_view bytes = is_str(p[0]) ? text_of(p[0]) : to_bytes(p[0]);
  tls_plugin().stir(bytes, to_double(p[1]));
  return Value::none();
}

Value usual_places(const Parameters&) {
  Values values;
  for (const std::string& each : tls_plugin().usual_places()) values.push_back(make_str(each));
  return make_tuple(std::move(values));
}

const NativeRow kFunctions[] = {
    {"open()", open, "ImportError where connections cannot be secured."},
    {"context(side, /)", make_tls_context,
     "A context for either side (0), clients (1), servers (2)."},
    {"read_certificate(file, /)", outside<read_certificate>, "What a file of PEM says."},
    {"random(size, /)", random, "Bytes that nobody can guess."},
    {"stir(data, entropy, /)", stir, "Adds to what random bytes are made of."},
    {"usual_places()", usual_places, "Variables and places of the system's certificates."},
    {"library_version()",
     [](const Parameters&) { return Value(make_str(tls_plugin().library_version())); },
     "What the library calls itself."},
    {"library_number()",
     [](const Parameters&) {
       return Value::integer(static_cast<std::int64_t>(tls_plugin().library_number()));
     },
     "The number of its version."},
};

}  // namespace

const NativeModule kTlsModule = {"_tls", "Secured connections, without waiting.", kFunctions, {}};

}  // namespace strider::lang
