// The thread of the IOPub socket, and how programs wait for it.
#include "jupyter-kernel/publisher.h"

#include <xeus/xguid.hpp>
#include <xeus/xmiddleware.hpp>

#include "jupyter-kernel/sockets.h"

namespace strider::jupyter {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = Outgoing::Kind;

constexpr std::size_t kMostBytes = 8 << 20;    // printed and not yet sent
constexpr std::size_t kMostItems = 2000;
constexpr int kDisplaysPerSecond = 500;
constexpr int kMessagesKept = 1000;            // for each subscriber that is slow
constexpr auto kPatience = std::chrono::seconds(10);  // with a subscriber that takes nothing
constexpr auto kLastPatience = std::chrono::seconds(1);
constexpr auto kStep = std::chrono::milliseconds(5);
constexpr auto kFarAway = std::chrono::hours(1);

Kind kind_of(const std::string& type) {
  if (type == "display_data") return Kind::kDisplay;
  if (type == "update_display_data") return Kind::kUpdate;
  if (type == "clear_output") return Kind::kClear;
  return Kind::kBarrier;
}

}  // namespace

Publisher::Publisher(zmq::context_t& context, const xeus::xconfiguration& configuration,
                     Wire& wire)
    : wire_(wire), socket_(context, zmq::socket_type::xpub) {
  socket_.set(zmq::sockopt::sndhwm, kMessagesKept);
  socket_.set(zmq::sockopt::xpub_nodrop, true);
  socket_.set(zmq::sockopt::xpub_verbose, true);
  bind_socket(socket_, configuration, configuration.m_iopub_port);
}

Publisher::~Publisher() { finish(); }

std::string Publisher::port() const { return xeus::get_socket_port(socket_); }

void Publisher::start(xeus::xpub_message first) {
  header_ = first.header();
  topic_ = first.topic().substr(0, first.topic().rfind('.') + 1);
  parent_ = std::make_shared<const Json>(Json::object());
  publish(std::move(first));
  thread_ = std::thread([this] { run(); });
}

void Publisher::finish() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard guard(mutex_);
    finishing_ = true;
  }
  room_.notify_all();
  event_.set();
  thread_.join();
  socket_.close();
}

void Publisher::set_parent(const Json& header) {
  auto parent = std::make_shared<const Json>(header);
  std::lock_guard guard(mutex_);
  parent_ = std::move(parent);
}

xeus::xpub_message Publisher::make(const std::string& type, Json parent, Json content) const {
  Json header = header_;
  header["msg_type"] = type;
  header["msg_id"] = xeus::new_xguid();
  return {topic_ + type,    std::move(header),  std::move(parent),
          Json::object(),   std::move(content), xeus::buffer_sequence()};
}

void Publisher::print(std::string_view stream, std::string_view text) {
  if (text.empty()) return;
  std::unique_lock lock(mutex_);
  throttle(lock, false);
  outbox_.add_text(stream, text, parent_, Clock::now());
  wake_if_earlier();
}

void Publisher::publish(xeus::xpub_message message) {
  Outgoing item;
  item.kind = kind_of(message.header()["msg_type"]);
  if (item.kind == Kind::kUpdate) item.id = message.content()["transient"].value("display_id", "");
  if (item.kind == Kind::kClear) item.waits = message.content().value("wait", false);
  item.message = std::move(message);
  std::unique_lock lock(mutex_);
  if (item.kind != Kind::kBarrier) throttle(lock, item.kind != Kind::kUpdate);
  outbox_.add(std::move(item));
  wake_if_earlier();
}

// Makes a program wait that publishes faster than anybody can read.
void Publisher::throttle(std::unique_lock<std::mutex>& lock, bool is_display) {
  auto full = [this] {
    return outbox_.bytes() > kMostBytes || outbox_.count() > kMostItems;
  };
  while (full() && !finishing_ && !impatient_()) room_.wait_for(lock, kStep);
  if (!is_display) return;
  if (Clock::now() - second_ > std::chrono::seconds(1)) {
    second_ = Clock::now();
    displays_ = 0;
  }
  if (++displays_ <= kDisplaysPerSecond) return;
  while (Clock::now() - second_ < std::chrono::seconds(1) && !finishing_ && !impatient_())
    room_.wait_for(lock, kStep);
}

void Publisher::wake_if_earlier() {
  std::optional<Moment> due = outbox_.due();
  if (!due || *due >= planned_) return;
  planned_ = *due;
  event_.set();
}

void Publisher::run() {
  progress_ = Clock::now();
  std::unique_lock lock(mutex_);
  for (;;) {
    Moment now = finishing_ ? Moment::max() : Clock::now();
    std::optional<Outgoing> item = outbox_.take(now);
    if (!item && finishing_) return;
    if (!item) {
      wait(lock);
      continue;
    }
    planned_ = Moment{};  // awake: it will look again by itself
    lock.unlock();
    room_.notify_all();
    send(std::move(*item));
    lock.lock();
  }
}

// Waits until something may be due; reads subscriptions meanwhile.
void Publisher::wait(std::unique_lock<std::mutex>& lock) {
  Moment now = Clock::now();
  planned_ = outbox_.due().value_or(now + kFarAway);
  auto timeout = std::chrono::ceil<std::chrono::milliseconds>(planned_ - now);
  lock.unlock();
  zmq::pollitem_t items[] = {{socket_.handle(), 0, ZMQ_POLLIN, 0},
                             {nullptr, event_.descriptor(), ZMQ_POLLIN, 0}};
  if (timeout.count() > 0) without_interruption([&] { return zmq::poll(items, 2, timeout); });
  event_.reset();
  welcome();
  lock.lock();
}

void Publisher::send(Outgoing item) {
  if (item.kind == Kind::kText)
    item.message = make("stream", *item.parent,
                        {{"name", std::move(item.stream)}, {"text", std::move(item.text)}});
  send_whole(wire_.frames_of(item.message));
}

// Waits for a subscriber that is behind, but not for one that has stopped reading.
void Publisher::send_whole(zmq::multipart_t frames) {
  while (!send_frames(socket_, frames)) {
    if (Clock::now() - progress_ > (finishing_ ? kLastPatience : kPatience)) {
      socket_.set(zmq::sockopt::xpub_nodrop, false);
      send_frames(socket_, frames);
      socket_.set(zmq::sockopt::xpub_nodrop, true);
      return;
    }
    std::this_thread::sleep_for(kStep);
  }
  progress_ = Clock::now();
}

// Tells each new subscriber that from now on it misses nothing (iopub_welcome).
void Publisher::welcome() {
  zmq::message_t frame;
  while (without_interruption([&] { return socket_.recv(frame, zmq::recv_flags::dontwait); })) {
    std::string_view text = frame.to_string_view();
    if (text.empty() || text[0] != 1) continue;
    std::string subscription(text.substr(1));
    xeus::xpub_message message =
        make("iopub_welcome", Json::object(), {{"subscription", subscription}});
    send_whole(wire_.frames_of(xeus::xpub_message(
        subscription, Json(message.header()), Json::object(), Json::object(),
        Json(message.content()), xeus::buffer_sequence())));
  }
}

}  // namespace strider::jupyter
