// The module select: waiting for descriptors.
#include <poll.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

constexpr int kPatience = 50;  // milliseconds between looks at the interrupt flag

// The objects of a list with what is waited for on their descriptors.
struct Watched {
  Values objects;
  std::vector<pollfd> ends;
  void add(const Value& list, short events) {
    Iteration items(list);
    Value item;
    while (items.next(item)) {
      objects.push_back(item);
      ends.push_back({to_descriptor(item), events, 0});
    }
  }
  // Waits for so many seconds (negative: ever).
  void wait(double seconds) {
    using Clock = std::chrono::steady_clock;
    Interpreter& interpreter = Interpreter::current();
    Clock::time_point begin = Clock::now();
    for (;;) {
      double left = seconds - std::chrono::duration<double>(Clock::now() - begin).count();
      double patience = seconds < 0 ? kPatience : std::clamp<double>(left * 1000, 0, kPatience);
      bool others = has_other_threads(interpreter);
      if (poll(ends.data(), ends.size(), others ? 0 : static_cast<int>(std::ceil(patience))) > 0)
        return;
      if (seconds >= 0 && left <= 0) return;
      if (others)
        wait_a_little(interpreter, patience / 1000);
      else
        poll_interrupt(interpreter);
    }
  }
  Value ready_with_events() const {
    Values found;
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (ends[i].revents)
        found.push_back(make_tuple({Value::integer(ends[i].fd), Value::integer(ends[i].revents)}));
    return make_list(std::move(found));
  }
  Value ready(short events) const {
    Values found;
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (ends[i].events == events && ends[i].revents) found.push_back(objects[i]);
    return make_list(std::move(found));
  }
};

// select(rlist, wlist, xlist, timeout)
Value select_ready(const Parameters& p) {
  Watched watched;
  watched.add(p[0], POLLIN);
  watched.add(p[1], POLLOUT);
  watched.add(p[2], POLLPRI);
  double seconds = p[3].is_none() ? -1 : to_double(p[3]);
  if (!p[3].is_none() && seconds < 0) raise(errors::ValueError, "timeout must be non-negative");
  watched.wait(seconds);
  return make_tuple({watched.ready(POLLIN), watched.ready(POLLOUT), watched.ready(POLLPRI)});
}

// _poll(pairs of descriptors and events, seconds): pairs of those that are ready.
Value poll_ready(const Parameters& p) {
  Watched watched;
  Iteration pairs(p[0]);
  Value pair;
  while (pairs.next(pair)) {
    const auto& items = pair.as<Tuple>()->items();
    watched.ends.push_back({to_descriptor(items[0]), static_cast<short>(to_int64(items[1])), 0});
  }
  watched.wait(p[1].is_none() ? -1 : to_double(p[1]));
  return watched.ready_with_events();
}

Value epoll_open(const Parameters& p) {
  int made = epoll_create1(to_c_int(p[0]));
  if (made < 0) raise_os_error(errno);
  return Value::integer(made);
}

// _epoll_control(epoll, operation, descriptor, events)
Value epoll_control(const Parameters& p) {
  epoll_event event = {};
  int descriptor = to_descriptor(p[2]);
  event.events = static_cast<std::uint32_t>(to_int64(p[3]));
  event.data.fd = descriptor;
  if (epoll_ctl(to_c_int(p[0]), to_c_int(p[1]), descriptor,
                &event) != 0)
    raise_os_error(errno);
  return Value::none();
}

// _epoll_ready(epoll, most): pairs of descriptors and what happened to them, without waiting.
Value epoll_ready(const Parameters& p) {
  std::vector<epoll_event> events(static_cast<std::size_t>(to_int64(p[1])));
  int count = epoll_wait(to_c_int(p[0]), events.data(),
                         static_cast<int>(events.size()), 0);
  if (count < 0 && errno != EINTR) raise_os_error(errno);
  Values found;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    found.push_back(make_tuple({Value::integer(event.data.fd), Value::integer(event.events)}));
  }
  return make_list(std::move(found));
}

template <auto kNumber>
Value number() {
  return Value::integer(static_cast<std::int64_t>(kNumber));
}

const NativeRow kSelectFunctions[] = {
    {"select(rlist, wlist, xlist, timeout=None, /)", outside<select_ready>,
     "Waits until descriptors can be read or written; those that can."},
    {"_poll(pairs, seconds, /)", outside<poll_ready>,
     "Waits until something happens to descriptors; what happened to which."},
    {"_epoll_open(flags, /)", outside<epoll_open>, "A descriptor that knows others."},
    {"_epoll_control(epoll, operation, fd, events, /)", outside<epoll_control>,
     "Adds, removes or changes one of them."},
    {"_epoll_ready(epoll, most, /)", outside<epoll_ready>, "What happened to which, at once."},
};

const ConstantRow kSelectConstants[] = {
    {"error", [] { return Value(&errors::OSError()); }},
    {"POLLIN", number<POLLIN>},
    {"POLLOUT", number<POLLOUT>},
    {"POLLPRI", number<POLLPRI>},
    {"POLLERR", number<POLLERR>},
    {"POLLHUP", number<POLLHUP>},
    {"POLLNVAL", number<POLLNVAL>},
    {"POLLRDHUP", number<0x2000>},
    {"POLLRDNORM", number<0x40>},
    {"POLLRDBAND", number<0x80>},
    {"POLLWRNORM", number<0x100>},
    {"POLLWRBAND", number<0x200>},
    {"POLLMSG", number<0x400>},
    {"PIPE_BUF", number<4096>},
    {"EPOLL_CLOEXEC", number<EPOLL_CLOEXEC>},
    {"EPOLL_CTL_ADD", number<EPOLL_CTL_ADD>},
    {"EPOLL_CTL_DEL", number<EPOLL_CTL_DEL>},
    {"EPOLL_CTL_MOD", number<EPOLL_CTL_MOD>},
    {"EPOLLIN", number<static_cast<std::uint32_t>(EPOLLIN)>},
    {"EPOLLPRI", number<static_cast<std::uint32_t>(EPOLLPRI)>},
    {"EPOLLOUT", number<static_cast<std::uint32_t>(EPOLLOUT)>},
    {"EPOLLERR", number<static_cast<std::uint32_t>(EPOLLERR)>},
    {"EPOLLHUP", number<static_cast<std::uint32_t>(EPOLLHUP)>},
    {"EPOLLMSG", number<static_cast<std::uint32_t>(EPOLLMSG)>},
    {"EPOLLRDHUP", number<static_cast<std::uint32_t>(EPOLLRDHUP)>},
    {"EPOLLRDNORM", number<static_cast<std::uint32_t>(EPOLLRDNORM)>},
    {"EPOLLRDBAND", number<static_cast<std::uint32_t>(EPOLLRDBAND)>},
    {"EPOLLWRNORM", number<static_cast<std::uint32_t>(EPOLLWRNORM)>},
    {"EPOLLWRBAND", number<static_cast<std::uint32_t>(EPOLLWRBAND)>},
    {"EPOLLET", number<static_cast<std::uint32_t>(EPOLLET)>},
    {"EPOLLONESHOT", number<static_cast<std::uint32_t>(EPOLLONESHOT)>},
    {"EPOLLEXCLUSIVE", number<static_cast<std::uint32_t>(EPOLLEXCLUSIVE)>},
};

// poll and epoll are written in npx.
Value find_poll(Name name) {
  bool known = text_of(name) == "poll" || text_of(name) == "epoll";
  return known ? get_attribute(import_module("_polling"), name) : Value();
}

}  // namespace

const NativeModule kSelectModule = {"select", "Waiting for descriptors.", kSelectFunctions,
                                    kSelectConstants, find_poll};
}  // namespace strider::lang
