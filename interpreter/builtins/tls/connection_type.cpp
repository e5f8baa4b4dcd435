// _tls.Connection and _tls.Session: steps of a secured connection, each of which may have to wait.
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/tls/plugin.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class SessionObject final : public Object {
 public:
  explicit SessionObject(std::unique_ptr<tls::Session> session)
      : Object(Layout::kOther, &type_object()), session(std::move(session)) {}
  static Type& type_object();
  std::unique_ptr<tls::Session> session;
};

class ConnectionObject final : public Object {
 public:
  ConnectionObject(std::unique_ptr<tls::Connection> connection, const Value& context)
      : Object(Layout::kOther, &type_object()),
        contexts{context},
        connection(std::move(connection)) {}
  static Type& type_object();
  Values contexts;  // that it was made of and that it changed to, kept while it lives
  std::unique_ptr<tls::Connection> connection;
};

tls::Connection& of(const Parameters& p) { return *p[0].as<ConnectionObject>()->connection; }

Value number(tls::Progress progress) { return Value::integer(static_cast<int>(progress)); }

template <auto kStep>
Value step(const Parameters& p) {
  return number(guarded_tls([&] { return (of(p).*kStep)(); }));
}

// read(size): bytes, or how the step ended without any.
Value read(const Parameters& p) {
  std::string bytes;
  auto size = static_cast<std::size_t>(to_int64(p[1]));
  tls::Progress progress = guarded_tls([&] { return of(p).read(size, bytes); });
  if (progress != tls::Progress::kDone) return number(progress);
  return make<Bytes>(std::move(bytes));
}

// write(data): (how the step ended, how many bytes were taken).
Value write(const Parameters& p) {
  std::string_view bytes = to_bytes(p[1]);
  std::size_t written = 0;
  tls::Progress progress = guarded_tls([&] { return of(p).write(bytes, written); });
  return make_tuple({number(progress), Value::integer(static_cast<std::int64_t>(written))});
}

Value feed(const Parameters& p) {
  of(p).feed(to_bytes(p[1]));
  return Value::none();
}

Value version(const Parameters& p) {
  std::string version = of(p).version();
  return version.empty() ? Value::none() : Value(make_str(version));
}

Value cipher(const Parameters& p) {
  tls::Cipher cipher;
  return of(p).cipher(cipher) ? told(cipher) : Value::none();
}

Value protocol(const Parameters& p) {
  std::string protocol = of(p).protocol();
  return protocol.empty() ? Value::none() : Value(make_str(protocol));
}

Value peer(const Parameters& p) {
  tls::Certificate certificate;
  return guarded_tls([&] { return of(p).peer(certificate); }) ? told(certificate) : Value::none();
}

Value channel_binding(const Parameters& p) {
  return make<Bytes>(of(p).channel_binding(truth(p[1])));
}

Value session(const Parameters& p) {
  std::unique_ptr<tls::Session> session = of(p).session();
  return session ? Value(make<SessionObject>(std::move(session))) : Value::none();
}

Value set_session(const Parameters& p) {
  guarded_tls([&] { of(p).set_session(*p[1].as<SessionObject>()->session); });
  return Value::none();
}

Value use_context(const Parameters& p) {
  p[0].as<ConnectionObject>()->contexts.push_back(p[1]);
  of(p).use_context(tls_context_of(p[1]));
  return Value::none();
}

Value ask_for_certificate(const Parameters& p) {
  guarded_tls([&] { of(p).ask_for_certificate(); });
  return Value::none();
}

const NativeRow kMethods[] = {
    {"handshake(self, /)", step<&tls::Connection::handshake>, "Agrees with the other side."},
    {"read(self, size, /)", read, "Bytes, or what has to happen first."},
    {"write(self, data, /)", write, "How it ended, and how many bytes were taken."},
    {"shut(self, /)", step<&tls::Connection::shut>, "Ends it on both sides."},
    {"pending(self, /)",
     [](const Parameters& p) { return Value::integer(static_cast<std::int64_t>(of(p).pending())); },
     "Bytes that can be read at once."},
    {"feed(self, data, /)", feed, "In memory: what came from the other side."},
    {"end_feed(self, /)", [](const Parameters& p) { return of(p).end_feed(), Value::none(); },
     "In memory: nothing more comes."},
    {"take(self, /)", [](const Parameters& p) { return Value(make<Bytes>(of(p).take())); },
     "In memory: what is to be sent."},
    {"version(self, /)", version, "The version of the protocol; None before the handshake."},
    {"cipher(self, /)", cipher, "The cipher; None before the handshake."},
    {"shared_ciphers(self, /)", [](const Parameters& p) { return told(of(p).shared_ciphers()); },
     "The ciphers that both sides know."},
    {"selected_alpn_protocol(self, /)", protocol, "The protocol that ALPN chose, or None."},
    {"finished(self, /)", [](const Parameters& p) { return Value::boolean(of(p).finished()); },
     "Whether the handshake is over."},
    {"peer(self, /)", peer, "The certificate of the other side, or None."},
    {"channel_binding(self, server, /)", channel_binding, "What names this connection alone."},
    {"session(self, /)", session, "What was agreed on, or None."},
    {"set_session(self, session, /)", set_session, "Begins with what was agreed on before."},
    {"session_reused(self, /)",
     [](const Parameters& p) { return Value::boolean(of(p).session_reused()); },
     "Whether it began so."},
    {"use_context(self, context, /)", use_context, "Goes on with another context."},
    {"ask_for_certificate(self, /)", ask_for_certificate,
     "A server asks for a certificate after the handshake."},
};

template <auto kNumber>
Value tell(const Parameters& p) {
  return Value::integer((p[0].as<SessionObject>()->session.get()->*kNumber)());
}

const NativeRow kSessionMethods[] = {
    {"id(self, /)",
     [](const Parameters& p) {
       return Value(make<Bytes>(p[0].as<SessionObject>()->session->id()));
     },
     "Its name."},
    {"time(self, /)", tell<&tls::Session::time>, "When it was made, in seconds."},
    {"timeout(self, /)", tell<&tls::Session::timeout>, "How long it lives, in seconds."},
    {"has_ticket(self, /)", tell<&tls::Session::has_ticket>, "Whether there is a ticket."},
    {"ticket_lifetime(self, /)", tell<&tls::Session::ticket_lifetime>, "How long that lives."},
};

Type& ConnectionObject::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("Connection", "_tls");
    made.add(kMethods);
    return &made;
  }();
  return type;
}

Type& SessionObject::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("Session", "_tls");
    made.add(kSessionMethods);
    return &made;
  }();
  return type;
}

}  // namespace

Value make_tls_connection(std::unique_ptr<tls::Connection> connection, const Value& context) {
  return make<ConnectionObject>(std::move(connection), context);
}

}  // namespace strider::lang
