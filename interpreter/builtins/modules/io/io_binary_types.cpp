// The classes of binary files and their methods.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/io/io_binary.h"
#include "interpreter/builtins/modules/io/io_buffered.h"
#include "interpreter/builtins/modules/io/io_open.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

BinaryFile& file_of(const Value& self) { return *self.as<BinaryFile>(); }
DescriptorFile& descriptor_file(const Value& self) {
  if (auto* file = dynamic_cast<DescriptorFile*>(self.object())) return *file;
  raise(errors::TypeError, "descriptor requires a '_io.FileIO' object but received a '{}'",
        type_name(self));
}

Value to_value(std::string bytes) { return make<Bytes>(std::move(bytes)); }

std::string_view bytes_argument(const Value& value) {
  if (!is_bytes_like(value)) {
    Value method = find_special(value, intern("tobytes"));
    if (method.is_empty())
      raise(errors::TypeError, "a bytes-like object is required, not '{}'", type_name(value));
  }
  return to_bytes(value);
}

// Arrays as their bytes, whatever elements they have and however these lie.
Value with_bytes(const Value& data) {
  if (is_bytes_like(data) || is_str(data) || !has_attribute(data, intern("tobytes"))) return data;
  return call_method(data, intern("tobytes"));
}

Value binary_write(const Parameters& p) {
  Value data = with_bytes(p[1]);
  std::string_view bytes = bytes_argument(data);
  file_of(p[0]).write(bytes);
  return Value::integer(static_cast<std::int64_t>(bytes.size()));
}

Value fill_buffer(const Parameters& p, bool at_once) {
  const BufferOffer* offer = find_buffer(p[1]);
  if (!offer || !offer->describe(p[1]).writable)
    raise(errors::TypeError, "{}() argument must be read-write bytes-like object, not {}",
          at_once ? "readinto1" : "readinto", type_name(p[1]));
  HeldBuffer held(p[1]);
  auto size = static_cast<std::int64_t>(buffer_bytes(p[1], *offer).size());
  BinaryFile& file = file_of(p[0]);
  std::string bytes = at_once ? file.read_available(size) : file.read(size);
  if (bytes.empty() && size != 0 && file.has_nothing_yet()) return Value::none();
  std::copy(bytes.begin(), bytes.end(), offer->place(p[1], true));
  return Value::integer(static_cast<std::int64_t>(bytes.size()));
}

// None where a file that does not wait has nothing yet.
Value read_bytes(const Value& self, std::int64_t size) {
  BinaryFile& file = file_of(self);
  std::string bytes = file.read(size);
  if (bytes.empty() && size != 0 && file.has_nothing_yet()) return Value::none();
  return to_value(std::move(bytes));
}

Value binary_read_into(const Parameters& p) { return fill_buffer(p, false); }
Value binary_read_into_at_once(const Parameters& p) { return fill_buffer(p, true); }

Value binary_readlines(const Parameters& p) {
  std::int64_t hint = size_argument(p[1]), total = 0;
  Ref<List> lines = make_list();
  for (;;) {
    std::string line = file_of(p[0]).read_line(-1);
    if (line.empty()) return lines;
    total += static_cast<std::int64_t>(line.size());
    lines->items.push_back(to_value(std::move(line)));
    if (hint > 0 && total >= hint) return lines;
  }
}

Value binary_seek(const Parameters& p) {
  std::int64_t whence = to_int64(p[2]);
  if (whence < 0 || whence > 2)
    raise(errors::ValueError, "invalid whence ({}, should be 0, 1 or 2)", whence);
  return Value::integer(file_of(p[0]).seek(to_int64(p[1]), static_cast<int>(whence)));
}

Value binary_truncate(const Parameters& p) {
  std::int64_t size = p[1].is_none() ? file_of(p[0]).tell() : to_int64(p[1]);
  file_of(p[0]).truncate(size);
  return Value::integer(size);
}

Value binary_close(const Parameters& p) {
  file_of(p[0]).close();
  return Value::none();
}

Value binary_flush(const Parameters& p) {
  if (file_of(p[0]).closed()) raise_closed_file();
  file_of(p[0]).flush();
  return Value::none();
}

Value binary_fileno(const Parameters& p) {
  if (file_of(p[0]).closed()) raise_closed_file();
  if (file_of(p[0]).descriptor() < 0) raise_unsupported("fileno");
  return Value::integer(file_of(p[0]).descriptor());
}

template <bool (BinaryFile::*kAnswer)() const>
Value answer(const Parameters& p) {
  if (file_of(p[0]).closed()) raise_closed_file();
  return Value::boolean((file_of(p[0]).*kAnswer)());
}

Value binary_seekable(const Parameters& p) {
  if (file_of(p[0]).closed()) raise_closed_file();
  return Value::boolean(file_of(p[0]).seekable());
}

Value binary_isatty(const Parameters& p) {
  if (file_of(p[0]).closed()) raise_closed_file();
  int descriptor = file_of(p[0]).descriptor();
  return Value::boolean(descriptor >= 0 && isatty(descriptor));
}

bool binary_next(const Value& self, Value& item) {
  std::string line = file_of(self).read_line(-1);
  if (line.empty()) return false;
  item = to_value(std::move(line));
  return true;
}

// What open() gives is its own raw stream: one object holds the buffer and the descriptor.
Value raw_of(const Value& self) {
  auto* buffered = dynamic_cast<BufferedFile*>(self.object());
  if (!buffered) return self;
  return buffered->raw().is_empty() ? Value::none() : buffered->raw();
}

// A name's repr; RuntimeError where the file is (part of) its own name.
std::string told_text(const Value& self, const Value& name) {
  ReprGuard guard(self.object());
  if (guard.inside())
    raise(errors::RuntimeError, "reentrant call inside {}.__repr__", type_name(self));
  return repr_text(name);
}

const PropertyRow kBinaryProperties[] = {
    {"closed", [](const Value& self) { return Value::boolean(file_of(self).closed()); }, nullptr,
     "Whether the file is closed."},
};

// Empty where the program has taken the name away, or the file has none.
Value name_of(const Value& self) {
  if (auto* opened = dynamic_cast<DescriptorFile*>(self.object())) return opened->name();
  return get_attribute(raw_of(self), intern("name"));
}

Value told_name(const Value& self) {
  Value name = name_of(self);
  if (name.is_empty())
    raise(errors::AttributeError, "'{}' object has no attribute 'name'", type_name(self));
  return name;
}

void rename(const Value& self, const Value& name) {
  if (auto* opened = dynamic_cast<DescriptorFile*>(self.object())) return opened->rename(name);
  raise(errors::AttributeError, "attribute 'name' of '{}' objects is not writable",
        type_name(self));
}

std::int64_t block_size(const Value& self) {
  struct stat status;
  bool known = fstat(descriptor_file(self).descriptor(), &status) == 0 && status.st_blksize > 1;
  return known ? status.st_blksize : 8192;
}

const PropertyRow kFileIOProperties[] = {
    {"name", told_name, rename, "What was opened."},
    {"_blksize", [](const Value& self) { return Value::integer(block_size(self)); }, nullptr,
     "How many bytes the system reads at once."},
    {"mode", [](const Value& self) { return Value(make_str(descriptor_file(self).mode())); },
     nullptr, "How it was opened."},
    {"closefd", [](const Value& self) { return Value::boolean(descriptor_file(self).owned()); },
     nullptr, "Whether closing closes the descriptor."},
};

Value file_io_repr(const Value& self) {
  DescriptorFile& file = descriptor_file(self);
  if (file.closed()) return make_str("<_io.FileIO [closed]>");
  std::string name = file.name().is_empty() ? fmt::format("fd={}", file.descriptor())
                                            : "name=" + told_text(self, file.name());
  return make_str(fmt::format("<_io.FileIO {} mode='{}' closefd={}>", name, file.mode(),
                              file.owned() ? "True" : "False"));
}

Value buffered_mode(const Value& self) {
  if (auto* opened = dynamic_cast<DescriptorFile*>(self.object())) return make_str(opened->mode());
  return get_attribute(raw_of(self), intern("mode"));
}

Value buffered_owned(const Value& self) {
  if (auto* opened = dynamic_cast<DescriptorFile*>(self.object()))
    return Value::boolean(opened->owned());
  raise(errors::AttributeError, "'{}' object has no attribute 'closefd'", type_name(self));
}

const PropertyRow kBufferedProperties[] = {
    {"closefd", buffered_owned, nullptr, "Whether closing closes the descriptor."},
    {"name", told_name, rename, "What was opened."},
    {"mode", buffered_mode, nullptr, "How it was opened."},
    {"raw", raw_of, nullptr, "The stream below the buffer."},
};

Value buffered_repr(const Value& self) {
  std::string name;
  try {
    Value told = name_of(self);
    if (!told.is_empty()) name = " name=" + told_text(self, told);
  } catch (const Raised& raised) {  // streams may have none
    if (raised.exception->type()->is_subclass_of(&errors::RuntimeError())) throw;
  }
  const Type& type = *type_of(self);
  std::string_view module = type.has(Type::kUserDefined) ? std::string_view(type.module) : "_io";
  return make_str(fmt::format("<{}.{}{}>", module, plain_name(type), name));
}

Value buffered_detach(const Parameters& p) {
  auto* buffered = dynamic_cast<BufferedFile*>(p[0].object());
  if (!buffered) raise_unsupported("detach");
  return buffered->detach();
}

const NativeRow kBufferedMethods[] = {
    {"detach(self)", buffered_detach, "Gives the raw stream back; this file is of no use then."},
};

// What shows the bytes of a file in memory to views.
class ShownMemory : public Container {
 public:
  explicit ShownMemory(const Value& file) : Container(Layout::kFile, &type_object()), file_(file) {}
  static Type& type_object();
  void traverse(Visitor& visitor) override { visitor.visit(file_); }
  void clear_references() override {}  // views rely on the file; its attributes let them go
  MemoryFile& file() const { return *file_.as<MemoryFile>(); }

 private:
  Value file_;
};

MemoryFile& shown(const Value& owner) { return owner.as<ShownMemory>()->file(); }

Type& ShownMemory::type_object() {
  static Type& type = *[] {
    auto* made = new Type("_BytesIOBuffer", &Type::object_type());
    place_in_module(*made, "_io");
    auto describe = [](const Value& owner) {
      auto size = static_cast<std::int64_t>(shown(owner).bytes.size());
      return Buffer{"B", 1, {size}, {1}, true};
    };
    auto place = [](const Value& owner, bool) { return shown(owner).bytes.data(); };
    auto hold = [](const Value& owner, int change) { shown(owner).exports += change; };
    offer_buffer(*made, {describe, place, nullptr, hold});
    return made;
  }();
  return type;
}

const NativeRow kBytesIOMethods[] = {
    {"getvalue(self)",
     [](const Parameters& p) {
       if (file_of(p[0]).closed()) raise_closed_file();
       return to_value(p[0].as<MemoryFile>()->bytes);
     },
     "All bytes."},
    {"getbuffer(self)",
     [](const Parameters& p) {
       if (file_of(p[0]).closed()) raise_closed_file();
       return call(Value(&memory_view_type()), make<ShownMemory>(p[0]));
     },
     "All bytes as a memoryview, which writes to them, too."},
    {"__getstate__(self)",
     [](const Parameters& p) -> Value {
       if (file_of(p[0]).closed()) raise_closed_file();
       const MemoryFile& file = *p[0].as<MemoryFile>();
       return make_tuple({to_value(file.bytes),
                          Value::integer(static_cast<std::int64_t>(file.position)),
                          attributes_state(p[0])});
     },
     "Its bytes, its position and its attributes."},
    {"__setstate__(self, state, /)",
     [](const Parameters& p) {
       Values state = state_parts(p[0], p[1], 3);
       MemoryFile& file = *p[0].as<MemoryFile>();
       if (file.closed()) raise_closed_file();
       file.check_free();
       file.bytes = std::string(bytes_argument(state[0]));
       std::int64_t position = to_int64(state[1]);
       if (position < 0) raise(errors::ValueError, "position value cannot be negative");
       file.position = static_cast<std::size_t>(position);
       restore_attributes(p[0], state[2]);
       return Value::none();
     },
     "Takes over what __getstate__() gave."},
};

Value bytes_io_construct(Type* cls, const Arguments&) { return make_instance<MemoryFile>(cls); }

void bytes_io_initialize(const Value& self, const Arguments& arguments) {
  static const Signature signature("BytesIO(initial_bytes=None)");
  Value slots[1];
  bind_constructor(signature, arguments, slots);
  auto& file = *self.as<MemoryFile>();
  file.check_free();
  bool given = !slots[0].is_none() && !slots[0].is_empty();
  file.bytes = given ? std::string(to_bytes(with_bytes(slots[0]))) : std::string();
  file.position = 0;
}

Value file_io_construct(Type* cls, const Arguments&) {
  return make_instance<DescriptorFile>(cls, -1, DescriptorFile::Access{}, Value::none(),
                                       std::string());
}

void file_io_initialize(const Value& self, const Arguments& arguments) {
  static const Signature signature("FileIO(file, mode='r', closefd=True, opener=None)");
  Value slots[4];
  bind_constructor(signature, arguments, slots);
  OpenRequest request;
  request.file = slots[0];
  request.mode = std::string(to_text(slots[1], "FileIO() argument 'mode'"));
  if (request.mode.find('b') == std::string::npos) request.mode += 'b';
  request.buffering = 0;
  request.close_descriptor = truth(slots[2]);
  request.opener = slots[3];
  descriptor_file(self).adopt(*open_file(request).as<DescriptorFile>());
}

template <bool kReads, bool kWrites>
Value buffered_construct(Type* cls, const Arguments&) {
  return make_instance<BufferedFile>(cls, BufferedFile::Access{kReads, kWrites});
}

void buffered_initialize(const Value& self, const Arguments& arguments) {
  static const Signature signature("Buffered(raw, buffer_size=8192)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  if (auto* file = dynamic_cast<BufferedFile*>(self.object()))
    file->attach(slots[0], to_int64(slots[1]));
}

Type& make_binary_type(const char* name, Type& base) {
  auto* type = new Type(name, &base);
  place_in_module(*type, "_io");
  type->instance_layout = Layout::kFile;
  type->set(Type::kSubclassable);
  type->set(Type::kHasInstanceDict);
  type->add(std::span(kBinaryMethods, kBinaryMethodCount));
  type->add(kBinaryProperties);
  type->slots.next = binary_next;
  return *type;
}

template <bool kReads, bool kWrites>
Type& make_buffered_type(const char* name) {
  Type& type = make_binary_type(name, buffered_io_base_type());
  type.add(kBufferedMethods);
  type.add(outside_methods());
  type.add(kBufferedProperties);
  type.slots.repr = buffered_repr;
  type.slots.construct = buffered_construct<kReads, kWrites>;
  type.slots.initialize = buffered_initialize;
  return type;
}

}  // namespace

const NativeRow kBinaryMethods[] = {
    {"read(self, size=-1, /)",
     [](const Parameters& p) { return read_bytes(p[0], size_argument(p[1])); },
     "Up to `size` bytes, all by default."},
    {"read1(self, size=-1, /)",
     [](const Parameters& p) {
       return to_value(file_of(p[0]).read_available(size_argument(p[1])));
     },
     "The bytes that are there."},
    {"readall(self)", [](const Parameters& p) { return read_bytes(p[0], -1); },
     "All bytes up to the end."},
    {"readinto(self, buffer, /)", binary_read_into, "Fills a buffer."},
    {"readinto1(self, buffer, /)", binary_read_into_at_once, "Fills a buffer in one look."},
    {"readline(self, size=-1, /)",
     [](const Parameters& p) { return to_value(file_of(p[0]).read_line(size_argument(p[1]))); },
     "The next line."},
    {"readlines(self, hint=None, /)", binary_readlines, "All lines as a list."},
    {"peek(self, size=0, /)", [](const Parameters& p) { return to_value(file_of(p[0]).peek()); },
     "The next bytes, without moving on."},
    {"write(self, buffer, /)", binary_write, "Writes bytes."},
    {"seek(self, offset, whence=0, /)", binary_seek, "Moves to a position."},
    {"tell(self)", [](const Parameters& p) { return Value::integer(file_of(p[0]).tell()); },
     "The present position."},
    {"truncate(self, size=None, /)", binary_truncate, "Cuts the file off."},
    {"flush(self)", binary_flush, "Writes out what is buffered."},
    {"close(self)", binary_close, "Closes the file."},
    {"fileno(self)", binary_fileno, "The file descriptor."},
    {"isatty(self)", binary_isatty, "Whether it is a terminal."},
    {"readable(self)", answer<&BinaryFile::readable>, "Whether it can be read."},
    {"writable(self)", answer<&BinaryFile::writable>, "Whether it can be written."},
    {"seekable(self)", binary_seekable, "Whether it has positions."},
};
const std::size_t kBinaryMethodCount = std::size(kBinaryMethods);

Type& file_io_type() {
  static Type& type = *[] {
    Type& made = make_binary_type("FileIO", raw_io_base_type());
    made.add(kFileIOProperties);
    made.add(outside_methods());
    made.slots.repr = file_io_repr;
    made.slots.construct = file_io_construct;
    made.slots.initialize = file_io_initialize;
    return &made;
  }();
  return type;
}

Type& buffered_reader_type() {
  static Type& type = make_buffered_type<true, false>("BufferedReader");
  return type;
}

Type& buffered_writer_type() {
  static Type& type = make_buffered_type<false, true>("BufferedWriter");
  return type;
}

Type& buffered_random_type() {
  static Type& type = make_buffered_type<true, true>("BufferedRandom");
  return type;
}

Type& bytes_io_type() {
  static Type& type = *[] {
    Type& made = make_binary_type("BytesIO", buffered_io_base_type());
    made.add(kBytesIOMethods);
    made.slots.construct = bytes_io_construct;
    made.slots.initialize = bytes_io_initialize;
    return &made;
  }();
  return type;
}

}  // namespace strider::lang
