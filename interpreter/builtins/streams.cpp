// Standard streams on file descriptors.
#include "interpreter/builtins/streams.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/io/io_binary.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;

// How many bytes the first `count` characters of a text in UTF-8 take; `count` is how many whole
// ones are lacking.
std::size_t bytes_of_characters(std::string_view text, std::size_t& count) {
  std::size_t place = 0;
  while (count && place < text.size()) {
    auto lead = static_cast<unsigned char>(text[place]);
    std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (place + size > text.size()) break;
    place += size;
    --count;
  }
  return place;
}

StandardStream& stream_of(const Value& self) { return *self.as<StandardStream>(); }

Value stream_write(const Parameters& p) {
  std::string_view text = to_text(p[1], "write() argument");
  stream_of(p[0]).write(text);
  return Value::integer(p[1].as<Str>()->size());
}

Value stream_writelines(const Parameters& p) {
  Iteration lines(p[1]);
  Value line;
  while (lines.next(line)) stream_of(p[0]).write(to_text(line, "write() argument"));
  return Value::none();
}

Value stream_reconfigure(const Parameters& p) {
  StandardStream& stream = stream_of(p[0]);
  stream.flush();
  if (!p[2].is_none()) stream.handle_errors(std::string(to_text(p[2], "errors")));
  if (!p[4].is_none()) stream.write_by_line(truth(p[4]));
  if (!p[5].is_none()) stream.write_at_once(truth(p[5]));
  return Value::none();
}

const NativeRow kStreamMethods[] = {
    {"write(self, text, /)", stream_write, "Writes text; returns the number of characters."},
    {"writelines(self, lines, /)", stream_writelines, "Writes each of the texts."},
    {"flush(self)",
     [](const Parameters& p) {
       stream_of(p[0]).flush();
       return Value::none();
     },
     "Writes out what is buffered."},
    {"isatty(self)",
     [](const Parameters& p) { return Value::boolean(isatty(stream_of(p[0]).descriptor()) == 1); },
     "Whether it is a terminal."},
    {"fileno(self)",
     [](const Parameters& p) { return Value::integer(stream_of(p[0]).descriptor()); },
     "The file descriptor."},
    {"writable(self)", [](const Parameters&) { return Value::boolean(true); }, "True."},
    {"readable(self)", [](const Parameters&) { return Value::boolean(false); }, "False."},
    {"close(self)",
     [](const Parameters& p) {
       stream_of(p[0]).close();
       return Value::none();
     },
     "Writes out what is buffered and takes no more."},
    {"reconfigure(self, *, encoding=None, errors=None, newline=None, line_buffering=None, "
     "write_through=None)",
     stream_reconfigure, "Changes when texts are written out; they are always UTF-8."},
};

// The same descriptor for bytes; what was written as text goes first.
Value output_buffer(const Value& self) {
  StandardStream& stream = stream_of(self);
  stream.flush();
  DescriptorFile::Access access{false, true, false, false, false};
  return make_instance<DescriptorFile>(&buffered_writer_type(), stream.descriptor(), access,
                                       Value(make_str(stream.name())), "wb");
}

const PropertyRow kStreamAttributes[] = {
    {"name", [](const Value& self) { return Value(make_str(stream_of(self).name())); }, nullptr,
     "The name."},
    {"encoding", [](const Value&) { return Value(make_str("utf-8")); }, nullptr, "Always utf-8."},
    {"closed", [](const Value& self) { return Value::boolean(stream_of(self).closed()); }, nullptr,
     "Whether it was closed."},
    {"errors", [](const Value& self) { return Value(make_str(stream_of(self).errors())); }, nullptr,
     "What becomes of characters that have no bytes."},
    {"mode", [](const Value&) { return Value(make_str("w")); }, nullptr, "Always w."},
    {"line_buffering", [](const Value& self) { return Value::boolean(stream_of(self).by_line()); },
     nullptr, "Whether each line is written at once."},
    {"write_through", [](const Value& self) { return Value::boolean(stream_of(self).at_once()); },
     nullptr, "Whether everything is written at once."},
    {"buffer", output_buffer, nullptr, "The stream for bytes."},
};

Value system_stream(Name name) {
  Value sys = import_module("sys");
  Value stream = find_attribute(sys, name);
  return stream.is_empty() ? Value::none() : stream;
}

}  // namespace

StandardStream::StandardStream(int descriptor, std::string name)
    : Object(Layout::kFile, &type_object()),
      descriptor_(descriptor),
      name_(std::move(name)),
      errors_(descriptor == STDERR_FILENO ? "backslashreplace" : "strict"),
      by_line_(descriptor == STDERR_FILENO || isatty(descriptor)),
      at_once_(Interpreter::current().unbuffered) {}

StandardStream::~StandardStream() {
  try {
    flush();
  } catch (const Raised&) {  // nobody is left to hear of it
  }
}

Type& StandardStream::type_object() {
  static Type& type = *[] {
    auto* made = new Type("TextIOWrapper", &text_io_base_type());
    made->instance_layout = Layout::kFile;
    place_in_module(*made, "_io");
    made->slots.repr = [](const Value& self) {
      return Value(make_str(fmt::format("<_io.TextIOWrapper name='{}' mode='w' encoding='utf-8'>",
                                        stream_of(self).name())));
    };
    made->add(kStreamMethods);
    made->add(kStreamAttributes);
    return made;
  }();
  return type;
}

Front* stream_front() {
  Front* front = Interpreter::exists() ? Interpreter::current().front : nullptr;
  return front && front->owns_streams() ? front : nullptr;
}

Front* StandardStream::front() const {
  bool standard = descriptor_ == STDOUT_FILENO || descriptor_ == STDERR_FILENO;
  return standard ? stream_front() : nullptr;
}

void StandardStream::close() {
  flush();
  closed_ = true;
}

void StandardStream::write(std::string_view text) {
  if (closed_) raise_closed_file();
  std::string encoded;
  if (text.find('\xed') != text.npos) {  // lone surrogates, perhaps
    encoded = encode_text(text, "utf-8", errors_);
    text = encoded;
  }
  if (Front* owner = front()) {
    owner->write(descriptor_ == STDOUT_FILENO ? Front::Stream::kOutput : Front::Stream::kError,
                 text);
    return;
  }
  buffer_ += text;
  if (buffer_.size() >= kBufferSize || at_once_ || (by_line_ && text.find('\n') != text.npos))
    flush();
}

void StandardStream::flush() {
  if (Front* owner = front()) owner->flush();
  std::size_t done = 0;
  while (done < buffer_.size()) {
    ssize_t written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      int error = errno;
      buffer_.clear();
      raise_os_error(error);
    }
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

// How many bytes of a text belong to characters that are there as a whole.
static std::size_t whole_characters(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) break;
    std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (length > back) return text.size() - back;
    if (length) break;
  }
  return text.size();
}

StandardInput::StandardInput() : Object(Layout::kFile, &type_object()) {}

// The next bytes; none at the end.
std::string StandardInput::read_bytes() {
  if (!bytes_.is_empty()) return bytes_.as<DescriptorFile>()->read_available(kBufferSize);
  char chunk[8192];
  for (;;) {
    wait_for_descriptor(Interpreter::current(), STDIN_FILENO, POLLIN);
    ssize_t got = ::read(STDIN_FILENO, chunk, sizeof chunk);
    if (got >= 0) return std::string(chunk, static_cast<std::size_t>(got));
    if (errno != EINTR) return {};
    poll_interrupt(Interpreter::current());
  }
}

bool StandardInput::fill() {
  if (Interpreter::current().isolated) return false;
  std::string read = read_bytes(), text = std::exchange(undecoded_, {}) + read;
  if (!read.empty()) {
    undecoded_ = text.substr(whole_characters(text));
    text.resize(text.size() - undecoded_.size());
  }
  if (read.empty() && text.empty()) return false;
  buffer_.erase(0, position_);
  position_ = 0;
  buffer_ += is_ascii_text(text) ? text : decode_bytes(text, "utf-8", "surrogateescape");
  return true;
}

const Value& StandardInput::bytes() {
  if (!bytes_.is_empty()) return bytes_;
  require_outside();
  DescriptorFile::Access access{true, false, false, true, false};
  bytes_ = make_instance<DescriptorFile>(&buffered_reader_type(), STDIN_FILENO, access,
                                         Value(make_str("<stdin>")), "rb");
  return bytes_;
}

// A line that the front's user gives; false where there is none.
bool StandardInput::ask(const std::string& prompt, bool hidden) {
  Interpreter& interpreter = Interpreter::current();
  std::optional<std::string> line = stream_front()->ask(prompt, hidden);
  poll_interrupt(interpreter);
  if (!line) return false;
  buffer_.erase(0, position_);
  position_ = 0;
  buffer_ += *line + "\n";
  return true;
}

void StandardInput::check_open() const {
  if (closed_) raise_closed_file();
}

std::string StandardInput::take(std::size_t bytes) {
  std::string text = buffer_.substr(position_, bytes);
  position_ += bytes;
  return text;
}

std::string StandardInput::read_some(std::size_t count) {
  check_open();
  for (;;) {
    std::size_t lacking = count;
    std::size_t bytes = bytes_of_characters(std::string_view(buffer_).substr(position_), lacking);
    if (!lacking) return take(bytes);
    if (!(stream_front() ? ask({}, false) : fill())) return take(buffer_.size() - position_);
  }
}

std::string StandardInput::read_part_of_line(std::size_t limit) {
  std::string line = read_line();
  std::size_t bytes = bytes_of_characters(line, limit);
  position_ -= line.size() - bytes;
  line.resize(bytes);
  return line;
}

std::string StandardInput::read_line(const std::string& prompt, bool hidden) {
  check_open();
  bool asks = stream_front() != nullptr;
  for (;;) {
    std::size_t newline = buffer_.find('\n', position_);
    bool ended = newline == buffer_.npos && !(asks ? ask(prompt, hidden) : fill());
    if (newline == buffer_.npos && !ended) continue;
    std::size_t end = ended ? buffer_.size() : newline + 1;
    std::string line = buffer_.substr(position_, end - position_);
    position_ = end;
    return line;
  }
}

std::string StandardInput::read_all() {
  check_open();
  if (stream_front()) return read_line();
  while (fill()) {
  }
  std::string text = buffer_.substr(position_);
  position_ = buffer_.size();
  return text;
}

Type& StandardInput::type_object() {
  static const NativeRow kMethods[] = {
      {"readline(self, size=-1, /)",
       [](const Parameters& p) {
         auto* input = p[0].as<StandardInput>();
         std::int64_t limit = to_int64(p[1]);
         return Value(make_str(limit < 0 ? input->read_line()
                                         : input->read_part_of_line(std::size_t(limit))));
       },
       "The next line."},
      {"read(self, size=-1, /)",
       [](const Parameters& p) {
         auto* input = p[0].as<StandardInput>();
         std::int64_t count = p[1].is_none() ? -1 : to_int64(p[1]);
         return Value(
             make_str(count < 0 ? input->read_all() : input->read_some(std::size_t(count))));
       },
       "So many characters, or everything up to the end."},
      {"close(self)",
       [](const Parameters& p) {
         p[0].as<StandardInput>()->close();
         return Value::none();
       },
       "Nothing is read any more."},
      {"readlines(self, hint=-1, /)", [](const Parameters& p) { return Value(to_list(p[0])); },
       "All lines as a list."},
      {"isatty(self)", [](const Parameters&) { return Value::boolean(isatty(STDIN_FILENO) == 1); },
       "Whether it is a terminal."},
      {"fileno(self)", [](const Parameters&) { return Value::integer(STDIN_FILENO); },
       "The file descriptor."},
      {"readable(self)", [](const Parameters&) { return Value::boolean(true); }, "True."},
      {"reconfigure(self, **settings)", [](const Parameters&) { return Value::none(); },
       "Nothing: input is always UTF-8."},
  };
  static const PropertyRow kProperties[] = {
      {"buffer", [](const Value& self) { return self.as<StandardInput>()->bytes(); }, nullptr,
       "The stream for bytes."},
      {"closed",
       [](const Value& self) { return Value::boolean(self.as<StandardInput>()->closed()); },
       nullptr, "Whether it was closed."},
      {"name", [](const Value&) { return Value(make_str("<stdin>")); }, nullptr, "The name."},
      {"mode", [](const Value&) { return Value(make_str("r")); }, nullptr, "Always r."},
      {"errors", [](const Value&) { return Value(make_str("surrogateescape")); }, nullptr,
       "What becomes of bytes that are no characters."},
      {"newlines", [](const Value&) { return Value::none(); }, nullptr, "None: only one is known."},
      {"line_buffering", [](const Value&) { return Value::boolean(false); }, nullptr, "False."},
      {"encoding", [](const Value&) { return Value(make_str("utf-8")); }, nullptr, "Always utf-8."},
  };
  static Type& type = *[] {
    auto* made = new Type("TextIOWrapper", &text_io_base_type());
    made->instance_layout = Layout::kFile;
    place_in_module(*made, "_io");
    made->slots.repr = [](const Value&) -> Value {
      return make_str("<_io.TextIOWrapper name='<stdin>' mode='r' encoding='utf-8'>");
    };
    made->add(kProperties);
    made->slots.iterate = [](const Value& self) { return self; };
    made->slots.next = [](const Value& self, Value& item) {
      std::string line = self.as<StandardInput>()->read_line();
      if (line.empty()) return false;
      item = make_str(std::move(line));
      return true;
    };
    made->add(kMethods);
    return made;
  }();
  return type;
}

void write_to(const Value& stream, std::string_view text) {
  if (stream.is_object() && stream.object()->type() == &StandardStream::type_object())
    stream_of(stream).write(text);
  else if (!stream.is_none())
    call_method(stream, names().write, Value(make_str(text)));
}

Value standard_output() { return system_stream(names().stdout_); }
Value standard_error() { return system_stream(names().stderr_); }

void flush_standard_streams() {
  for (const Value& stream : {standard_output(), standard_error()}) {
    try {
      if (!stream.is_none() && has_attribute(stream, names().flush))
        call_method(stream, names().flush);
    } catch (const Raised&) {  // a closed pipe
    }
  }
}

}  // namespace strider::lang
