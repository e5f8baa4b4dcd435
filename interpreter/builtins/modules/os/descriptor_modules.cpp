// The modules select and fcntl: waiting for descriptors, locks on files, flags of descriptors.
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

Value lock_file(const Parameters& p) {
  if (flock(to_descriptor(p[0]), to_c_int(p[1])) != 0) raise_os_error(errno);
  return Value::none();
}

// lockf(fd, cmd, len, start, whence)
Value lock_range(const Parameters& p) {
  std::int64_t command = to_int64(p[1]);
  struct flock range = {};
  range.l_type = command & LOCK_UN ? F_UNLCK : command & LOCK_EX ? F_WRLCK : F_RDLCK;
  range.l_len = to_int64(p[2]);
  range.l_start = to_int64(p[3]);
  range.l_whence = static_cast<short>(to_int64(p[4]));
  if (fcntl(to_descriptor(p[0]), command & LOCK_NB ? F_SETLK : F_SETLKW, &range) != 0)
    raise_os_error(errno);
  return Value::none();
}

Value control(const Parameters& p) {
  int result = fcntl(to_descriptor(p[0]), to_c_int(p[1]), static_cast<long>(to_int64(p[2])));
  if (result < 0) raise_os_error(errno);
  return Value::integer(result);
}

template <int kNumber>
Value number() {
  return Value::integer(kNumber);
}

const NativeRow kSelectFunctions[] = {
    {"select(rlist, wlist, xlist, timeout=None, /)", outside<select_ready>,
     "Waits until descriptors can be read or written; those that can."},
    {"_poll(pairs, seconds, /)", outside<poll_ready>,
     "Waits until something happens to descriptors; what happened to which."},
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
    {"PIPE_BUF", number<4096>},
};

const NativeRow kFcntlFunctions[] = {
    {"flock(fd, operation, /)", outside<lock_file>, "Locks or unlocks a file."},
    {"lockf(fd, cmd, len=0, start=0, whence=0, /)", outside<lock_range>,
     "Locks or unlocks a part of a file."},
    {"fcntl(fd, cmd, arg=0, /)", outside<control>, "Asks or sets what a descriptor does."},
};

const ConstantRow kFcntlConstants[] = {
    {"LOCK_SH", number<LOCK_SH>},       {"LOCK_EX", number<LOCK_EX>}, {"LOCK_NB", number<LOCK_NB>},
    {"LOCK_UN", number<LOCK_UN>},       {"F_GETFL", number<F_GETFL>}, {"F_SETFL", number<F_SETFL>},
    {"F_GETFD", number<F_GETFD>},       {"F_SETFD", number<F_SETFD>}, {"F_DUPFD", number<F_DUPFD>},
    {"FD_CLOEXEC", number<FD_CLOEXEC>}, {"F_RDLCK", number<F_RDLCK>}, {"F_WRLCK", number<F_WRLCK>},
    {"F_UNLCK", number<F_UNLCK>},
};

// The objects of poll() are written in npx.
Value find_poll(Name name) {
  return text_of(name) == "poll" ? get_attribute(import_module("_polling"), name) : Value();
}

}  // namespace

const NativeModule kSelectModule = {"select", "Waiting for descriptors.", kSelectFunctions,
                                    kSelectConstants, find_poll};
const NativeModule kFcntlModule = {"fcntl", "Locks and flags of files.", kFcntlFunctions,
                                   kFcntlConstants};

}  // namespace strider::lang
