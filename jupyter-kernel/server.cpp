// Sockets: requests in, replies out, the heartbeat, questions to the user.
#include "jupyter-kernel/server.h"

#include <array>
#include <cstdio>
#include <string_view>

#include "jupyter-kernel/sockets.h"

namespace strider::jupyter {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kAnswerStep = std::chrono::milliseconds(200);
constexpr std::array<std::string_view, 4> kControlRequests = {
    "kernel_info_request", "shutdown_request", "interrupt_request", "debug_request"};

std::string reply_type(const std::string& type) {
  std::size_t end = type.rfind("_request");
  return (end == type.npos ? type : type.substr(0, end)) + "_reply";
}

// The message with other content.
xeus::xmessage with_content(const xeus::xmessage& message, Json content) {
  return xeus::xmessage(message.identities(), Json(message.header()),
                        Json(message.parent_header()), Json(message.metadata()),
                        std::move(content), xeus::buffer_sequence(message.buffers()));
}

void report(const std::exception& error) {
  std::fprintf(stderr, "strider-kernel: %s\n", error.what());
}

zmq::pollitem_t item(zmq::socket_t& socket) { return {socket.handle(), 0, ZMQ_POLLIN, 0}; }
zmq::pollitem_t item(Event& event) { return {nullptr, event.descriptor(), ZMQ_POLLIN, 0}; }

// Waits without limit; a signal ends the wait, too.
template <std::size_t Count>
void wait_for(std::array<zmq::pollitem_t, Count> items,
              std::chrono::milliseconds timeout = std::chrono::milliseconds(-1)) {
  try {
    zmq::poll(items.data(), Count, timeout);
  } catch (const zmq::error_t& error) {
    if (error.num() != EINTR) throw;
  }
}

}  // namespace

Server::Server(zmq::context_t& context, const xeus::xconfiguration& configuration)
    : wire_(configuration),
      shell_(context, zmq::socket_type::router),
      control_(context, zmq::socket_type::router),
      stdin_(context, zmq::socket_type::router),
      heartbeat_(context, zmq::socket_type::router),
      publisher_(context, configuration, wire_) {
  for (zmq::socket_t* socket : {&shell_, &control_, &stdin_}) {
    socket->set(zmq::sockopt::router_handover, true);
    socket->set(zmq::sockopt::sndhwm, 0);  // a reply is never dropped
  }
  bind_socket(shell_, configuration, configuration.m_shell_port);
  bind_socket(control_, configuration, configuration.m_control_port);
  bind_socket(stdin_, configuration, configuration.m_stdin_port);
  bind_socket(heartbeat_, configuration, configuration.m_hb_port);
}

void Server::set_hooks(Hooks hooks) {
  hooks_ = std::move(hooks);
  publisher_.set_impatience([this] { return stopping_ || hooks_.is_interrupted(); });
}

void Server::update_config_impl(xeus::xconfiguration& configuration) const {
  configuration.m_shell_port = xeus::get_socket_port(shell_);
  configuration.m_control_port = xeus::get_socket_port(control_);
  configuration.m_stdin_port = xeus::get_socket_port(stdin_);
  configuration.m_hb_port = xeus::get_socket_port(heartbeat_);
  configuration.m_iopub_port = publisher_.port();
}

void Server::start_impl(xeus::xpub_message message) {
  publisher_.start(std::move(message));
  control_thread_ = std::thread([this] { run_control(); });
  run_shell();
  hooks_.finish();
  finished_ = true;
  control_event_.set();
  control_thread_.join();
  publisher_.finish();
}

void Server::stop_impl() {
  stopping_ = true;
  hooks_.stop();
  shell_event_.set();
}

// ---- shell

void Server::run_shell() {
  while (!stopping_) {
    std::optional<Request> request = next_request();
    if (request)
      handle(std::move(*request));
    else
      wait_for(std::array{item(shell_), item(shell_event_)});
  }
}

std::optional<Server::Request> Server::next_request() {
  if (!waiting_.empty()) {
    Request request = std::move(waiting_.front());
    waiting_.pop_front();
    return request;
  }
  std::optional<xeus::xmessage> message = wire_.receive(shell_);
  if (!message) return {};
  return Request{std::move(*message), Clock::now()};
}

void Server::handle(Request request) {
  bool runs = request.message.header()["msg_type"] == "execute_request";
  if (runs && is_aborted(request)) return send_aborted(request.message);
  current_ = request.message.header();
  current_received_ = request.received;
  publisher_.set_parent(current_);
  if (runs) hooks_.begin();
  try {
    if (!stopping_) notify_shell_listener(std::move(request.message));
  } catch (const std::exception& error) {
    report(error);
  }
  if (runs) hooks_.end();
}

void Server::send_shell_impl(xeus::xmessage message) { wire_.send(shell_, message); }

// The running request has failed: those that wait now were sent before that was known.
void Server::abort_queue_impl(const listener&, long) {
  auto duration =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - current_received_);
  failure_.note(current_, duration);
  while (std::optional<xeus::xmessage> message = wire_.receive(shell_))
    waiting_.push_back({std::move(*message), Clock::now()});
  for (Request& request : waiting_) request.waited_at_failure = true;
}

bool Server::is_aborted(const Request& request) const {
  return failure_.precedes_reply(request.message.header()).value_or(request.waited_at_failure);
}

void Server::send_aborted(const xeus::xmessage& request) {
  auto status = [&](const char* state) {
    publisher_.publish(
        publisher_.make("status", Json(request.header()), {{"execution_state", state}}));
  };
  status("busy");
  Json content = {{"status", "aborted"}};
  xeus::xpub_message own = publisher_.make("execute_reply", Json(request.header()), content);
  wire_.send(shell_, xeus::xmessage(request.identities(), Json(own.header()),
                                    Json(request.header()), Json::object(), std::move(content),
                                    xeus::buffer_sequence()));
  status("idle");
}

// ---- stdin

// Sends a request for a line and waits for the answer or an interrupt.
void Server::send_stdin_impl(xeus::xmessage message) {
  Json content = message.content();
  content["password"] = content.value("pwd", false);
  content.erase("pwd");
  answer_.reset();
  while (wire_.receive(stdin_)) {  // what answers an earlier request comes too late
  }
  std::string asked = message.header()["msg_id"];
  wire_.send(stdin_, with_content(message, std::move(content)));
  while (wait_for_answer()) {
    std::optional<xeus::xmessage> reply = wire_.receive(stdin_);
    if (!reply || reply->parent_header().value("msg_id", asked) != asked) continue;
    auto value = reply->content().find("value");
    answer_ = value != reply->content().end() && value->is_string() ? value->get<std::string>()
                                                                    : std::string();
    return;
  }
}

// False after an interrupt.
bool Server::wait_for_answer() {
  if (stopping_ || hooks_.is_interrupted()) return false;
  wait_for(std::array{item(stdin_)}, kAnswerStep);
  return true;
}

// ---- control and heartbeat

void Server::run_control() {
  while (!finished_) {
    wait_for(std::array{item(control_), item(heartbeat_), item(control_event_)});
    echo_heartbeat();
    while (std::optional<xeus::xmessage> message = wire_.receive(control_)) {
      try {
        handle_control(std::move(*message));
      } catch (const std::exception& error) {
        report(error);
      }
    }
  }
}

void Server::handle_control(xeus::xmessage message) {
  std::string type = message.header()["msg_type"];
  if (std::find(kControlRequests.begin(), kControlRequests.end(), type) ==
      kControlRequests.end()) {
    Json content = {{"status", "error"},
                    {"ename", "NotSupported"},
                    {"evalue", type + " belongs to the shell channel"},
                    {"traceback", Json::array()}};
    xeus::xpub_message own = publisher_.make(reply_type(type), Json::object(), content);
    wire_.send(control_, xeus::xmessage(message.identities(), Json(own.header()),
                                        Json(message.header()), Json::object(),
                                        std::move(content), xeus::buffer_sequence()));
    return;
  }
  if (type == "interrupt_request") hooks_.interrupt();
  notify_control_listener(std::move(message));
}

void Server::send_control_impl(xeus::xmessage message) {
  Json content = message.content();
  if (!content.contains("status")) content["status"] = "ok";
  wire_.send(control_, with_content(message, std::move(content)));
}

void Server::echo_heartbeat() {
  for (;;) {
    zmq::multipart_t frames;
    if (!without_interruption([&] { return frames.recv(heartbeat_, ZMQ_DONTWAIT); })) return;
    send_frames(heartbeat_, frames);
  }
}

// ---- IOPub

void Server::publish_impl(xeus::xpub_message message, xeus::channel) {
  const std::string type = message.header()["msg_type"];
  if (type == "interrupt") return;  // no message of the protocol
  if (type == "shutdown") {
    Json content = message.content();
    content["status"] = "ok";
    publisher_.publish(publisher_.make("shutdown_reply", Json(message.parent_header()), content));
    return;
  }
  publisher_.publish(std::move(message));
}

}  // namespace strider::jupyter
