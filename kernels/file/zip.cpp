// Reads and writes the records of zip archives.
#include "kernels/file/zip.h"

#include <strider/nd/error.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace strider::nd::file {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kFileFormat, message); }

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr std::uint32_t kNoSize = 0xffffffffu;

// Little-endian fields of a record.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t get(std::size_t at, std::size_t width) const {
    if (at + width > bytes_.size()) fail("Truncated record in zip file");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    return value;
  }
  std::uint16_t u16(std::size_t at) const { return static_cast<std::uint16_t>(get(at, 2)); }
  std::uint32_t u32(std::size_t at) const { return static_cast<std::uint32_t>(get(at, 4)); }
  std::uint64_t u64(std::size_t at) const { return get(at, 8); }

 private:
  std::string_view bytes_;
};

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t count = 0;
};

Directory read_end64(const Source& source, std::uint64_t locator_at, Directory directory) {
  std::string locator = source.text(locator_at, 20);
  if (locator.size() < 20 || Fields(locator).u32(0) != kLocator64) return directory;
  std::string end = source.text(Fields(locator).u64(8), 56);
  if (end.size() < 56 || Fields(end).u32(0) != kEnd64)
    fail("Corrupt zip64 end of central directory");
  Fields fields(end);
  return {fields.u64(48), fields.u64(40), fields.u64(32)};
}

Directory find_directory(const Source& source) {
  constexpr std::uint64_t kLongest = 22 + 65535;  // the record and a comment
  std::uint64_t start = source.size() > kLongest ? source.size() - kLongest : 0;
  std::string tail = source.text(start, static_cast<std::size_t>(source.size() - start));
  std::size_t at = tail.rfind("PK\x05\x06");
  if (at == std::string::npos || tail.size() - at < 22) fail("File is not a zip file");
  Fields fields(std::string_view(tail).substr(at));
  Directory directory{fields.u32(16), fields.u32(12), fields.u16(10)};
  std::uint64_t end_at = start + at;
  if (end_at >= 20) directory = read_end64(source, end_at - 20, directory);
  return directory;
}

// Sizes that did not fit into 32 bits stand in an extra field, in this order.
void read_extra64(ZipMember& member, std::string_view extra) {
  std::size_t at = 0;
  while (at + 4 <= extra.size()) {
    Fields fields(extra.substr(at));
    std::size_t length = fields.u16(2);
    if (at + 4 + length > extra.size()) fail("Corrupt extra field in zip file");
    if (fields.u16(0) == 1) {
      Fields sizes(extra.substr(at + 4, length));
      std::size_t next = 0;
      for (std::uint64_t* value : {&member.size, &member.compressed_size, &member.header_offset})
        if (*value == kNoSize) {
          *value = sizes.u64(next);
          next += 8;
        }
    }
    at += 4 + length;
  }
}

std::string inflate_all(const std::string& compressed, const ZipMember& member) {
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) throw Error(ErrorKind::kMemory, "zlib: out of memory");
  std::string result;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  std::size_t left = compressed.size();
  int status = Z_OK;
  while (status == Z_OK) {
    std::size_t have = result.size();
    if (have > member.size) break;
    // Grown as data arrive: a lying header costs nothing.
    std::size_t room = std::clamp<std::size_t>(have, 65536, std::size_t{1} << 30);
    result.resize(have + room);
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min<std::size_t>(left, 1u << 30));
      left -= stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + have);
    stream.avail_out = static_cast<uInt>(room);
    status = ::inflate(&stream, Z_NO_FLUSH);
    result.resize(have + room - stream.avail_out);
    if (status == Z_BUF_ERROR) break;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) fail("Error while decompressing '" + member.name + "' of zip file");
  return result;
}

std::uint32_t checksum(std::string_view content) {
  uLong crc = crc32_z(0, nullptr, 0);
  return static_cast<std::uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

std::string deflate_all(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(ErrorKind::kMemory, "zlib: out of memory");
  std::string result;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    std::size_t chunk = std::min<std::size_t>(content.size(), 1u << 30);
    if (stream.avail_in == 0 && chunk > 0) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
      stream.avail_in = static_cast<uInt>(chunk);
      content.remove_prefix(chunk);
    }
    std::size_t have = result.size();
    std::size_t room = std::clamp<std::size_t>(have, 65536, std::size_t{1} << 30);
    result.resize(have + room);
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + have);
    stream.avail_out = static_cast<uInt>(room);
    status = ::deflate(&stream, content.empty() ? Z_FINISH : Z_NO_FLUSH);
    result.resize(have + room - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

void put(std::string& out, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

// Version, flags, method, the first of January 1980, checksum: what both kinds of header share.
void put_common(std::string& out, const ZipMember& member) {
  constexpr std::uint16_t kFirstDay = 0x21;
  put(out, 45, 2);
  put(out, member.flags, 2);
  put(out, member.method, 2);
  put(out, 0, 2);
  put(out, kFirstDay, 2);
  put(out, member.crc, 4);
}

void put_extra64(std::string& out, std::initializer_list<std::uint64_t> values) {
  put(out, 1, 2);
  put(out, 8 * values.size(), 2);
  for (std::uint64_t value : values) put(out, value, 8);
}

void put_local_header(std::string& out, const ZipMember& member) {
  put(out, kLocal, 4);
  put_common(out, member);
  put(out, kNoSize, 4);
  put(out, kNoSize, 4);
  put(out, member.name.size(), 2);
  put(out, 20, 2);
  out += member.name;
  put_extra64(out, {member.size, member.compressed_size});
}

bool is_large(std::uint64_t value) { return value > 0x7fffffffu; }

void put_central_header(std::string& out, const ZipMember& member) {
  bool large = is_large(member.size) || is_large(member.compressed_size);
  bool far = is_large(member.header_offset);
  std::string extra;
  if (large && far)
    put_extra64(extra, {member.size, member.compressed_size, member.header_offset});
  else if (large)
    put_extra64(extra, {member.size, member.compressed_size});
  else if (far)
    put_extra64(extra, {member.header_offset});
  put(out, kCentral, 4);
  put(out, 45 | 3 << 8, 2);  // version 4.5, made on Unix
  put_common(out, member);
  put(out, large ? kNoSize : member.compressed_size, 4);
  put(out, large ? kNoSize : member.size, 4);
  put(out, member.name.size(), 2);
  put(out, extra.size(), 2);
  put(out, 0, 2);  // comment
  put(out, 0, 2);  // disk
  put(out, 0, 2);  // internal attributes
  put(out, std::uint64_t{0600} << 16, 4);
  put(out, far ? kNoSize : member.header_offset, 4);
  out += member.name + extra;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

}  // namespace

std::vector<ZipMember> read_directory(const Source& source) {
  Directory directory = find_directory(source);
  if (directory.offset > source.size() || directory.size > source.size() - directory.offset)
    fail("Bad offset for central directory");
  std::string records = source.text(directory.offset, static_cast<std::size_t>(directory.size));
  std::vector<ZipMember> members;
  std::size_t at = 0;
  while (at < records.size()) {
    Fields fields(std::string_view(records).substr(at));
    if (fields.u32(0) != kCentral) fail("Bad magic number for central directory");
    std::size_t name = fields.u16(28), extra = fields.u16(30), comment = fields.u16(32);
    if (at + 46 + name + extra + comment > records.size()) fail("Truncated central directory");
    ZipMember member;
    member.flags = fields.u16(8);
    member.method = fields.u16(10);
    member.crc = fields.u32(16);
    member.compressed_size = fields.u32(20);
    member.size = fields.u32(24);
    member.header_offset = fields.u32(42);
    member.name = records.substr(at + 46, name);
    read_extra64(member, std::string_view(records).substr(at + 46 + name, extra));
    members.push_back(std::move(member));
    at += 46 + name + extra + comment;
  }
  return members;
}

std::string read_member(const Source& source, const ZipMember& member) {
  std::string local = source.text(member.header_offset, 30);
  if (local.size() < 30 || Fields(local).u32(0) != kLocal) fail("Bad magic number for file header");
  if (member.flags & 1)
    fail("File '" + member.name + "' is encrypted, password required for extraction");
  std::uint64_t begin = member.header_offset + 30 + Fields(local).u16(26) + Fields(local).u16(28);
  if (begin > source.size() || member.compressed_size > source.size() - begin)
    fail("File '" + member.name + "' of zip file is truncated");
  std::string content = source.text(begin, static_cast<std::size_t>(member.compressed_size));
  if (member.method == 8)
    content = inflate_all(content, member);
  else if (member.method != 0)
    fail("That compression method is not supported");
  if (content.size() != member.size || checksum(content) != member.crc)
    fail("Bad CRC-32 for file '" + member.name + "'");
  return content;
}

void ZipWriter::add(const std::string& name, std::string_view content) {
  ZipMember member;
  member.name = name;
  member.method = compressed_ ? 8 : 0;
  member.flags = is_ascii(name) ? 0 : 0x800;
  member.crc = checksum(content);
  member.size = content.size();
  member.header_offset = archive_.size();
  std::string packed = compressed_ ? deflate_all(content) : std::string();
  std::string_view stored = compressed_ ? std::string_view(packed) : content;
  member.compressed_size = stored.size();
  put_local_header(archive_, member);
  archive_ += stored;
  members_.push_back(std::move(member));
}

std::string ZipWriter::finish() {
  std::uint64_t offset = archive_.size();
  for (const ZipMember& member : members_) put_central_header(archive_, member);
  std::uint64_t size = archive_.size() - offset;
  std::uint64_t count = members_.size();
  if (count >= 0xffff || is_large(offset) || is_large(size)) {
    std::uint64_t end64 = archive_.size();
    put(archive_, kEnd64, 4);
    put(archive_, 44, 8);
    put(archive_, 45, 2);
    put(archive_, 45, 2);
    put(archive_, 0, 8);  // disks
    for (std::uint64_t value : {count, count, size, offset}) put(archive_, value, 8);
    put(archive_, kLocator64, 4);
    put(archive_, 0, 4);
    put(archive_, end64, 8);
    put(archive_, 1, 4);
    count = std::min<std::uint64_t>(count, 0xffff);
    size = std::min<std::uint64_t>(size, kNoSize);
    offset = std::min<std::uint64_t>(offset, kNoSize);
  }
  put(archive_, kEnd, 4);
  put(archive_, 0, 4);  // disks
  put(archive_, count, 2);
  put(archive_, count, 2);
  put(archive_, size, 4);
  put(archive_, offset, 4);
  put(archive_, 0, 2);  // comment
  return std::move(archive_);
}

}  // namespace strider::nd::file
