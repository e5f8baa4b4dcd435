// Wire: Jupyter's messages as frames on a socket (messaging protocol, "The Wire Protocol"): checks
// frames and signatures before anything is made of them, signs what goes out. Knows no requests.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <xeus/xauthentication.hpp>
#include <xeus/xkernel_configuration.hpp>
#include <xeus/xmessage.hpp>
#include <zmq_addon.hpp>

namespace strider::jupyter {

using Json = nl::json;

// The signature scheme of messages without signatures.
constexpr const char* kUnsigned = "none";

// Calls again what a signal has interrupted.
template <class Work>
auto without_interruption(const Work& work) {
  for (;;) {
    try {
      return work();
    } catch (const zmq::error_t& error) {
      if (error.num() != EINTR) throw;
    }
  }
}

// Sends all frames, or none: then the peer's queue is full and the frames are still whole.
bool send_frames(zmq::socket_t& socket, zmq::multipart_t& frames);

// The present moment as headers tell it.
std::string date_now();

class Wire {
 public:
  explicit Wire(const xeus::xconfiguration& configuration);

  // The next message on the socket; nothing where none waits, or where it is not well formed, not
  // signed as it should be, or has been seen before.
  std::optional<xeus::xmessage> receive(zmq::socket_t& socket);
  void send(zmq::socket_t& socket, const xeus::xmessage& message);
  zmq::multipart_t frames_of(const xeus::xpub_message& message) const;

 private:
  std::optional<xeus::xmessage> read(zmq::multipart_t frames);
  bool is_signed(const zmq::multipart_t& frames, std::size_t signature);
  bool is_new(const std::string& signature);

  std::unique_ptr<xeus::xauthentication> authentication_;
  bool signed_;
  std::size_t signature_size_ = 0;
  std::mutex mutex_;
  std::unordered_set<std::string> seen_;
  std::deque<const std::string*> seen_order_;
};

}  // namespace strider::jupyter
