// The bytes of a file as an array: what numpy.memmap stands on. Knows nothing of formats or shapes.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/file/file_arguments.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

struct Mapping {
  ~Mapping() {
    if (place) munmap(place, length);
  }
  void* place = nullptr;
  std::size_t length = 0;
};

void unmap(void* mapping) { delete static_cast<Mapping*>(mapping); }

// A file that is open while this lives.
struct OpenFile {
  OpenFile(const std::string& path, int flags) : handle(open(path.c_str(), flags | O_CLOEXEC)) {
    if (handle < 0) raise_os_error(errno, path);
  }
  ~OpenFile() { close(handle); }
  int handle;
};

// _map_file(path, mode, offset, length): 'r' cannot be written, 'c' keeps what is written from the
// file, 'r+' brings it there.
Value map_file(const Parameters& p) {
  std::string path = to_path(p[0]);
  std::string_view mode = to_text(p[1], "mode");
  std::int64_t offset = to_int64(p[2]), length = to_int64(p[3]);
  bool shared = mode == "r+", writeable = mode != "r";
  OpenFile file(path, shared ? O_RDWR : O_RDONLY);
  std::int64_t skipped = offset % sysconf(_SC_PAGESIZE);
  auto mapping = std::make_unique<Mapping>();
  mapping->length = static_cast<std::size_t>(length + skipped);
  void* place = mmap(nullptr, mapping->length, writeable ? PROT_READ | PROT_WRITE : PROT_READ,
                     shared ? MAP_SHARED : MAP_PRIVATE, file.handle, offset - skipped);
  if (place == MAP_FAILED) raise_os_error(errno, path);
  mapping->place = place;
  return wrap(nd::Array::on_memory(static_cast<char*>(place) + skipped, length, nd::Dims{length},
                                   nd::DType::kUInt8, mapping.release(), unmap, writeable));
}

// _flush_map(array): brings what was written to the file.
Value flush_map(const Parameters& p) {
  if (!is_array(p[0])) raise(errors::TypeError, "arrays are mapped, not {}", type_name(p[0]));
  const nd::Array& array = array_of(p[0]);
  auto first = reinterpret_cast<std::uintptr_t>(array.data());
  std::uintptr_t start = first - first % static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::size_t length = first - start + static_cast<std::size_t>(array.byte_count());
  if (msync(reinterpret_cast<void*>(start), length, MS_SYNC) != 0) raise_os_error(errno);
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"_map_file(path, mode, offset, length)", map_file, "The bytes of a file as an array."},
    {"_flush_map(array, /)", flush_map, "Writes a mapped array to its file."},
};

}  // namespace

std::span<const NativeRow> mapping_functions() { return kFunctions; }

}  // namespace strider::lang
