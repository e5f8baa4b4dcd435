// Programs that run beside this one.
#include "interpreter/builtins/modules/processes/spawned_programs.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

std::vector<std::string> path_texts_of(const Value& paths) {
  std::vector<std::string> texts;
  Iteration items(paths);
  Value item;
  while (items.next(item)) texts.push_back(path_text(item));
  return texts;
}

std::vector<char*> words_of(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> variables_of(const Value& env) {
  std::vector<std::string> variables;
  Iteration keys(env);
  Value key;
  while (keys.next(key)) {
    std::string name = path_text(key);
    if (name.find('=') != name.npos) raise(errors::ValueError, "illegal environment variable name");
    variables.push_back(name + "=" + path_text(get_item(env, key)));
  }
  return variables;
}

namespace {

constexpr int kPatience = 50;  // milliseconds between looks at the interrupt flag

// Both ends of what is said to a program and what it says.
struct Exchange {
  pollfd ends[3];  // input, output, errors; descriptor -1: at its end
  std::string data, answers[2];
  std::size_t written = 0;

  bool ended() const { return ends[0].fd < 0 && ends[1].fd < 0 && ends[2].fd < 0; }
  void give() {
    ssize_t put = ::write(ends[0].fd, data.data() + written, data.size() - written);
    if (put > 0) written += static_cast<std::size_t>(put);
    bool broken = put < 0 && errno != EINTR && errno != EAGAIN;
    if (broken || written == data.size()) end_input();
  }
  void end_input() {
    close(ends[0].fd);
    ends[0].fd = -1;
    written = data.size();
  }
  void take(int which) {
    char chunk[1 << 16];
    ssize_t got = ::read(ends[which].fd, chunk, sizeof chunk);
    if (got > 0) answers[which - 1].append(chunk, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) ends[which].fd = -1;
  }
  void step(int patience) {
    if (poll(ends, 3, patience) <= 0) return;
    if (ends[0].fd >= 0 && ends[0].revents) give();
    for (int which : {1, 2})
      if (ends[which].fd >= 0 && ends[which].revents) take(which);
  }
};

}  // namespace

Value exchange_bytes(const Parameters& p) {
  auto end = [](const Value& value, short events) { return pollfd{to_c_int(value), events, 0}; };
  Exchange exchange{
      {end(p[0], POLLOUT), end(p[2], POLLIN), end(p[3], POLLIN)}, std::string(to_bytes(p[1])), {}};
  if (exchange.ends[0].fd >= 0) {
    fcntl(exchange.ends[0].fd, F_SETFL, O_NONBLOCK);
    if (exchange.data.empty()) exchange.end_input();
  }
  using Clock = std::chrono::steady_clock;
  double seconds = p[4].is_none() ? HUGE_VAL : to_double(p[4]);
  Clock::time_point begin = Clock::now();
  Interpreter& interpreter = Interpreter::current();
  while (!exchange.ended()) {
    double left = seconds - std::chrono::duration<double>(Clock::now() - begin).count();
    if (left <= 0) break;
    bool others = has_other_threads(interpreter);
    double patience = others ? 0 : std::min<double>(left * 1000, kPatience);
    exchange.step(static_cast<int>(std::ceil(patience)));
    if (others)
      wait_a_little(interpreter);
    else
      poll_interrupt(interpreter);
  }
  auto bytes = [](std::string text) { return Value(make<Bytes>(std::move(text))); };
  return make_tuple({bytes(exchange.data.substr(exchange.written)), bytes(exchange.answers[0]),
                     bytes(exchange.answers[1]), Value::boolean(exchange.ended())});
}

}  // namespace strider::lang
