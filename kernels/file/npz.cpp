// Archives of arrays: numpy.savez and the lazy reader that numpy.load returns.
#include <strider/nd/error.h>
#include <strider/nd/file.h>

#include "kernels/file/npy_source.h"
#include "kernels/file/zip.h"

namespace strider::nd {

struct NpzFile::Archive {
  std::shared_ptr<const file::Source> source;
  std::vector<file::ZipMember> members;
  std::vector<std::string> files;

  explicit Archive(std::shared_ptr<const file::Source> from)
      : source(std::move(from)), members(file::read_directory(*source)) {
    for (const file::ZipMember& member : members) {
      bool array = member.name.ends_with(".npy");
      files.push_back(array ? member.name.substr(0, member.name.size() - 4) : member.name);
    }
  }

  // A member by its name with or without ".npy"; the last of equal names counts.
  const file::ZipMember* find(std::string_view name) const {
    for (std::size_t i = members.size(); i-- > 0;)
      if (files[i] == name || members[i].name == name) return &members[i];
    return nullptr;
  }
  const file::ZipMember& get(std::string_view name) const {
    if (const file::ZipMember* member = find(name)) return *member;
    throw Error(ErrorKind::kValue, std::string(name) + " is not a file in the archive");
  }
};

NpzFile NpzFile::open(const std::string& path) {
  NpzFile result;
  result.archive_ = std::make_shared<Archive>(file::Source::open(path));
  return result;
}

NpzFile NpzFile::from_bytes(std::string content) {
  NpzFile result;
  result.archive_ = std::make_shared<Archive>(file::Source::of_bytes(std::move(content)));
  return result;
}

const std::vector<std::string>& NpzFile::files() const { return archive_->files; }

bool NpzFile::contains(std::string_view name) const { return archive_->find(name) != nullptr; }

bool NpzFile::is_array(std::string_view name) const {
  std::string content = read_bytes(name);
  return kind_of(std::as_bytes(std::span(content))) == FileKind::kNpy;
}

std::string NpzFile::read_bytes(std::string_view name) const {
  return file::read_member(*archive_->source, archive_->get(name));
}

Array NpzFile::read(std::string_view name) const {
  std::string content = read_bytes(name);
  return read_npy(std::as_bytes(std::span(content)));
}

std::string npz_bytes(std::span<const NamedArray> members, bool compressed) {
  file::ZipWriter writer(compressed);
  for (const NamedArray& member : members)
    writer.add(member.name + ".npy", npy_bytes(member.array));
  return writer.finish();
}

void save_npz(const std::string& path, std::span<const NamedArray> members, bool compressed) {
  write_file(path, npz_bytes(members, compressed));
}

}  // namespace strider::nd
