// Files of compiled kernels: found again, and never an error whatever happens to them.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/backend/cuda/jit/digest.h"
#include "kernels/backend/cuda/jit/disk_cache.h"

namespace cuda = strider::nd::cuda;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMegabyte = 1u << 20;

// A folder that goes with the scope.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "strider-cache-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  std::string kernels() const { return (path_ / "deep" / "kernels").string(); }
  const fs::path& path() const { return path_; }

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(kernels())) found.push_back(entry.path());
    return found;
  }
  std::size_t bytes() const {
    std::size_t total = 0;
    for (const fs::path& file : files()) total += fs::file_size(file);
    return total;
  }

 private:
  fs::path path_;
};

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

std::string content_of(int key) {
  return std::string(static_cast<std::size_t>(key % 97) * 31, 'a' + key % 26);
}

}  // namespace

TEST_CASE("a digest is SHA-256") {
  CHECK(cuda::digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(cuda::digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(cuda::digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  std::string text;
  for (int i = 0; i < 300; ++i) {
    CHECK(cuda::digest(text) == cuda::digest_plainly(text));
    text += static_cast<char>(i * 37 ^ i >> 3);
  }
}

TEST_CASE("what was stored is found, by the whole key, by another process") {
  Folder folder;
  std::string binary("\0\xff\n cubin", 10);
  {
    cuda::DiskCache cache(folder.kernels(), kMegabyte);
    CHECK(cache.reason() == "");
    CHECK_FALSE(cache.find("key"));
    cache.store("key", binary);
    cache.store("empty", "");
    cache.store("key", binary);
  }
  cuda::DiskCache cache(folder.kernels(), kMegabyte);
  CHECK(cache.find("key") == binary);
  CHECK(cache.find("empty") == "");
  CHECK_FALSE(cache.find("key2"));
  CHECK(folder.files().size() == 2);
  struct stat facts;
  REQUIRE(::stat(folder.kernels().c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0700);
}

TEST_CASE("a damaged file is not found, and goes") {
  Folder folder;
  cuda::DiskCache cache(folder.kernels(), kMegabyte);
  cache.store("key", "the content of a kernel");
  fs::path file = folder.files().at(0);
  std::string good = read(file);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    write(file, bad);
    CHECK_FALSE(cache.find("key"));
    CHECK_FALSE(fs::exists(file));
    write(file, good.substr(0, i));
    CHECK_FALSE(cache.find("key"));
  }
  write(file, good + "more");
  CHECK_FALSE(cache.find("key"));
  cache.store("key", "again");
  CHECK(cache.find("key") == "again");
}

TEST_CASE("a record under another key's name is not found") {
  Folder folder;
  cuda::DiskCache cache(folder.kernels(), kMegabyte);
  cache.store("one", "1");
  fs::path one = folder.files().at(0);
  fs::copy_file(one, fs::path(folder.kernels()) / (cuda::digest("two") + ".kernel"));
  CHECK_FALSE(cache.find("two"));
  CHECK(cache.find("one") == "1");
}

TEST_CASE("things that are no files are not read") {
  Folder folder;
  cuda::DiskCache cache(folder.kernels(), kMegabyte);
  fs::path base = folder.kernels();
  auto name = [&](const char* key) { return base / (cuda::digest(key) + ".kernel"); };
  REQUIRE(::mkfifo(name("pipe").c_str(), 0600) == 0);
  fs::create_directory(name("folder"));
  fs::create_symlink("/dev/zero", name("link"));
  for (const char* key : {"pipe", "folder", "link"}) CHECK_FALSE(cache.find(key));
  cache.store("folder", "x");
  CHECK_FALSE(cache.find("folder"));
}

TEST_CASE("a folder that is not this user's alone is not used") {
  Folder folder;
  fs::create_directories(folder.kernels());
  ::chmod(folder.kernels().c_str(), 0770);
  CHECK(cuda::DiskCache(folder.kernels(), kMegabyte).reason().find("by others") !=
        std::string::npos);
  ::chmod(folder.kernels().c_str(), 0700);
  fs::path link = folder.path() / "link";
  fs::create_directory_symlink(folder.kernels(), link);
  CHECK(cuda::DiskCache(link.string(), kMegabyte).reason() != "");
  if (::chown(folder.kernels().c_str(), 12345, 12345) == 0)
    CHECK(cuda::DiskCache(folder.kernels(), kMegabyte).reason().find("else") != std::string::npos);
}

TEST_CASE("without a folder nothing is kept") {
  Folder folder;
  write(folder.path() / "deep", "a file");
  for (const std::string& name : {folder.kernels(), std::string("/proc/strider"), std::string()}) {
    cuda::DiskCache cache(name, kMegabyte);
    CHECK(cache.reason() != "");
    cache.store("key", "content");
    CHECK_FALSE(cache.find("key"));
  }
}

TEST_CASE("a folder that goes while it is used does no harm") {
  Folder folder;
  cuda::DiskCache cache(folder.kernels(), kMegabyte);
  cache.store("key", "content");
  fs::remove_all(folder.kernels());
  CHECK_FALSE(cache.find("key"));
  cache.store("key", "content");
  CHECK_FALSE(cache.find("key"));
}

TEST_CASE("what was not used for longest goes first") {
  Folder folder;
  cuda::DiskCache cache(folder.kernels(), 100'000);
  std::string content(10'000, 'x');
  for (int i = 0; i < 9; ++i) {
    cache.store(std::to_string(i), content);
    ::usleep(10'000);
  }
  CHECK(cache.find("0"));
  cache.store("9", content);
  cache.store("10", content);
  CHECK(cache.find("0"));
  CHECK(cache.find("10"));
  CHECK_FALSE(cache.find("1"));
  cache.store("large", std::string(200'000, 'y'));
  CHECK_FALSE(cache.find("large"));
  for (int i = 0; i < 200; ++i) cache.store("more " + std::to_string(i), content);
  CHECK(folder.bytes() <= 100'000);
}

TEST_CASE("a full disk is not noticed") {
  Folder folder;
  fs::create_directories(folder.kernels());
  if (::mount("tmpfs", folder.kernels().c_str(), "tmpfs", 0, "size=64k,mode=0700") != 0) return;
  {
    cuda::DiskCache cache(folder.kernels(), kMegabyte);
    CHECK(cache.reason() == "");
    std::string content(10'000, 'x');
    for (int i = 0; i < 20; ++i) cache.store(std::to_string(i), content);
    CHECK(cache.find("0") == content);
    CHECK_FALSE(cache.find("19"));
    for (const fs::path& file : folder.files()) CHECK(file.extension() == ".kernel");
    ::mount("tmpfs", folder.kernels().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k");
    cache.store("late", "x");
    CHECK_FALSE(cache.find("late"));
    CHECK(cache.find("0") == content);
  }
  ::umount2(folder.kernels().c_str(), MNT_DETACH);
}

TEST_CASE("sixteen processes share a folder") {
  Folder folder;
  constexpr int kProcesses = 16, kRounds = 400, kKeys = 60;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    pid_t child = ::fork();
    if (child == 0) {
      // Half of them have less room than all contents take, so that files go all the time.
      cuda::DiskCache cache(folder.kernels(), process % 2 ? kMegabyte : 40'000);
      bool right = cache.reason().empty();
      unsigned state = static_cast<unsigned>(process) * 7919 + 1;
      for (int round = 0; round < kRounds; ++round) {
        state = state * 1664525 + 1013904223;
        int key = static_cast<int>(state >> 16) % kKeys;
        std::string name = "key " + std::to_string(key);
        std::optional<std::string> found = cache.find(name);
        right &= !found || *found == content_of(key);
        if (!found) cache.store(name, content_of(key));
      }
      ::_exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  for (const fs::path& file : folder.files()) CHECK(file.extension() == ".kernel");
}

TEST_CASE("the folder comes from the environment") {
  ::setenv("STRIDER_CACHE_DIR", "/a", 1);
  CHECK(cuda::kernel_cache_folder() == "/a/kernels");
  ::unsetenv("STRIDER_CACHE_DIR");
  ::setenv("XDG_CACHE_HOME", "/b", 1);
  CHECK(cuda::kernel_cache_folder() == "/b/strider/kernels");
  ::unsetenv("XDG_CACHE_HOME");
  CHECK(cuda::kernel_cache_folder().ends_with("/.cache/strider/kernels"));
  CHECK(cuda::kernel_cache_limit() == 256 * kMegabyte);
}
