// Publisher: the IOPub channel. Messages of all threads go through one outbox into one socket, by a
// thread of their own. Loses nothing while a subscriber still takes messages.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <zmq_addon.hpp>

#include "jupyter-kernel/event.h"
#include "jupyter-kernel/outbox.h"
#include "jupyter-kernel/wire.h"

namespace strider::jupyter {

class Publisher {
 public:
  Publisher(zmq::context_t& context, const xeus::xconfiguration& configuration, Wire& wire);
  ~Publisher();

  std::string port() const;
  // Whether a program that is made to wait, because it publishes too fast, shall wait no longer.
  void set_impatience(std::function<bool()> impatient) { impatient_ = std::move(impatient); }
  // Starts with the kernel's first message, whose header and topic its own messages take after.
  void start(xeus::xpub_message first);
  // Sends what waits and ends.
  void finish();

  // The request that causes what is printed from now on.
  void set_parent(const Json& header);
  void print(std::string_view stream, std::string_view text);
  void publish(xeus::xpub_message message);
  // A message of the kernel's own.
  xeus::xpub_message make(const std::string& type, Json parent, Json content) const;

 private:
  void run();
  void wait(std::unique_lock<std::mutex>& lock);
  void wake_if_earlier();
  void throttle(std::unique_lock<std::mutex>& lock, bool is_display);
  void send(Outgoing item);
  void send_whole(zmq::multipart_t frames);
  void welcome();

  Wire& wire_;
  zmq::socket_t socket_;
  Event event_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable room_;
  Outbox outbox_;
  Moment planned_{};  // when the thread will look again
  std::atomic<bool> finishing_ = false;
  std::shared_ptr<const Json> parent_;
  std::function<bool()> impatient_ = [] { return false; };
  Moment second_{};
  int displays_ = 0;  // in the second since then
  Moment progress_{};
  Json header_;
  std::string topic_;
};

}  // namespace strider::jupyter
