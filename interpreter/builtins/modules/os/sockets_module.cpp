// The module _sockets: what the system does for connections. No call waits; socket is written on
// it.
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

struct Address {
  sockaddr_storage storage = {};
  socklen_t size = sizeof(sockaddr_storage);
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  template <class Kind>
  Kind& as() {
    return reinterpret_cast<Kind&>(storage);
  }
};

// True if the call failed for now only; other failures are raised.
bool must_wait(int error_number) {
  if (error_number == EAGAIN || error_number == EWOULDBLOCK || error_number == EINTR) return true;
  raise_os_error(error_number);
}

Value text_of_host(int family, const void* bytes) {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(family, bytes, text, sizeof text);
  return make_str(text);
}

// (host, port), (host, port, flow, scope) or a path, as the family has it.
Value told(Address& address) {
  if (address.size < sizeof(sa_family_t)) return Value::none();
  switch (address.storage.ss_family) {
    case AF_INET: {
      auto& internet = address.as<sockaddr_in>();
      return make_tuple(
          {text_of_host(AF_INET, &internet.sin_addr), Value::integer(ntohs(internet.sin_port))});
    }
    case AF_INET6: {
      auto& internet = address.as<sockaddr_in6>();
      return make_tuple(
          {text_of_host(AF_INET6, &internet.sin6_addr), Value::integer(ntohs(internet.sin6_port)),
           Value::integer(ntohl(internet.sin6_flowinfo)), Value::integer(internet.sin6_scope_id)});
    }
    case AF_UNIX: {
      constexpr std::size_t kHead = offsetof(sockaddr_un, sun_path);
      const char* path = address.as<sockaddr_un>().sun_path;
      std::size_t size = address.size > kHead ? address.size - kHead : 0;
      // A name that begins with zero is no path: it may hold any bytes.
      if (size > 0 && path[0] == '\0') return Value(make<Bytes>(std::string(path, size)));
      return make_str(std::string_view(path, strnlen(path, size)));
    }
    default:
      return Value::none();
  }
}

Address path_address(const Value& path) {
  std::string_view bytes = is_str(path) ? text_of(path) : to_bytes(path);
  Address address;
  auto& local = address.as<sockaddr_un>();
  bool named = !bytes.empty() && bytes[0] == '\0';
  if (bytes.size() + !named > sizeof local.sun_path)
    raise(errors::OSError, "AF_UNIX path too long");
  local.sun_family = AF_UNIX;
  std::memcpy(local.sun_path, bytes.data(), bytes.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + bytes.size() + !named);
  return address;
}

// An address of numbers; hosts with names were looked up before.
Address to_address(int family, const Value& value) {
  if (family == AF_UNIX) return path_address(value);
  if (family != AF_INET && family != AF_INET6) raise(errors::OSError, "bad family");
  const Tuple& parts = *value.as<Tuple>();
  std::string host(text_of(parts.items()[0]));
  auto port = htons(static_cast<std::uint16_t>(to_int64(parts.items()[1])));
  Address address;
  if (family == AF_INET) {
    auto& internet = address.as<sockaddr_in>();
    internet.sin_family = AF_INET;
    internet.sin_port = port;
    inet_pton(AF_INET, host.c_str(), &internet.sin_addr);
    address.size = sizeof internet;
    return address;
  }
  auto& internet = address.as<sockaddr_in6>();
  internet.sin6_family = AF_INET6;
  internet.sin6_port = port;
  inet_pton(AF_INET6, host.c_str(), &internet.sin6_addr);
  if (parts.items().size() > 2)
    internet.sin6_flowinfo = htonl(static_cast<std::uint32_t>(to_int64(parts.items()[2])));
  if (parts.items().size() > 3)
    internet.sin6_scope_id = static_cast<std::uint32_t>(to_int64(parts.items()[3]));
  address.size = sizeof internet;
  return address;
}

// While it lives, calls on a descriptor do not wait.
class Impatient {
 public:
  explicit Impatient(int descriptor) : descriptor_(descriptor), flags_(fcntl(descriptor, F_GETFL)) {
    if (flags_ >= 0) fcntl(descriptor_, F_SETFL, flags_ | O_NONBLOCK);
  }
  ~Impatient() {
    if (flags_ >= 0) fcntl(descriptor_, F_SETFL, flags_);
  }
  Impatient(const Impatient&) = delete;

 private:
  int descriptor_, flags_;
};

Value open_socket(const Parameters& p) {
  int made = socket(to_c_int(p[0]), to_c_int(p[1]) | SOCK_CLOEXEC, to_c_int(p[2]));
  if (made < 0) raise_os_error(errno);
  return Value::integer(made);
}

Value open_pair(const Parameters& p) {
  int made[2];
  if (socketpair(to_c_int(p[0]), to_c_int(p[1]) | SOCK_CLOEXEC, to_c_int(p[2]), made) != 0)
    raise_os_error(errno);
  return make_tuple({Value::integer(made[0]), Value::integer(made[1])});
}

Value bind_socket(const Parameters& p) {
  Address address = to_address(to_c_int(p[1]), p[2]);
  if (bind(to_c_int(p[0]), address.get(), address.size) != 0) raise_os_error(errno);
  return Value::none();
}

Value connect_socket(const Parameters& p) {
  Address address = to_address(to_c_int(p[1]), p[2]);
  Impatient impatient(to_c_int(p[0]));
  return Value::integer(connect(to_c_int(p[0]), address.get(), address.size) == 0 ? 0 : errno);
}

Value listen_socket(const Parameters& p) {
  if (listen(to_c_int(p[0]), to_c_int(p[1])) != 0) raise_os_error(errno);
  return Value::none();
}

Value accept_socket(const Parameters& p) {
  Impatient impatient(to_c_int(p[0]));
  Address address;
  int made = accept4(to_c_int(p[0]), address.get(), &address.size, SOCK_CLOEXEC);
  if (made < 0) return must_wait(errno) ? Value::none() : Value();
  return make_tuple({Value::integer(made), told(address)});
}

Value receive(const Parameters& p) {
  std::int64_t size = to_int64(p[1]);
  if (size < 0) raise(errors::ValueError, "negative buffersize in recv");
  ReadBytes bytes(static_cast<std::size_t>(size));
  Address address;
  ssize_t got = recvfrom(to_c_int(p[0]), bytes.data(), bytes.room(), to_c_int(p[2]) | MSG_DONTWAIT,
                         address.get(), &address.size);
  if (got < 0) return must_wait(errno) ? Value::none() : Value();
  return make_tuple({Value(make<Bytes>(bytes.first(got))), told(address)});
}

Value send_bytes(const Parameters& p) {
  std::string_view bytes = to_bytes(p[1]);
  int flags = to_c_int(p[2]) | MSG_DONTWAIT | MSG_NOSIGNAL;
  Address address;
  bool to_somebody = !p[4].is_none();
  if (to_somebody) address = to_address(to_c_int(p[3]), p[4]);
  ssize_t sent = sendto(to_c_int(p[0]), bytes.data(), bytes.size(), flags,
                        to_somebody ? address.get() : nullptr, to_somebody ? address.size : 0);
  if (sent < 0) return must_wait(errno) ? Value::none() : Value();
  return Value::integer(sent);
}

template <int (*kAsk)(int, sockaddr*, socklen_t*)>
Value name_of(const Parameters& p) {
  Address address;
  if (kAsk(to_c_int(p[0]), address.get(), &address.size) != 0) raise_os_error(errno);
  return told(address);
}

int ask_name(int fd, sockaddr* address, socklen_t* size) { return getsockname(fd, address, size); }
int ask_peer(int fd, sockaddr* address, socklen_t* size) { return getpeername(fd, address, size); }

// option(fd, level, name, size): 0 for a number, else so many bytes.
Value option(const Parameters& p) {
  int value = 0;
  std::string bytes(static_cast<std::size_t>(std::max<std::int64_t>(to_int64(p[3]), 0)), '\0');
  bool plain = bytes.empty();
  auto size = static_cast<socklen_t>(plain ? sizeof value : bytes.size());
  void* place = plain ? static_cast<void*>(&value) : bytes.data();
  if (getsockopt(to_c_int(p[0]), to_c_int(p[1]), to_c_int(p[2]), place, &size) != 0)
    raise_os_error(errno);
  if (plain) return Value::integer(value);
  bytes.resize(size);
  return Value(make<Bytes>(std::move(bytes)));
}

Value set_option(const Parameters& p) {
  int value = p[3].is_int() || p[3].is_bool() ? to_c_int(p[3]) : 0;
  bool plain = p[3].is_int() || p[3].is_bool();
  std::string_view bytes = plain ? std::string_view() : to_bytes(p[3]);
  if (setsockopt(to_c_int(p[0]), to_c_int(p[1]), to_c_int(p[2]),
                 plain ? static_cast<const void*>(&value) : bytes.data(),
                 static_cast<socklen_t>(plain ? sizeof value : bytes.size())) != 0)
    raise_os_error(errno);
  return Value::none();
}

Value shut(const Parameters& p) {
  if (shutdown(to_c_int(p[0]), to_c_int(p[1])) != 0) raise_os_error(errno);
  return Value::none();
}

// resolve(host, service, family, type, protocol, flags): addresses, or the number of a failure.
Value resolve(const Parameters& p) {
  addrinfo wanted = {}, *first = nullptr;
  wanted.ai_family = to_c_int(p[2]);
  wanted.ai_socktype = to_c_int(p[3]);
  wanted.ai_protocol = to_c_int(p[4]);
  wanted.ai_flags = to_c_int(p[5]);
  std::string host(p[0].is_none() ? "" : text_of(p[0]));
  std::string service(p[1].is_none() ? "" : text_of(p[1]));
  int failure = getaddrinfo(p[0].is_none() ? nullptr : host.c_str(),
                            p[1].is_none() ? nullptr : service.c_str(), &wanted, &first);
  if (failure != 0) return Value::integer(failure);
  Values found;
  for (addrinfo* each = first; each; each = each->ai_next) {
    Address address;
    address.size = each->ai_addrlen;
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    found.push_back(
        make_tuple({Value::integer(each->ai_family), Value::integer(each->ai_socktype),
                    Value::integer(each->ai_protocol),
                    Value(make_str(each->ai_canonname ? each->ai_canonname : "")), told(address)}));
  }
  freeaddrinfo(first);
  return make_list(std::move(found));
}

// reverse(family, address, flags): (host, service), or the number of a failure.
Value reverse(const Parameters& p) {
  Address address = to_address(to_c_int(p[0]), p[1]);
  char host[NI_MAXHOST] = {}, service[NI_MAXSERV] = {};
  int failure = getnameinfo(address.get(), address.size, host, sizeof host, service, sizeof service,
                            to_c_int(p[2]));
  if (failure != 0) return Value::integer(failure);
  return make_tuple({Value(make_str(host)), Value(make_str(service))});
}

Value explain(const Parameters& p) { return make_str(gai_strerror(to_c_int(p[0]))); }

Value set_host_name(const Parameters& p) {
  std::string_view name = is_str(p[0]) ? text_of(p[0]) : to_bytes(p[0]);
  if (sethostname(name.data(), name.size()) != 0) raise_os_error(errno);
  return Value::none();
}

Value interfaces(const Parameters&) {
  struct if_nameindex* all = if_nameindex();
  if (!all) raise_os_error(errno);
  Values found;
  for (struct if_nameindex* each = all; each->if_index != 0; ++each)
    found.push_back(make_tuple({Value::integer(each->if_index), Value(make_str(each->if_name))}));
  if_freenameindex(all);
  return make_list(std::move(found));
}

const NativeRow kFunctions[] = {
    {"open(family, type, protocol, /)", outside<open_socket>, "A new socket."},
    {"pair(family, type, protocol, /)", outside<open_pair>, "Two sockets that are connected."},
    {"bind(fd, family, address, /)", outside<bind_socket>, "Gives a socket its own address."},
    {"connect(fd, family, address, /)", outside<connect_socket>,
     "Begins a connection; the number of an error, 0 if it stands."},
    {"listen(fd, backlog, /)", outside<listen_socket>, "Lets others connect."},
    {"accept(fd, /)", outside<accept_socket>, "A connection that somebody made, or None."},
    {"receive(fd, size, flags, /)", outside<receive>, "Bytes and their sender, or None."},
    {"send(fd, data, flags, family, address, /)", outside<send_bytes>,
     "Sends bytes; how many, or None."},
    {"name(fd, /)", outside<name_of<ask_name>>, "The address of a socket."},
    {"peer(fd, /)", outside<name_of<ask_peer>>, "The address of the other end."},
    {"option(fd, level, name, size, /)", outside<option>, "A setting."},
    {"set_option(fd, level, name, value, /)", outside<set_option>, "Sets a setting."},
    {"shutdown(fd, how, /)", outside<shut>, "Ends one direction or both."},
    {"resolve(host, service, family, type, protocol, flags, /)", outside<resolve>,
     "The addresses of a name."},
    {"reverse(family, address, flags, /)", outside<reverse>, "The name of an address."},
    {"explain(failure, /)", explain, "What a failure of resolve() and reverse() means."},
    {"set_host_name(name, /)", outside<set_host_name>, "Names this machine."},
    {"interfaces()", outside<interfaces>, "Numbers and names of network interfaces."},
};

template <auto kNumber>
Value constant() {
  return Value::integer(static_cast<std::int64_t>(kNumber));
}

#define STRIDER_CONSTANT(name) \
  { #name, constant < name> }

const ConstantRow kConstants[] = {
    STRIDER_CONSTANT(AF_UNSPEC),
    STRIDER_CONSTANT(AF_UNIX),
    STRIDER_CONSTANT(AF_INET),
    STRIDER_CONSTANT(AF_INET6),
    STRIDER_CONSTANT(SOCK_STREAM),
    STRIDER_CONSTANT(SOCK_DGRAM),
    STRIDER_CONSTANT(SOCK_RAW),
    STRIDER_CONSTANT(SOCK_SEQPACKET),
    STRIDER_CONSTANT(SOCK_RDM),
    STRIDER_CONSTANT(SOCK_NONBLOCK),
    STRIDER_CONSTANT(SOCK_CLOEXEC),
    STRIDER_CONSTANT(SOL_SOCKET),
    STRIDER_CONSTANT(SOL_IP),
    STRIDER_CONSTANT(SOL_TCP),
    STRIDER_CONSTANT(SOL_UDP),
    STRIDER_CONSTANT(SOMAXCONN),
    STRIDER_CONSTANT(SO_ACCEPTCONN),
    STRIDER_CONSTANT(SO_BINDTODEVICE),
    STRIDER_CONSTANT(SO_BROADCAST),
    STRIDER_CONSTANT(SO_DEBUG),
    STRIDER_CONSTANT(SO_DOMAIN),
    STRIDER_CONSTANT(SO_DONTROUTE),
    STRIDER_CONSTANT(SO_ERROR),
    STRIDER_CONSTANT(SO_KEEPALIVE),
    STRIDER_CONSTANT(SO_LINGER),
    STRIDER_CONSTANT(SO_OOBINLINE),
    STRIDER_CONSTANT(SO_PEERCRED),
    STRIDER_CONSTANT(SO_PRIORITY),
    STRIDER_CONSTANT(SO_PROTOCOL),
    STRIDER_CONSTANT(SO_RCVBUF),
    STRIDER_CONSTANT(SO_RCVLOWAT),
    STRIDER_CONSTANT(SO_RCVTIMEO),
    STRIDER_CONSTANT(SO_REUSEADDR),
    STRIDER_CONSTANT(SO_REUSEPORT),
    STRIDER_CONSTANT(SO_SNDBUF),
    STRIDER_CONSTANT(SO_SNDLOWAT),
    STRIDER_CONSTANT(SO_SNDTIMEO),
    STRIDER_CONSTANT(SO_TYPE),
    STRIDER_CONSTANT(SHUT_RD),
    STRIDER_CONSTANT(SHUT_WR),
    STRIDER_CONSTANT(SHUT_RDWR),
    STRIDER_CONSTANT(MSG_CTRUNC),
    STRIDER_CONSTANT(MSG_DONTROUTE),
    STRIDER_CONSTANT(MSG_DONTWAIT),
    STRIDER_CONSTANT(MSG_EOR),
    STRIDER_CONSTANT(MSG_MORE),
    STRIDER_CONSTANT(MSG_NOSIGNAL),
    STRIDER_CONSTANT(MSG_OOB),
    STRIDER_CONSTANT(MSG_PEEK),
    STRIDER_CONSTANT(MSG_TRUNC),
    STRIDER_CONSTANT(MSG_WAITALL),
    STRIDER_CONSTANT(IPPROTO_IP),
    STRIDER_CONSTANT(IPPROTO_ICMP),
    STRIDER_CONSTANT(IPPROTO_TCP),
    STRIDER_CONSTANT(IPPROTO_UDP),
    STRIDER_CONSTANT(IPPROTO_IPV6),
    STRIDER_CONSTANT(IPPROTO_ICMPV6),
    STRIDER_CONSTANT(IPPROTO_RAW),
    STRIDER_CONSTANT(IP_ADD_MEMBERSHIP),
    STRIDER_CONSTANT(IP_DROP_MEMBERSHIP),
    STRIDER_CONSTANT(IP_HDRINCL),
    STRIDER_CONSTANT(IP_MULTICAST_IF),
    STRIDER_CONSTANT(IP_MULTICAST_LOOP),
    STRIDER_CONSTANT(IP_MULTICAST_TTL),
    STRIDER_CONSTANT(IP_OPTIONS),
    STRIDER_CONSTANT(IP_TOS),
    STRIDER_CONSTANT(IP_TTL),
    STRIDER_CONSTANT(IPV6_JOIN_GROUP),
    STRIDER_CONSTANT(IPV6_LEAVE_GROUP),
    STRIDER_CONSTANT(IPV6_MULTICAST_HOPS),
    STRIDER_CONSTANT(IPV6_MULTICAST_IF),
    STRIDER_CONSTANT(IPV6_MULTICAST_LOOP),
    STRIDER_CONSTANT(IPV6_UNICAST_HOPS),
    STRIDER_CONSTANT(IPV6_V6ONLY),
    STRIDER_CONSTANT(TCP_CORK),
    STRIDER_CONSTANT(TCP_DEFER_ACCEPT),
    STRIDER_CONSTANT(TCP_FASTOPEN),
    STRIDER_CONSTANT(TCP_INFO),
    STRIDER_CONSTANT(TCP_KEEPCNT),
    STRIDER_CONSTANT(TCP_KEEPIDLE),
    STRIDER_CONSTANT(TCP_KEEPINTVL),
    STRIDER_CONSTANT(TCP_MAXSEG),
    STRIDER_CONSTANT(TCP_NODELAY),
    STRIDER_CONSTANT(TCP_QUICKACK),
    STRIDER_CONSTANT(TCP_USER_TIMEOUT),
    STRIDER_CONSTANT(AI_ADDRCONFIG),
    STRIDER_CONSTANT(AI_ALL),
    STRIDER_CONSTANT(AI_CANONNAME),
    STRIDER_CONSTANT(AI_NUMERICHOST),
    STRIDER_CONSTANT(AI_NUMERICSERV),
    STRIDER_CONSTANT(AI_PASSIVE),
    STRIDER_CONSTANT(AI_V4MAPPED),
    STRIDER_CONSTANT(EAI_AGAIN),
    STRIDER_CONSTANT(EAI_BADFLAGS),
    STRIDER_CONSTANT(EAI_FAIL),
    STRIDER_CONSTANT(EAI_FAMILY),
    STRIDER_CONSTANT(EAI_MEMORY),
    STRIDER_CONSTANT(EAI_NODATA),
    STRIDER_CONSTANT(EAI_NONAME),
    STRIDER_CONSTANT(EAI_OVERFLOW),
    STRIDER_CONSTANT(EAI_SERVICE),
    STRIDER_CONSTANT(EAI_SOCKTYPE),
    STRIDER_CONSTANT(EAI_SYSTEM),
    STRIDER_CONSTANT(NI_DGRAM),
    STRIDER_CONSTANT(NI_MAXHOST),
    STRIDER_CONSTANT(NI_MAXSERV),
    STRIDER_CONSTANT(NI_NAMEREQD),
    STRIDER_CONSTANT(NI_NOFQDN),
    STRIDER_CONSTANT(NI_NUMERICHOST),
    STRIDER_CONSTANT(NI_NUMERICSERV),
    STRIDER_CONSTANT(INADDR_ANY),
    STRIDER_CONSTANT(INADDR_BROADCAST),
    STRIDER_CONSTANT(INADDR_LOOPBACK),
    STRIDER_CONSTANT(INADDR_NONE),
};

#undef STRIDER_CONSTANT

}  // namespace

const NativeModule kSocketsModule = {"_sockets", "Connections, without waiting.", kFunctions,
                                     kConstants};

}  // namespace strider::lang
