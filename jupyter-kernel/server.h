// Server: the kernel's five sockets, for xeus. The thread that calls start() takes requests and
// runs programs; control and heartbeat share a thread, IOPub has its own (publisher.h). Knows no
// language.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <xeus/xserver.hpp>

#include "jupyter-kernel/aborting.h"
#include "jupyter-kernel/event.h"
#include "jupyter-kernel/publisher.h"
#include "jupyter-kernel/wire.h"

namespace strider::jupyter {

class Server : public xeus::xserver {
 public:
  // What the server tells its owner.
  struct Hooks {
    std::function<void()> begin = [] {};      // a program is about to run, on the same thread
    std::function<void()> end = [] {};        // it has run
    std::function<void()> interrupt = [] {};  // it shall stop; from the control thread
    std::function<void()> stop = [] {};       // the same, for good; from any thread
    std::function<bool()> is_interrupted = [] { return false; };  // on the thread of programs
    std::function<void()> finish = [] {};     // no request follows; what is printed still arrives
  };

  Server(zmq::context_t& context, const xeus::xconfiguration& configuration);

  void set_hooks(Hooks hooks);
  // What the running program prints.
  void print(std::string_view stream, std::string_view text) { publisher_.print(stream, text); }
  // The answer to the input_request sent last; nothing after an interrupt.
  std::optional<std::string> take_answer() { return std::exchange(answer_, std::nullopt); }

 private:
  struct Request {
    xeus::xmessage message;
    Moment received;
    bool waited_at_failure = false;
  };

  xeus::xcontrol_messenger& get_control_messenger_impl() override { return messenger_; }
  void send_shell_impl(xeus::xmessage message) override;
  void send_control_impl(xeus::xmessage message) override;
  void send_stdin_impl(xeus::xmessage message) override;
  void publish_impl(xeus::xpub_message message, xeus::channel) override;
  void start_impl(xeus::xpub_message message) override;
  void abort_queue_impl(const listener&, long) override;
  void stop_impl() override;
  void update_config_impl(xeus::xconfiguration& configuration) const override;

  void run_shell();
  std::optional<Request> next_request();
  void handle(Request request);
  bool is_aborted(const Request& request) const;
  void send_aborted(const xeus::xmessage& request);
  void run_control();
  void handle_control(xeus::xmessage message);
  void echo_heartbeat();
  bool wait_for_answer();

  // Programs are not asked from the control thread.
  class Messenger : public xeus::xcontrol_messenger {
    Json send_to_shell_impl(const Json&) override { return Json::object(); }
  };

  Wire wire_;
  zmq::socket_t shell_, control_, stdin_, heartbeat_;
  Publisher publisher_;
  Messenger messenger_;
  Hooks hooks_;
  Event shell_event_, control_event_;
  std::thread control_thread_;
  std::atomic<bool> stopping_ = false, finished_ = false;
  std::deque<Request> waiting_;
  Json current_;  // header of the request that is served
  Moment current_received_;
  Failure failure_;
  std::optional<std::string> answer_;
};

}  // namespace strider::jupyter
