// os: facts about files, and folders walked entry by entry.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/modules/os/os_files.h"
#include "interpreter/builtins/modules/os/struct_sequence.h"
#include "interpreter/builtins/modules/os/system_path.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr const char* kStatFields[] = {
    "st_mode",  "st_ino",      "st_dev",      "st_nlink",    "st_uid",     "st_gid",
    "st_size",  "st_atime",    "st_mtime",    "st_ctime",    "st_atime",   "st_mtime",
    "st_ctime", "st_atime_ns", "st_mtime_ns", "st_ctime_ns", "st_blksize", "st_blocks"};

StructSequenceType& stat_type() {
  static StructSequenceType type("stat_result", "os", kStatFields, 10);
  return type;
}

Value make_stat(const struct stat& status) {
  Values values;
  for (std::uint64_t number :
       {static_cast<std::uint64_t>(status.st_mode), static_cast<std::uint64_t>(status.st_ino),
        static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_nlink),
        static_cast<std::uint64_t>(status.st_uid), static_cast<std::uint64_t>(status.st_gid),
        static_cast<std::uint64_t>(status.st_size)})
    values.push_back(from_uint64(number));
  const timespec times[] = {status.st_atim, status.st_mtim, status.st_ctim};
  for (const timespec& time : times) values.push_back(Value::integer(time.tv_sec));
  for (const timespec& time : times)
    values.push_back(
        Value::real(static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)));
  for (const timespec& time : times)
    values.push_back(Value::integer(time.tv_sec * 1000000000 + time.tv_nsec));
  values.push_back(Value::integer(status.st_blksize));
  values.push_back(Value::integer(status.st_blocks));
  return stat_type().make(std::move(values));
}

// One name in a folder, as scandir gives it.
class DirectoryEntry final : public Object {
 public:
  DirectoryEntry(std::string name_text, std::string path_value, unsigned char kind_code,
                 bool in_bytes, int folder_descriptor)
      : Object(Layout::kOther, &directory_entry_type()),
        name(std::move(name_text)),
        path(std::move(path_value)),
        kind(kind_code),
        in_bytes_(in_bytes),
        folder_(folder_descriptor) {}
  // Whether it is of a kind (S_IFDIR, S_IFREG); a missing file is of none.
  bool is(mode_t wanted, bool follow) const {
    bool known = kind != DT_UNKNOWN && !(follow && kind == DT_LNK);
    if (known) return static_cast<mode_t>(DTTOIF(kind)) == wanted;
    struct stat status;
    if (look(status, follow) == 0) return (status.st_mode & S_IFMT) == wanted;
    if (errno != ENOENT) raise_os_error(errno, path);
    return false;
  }
  int look(struct stat& status, bool follow) const {
    return fstatat(folder_, path.c_str(), &status, follow ? 0 : AT_SYMLINK_NOFOLLOW);
  }
  Value facts(bool follow) const {
    struct stat status;
    if (look(status, follow) != 0) raise_os_error(errno, path);
    return make_stat(status);
  }
  // Its name or path as a value: of the kind that the folder's was.
  Value shown(const std::string& text) const {
    return in_bytes_ ? Value(make<Bytes>(std::string(text))) : system_text(text);
  }
  const std::string name, path;
  const unsigned char kind;

 private:
  const bool in_bytes_;
  const int folder_;  // the descriptor that the path begins at, or AT_FDCWD
};

DirectoryEntry& entry_of(const Value& self) { return *self.as<DirectoryEntry>(); }

template <mode_t kKind>
Value entry_is(const Parameters& p) {
  return Value::boolean(entry_of(p[0]).is(kKind, truth(p[1])));
}

const NativeRow kEntryMethods[] = {
    {"is_dir(self, *, follow_symlinks=True)", entry_is<S_IFDIR>, "Whether it is a folder."},
    {"is_file(self, *, follow_symlinks=True)", entry_is<S_IFREG>, "Whether it is a plain file."},
    {"is_symlink(self)",
     [](const Parameters& p) { return Value::boolean(entry_of(p[0]).is(S_IFLNK, false)); },
     "Whether it is a symbolic link."},
    {"stat(self, *, follow_symlinks=True)",
     [](const Parameters& p) { return entry_of(p[0]).facts(truth(p[1])); },
     "Facts about the file."},
    {"inode(self)",
     [](const Parameters& p) {
       return get_attribute(entry_of(p[0]).facts(false), intern("st_ino"));
     },
     "The number of the file."},
    {"__fspath__(self)",
     [](const Parameters& p) { return entry_of(p[0]).shown(entry_of(p[0]).path); }, "The path."},
};

const PropertyRow kEntryProperties[] = {
    {"name", [](const Value& self) { return entry_of(self).shown(entry_of(self).name); }, nullptr,
     "The name in its folder."},
    {"path", [](const Value& self) { return entry_of(self).shown(entry_of(self).path); }, nullptr,
     "The path."},
};

class DirectoryIterator final : public Iterator {
 public:
  DirectoryIterator(DIR* folder, const SystemPath& path)
      : Iterator(iterator_type()),
        folder_(folder),
        path_(path.text()),
        in_bytes_(path.in_bytes()),
        place_(path.is_open() ? path.descriptor() : AT_FDCWD) {}
  ~DirectoryIterator() override { close(); }
  bool advance(Value& item) override {
    while (dirent* entry = folder_ ? readdir(folder_) : nullptr) {
      std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      bool joined = path_.empty() || path_.ends_with('/');
      std::string path = joined ? path_ + name : path_ + "/" + name;
      item = make<DirectoryEntry>(name, path, entry->d_type, in_bytes_, place_);
      return true;
    }
    close();
    return false;
  }
  void close() {
    if (folder_) closedir(folder_);
    folder_ = nullptr;
  }
  void traverse(Visitor&) override {}
  void clear_references() override {}

 private:
  static Type* iterator_type();
  DIR* folder_;
  std::string path_;
  bool in_bytes_;
  int place_;
};

Value close_iterator(const Parameters& p) {
  p[0].as<DirectoryIterator>()->close();
  return Value::none();
}

const NativeRow kIteratorMethods[] = {
    {"__enter__(self)", [](const Parameters& p) { return p[0]; }, "The iterator itself."},
    {"__exit__(self, *args)", close_iterator, "Closes the folder."},
    {"close(self)", close_iterator, "Closes the folder."},
};

Type* DirectoryIterator::iterator_type() {
  static Type* type = [] {
    Type* made = make_iterator_type("ScandirIterator");
    place_in_module(*made, "posix");
    made->add(kIteratorMethods);
    return made;
  }();
  return type;
}

Value stat_system_path(const SystemPath& path, bool follow) {
  struct stat status;
  int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
  int result = path.is_open() ? fstat(path.descriptor(), &status)
                              : fstatat(path.folder(), path.name(), &status, flags);
  if (result != 0) return path.failed(errno);
  return make_stat(status);
}

}  // namespace

Type& stat_result_type() { return stat_type().type(); }

Type& directory_entry_type() {
  static Type& type = *[] {
    Type& made = make_module_type("DirEntry", "posix");
    made.add(kEntryMethods);
    made.add(kEntryProperties);
    make_subscriptable(made);
    made.slots.repr = [](const Value& self) {
      Value name = entry_of(self).shown(entry_of(self).name);
      return Value(make_str("<DirEntry " + repr_text(name) + ">"));
    };
    return &made;
  }();
  return type;
}

Value os_scandir(const Parameters& p) {
  SystemPath path("scandir", p[0], SystemPath::kDescriptor | SystemPath::kNothing);
  DIR* folder = open_folder(path);
  return make<DirectoryIterator>(folder, path);
}

Value os_stat(const Parameters& p) {
  SystemPath path("stat", p[0], SystemPath::kDescriptor, p[1]);
  bool follow = truth(p[2]);
  if (path.is_open() && !follow)
    raise(errors::ValueError, "stat: cannot use fd and follow_symlinks together");
  return stat_system_path(path, follow);
}

Value os_lstat(const Parameters& p) {
  return stat_system_path({"lstat", p[0], SystemPath::kPath, p[1]}, false);
}

Value os_fstat(const Parameters& p) {
  struct stat status;
  if (fstat(to_c_int(p[0]), &status) != 0) raise_os_error(errno);
  return make_stat(status);
}

}  // namespace strider::lang
