// Frames: identities, <IDS|MSG>, signature, header, parent header, metadata, content, buffers.
#include "jupyter-kernel/wire.h"

#include <sys/time.h>
#include <time.h>

#include <cstdio>
#include <xeus/xzmq_serializer.hpp>

namespace strider::jupyter {
namespace {

constexpr std::string_view kDelimiter = "<IDS|MSG>";
constexpr std::size_t kParts = 5;             // behind the delimiter: signature, four texts
constexpr std::size_t kSignaturesKept = 1 << 16;
constexpr std::size_t kLongestName = 55;      // of a comm, as xeus keeps it
constexpr const char* kVersion = "5.4";       // of the protocol
constexpr auto kReplace = Json::error_handler_t::replace;

xeus::xraw_buffer raw(const zmq::message_t& frame) {
  return {frame.data<const unsigned char>(), frame.size()};
}

bool is_text(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string();
}

// Comms are looked up by texts that xeus expects to be there.
bool is_comm_whole(const std::string& type, const Json& content) {
  if (type != "comm_open" && type != "comm_msg" && type != "comm_close") return true;
  return is_text(content, "comm_id") &&
         content["comm_id"].get_ref<const std::string&>().size() <= kLongestName &&
         (type != "comm_open" || is_text(content, "target_name"));
}

bool is_whole(const Json& header, const Json& parent, const Json& metadata, const Json& content) {
  if (!header.is_object() || !is_text(header, "msg_type") || !is_text(header, "msg_id"))
    return false;
  if (!parent.is_object() || !metadata.is_object() || !content.is_object()) return false;
  return is_comm_whole(header["msg_type"], content);
}

Json refined(Json header) {
  header["version"] = kVersion;
  header["date"] = date_now();
  return header;
}

}  // namespace

std::string date_now() {
  timeval now;
  gettimeofday(&now, nullptr);
  tm parts;
  gmtime_r(&now.tv_sec, &parts);
  char day[32], text[48];
  strftime(day, sizeof day, "%FT%T", &parts);
  std::snprintf(text, sizeof text, "%s.%06ldZ", day, static_cast<long>(now.tv_usec));
  return text;
}

bool send_frames(zmq::socket_t& socket, zmq::multipart_t& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    bool more = i + 1 < frames.size();
    // Only the first can find no room; the others follow it.
    auto flags = more ? zmq::send_flags::sndmore : zmq::send_flags::none;
    if (i == 0) flags = flags | zmq::send_flags::dontwait;
    if (!without_interruption([&] { return socket.send(frames[i], flags); })) return false;
  }
  return true;
}

Wire::Wire(const xeus::xconfiguration& configuration)
    : signed_(configuration.m_signature_scheme != kUnsigned) {
  authentication_ =
      xeus::make_xauthentication(configuration.m_signature_scheme, configuration.m_key);
  xeus::xraw_buffer nothing(reinterpret_cast<const unsigned char*>(""), 0);
  signature_size_ = authentication_->sign(nothing, nothing, nothing, nothing).size();
}

std::optional<xeus::xmessage> Wire::receive(zmq::socket_t& socket) {
  zmq::multipart_t frames;
  if (!without_interruption([&] { return frames.recv(socket, ZMQ_DONTWAIT); })) return {};
  try {
    return read(std::move(frames));
  } catch (const std::exception&) {  // signed, but no JSON
    return {};
  }
}

std::optional<xeus::xmessage> Wire::read(zmq::multipart_t frames) {
  std::size_t delimiter = 0;
  while (delimiter < frames.size() && frames[delimiter].to_string_view() != kDelimiter) ++delimiter;
  if (frames.size() < delimiter + 1 + kParts) return {};
  std::size_t signature = delimiter + 1;
  if (!is_signed(frames, signature)) return {};
  Json parts[kParts - 1];
  for (std::size_t i = 0; i < kParts - 1; ++i)
    parts[i] = Json::parse(frames[signature + 1 + i].to_string_view());
  if (!is_whole(parts[0], parts[1], parts[2], parts[3])) return {};
  xeus::xmessage::guid_list identities;
  for (std::size_t i = 0; i < delimiter; ++i) identities.push_back(frames[i].to_string());
  xeus::buffer_sequence buffers;
  for (std::size_t i = signature + kParts; i < frames.size(); ++i) {
    std::string_view bytes = frames[i].to_string_view();
    buffers.emplace_back(bytes.begin(), bytes.end());
  }
  return xeus::xmessage(identities, std::move(parts[0]), std::move(parts[1]), std::move(parts[2]),
                        std::move(parts[3]), std::move(buffers));
}

bool Wire::is_signed(const zmq::multipart_t& frames, std::size_t signature) {
  if (!signed_) return true;
  if (frames[signature].size() != signature_size_) return false;
  return authentication_->verify(raw(frames[signature]), raw(frames[signature + 1]),
                                 raw(frames[signature + 2]), raw(frames[signature + 3]),
                                 raw(frames[signature + 4])) &&
         is_new(frames[signature].to_string());
}

bool Wire::is_new(const std::string& signature) {
  std::lock_guard guard(mutex_);
  auto [place, added] = seen_.insert(signature);
  if (!added) return false;
  seen_order_.push_back(&*place);
  if (seen_order_.size() > kSignaturesKept) {
    seen_.erase(*seen_order_.front());
    seen_order_.pop_front();
  }
  return true;
}

void Wire::send(zmq::socket_t& socket, const xeus::xmessage& message) {
  xeus::xmessage refinement(message.identities(), refined(message.header()),
                            message.parent_header(), message.metadata(), message.content(),
                            xeus::buffer_sequence(message.buffers()));
  zmq::multipart_t frames =
      xeus::xzmq_serializer::serialize(std::move(refinement), *authentication_, kReplace);
  send_frames(socket, frames);
}

zmq::multipart_t Wire::frames_of(const xeus::xpub_message& message) const {
  xeus::xpub_message refinement(message.topic(), refined(message.header()),
                                message.parent_header(), message.metadata(), message.content(),
                                xeus::buffer_sequence(message.buffers()));
  return xeus::xzmq_serializer::serialize_iopub(std::move(refinement), *authentication_, kReplace);
}

}  // namespace strider::jupyter
