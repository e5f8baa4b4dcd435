// What stands for an open file of the system.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Room for what one call reads: no more than the system gives at once, and untouched until it is
// filled, so that a call may ask for more than there is memory.
class ReadBytes {
 public:
  explicit ReadBytes(std::size_t wanted)
      : room_(std::min(wanted, kMostAtOnce)),
        data_(std::make_unique_for_overwrite<char[]>(room_)) {}
  char* data() { return data_.get(); }
  std::size_t room() const { return room_; }
  std::string first(std::int64_t count) const {
    return {data_.get(), static_cast<std::size_t>(count)};
  }

 private:
  static constexpr std::size_t kMostAtOnce = 0x7ffff000;
  std::size_t room_;
  std::unique_ptr<char[]> data_;
};

// The number of a user or group, -1 for none; OverflowError names the `kind`, "uid".
id_t to_identity(const Value& value, const char* kind);
// An integer of C's int. TypeError, OverflowError.
int to_c_int(const Value& value);
// An int, or what fileno() of an object tells. TypeError for others, ValueError below 0.
int to_descriptor(const Value& value);
// What a call that moves bytes through a descriptor (`events` as poll takes them) returns: others
// have their turns until it need not wait; it is made again where a signal came between. OSError.
std::int64_t moved_bytes(int descriptor, short events, const std::function<std::int64_t()>& move);

// Writes bytes; what the call returns. Where others read them in turns, they go in pieces that are
// taken at once.
std::int64_t written_bytes(int descriptor, std::string_view bytes);

}  // namespace strider::lang
