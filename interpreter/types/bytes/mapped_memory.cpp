// Memory that the system maps.
#include "interpreter/types/bytes/mapped_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/search.h"

namespace strider::lang {
namespace {

MappedMemory& memory_of(const Value& value) { return *value.as<MappedMemory>(); }

MappedPages& open_pages(const Value& value) {
  if (!memory_of(value).pages) raise(errors::ValueError, "mmap closed or invalid");
  return *memory_of(value).pages;
}

std::int64_t memory_length(const Value& self) {
  return static_cast<std::int64_t>(open_pages(self).length);
}

Buffer describe(const Value& value) {
  return {"B", 1, {memory_length(value)}, {1}, memory_of(value).writable};
}

char* place_of_memory(const Value& value, bool) { return open_pages(value).place; }

// _map(self, file, length, offset, flags, protection)
Value map(const Parameters& p) {
  if (memory_of(p[0]).exports > 0)
    raise(errors::BufferError, "mmap can't resize with extant buffers exported.");
  memory_of(p[0]).map(static_cast<int>(to_int64(p[1])), static_cast<std::size_t>(to_int64(p[2])),
                      to_int64(p[3]), static_cast<int>(to_int64(p[4])),
                      static_cast<int>(to_int64(p[5])));
  return Value::none();
}

// _find(self, sub, start, end, backwards)
Value find(const Parameters& p) {
  MappedPages& pages = open_pages(p[0]);
  std::string_view all(pages.place, pages.length), sub = to_bytes(p[1]);
  auto bound = [&](const Value& value) {
    std::int64_t place = to_int64(value), size = memory_length(p[0]);
    return static_cast<std::size_t>(
        std::clamp(place < 0 ? place + size : place, std::int64_t{0}, size));
  };
  std::size_t start = bound(p[2]), end = bound(p[3]);
  if (start > end) return Value::integer(-1);
  std::string_view part = all.substr(start, end - start);
  std::size_t at = truth(p[4]) ? find_last_part(part, sub) : find_part(part, sub);
  return Value::integer(at == part.npos ? -1 : static_cast<std::int64_t>(at + start));
}

// _flush(self, offset, size)
Value flush(const Parameters& p) {
  MappedPages& pages = open_pages(p[0]);
  auto offset = static_cast<std::size_t>(to_int64(p[1]));
  auto size = static_cast<std::size_t>(to_int64(p[2]));
  if (offset > pages.length || size > pages.length - offset)
    raise(errors::ValueError, "flush values out of range");
  if (msync(pages.place + offset, size, MS_SYNC) != 0) raise_os_error(errno);
  return Value::none();
}

// _move(self, destination, source, count)
Value move(const Parameters& p) {
  MappedPages& pages = open_pages(p[0]);
  std::int64_t destination = to_int64(p[1]), source = to_int64(p[2]), count = to_int64(p[3]);
  std::int64_t size = memory_length(p[0]);
  if (destination < 0 || source < 0 || count < 0 || size - destination < count ||
      size - source < count)
    raise(errors::ValueError, "source, destination, or count out of range");
  std::memmove(pages.place + destination, pages.place + source, static_cast<std::size_t>(count));
  return Value::none();
}

Value close(const Parameters& p) {
  memory_of(p[0]).close();
  return Value::none();
}

const NativeRow kMethods[] = {
    {"_map(self, file, length, offset, flags, protection, /)", map, "Maps a file or fresh memory."},
    {"_find(self, sub, start, end, backwards, /)", find, "Where bytes are found, or -1."},
    {"_flush(self, offset, size, /)", flush, "Writes what was changed to the file."},
    {"_move(self, destination, source, count, /)", move, "Copies bytes within the memory."},
    {"close(self, /)", close, "Lets the memory go."},
};

const PropertyRow kProperties[] = {
    {"closed", [](const Value& self) { return Value::boolean(!memory_of(self).pages); }, nullptr,
     "Whether the memory was let go."},
};

}  // namespace

MappedPages::~MappedPages() {
  if (place) munmap(place, length);
}

void MappedMemory::map(int file, std::size_t length, std::int64_t offset, int flags,
                       int protection) {
  auto fresh = std::make_shared<MappedPages>();
  void* place =
      mmap(nullptr, length, protection, file < 0 ? flags | MAP_ANONYMOUS : flags, file, offset);
  if (place == MAP_FAILED) raise_os_error(errno);
  fresh->place = static_cast<char*>(place);
  fresh->length = length;
  writable = protection & PROT_WRITE;
  pages = std::move(fresh);
}

void MappedMemory::close() {
  if (exports > 0) raise(errors::BufferError, "cannot close exported pointers exist");
  pages.reset();
}

bool is_mapped_memory(const Value& value) {
  return value.has_layout(Layout::kOther) && is_instance(value, MappedMemory::type_object());
}

Type& MappedMemory::type_object() {
  static bool ready = false;
  static Type& type = new_type("Memory", Type::object_type());
  if (ready) return type;
  ready = true;
  type.doc = "Memory that the system maps.";
  type.set(Type::kSubclassable);
  type.slots.length = memory_length;
  type.slots.construct = [](Type* cls, const Arguments&) {
    return Value(make_instance<MappedMemory>(cls));
  };
  offer_buffer(
      type, {describe, place_of_memory, memory_length,
             [](const Value& value, int change) { memory_of(value).exports += change; },
             [](const Value& value) -> std::shared_ptr<void> { return memory_of(value).pages; }});
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

}  // namespace strider::lang
