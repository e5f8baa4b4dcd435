// Pages of dropped loops are kept for the next ones of the same size: mapping costs more than
// changing the protection.
#include "kernels/backend/cpu/assembler/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace strider::nd {
namespace {

constexpr std::size_t kMostPooled = 64;

// Single pages that nobody uses; loops of more than one page are rare and are mapped anew.
class PagePool {
 public:
  void* take() {
    std::lock_guard<std::mutex> guard(lock_);
    if (pages_.empty()) return nullptr;
    void* page = pages_.back();
    pages_.pop_back();
    return page;
  }
  bool give(void* page) {
    std::lock_guard<std::mutex> guard(lock_);
    if (pages_.size() >= kMostPooled) return false;
    pages_.push_back(page);
    return true;
  }

 private:
  std::mutex lock_;
  std::vector<void*> pages_;
};

PagePool& pool() {
  static PagePool* instance = new PagePool;  // outlives loops that are dropped at exit
  return *instance;
}

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void* map_pages(std::size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

}  // namespace

CodeMemory::CodeMemory(const std::uint8_t* code, std::size_t size) {
  std::size_t bytes = (size + page_size() - 1) / page_size() * page_size();
  void* pages = bytes == page_size() ? pool().take() : nullptr;
  if (!pages) pages = map_pages(bytes);
  if (!pages) return;
  std::memcpy(pages, code, size);
  if (mprotect(pages, bytes, PROT_READ | PROT_EXEC) != 0) {
    munmap(pages, bytes);
    return;
  }
  pages_ = pages;
  bytes_ = bytes;
}

CodeMemory::CodeMemory(CodeMemory&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

CodeMemory& CodeMemory::operator=(CodeMemory&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

CodeMemory::~CodeMemory() {
  if (!pages_) return;
  bool single = bytes_ == page_size();
  if (single && mprotect(pages_, bytes_, PROT_READ | PROT_WRITE) == 0 && pool().give(pages_)) {
    return;
  }
  munmap(pages_, bytes_);
}

}  // namespace strider::nd
