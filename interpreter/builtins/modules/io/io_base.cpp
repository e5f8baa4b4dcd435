// The abstract classes of io: what a file does that only reads or writes.
#include "interpreter/builtins/modules/io/io_base.h"

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Name closed_mark() { return intern("__IOBase_closed"); }

bool is_closed(const Value& self) {
  Value closed = find_attribute(self, intern("closed"));
  return !closed.is_empty() && truth(closed);
}

void check_open(const Value& self) {
  if (is_closed(self)) raise_closed_file();
}

Value base_enter(const Parameters& p) {
  check_open(p[0]);
  return p[0];
}

Value base_exit(const Parameters& p) {
  call_method(p[0], names().close);
  return Value::none();
}

Value base_close(const Parameters& p) {
  if (is_closed(p[0])) return Value::none();
  Ref<Exception> failure;
  try {
    call_method(p[0], names().flush);
  } catch (const Raised& raised) {
    failure = raised.exception;
  }
  generic_set_attribute(p[0], closed_mark(), Value::boolean(true));
  if (failure) throw Raised{failure};
  return Value::none();
}

// Errors are nobody's to hear.
Value base_finish(const Parameters& p) {
  try {
    if (!is_closed(p[0])) call_method(p[0], names().close);
  } catch (const Raised&) {
  }
  return Value::none();
}

Value base_flush(const Parameters& p) {
  check_open(p[0]);
  return Value::none();
}

// Lines of a file that can read single bytes only.
Value base_readline(const Parameters& p) {
  std::int64_t limit = size_argument(p[1]);
  std::string line;
  while (limit < 0 || static_cast<std::int64_t>(line.size()) < limit) {
    Value piece = call_method(p[0], intern("read"), Value::integer(1));
    std::string_view bytes = to_bytes(piece);
    if (bytes.empty()) break;
    line += bytes;
    if (line.back() == '\n') break;
  }
  return make<Bytes>(std::move(line));
}

Value base_readlines(const Parameters& p) {
  std::int64_t hint = size_argument(p[1]), total = 0;
  Ref<List> lines = make_list();
  Iteration items(p[0]);
  Value line;
  while (items.next(line)) {
    lines->items.push_back(line);
    total += length(line);
    if (hint > 0 && total >= hint) break;
  }
  return lines;
}

Value base_writelines(const Parameters& p) {
  check_open(p[0]);
  Iteration lines(p[1]);
  Value line;
  while (lines.next(line)) call_method(p[0], names().write, line);
  return Value::none();
}

Value base_fileno(const Parameters&) { raise_unsupported("fileno"); }
Value base_seek(const Parameters&) { raise_unsupported("seek"); }
Value base_truncate(const Parameters&) { raise_unsupported("truncate"); }
Value base_tell(const Parameters& p) {
  return call_method(p[0], intern("seek"), Value::integer(0), Value::integer(1));
}
Value answer_false(const Parameters& p) {
  check_open(p[0]);
  return Value::boolean(false);
}

const NativeRow kBaseMethods[] = {
    {"__enter__(self)", base_enter, "The file itself."},
    {"__exit__(self, *args)", base_exit, "Closes the file."},
    {"close(self)", base_close, "Flushes and closes the file."},
    {"__del__(self)", base_finish, "Closes the file when nobody needs it any more."},
    {"flush(self)", base_flush, "Writes out what is buffered."},
    {"readline(self, size=-1, /)", base_readline, "The next line."},
    {"readlines(self, hint=-1, /)", base_readlines, "All lines as a list."},
    {"writelines(self, lines, /)", base_writelines, "Writes each of the lines."},
    {"fileno(self)", base_fileno, "The file descriptor."},
    {"seek(self, offset, whence=0, /)", base_seek, "Moves to a position."},
    {"tell(self)", base_tell, "The present position."},
    {"truncate(self, pos=None, /)", base_truncate, "Cuts the file off."},
    {"isatty(self)", answer_false, "Whether it is a terminal."},
    {"readable(self)", answer_false, "Whether it can be read."},
    {"writable(self)", answer_false, "Whether it can be written."},
    {"seekable(self)", answer_false, "Whether it has positions."},
};

const PropertyRow kBaseProperties[] = {
    {"closed",
     [](const Value& self) {
       Value mark = generic_get_attribute(self, closed_mark());
       return Value::boolean(!mark.is_empty());
     },
     nullptr, "Whether the file is closed."},
};

bool base_next(const Value& self, Value& item) {
  item = call_method(self, intern("readline"));
  return length(item) > 0;
}

Value raw_read(const Parameters& p) {
  std::int64_t size = size_argument(p[1]);
  if (size < 0) return call_method(p[0], intern("readall"));
  Ref<ByteArray> buffer = make<ByteArray>(std::string(static_cast<std::size_t>(size), '\0'));
  Value count = call_method(p[0], intern("readinto"), Value(buffer));
  if (count.is_none()) return count;
  return make<Bytes>(buffer->bytes.substr(0, static_cast<std::size_t>(to_int64(count))));
}

Value raw_read_all(const Parameters& p) {
  std::string bytes;
  for (;;) {
    Value piece = call_method(p[0], intern("read"), Value::integer(1 << 16));
    if (piece.is_none() || to_bytes(piece).empty()) return make<Bytes>(std::move(bytes));
    bytes += to_bytes(piece);
  }
}

const NativeRow kRawMethods[] = {
    {"read(self, size=-1, /)", raw_read, "Up to `size` bytes."},
    {"readall(self)", raw_read_all, "All bytes up to the end."},
};

Value unsupported(const char* method) { raise_unsupported(method); }

// Fills a buffer by a method of the stream that gives bytes.
Value read_into(const Parameters& p, const char* method) {
  const BufferOffer* offer = find_buffer(p[1]);
  if (!offer || !offer->describe(p[1]).writable)
    raise(errors::TypeError, "{}() argument must be read-write bytes-like object, not {}",
          method == std::string_view("read") ? "readinto" : "readinto1", type_name(p[1]));
  HeldBuffer held(p[1]);
  auto size = static_cast<std::int64_t>(buffer_bytes(p[1], *offer).size());
  Value read = call_method(p[0], intern(method), Value::integer(size));
  if (read.is_none()) return read;
  if (!is_bytes(read)) raise(errors::TypeError, "read() should return bytes");
  std::string_view bytes = to_bytes(read);
  if (static_cast<std::int64_t>(bytes.size()) > size)
    raise(errors::ValueError, "read() returned too much data: {} bytes requested, {} returned",
          size, bytes.size());
  std::copy(bytes.begin(), bytes.end(), offer->place(p[1], true));
  return Value::integer(static_cast<std::int64_t>(bytes.size()));
}

// What buffers and texts are that are over no other stream; their classes say more.
const NativeRow kBufferMethods[] = {
    {"detach(self)", [](const Parameters&) { return unsupported("detach"); }, "Not supported."},
    {"read(self, size=-1, /)", [](const Parameters&) { return unsupported("read"); },
     "Not supported."},
    {"read1(self, size=-1, /)", [](const Parameters&) { return unsupported("read1"); },
     "Not supported."},
    {"write(self, b, /)", [](const Parameters&) { return unsupported("write"); }, "Not supported."},
    {"readinto(self, buffer, /)", [](const Parameters& p) { return read_into(p, "read"); },
     "Fills a buffer by read()."},
    {"readinto1(self, buffer, /)", [](const Parameters& p) { return read_into(p, "read1"); },
     "Fills a buffer by read1()."},
};

const NativeRow kTextMethods[] = {
    {"detach(self)", [](const Parameters&) { return unsupported("detach"); }, "Not supported."},
    {"read(self, size=-1, /)", [](const Parameters&) { return unsupported("read"); },
     "Not supported."},
    {"readline(self, size=-1, /)", [](const Parameters&) { return unsupported("readline"); },
     "Not supported."},
    {"write(self, s, /)", [](const Parameters&) { return unsupported("write"); }, "Not supported."},
};

const PropertyRow kTextProperties[] = {
    {"encoding", [](const Value&) { return Value::none(); }, nullptr, "None."},
    {"newlines", [](const Value&) { return Value::none(); }, nullptr, "None."},
    {"errors", [](const Value&) { return Value::none(); }, nullptr, "None."},
};

Type& make_base(const char* name, Type& base, std::span<const NativeRow> rows) {
  auto* type = new Type(name, &base);
  type->module = "io";
  type->set(Type::kSubclassable);
  type->add(rows);
  return *type;
}

}  // namespace

Type& io_base_type() {
  static Type& type = *[] {
    Type& made = make_base("IOBase", Type::object_type(), kBaseMethods);
    made.add(kBaseProperties);
    made.slots.iterate = [](const Value& self) {
      check_open(self);
      return self;
    };
    made.slots.next = base_next;
    return &made;
  }();
  return type;
}

Type& raw_io_base_type() {
  static Type& type = make_base("RawIOBase", io_base_type(), kRawMethods);
  return type;
}

Type& buffered_io_base_type() {
  static Type& type = make_base("BufferedIOBase", io_base_type(), kBufferMethods);
  return type;
}

Type& text_io_base_type() {
  static Type& type = *[] {
    Type& made = make_base("TextIOBase", io_base_type(), kTextMethods);
    made.add(kTextProperties);
    return &made;
  }();
  return type;
}

Type& unsupported_operation() {
  static Type& type = *[] {
    Ref<Dict> space = make_dict();
    space->set(names().module, Value(make_str("io")));
    Ref<Type> made = make_class("UnsupportedOperation",
                                {Ref<Type>(&errors::OSError()), Ref<Type>(&errors::ValueError())},
                                space, &Type::type_object());
    return made.detach();
  }();
  return type;
}

void raise_unsupported(std::string_view operation) {
  raise_message(unsupported_operation(), operation);
}

void raise_closed_file() { raise(errors::ValueError, "I/O operation on closed file."); }

std::span<const NativeRow> outside_methods() {
  static const NativeRow kRows[] = {{"__reduce__(self, /)",
                                     [](const Parameters& p) -> Value {
                                       raise(errors::TypeError, "cannot pickle '{}' object",
                                             type_name(p[0]));
                                     },
                                     "Refuses: a file is not pickled, nor copied."}};
  return kRows;
}

Value attributes_state(const Value& file) {
  Attributes* attributes = file.object()->attributes();
  if (!attributes || length(attributes->dict()) == 0) return Value::none();
  return call_method(attributes->dict(), intern("copy"));
}

void restore_attributes(const Value& file, const Value& state) {
  if (state.is_none()) return;
  if (!is_dict(state))
    raise(errors::TypeError, "the attributes of a file are a dict, not {}", type_name(state));
  for (const Dict::Entry& entry : state.as<Dict>()->entries())
    if (!entry.key.is_empty())
      file.object()->attributes()->set(intern(to_text(entry.key, "attribute name")), entry.value);
}

Values state_parts(const Value& file, const Value& state, std::size_t count) {
  if (!is_tuple(state) || state.as<Tuple>()->size() < count)
    raise(errors::TypeError, "{}.__setstate__ argument should be {}-tuple, got {}", type_name(file),
          count, type_name(state));
  std::span<const Value> parts = state.as<Tuple>()->items();
  return Values(parts.begin(), parts.end());
}

Value system_text(std::string_view bytes) {
  if (is_ascii_text(bytes)) return make_str(bytes);
  return make_str(decode_bytes(bytes, "utf-8", "surrogateescape"));
}

std::string system_bytes(std::string_view text) {
  if (text.find('\xed') == text.npos) return std::string(text);
  return encode_text(text, "utf-8", "surrogateescape");
}

std::string path_text(const Value& given) {
  Value path = given;
  if (!is_str(path) && !is_bytes(path)) {
    Value method = find_special(path, names().fspath);
    if (method.is_empty())
      raise(errors::TypeError, "expected str, bytes or os.PathLike object, not {}",
            type_name(given));
    path = call(method);
    if (!is_str(path) && !is_bytes(path))
      raise(errors::TypeError, "expected {}.__fspath__() to return str or bytes, not {}",
            type_name(given), type_name(path));
  }
  std::string text = is_str(path) ? system_bytes(text_of(path)) : std::string(to_bytes(path));
  if (text.find('\0') != text.npos) raise(errors::ValueError, "embedded null byte");
  return text;
}

std::int64_t size_argument(const Value& value) {
  if (value.is_empty() || value.is_none()) return -1;
  std::int64_t size;
  if (!try_index(value, size))
    raise(errors::TypeError, "argument should be integer or None, not '{}'", type_name(value));
  return size;
}

}  // namespace strider::lang
