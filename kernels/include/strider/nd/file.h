// Files: .npy and .npz, raw and text arrays, number parsing and row formatting. Knows nothing of
// the language: paths are byte strings, contents are spans, and nothing is ever unpickled.
#pragma once

#include <strider/nd/array.h>

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace strider::nd {

using Bytes = std::span<const std::byte>;

// A system call that failed; the language maps `number` (errno) to OSError's subclasses.
class FileError : public std::runtime_error {
 public:
  FileError(int number, std::string path);
  int number() const { return number_; }
  const std::string& path() const { return path_; }

 private:
  int number_;
  std::string path_;
};

// --- .npy ------------------------------------------------------------------------------------
// Reads one array from the start of `content` (versions 1, 2, 3; either byte order). kFileFormat
// with NumPy's message for damaged, truncated or pickled content. `consumed`, when given, becomes
// the number of bytes read.
Array read_npy(Bytes content, std::size_t* consumed = nullptr);
// The bytes numpy.save writes for this array.
std::string npy_bytes(const Array& array);
// numpy.save to exactly this path (no suffix is added).
void save_npy(const std::string& path, const Array& array);

// --- .npz ------------------------------------------------------------------------------------
// An archive of arrays, read member by member on demand. Copies share the open archive.
class NpzFile {
 public:
  static NpzFile open(const std::string& path);
  static NpzFile from_bytes(std::string content);  // takes over the content

  // Member names in file order; ".npy" is cut off as numpy.load's `files` does.
  const std::vector<std::string>& files() const;
  bool contains(std::string_view name) const;
  bool is_array(std::string_view name) const;  // false: a member without .npy's magic
  // The array of that name; kValue if absent, kFileFormat if damaged.
  Array read(std::string_view name) const;
  // The bytes of a member, decompressed and checked.
  std::string read_bytes(std::string_view name) const;

  struct Archive;

 private:
  std::shared_ptr<const Archive> archive_;
};

struct NamedArray {
  std::string name;
  Array array;
};
// The bytes of an archive as numpy.savez (or savez_compressed) arranges it.
std::string npz_bytes(std::span<const NamedArray> members, bool compressed);
void save_npz(const std::string& path, std::span<const NamedArray> members, bool compressed);
// What numpy.load finds at the start of a file.
enum class FileKind : std::uint8_t { kNpy, kNpz, kEmpty, kOther };
FileKind kind_of(Bytes content);

// --- raw bytes and text ------------------------------------------------------------------------
// numpy.frombuffer on a copy of the bytes; count -1: all. kValue with NumPy's messages.
Array frombuffer(Bytes content, DType dtype, std::int64_t count = -1, std::int64_t offset = 0,
                 bool swapped = false);
// numpy.fromfile; an empty separator means binary.
Array fromfile(const std::string& path, DType dtype, std::int64_t count = -1,
               std::string_view separator = "", std::int64_t offset = 0, bool swapped = false);
// numpy.fromstring with a separator; `stopped_early` tells of unmatched data (NumPy's ValueError
// "string or file could not be read to its end due to unmatched data"), `consumed` of the
// characters read, a last separator included.
Array fromstring(std::string_view text, DType dtype, std::int64_t count, std::string_view separator,
                 bool* stopped_early = nullptr, std::size_t* consumed = nullptr);
// ndarray.tofile. `format` is a % template for one element ("%s" prints the shortest text).
void tofile(const Array& array, const std::string& path, std::string_view separator = "",
            std::string_view format = "%s");
// ndarray.tobytes.
std::string tobytes(const Array& array, Order order = Order::kC);

// --- tables of numbers -------------------------------------------------------------------------
// How numpy.loadtxt cuts text into cells.
struct TableFormat {
  std::string delimiter;  // empty: runs of white space
  std::vector<std::string> comments = {"#"};
  std::int64_t skip_rows = 0;
  std::int64_t max_rows = -1;             // -1: all
  std::vector<std::int64_t> use_columns;  // empty: all; negative count from the end
  char quote = '\0';                      // '\0': no quoting
};
// The numbers of a text table as a 2-d array (rows, columns). kValue with NumPy's messages ("could
// not convert string 'x' to float64 at row 0, column 2.", "the number of columns changed from 2 to
// 3 at row 2; …").
Array parse_numbers(std::string_view text, DType dtype, const TableFormat& format = {});
// One cell, trimmed of blanks, as a number of that type; false if it is not one.
bool parse_number(std::string_view cell, DType dtype, void* result);

// How numpy.savetxt writes rows. One format for all columns, or one per column, or one whole row.
struct RowFormat {
  std::vector<std::string> formats = {"%.18e"};
  std::string delimiter = " ";
  std::string newline = "\n";
};
// The rows of a 1-d or 2-d array as text. Errors as numpy.savetxt raises them.
std::string format_rows(const Array& array, const RowFormat& format = {});

// Whole files, for callers that want bytes. Throw FileError.
std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view content, bool append = false);

}  // namespace strider::nd
