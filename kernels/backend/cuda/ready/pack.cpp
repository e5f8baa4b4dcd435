// A first line; for each architecture a line with its number, its modules, and the bytes of its
// index and code; the index: for each module a line with its sizes and the number of its keys, and
// the keys; the code.
#include "kernels/backend/cuda/ready/pack.h"

#include <zlib.h>

#include <charconv>

namespace strider::nd::cuda {
namespace {

constexpr std::string_view kFirstLine = "strider ready-made kernels 1\n";

// Reads numbers and lines; anything unexpected ends it.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::string_view line() {
    std::size_t end = rest_.find('\n');
    if (end == rest_.npos) {
      failed_ = true;
      return {};
    }
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  // The numbers of a line, with one space between them.
  template <std::size_t kCount>
  void numbers(std::size_t (&into)[kCount]) {
    std::string_view text = line();
    const char *at = text.data(), *end = at + text.size();
    for (std::size_t& number : into) {
      auto [next, error] = std::from_chars(at, end, number);
      if (error != std::errc()) failed_ = true;
      at = next < end ? next + 1 : end;
    }
  }
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) failed_ = true;
    std::string_view text = rest_.substr(0, count);
    rest_.remove_prefix(text.size());
    return text;
  }
  bool at_end() const { return failed_ || rest_.empty(); }
  bool failed() const { return failed_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

// Code for 8.6 runs on 8.9, but not on 9.0.
bool runs_on(int code, int capability) {
  return code / 10 == capability / 10 && code <= capability;
}

}  // namespace

PackedModule pack_module(std::vector<std::string> keys, const std::string& machine_code) {
  uLongf size = compressBound(machine_code.size());
  std::string code(size, '\0');
  compress2(reinterpret_cast<Bytef*>(code.data()), &size,
            reinterpret_cast<const Bytef*>(machine_code.data()), machine_code.size(),
            Z_BEST_COMPRESSION);
  code.resize(size);
  return {std::move(keys), machine_code.size(), std::move(code)};
}

std::string pack(const std::vector<PackedArchitecture>& architectures) {
  std::string all(kFirstLine);
  for (const PackedArchitecture& architecture : architectures) {
    std::string index, code;
    for (const PackedModule& module : architecture.modules) {
      index += std::to_string(module.code.size()) + " " + std::to_string(module.size) + " " +
               std::to_string(module.keys.size()) + "\n";
      for (const std::string& key : module.keys) index += key + "\n";
      code += module.code;
    }
    all += std::to_string(architecture.number) + " " + std::to_string(architecture.modules.size()) +
           " " + std::to_string(index.size()) + " " + std::to_string(code.size()) + "\n" + index +
           code;
  }
  return all;
}

void ReadyPack::open(int capability) {
  Reader reader(packed_);
  if (packed_.empty() || reader.take(kFirstLine.size()) != kFirstLine) return;
  int best = -1;
  std::string_view index, code;
  std::size_t count = 0;
  while (!reader.at_end()) {
    std::size_t head[4] = {};  // number, modules, bytes of the index and of the code
    reader.numbers(head);
    std::string_view its_index = reader.take(head[2]), its_code = reader.take(head[3]);
    auto number = static_cast<int>(head[0]);
    if (reader.failed() || !runs_on(number, capability) || number <= best) continue;
    best = number;
    count = head[1];
    index = its_index;
    code = its_code;
  }
  Reader lines(index);
  auto start = static_cast<std::size_t>(code.data() - packed_.data());
  for (std::size_t i = 0; i < count && !lines.failed(); ++i) {
    std::size_t sizes[3] = {};  // packed, size, keys
    lines.numbers(sizes);
    modules_.push_back({start, sizes[0], sizes[1]});
    start += sizes[0];
    for (std::size_t key = 0; key < sizes[2] && !lines.failed(); ++key) {
      places_[lines.line()] = {i, key};
    }
  }
  if (lines.failed() || start > packed_.size()) places_.clear();
}

std::optional<ReadyPack::Place> ReadyPack::find(const std::string& key) const {
  auto found = places_.find(key);
  if (found == places_.end()) return std::nullopt;
  return found->second;
}

std::string ReadyPack::machine_code(std::size_t module) const {
  const Module& it = modules_[module];
  std::string code(it.size, '\0');
  uLongf size = it.size;
  int status = uncompress(reinterpret_cast<Bytef*>(code.data()), &size,
                          reinterpret_cast<const Bytef*>(packed_.data() + it.start), it.packed);
  return status == Z_OK && size == it.size ? code : std::string();
}

}  // namespace strider::nd::cuda
