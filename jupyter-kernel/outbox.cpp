// The order of what is sent, and when a piece is due.
#include "jupyter-kernel/outbox.h"

#include <algorithm>

namespace strider::jupyter {
namespace {

using Kind = Outgoing::Kind;

constexpr auto kInterval = std::chrono::milliseconds(50);  // between texts, updates, clears
constexpr auto kFirst = std::chrono::milliseconds(2);      // a text waits so long for company
constexpr std::size_t kTextSize = 32 << 10;                // a longer text goes at once
constexpr std::size_t kUpdatesKnown = 1000;

bool is_cleared_by_next(const Outgoing& item) {
  return item.kind == Kind::kText || item.kind == Kind::kDisplay || item.kind == Kind::kClear;
}

}  // namespace

Outgoing& Outbox::push(Outgoing item) {
  item.number = ++numbers_;
  queue_.push_back(std::move(item));
  return queue_.back();
}

void Outbox::add_text(std::string_view stream, std::string_view text,
                      const std::shared_ptr<const Json>& parent, Moment now) {
  bytes_ += text.size();
  if (!queue_.empty()) {
    Outgoing& last = queue_.back();
    if (last.kind == Kind::kText && last.stream == stream && last.parent == parent &&
        last.text.size() < kTextSize) {
      last.text += text;
      return;
    }
  }
  drop_cleared();
  Outgoing item;
  item.kind = Kind::kText;
  item.stream = stream;
  item.text = text;
  item.parent = parent;
  item.since = now;
  push(std::move(item));
}

void Outbox::add(Outgoing item) {
  switch (item.kind) {
    case Kind::kUpdate: {
      auto known = std::find_if(updates_.begin(), updates_.end(),
                                [&](const Outgoing& each) { return each.id == item.id; });
      if (known != updates_.end())
        *known = std::move(item);
      else
        updates_.push_back(std::move(item));
      return;
    }
    case Kind::kDisplay:
      drop_cleared();
      break;
    case Kind::kClear: {
      bool waits = item.waits;
      push(std::move(item));
      if (!waits) drop_cleared();
      return;
    }
    default:
      push_updates();
      barrier_ = numbers_ + 1;
  }
  push(std::move(item));
}

void Outbox::push_updates() {
  for (Outgoing& update : updates_) push(std::move(update));
  updates_.clear();
}

// Where a clear_output() came last: what waits before it would never be seen.
void Outbox::drop_cleared() {
  if (queue_.empty() || queue_.back().kind != Kind::kClear) return;
  Outgoing clear = std::move(queue_.back());
  queue_.pop_back();
  auto cleared = [this](const Outgoing& item) {
    if (item.number <= barrier_ || !is_cleared_by_next(item)) return false;
    bytes_ -= item.text.size();
    return true;
  };
  queue_.erase(std::remove_if(queue_.begin(), queue_.end(), cleared), queue_.end());
  queue_.push_back(std::move(clear));
}

Moment Outbox::due_of_head() const {
  const Outgoing& head = queue_.front();
  if (head.number <= barrier_) return Moment{};
  if (head.kind == Kind::kClear) return clear_sent_ + kInterval;
  bool grows = head.kind == Kind::kText && queue_.size() == 1 && head.text.size() < kTextSize;
  return grows ? std::max(head.since + kFirst, text_sent_ + kInterval) : Moment{};
}

// The update that is due first, but for those whose display may still wait behind a clear.
const Outgoing* Outbox::due_update(Moment* when) const {
  if (!queue_.empty() && queue_.front().kind != Kind::kText) return nullptr;
  const Outgoing* first = nullptr;
  for (const Outgoing& update : updates_) {
    auto sent = updated_.find(update.id);
    Moment due = sent == updated_.end() ? Moment{} : sent->second + kInterval;
    if (first && due >= *when) continue;
    first = &update;
    *when = due;
  }
  return first;
}

std::optional<Moment> Outbox::due() const {
  Moment when{};
  bool updates = due_update(&when) != nullptr;
  if (queue_.empty()) return updates ? std::optional(when) : std::nullopt;
  return updates ? std::min(when, due_of_head()) : due_of_head();
}

std::optional<Outgoing> Outbox::take(Moment now) {
  if (!queue_.empty() && due_of_head() <= now) return take_head(now);
  Moment when{};
  const Outgoing* update = due_update(&when);
  if (update && when <= now) return take_update(update, now);
  return std::nullopt;
}

Outgoing Outbox::take_head(Moment now) {
  Outgoing head = std::move(queue_.front());
  queue_.pop_front();
  bytes_ -= head.text.size();
  if (head.kind == Kind::kText) text_sent_ = now;
  if (head.kind == Kind::kClear) clear_sent_ = now;
  if (head.kind == Kind::kUpdate) updated_[head.id] = now;
  return head;
}

Outgoing Outbox::take_update(const Outgoing* update, Moment now) {
  if (updated_.size() > kUpdatesKnown) updated_.clear();
  auto place = updates_.begin() + (update - updates_.data());
  Outgoing taken = std::move(*place);
  updates_.erase(place);
  updated_[taken.id] = now;
  return taken;
}

}  // namespace strider::jupyter
