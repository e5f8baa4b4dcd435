// Outbox: what waits to be published, and when it is due. Joins printed texts, keeps only the
// latest update of each display, leaves out what a clear_output() would take away at once, so that
// a program may print and draw as fast as it likes. Knows no sockets, threads or clocks.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include <xeus/xmessage.hpp>

namespace strider::jupyter {

using Json = nl::json;
using Moment = std::chrono::steady_clock::time_point;

struct Outgoing {
  enum class Kind {
    kText,     // printed: `stream`, `text`, `parent`
    kDisplay,  // adds to what the entry has shown
    kUpdate,   // of the display `id`
    kClear,    // of what the entry has shown
    kBarrier,  // sends everything before it on its way
  };
  Kind kind = Kind::kBarrier;
  std::string stream, text;
  std::shared_ptr<const Json> parent;
  std::string id;
  bool waits = false;  // kClear: until the next thing is shown
  xeus::xpub_message message;

  std::size_t number = 0;  // in the order of arrival
  Moment since{};          // kText: when its first piece came
};

class Outbox {
 public:
  void add_text(std::string_view stream, std::string_view text,
                const std::shared_ptr<const Json>& parent, Moment now);
  void add(Outgoing item);

  // The next that is due, if any is.
  std::optional<Outgoing> take(Moment now);
  // When take() will have something if nothing is added; nothing: never.
  std::optional<Moment> due() const;

  bool is_empty() const { return queue_.empty() && updates_.empty(); }
  std::size_t count() const { return queue_.size() + updates_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  Outgoing& push(Outgoing item);
  void push_updates();
  void drop_cleared();
  Moment due_of_head() const;
  const Outgoing* due_update(Moment* when) const;
  Outgoing take_head(Moment now);
  Outgoing take_update(const Outgoing* update, Moment now);

  std::deque<Outgoing> queue_;
  std::vector<Outgoing> updates_;  // one for each display
  std::unordered_map<std::string, Moment> updated_;
  Moment text_sent_{}, clear_sent_{};
  std::size_t bytes_ = 0, numbers_ = 0, barrier_ = 0;
};

}  // namespace strider::jupyter
