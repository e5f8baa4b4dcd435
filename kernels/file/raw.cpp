// Arrays from raw bytes and from separated text: frombuffer, fromfile, fromstring.
#include <strider/nd/error.h>
#include <strider/nd/file.h>

#include <cstring>

#include "kernels/file/number_text.h"
#include "kernels/file/source.h"

namespace strider::nd {
namespace {

using file::is_blank;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kValue, message); }

std::string_view skip_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// Steps over one separator: blanks in and around it match any blanks. False when the text differs.
bool skip_separator(std::string_view& text, std::string_view separator) {
  std::string_view rest = skip_blanks(text);
  for (char c : separator) {
    if (is_blank(c)) {
      rest = skip_blanks(rest);
      continue;
    }
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
  }
  if (rest.size() == text.size()) return false;
  text = rest;
  return true;
}

// A block of elements that grows.
class Growing {
 public:
  explicit Growing(DType dtype) : dtype_(dtype) {}
  void push(const void* element) {
    auto size = static_cast<std::size_t>(item_size(dtype_));
    std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    std::memcpy(bytes_.data() + at, element, size);
    ++count_;
  }
  std::int64_t count() const { return count_; }
  Array array() const { return Array::copy_of(bytes_.data(), count_, dtype_); }

 private:
  DType dtype_;
  std::vector<std::byte> bytes_;
  std::int64_t count_ = 0;
};

}  // namespace

Array frombuffer(Bytes content, DType dtype, std::int64_t count, std::int64_t offset,
                 bool swapped) {
  auto length = static_cast<std::int64_t>(content.size());
  if (offset < 0 || offset > length)
    fail("offset must be non-negative and no greater than buffer length (" +
         std::to_string(length) + ")");
  std::int64_t size = item_size(dtype), present = length - offset;
  if (count < 0) {
    if (present % size != 0) fail("buffer size must be a multiple of element size");
    count = present / size;
  } else if (count > present / size) {
    fail("buffer is smaller than requested size");
  }
  Array array = Array::copy_of(content.data() + offset, count, dtype);
  if (count > 0) file::adopt_bytes(array, swapped);
  return array;
}

Array fromstring(std::string_view text, DType dtype, std::int64_t count, std::string_view separator,
                 bool* stopped_early, std::size_t* consumed) {
  Growing found(dtype);
  bool stopped = false;
  std::string_view rest = skip_blanks(text);
  while (!rest.empty() && (count < 0 || found.count() < count)) {
    alignas(16) std::byte element[16];
    const char* end = rest.data() + rest.size();
    const char* stop = file::read_element(rest.data(), end, dtype, element);
    if (stop == rest.data()) {
      stopped = true;
      break;
    }
    found.push(element);
    rest = {stop, static_cast<std::size_t>(end - stop)};
    bool parted = skip_separator(rest, separator);
    rest = skip_blanks(rest);
    if (!parted && !rest.empty() && found.count() != count) {
      stopped = true;
      break;
    }
  }
  if (consumed) *consumed = text.size() - rest.size();
  if (stopped_early) *stopped_early = stopped;
  return found.array();
}

Array fromfile(const std::string& path, DType dtype, std::int64_t count, std::string_view separator,
               std::int64_t offset, bool swapped) {
  if (!separator.empty()) {
    if (offset != 0)
      throw Error(ErrorKind::kType, "'offset' argument only permitted for binary files");
    bool stopped = false;
    Array array = fromstring(read_file(path), dtype, count, separator, &stopped);
    if (stopped) fail("string or file could not be read to its end due to unmatched data");
    return array;
  }
  std::shared_ptr<const file::Source> source = file::Source::open(path);
  if (offset < 0) throw FileError(22, path);
  auto begin = static_cast<std::uint64_t>(offset);
  std::uint64_t present = source->size() > begin ? source->size() - begin : 0;
  auto whole = static_cast<std::int64_t>(present / static_cast<std::uint64_t>(item_size(dtype)));
  if (count < 0 || count > whole) count = whole;
  Array array = Array::empty(Dims{count}, dtype);
  if (count == 0) return array;
  auto wanted = static_cast<std::size_t>(array.byte_count());
  if (source->read(begin, array.mutable_data(), wanted) != wanted) throw FileError(5, path);
  file::adopt_bytes(array, swapped);
  return array;
}

}  // namespace strider::nd
