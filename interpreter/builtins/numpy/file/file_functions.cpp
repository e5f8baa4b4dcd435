// Arrays in files and in bytes: load, save, savez, fromfile, frombuffer, tofile.
#include <strider/nd/error.h>
#include <strider/nd/file.h>
#include <strider/nd/index.h>
#include <strider/nd/signal.h>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/file/file_arguments.h"
#include "interpreter/builtins/numpy/file/npz_type.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

nd::Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

[[noreturn]] void refuse_content(nd::FileKind kind) {
  if (kind == nd::FileKind::kEmpty) raise(errors::EOFError, "No data left in file");
  raise(errors::ValueError,
        "This file contains pickled (object) data. If you trust the file you can load it unsafely "
        "using the `allow_pickle=` keyword argument or `pickle.load()`.");
}

Value load_from_object(const Value& file, bool allows_pickle) {
  std::int64_t start = position_of(file);
  std::string content = read_from(file);
  nd::FileKind kind = nd::kind_of(bytes_of(content));
  if (kind == nd::FileKind::kNpz)
    return make_npz(nd::NpzFile::from_bytes(std::move(content)), "object", allows_pickle);
  if (kind != nd::FileKind::kNpy) refuse_content(kind);
  std::size_t consumed = 0;
  try {
    nd::Array array = nd::read_npy(bytes_of(content), &consumed);
    seek_to(file, start, static_cast<std::int64_t>(consumed));
    return wrap(std::move(array));
  } catch (const nd::Error&) {
    return read_npy_content(std::move(content), allows_pickle);
  }
}

// load(file, mmap_mode, allow_pickle, fix_imports, encoding, *, max_header_size)
Value load(const Parameters& p) {
  bool allows_pickle = truth(p[2]);
  if (is_file_object(p[0])) return load_from_object(p[0], allows_pickle);
  std::string path = to_path(p[0]);
  if (is_given(p[1]) && path.ends_with(".npy"))
    return call(find_in_namespace("numpy.lib.format", "open_memmap"), p[0], p[1]);
  std::string content = nd::read_file(path);
  nd::FileKind kind = nd::kind_of(bytes_of(content));
  if (kind == nd::FileKind::kNpz)
    return make_npz(nd::NpzFile::from_bytes(std::move(content)), path, allows_pickle);
  if (kind == nd::FileKind::kNpy) return read_npy_content(std::move(content), allows_pickle);
  refuse_content(kind);
}

std::string with_suffix(std::string path, std::string_view suffix) {
  if (!path.ends_with(suffix)) path += suffix;
  return path;
}

// save(file, arr, allow_pickle)
Value save(const Parameters& p) {
  if (is_file_object(p[0]))
    write_bytes(p[0], nd::npy_bytes(to_array(p[1])));
  else
    nd::save_npy(with_suffix(to_path(p[0]), ".npy"), to_array(p[1]));
  return Value::none();
}

std::vector<nd::NamedArray> named_arrays(const Tuple& arrays, const Dict& named) {
  std::vector<nd::NamedArray> members;
  for (const Dict::Entry& entry : named.entries())
    if (!entry.key.is_empty())
      members.push_back({std::string(text_of(entry.key)), to_array(entry.value)});
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    std::string name = fmt::format("arr_{}", i);
    for (const nd::NamedArray& member : members)
      if (member.name == name)
        raise(errors::ValueError, "Cannot use un-named variables and keyword {}", name);
    members.push_back({name, to_array(arrays[i])});
  }
  return members;
}

// savez(file, *args, allow_pickle, **kwds)
template <bool kCompressed>
Value save_archive(const Parameters& p) {
  std::vector<nd::NamedArray> members = named_arrays(*p[1].as<Tuple>(), *p[3].as<Dict>());
  if (is_file_object(p[0]))
    write_bytes(p[0], nd::npz_bytes(members, kCompressed));
  else
    nd::save_npz(with_suffix(to_path(p[0]), ".npz"), members, kCompressed);
  return Value::none();
}

// The bytes below a file of text, behind which the text goes on; other files themselves.
Value bytes_below(const Value& file) {
  bool is_text = has_attribute(file, intern("encoding")) && has_attribute(file, intern("buffer"));
  return is_text ? get_attribute(file, intern("buffer")) : file;
}

// The numbers that a file's text goes on with; the file goes on behind them. `stopped` tells of
// unmatched data.
nd::Array read_numbers(const Value& file, nd::DType dtype, std::int64_t count,
                       std::string_view separator, bool* stopped) {
  std::int64_t start = position_of(file);
  std::string text;
  // A few numbers of a long file do not need all of it; the last one ends before what was read
  // does.
  for (std::int64_t size = count < 0 || start < 0 ? -1 : 32 * count + 4096;; size *= 2) {
    std::string more = read_from(file, size);
    bool at_end = size < 0 || more.empty();
    text += more;
    std::size_t consumed = 0;
    nd::Array found = nd::fromstring(text, dtype, count, separator, stopped, &consumed);
    if (!at_end && (found.size() != count || consumed == text.size())) continue;
    seek_to(file, start, static_cast<std::int64_t>(consumed));
    return found;
  }
}

// The part of a file object that fromfile reads, as an array.
nd::Array read_object(const Value& file, const FileDType& type, std::int64_t count,
                      std::string_view separator, std::int64_t offset, bool* stopped) {
  if (!separator.empty()) return read_numbers(file, type.dtype, count, separator, stopped);
  if (offset != 0) call_method(file, intern("seek"), Value::integer(offset), Value::integer(1));
  std::int64_t size = nd::item_size(type.dtype);
  std::string content = read_from(file, count < 0 ? -1 : count * size);
  auto whole = static_cast<std::int64_t>(content.size()) / size;
  content.resize(static_cast<std::size_t>(whole * size));
  if (whole == 0) return nd::Array::empty(nd::Dims{0}, type.dtype);
  return nd::frombuffer(bytes_of(content), type.dtype, -1, 0, false);
}

// The array whose dtype says in which order the bytes of its elements stand.
Value with_byte_order(nd::Array bytes, const FileDType& type, const Value& dtype) {
  bool swapped = type.swapped && nd::item_size(type.dtype) > 1;
  Value made = wrap(std::move(bytes));
  return swapped ? call_in_npx("_boxed_view", {made, dtype}) : made;
}

// fromfile(file, dtype, count, sep, offset)
Value from_file(const Parameters& p) {
  FileDType type = to_file_dtype(p[1]);
  std::int64_t count = to_int64(p[2]), offset = to_int64(p[4]);
  std::string_view separator = to_text(p[3], "sep");
  if (offset != 0 && !separator.empty())
    raise(errors::TypeError, "'offset' argument only permitted for binary files");
  Value file = is_file_object(p[0]) ? bytes_below(p[0]) : p[0];
  bool is_text_file = !identical(file, p[0]);
  if (is_text_file)  // its bytes are read behind what was read of it
    call_method(file, intern("seek"), call_method(p[0], intern("tell")));
  bool stopped = false;
  nd::Array read = is_file_object(file)
                       ? read_object(file, type, count, separator, offset, &stopped)
                       : nd::fromfile(to_path(p[0]), type.dtype, count, separator, offset, false);
  if (is_text_file) call_method(p[0], intern("seek"), call_method(file, intern("tell")));
  if (stopped)
    raise(errors::ValueError, "string or file could not be read to its end due to unmatched data");
  return separator.empty() ? with_byte_order(read, type, p[1]) : wrap(read);
}

// _numbers_of(text, dtype, count, sep): None where the text holds something else, too.
Value numbers_of(const Parameters& p) {
  bool stopped = false;
  nd::Array read =
      nd::fromstring(is_str(p[0]) ? text_of(p[0]) : to_bytes(p[0]), to_file_dtype(p[1]).dtype,
                     to_int64(p[2]), to_text(p[3], "fromstring() argument 'sep'"), &stopped);
  return stopped ? Value::none() : wrap(read);
}

// The number of elements that frombuffer takes; ValueError in NumPy's words.
std::int64_t buffer_count(std::int64_t bytes, std::int64_t size, std::int64_t count,
                          std::int64_t offset) {
  if (offset < 0 || offset > bytes)
    raise(errors::ValueError, "offset must be non-negative and no greater than buffer length ({})",
          bytes);
  if (count < 0 && (bytes - offset) % size != 0)
    raise(errors::ValueError, "buffer size must be a multiple of element size");
  if (count < 0) return (bytes - offset) / size;
  if (count * size > bytes - offset)
    raise(errors::ValueError, "buffer is smaller than requested size");
  return count;
}

void let_go(void* held) { delete static_cast<HeldBuffer*>(held); }

// frombuffer(buffer, dtype, count, offset)
Value from_buffer(const Parameters& p) {
  FileDType type = to_file_dtype(p[1]);
  std::int64_t offset = to_int64(p[3]), size = nd::item_size(type.dtype);
  if (is_array(p[0])) {
    if (!array_of(p[0]).is_c_contiguous()) raise(errors::ValueError, "ndarray is not C-contiguous");
    nd::Array flat = array_of(p[0]).contiguous().ravel();
    std::int64_t count = buffer_count(flat.byte_count(), size, to_int64(p[2]), offset);
    nd::Array view =
        with_sound_truths(flat.view(nd::Dims{count}, nd::Dims{size}, offset, type.dtype));
    return type.swapped ? with_byte_order(view, type, p[1]) : plain_view(view, p[0]);
  }
  if (!find_buffer(p[0]))
    raise(errors::TypeError, "a bytes-like object is required, not '{}'", type_name(p[0]));
  std::string_view content = to_bytes(p[0]);
  auto length = static_cast<std::int64_t>(content.size());
  std::int64_t count = buffer_count(length, size, to_int64(p[2]), offset);
  const BufferOffer* offer = find_buffer(p[0]);
  char* place = offer->place(p[0], false);
  nd::Array made =
      nd::Array::on_memory(place + offset, count * size, nd::Dims{count}, type.dtype,
                           new HeldBuffer(p[0]), let_go, offer->describe(p[0]).writable);
  Value array = with_byte_order(with_sound_truths(made), type, p[1]);
  if (is_array(array)) array.as<ArrayObject>()->owner = p[0];
  return array;
}

// _parse_numbers(text, delimiter, dtype, columns, comment)
Value parse_numbers(const Parameters& p) {
  nd::TableFormat format;
  format.comments.clear();
  if (is_given(p[4])) format.comments.emplace_back(to_text(p[4], "comment"));
  if (is_given(p[1])) format.delimiter = to_text(p[1], "delimiter");
  if (is_given(p[3])) {
    Iteration columns(p[3]);
    for (Value column; columns.next(column);) format.use_columns.push_back(to_int64(column));
  }
  return wrap(nd::parse_numbers(to_text(p[0], "text"), to_dtype(p[2]), format));
}

std::string joined_text(const nd::Array& array, std::string_view separator,
                        std::string_view format) {
  std::string text;
  for (std::int64_t i = 0; i < array.size(); ++i) {
    if (i > 0) text += separator;
    text += format_percent(format, make_tuple({to_python(nd::flat_element(array, i))}));
  }
  return text;
}

// a.tofile(fid, sep, format)
Value to_file(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  std::string_view separator = to_text(p[2], "sep"), format = to_text(p[3], "format");
  if (!is_file_object(p[1])) {
    nd::tofile(array, to_path(p[1]), separator, format);
    return Value::none();
  }
  Value file = bytes_below(p[1]);
  if (!identical(file, p[1])) call_method(p[1], intern("flush"));
  write_bytes(file, separator.empty() ? nd::tobytes(array) : joined_text(array, separator, format));
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding='ASCII', *, "
     "max_header_size=10000)",
     load, "The array of a .npy file, or the arrays of a .npz file."},
    {"save(file, arr, allow_pickle=True)", save, "Writes an array to a .npy file."},
    {"savez(file, *args, allow_pickle=True, **kwds)", save_archive<false>,
     "Writes arrays to a .npz file."},
    {"savez_compressed(file, *args, allow_pickle=True, **kwds)", save_archive<true>,
     "Writes arrays to a compressed .npz file."},
    {"fromfile(file, dtype=None, count=-1, sep='', offset=0, *, like=None)", from_file,
     "An array of a file's bytes, or of the numbers of a text file."},
    {"frombuffer(buffer, dtype=None, count=-1, offset=0, *, like=None)", from_buffer,
     "An array on the memory of a buffer."},
    {"_numbers_of(text, dtype, count, sep)", numbers_of,
     "The numbers of a text, parted by sep; None where it holds something else, too."},
    {"_parse_numbers(text, delimiter, dtype, columns, comment=None)", parse_numbers,
     "The numbers of a plain table, of all columns or of some."},
};

const NativeRow kMethods[] = {
    {"tofile(self, fid, /, sep='', format='%s')", to_file, "Writes the elements to a file."},
};

}  // namespace

std::span<const NativeRow> file_functions() { return kFunctions; }
std::span<const NativeRow> array_file_methods() { return kMethods; }

}  // namespace strider::lang
