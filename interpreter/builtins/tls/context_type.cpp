// _tls.Context: certificates and rules for connections.
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/tls/plugin.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class ContextObject final : public Object {
 public:
  explicit ContextObject(std::unique_ptr<tls::Context> context)
      : Object(Layout::kOther, &type_object()), context(std::move(context)) {}
  static Type& type_object();
  std::unique_ptr<tls::Context> context;
};

tls::Context& of(const Parameters& p) { return *p[0].as<ContextObject>()->context; }

std::string text(const Value& value) { return std::string(to_text(value, "argument")); }

// A method without arguments that tells a number, or True or False.
template <auto kMethod>
Value ask(const Parameters& p) {
  return Value::integer(static_cast<std::int64_t>((of(p).*kMethod)()));
}

// A method that is given a number.
template <auto kMethod, class Number>
Value set(const Parameters& p) {
  guarded_tls([&] { (of(p).*kMethod)(static_cast<Number>(to_int64(p[1]))); });
  return Value::none();
}

Value version_limit(const Parameters& p) {
  return Value::integer(of(p).version_limit(truth(p[1])));
}

Value set_version_limit(const Parameters& p) {
  return Value::boolean(of(p).set_version_limit(truth(p[1]), static_cast<int>(to_int64(p[2]))));
}

tls::Flags which(const Value& host_names) {
  return truth(host_names) ? tls::Flags::kHostNames : tls::Flags::kVerification;
}

Value flags(const Parameters& p) {
  return Value::integer(static_cast<std::int64_t>(of(p).flags(which(p[1]))));
}

Value set_flags(const Parameters& p) {
  guarded_tls([&] { of(p).set_flags(which(p[1]), static_cast<std::uint64_t>(to_int64(p[2]))); });
  return Value::none();
}

Value trust_files(const Parameters& p) {
  std::string file = p[1].is_none() ? "" : text(p[1]), folder = p[2].is_none() ? "" : text(p[2]);
  guarded_tls([&] {
    of(p).trust_files(p[1].is_none() ? nullptr : file.c_str(),
                      p[2].is_none() ? nullptr : folder.c_str());
  });
  return Value::none();
}

Value trust_usual_places(const Parameters& p) {
  guarded_tls([&] { of(p).trust_usual_places(); });
  return Value::none();
}

Value trust(const Parameters& p) {
  std::string bytes(to_bytes(p[1]));
  guarded_tls([&] { of(p).trust(bytes, truth(p[2])); });
  return Value::none();
}

Value trusted_counts(const Parameters& p) {
  tls::StoreCounts counts = of(p).trusted_counts();
  return make_tuple({Value::integer(counts.certificates), Value::integer(counts.revocation_lists),
                     Value::integer(counts.authorities)});
}

Value trusted_authorities(const Parameters& p) {
  Values values;
  for (const tls::Certificate& each : guarded_tls([&] { return of(p).trusted_authorities(); }))
    values.push_back(told(each));
  return make_list(std::move(values));
}

Value use_certificate(const Parameters& p) {
  tls::PasswordHandler password;
  if (!p[3].is_none())
    password = [function = p[3]] { return std::string(to_bytes(call(function))); };
  std::string chain = text(p[1]), key = text(p[2]);
  guarded_tls([&] { of(p).use_certificate(chain, key, password); });
  return Value::none();
}

Value set_ciphers(const Parameters& p) { return Value::boolean(of(p).set_ciphers(text(p[1]))); }

Value ciphers(const Parameters& p) {
  return told(guarded_tls([&] { return of(p).ciphers(); }));
}

Value set_protocols(const Parameters& p) {
  guarded_tls([&] { of(p).set_protocols(to_bytes(p[1])); });
  return Value::none();
}

Value set_curve(const Parameters& p) {
  return Value::boolean(guarded_tls([&] { return of(p).set_curve(text(p[1])); }));
}

Value use_parameters(const Parameters& p) {
  guarded_tls([&] { of(p).use_parameters(text(p[1])); });
  return Value::none();
}

Value set_key_log(const Parameters& p) {
  guarded_tls([&] { of(p).set_key_log(text(p[1])); });
  return Value::none();
}

Value session_counts(const Parameters& p) {
  Values values;
  for (const auto& [name, count] : of(p).session_counts())
    values.push_back(make_tuple({Value(make_str(name)), Value::integer(count)}));
  return make_list(std::move(values));
}

// What a server answers when `function` is told a name: nothing, or an alert.
int answer_name(const Value& function, std::string_view name) {
  constexpr int kHandshakeFailure = 40, kInternalError = 80;
  bool answered = false;
  try {
    Value answer = call(function, Value(make_str(name)));
    answered = true;
    if (answer.is_none()) return 0;
    if (is_integer(answer)) return static_cast<int>(to_int64(answer));
    raise(errors::TypeError, "an integer is required (got type {})", type_name(answer));
  } catch (const Raised& raised) {
    report_unraisable(*raised.exception, function);
    return answered ? kInternalError : kHandshakeFailure;
  }
}

// connect(fd, server, host, check, named)
Value connect(const Parameters& p) {
  tls::NameHandler named;
  if (!p[5].is_none())
    named = [function = p[5]](std::string_view name) { return answer_name(function, name); };
  std::string host = p[3].is_none() ? "" : text(p[3]);
  auto descriptor = static_cast<int>(to_int64(p[1]));
  bool server = truth(p[2]), check = truth(p[4]);
  return make_tls_connection(
      guarded_tls([&] { return of(p).connect(descriptor, server, host, check, std::move(named)); }),
      p[0]);
}

const NativeRow kMethods[] = {
    {"options(self, /)", ask<&tls::Context::options>, "The options, as bits."},
    {"set_options(self, options, /)", set<&tls::Context::set_options, std::uint64_t>,
     "Sets all options."},
    {"version_limit(self, highest, /)", version_limit, "The lowest or highest version; 0 for any."},
    {"set_version_limit(self, highest, version, /)", set_version_limit,
     "Sets a limit; whether it is known."},
    {"verification(self, /)", ask<&tls::Context::verification>,
     "Whether the other side needs a certificate."},
    {"set_verification(self, mode, /)", set<&tls::Context::set_verification, int>,
     "Sets whether it needs one."},
    {"flags(self, host_names, /)", flags, "How certificates, or names of hosts, are verified."},
    {"set_flags(self, host_names, flags, /)", set_flags, "Sets how they are verified."},
    {"security_level(self, /)", ask<&tls::Context::security_level>, "The level of security."},
    {"tickets(self, /)", ask<&tls::Context::tickets>, "How many tickets a server sends."},
    {"set_tickets(self, count, /)", set<&tls::Context::set_tickets, int>, "Sets how many."},
    {"set_later_authentication(self, allowed, /)",
     set<&tls::Context::set_later_authentication, bool>,
     "Sets whether a server may ask for a certificate after the handshake."},
    {"trust_files(self, file, folder, /)", outside<trust_files>,
     "Trusts the certificates of a file and of a folder."},
    {"trust_usual_places(self, /)", outside<trust_usual_places>, "Trusts those of the system."},
    {"trust(self, data, pem, /)", trust, "Trusts certificates, as PEM or as DER."},
    {"trusted_counts(self, /)", trusted_counts,
     "How many certificates, revocation lists and authorities are loaded."},
    {"trusted_authorities(self, /)", trusted_authorities, "The authorities that are loaded."},
    {"use_certificate(self, chain, key, password, /)", outside<use_certificate>,
     "Loads the own certificate and its key."},
    {"set_ciphers(self, rules, /)", set_ciphers, "Sets the ciphers; whether there are any."},
    {"ciphers(self, /)", ciphers, "The ciphers."},
    {"set_protocols(self, wire, /)", set_protocols, "Sets the protocols that ALPN offers."},
    {"set_curve(self, name, /)", set_curve, "Sets the curve; whether it is known."},
    {"use_parameters(self, file, /)", outside<use_parameters>, "Loads parameters of an exchange."},
    {"set_key_log(self, file, /)", outside<set_key_log>, "Logs keys into a file; '': no more."},
    {"session_counts(self, /)", session_counts, "Counts of connections."},
    {"connect(self, descriptor, server, host, check, named, /)", outside<connect>,
     "A connection over a descriptor, or in memory for -1."},
};

Type& ContextObject::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("Context", "_tls");
    made.add(kMethods);
    return &made;
  }();
  return type;
}

}  // namespace

const tls::Context& tls_context_of(const Value& value) {
  return *value.as<ContextObject>()->context;
}

Value make_tls_context(const Parameters& p) {
  auto side = static_cast<tls::Side>(to_int64(p[0]));
  return make<ContextObject>(guarded_tls([&] { return tls_plugin().open_context(side); }));
}

}  // namespace strider::lang
