// Memory that the system maps: files, or nothing, which copies of the process may share. The module
// mmap is written on it.
#pragma once

#include <memory>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Type;

// Pages of the system, given back when nobody needs them any longer.
struct MappedPages {
  ~MappedPages();
  char* place = nullptr;
  std::size_t length = 0;
};

class MappedMemory : public Object {
 public:
  explicit MappedMemory(Type* type) : Object(Layout::kOther, type) {}
  static Type& type_object();

  // Maps `length` bytes of a file from `offset`, a multiple of the page size; -1: of no file.
  // OSError.
  void map(int file, std::size_t length, std::int64_t offset, int flags, int protection);
  // Raises BufferError while views are there. Arrays keep the pages.
  void close();

  std::shared_ptr<MappedPages> pages;  // null: closed
  bool writable = false;
  int exports = 0;
};

bool is_mapped_memory(const Value& value);

}  // namespace strider::lang
