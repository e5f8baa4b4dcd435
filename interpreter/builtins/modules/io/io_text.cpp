// Text over a binary file: the bytes read ahead stay encoded until somebody asks for them, so that
// positions are those of the bytes.
#include "interpreter/builtins/modules/io/io_text.h"

#include <unistd.h>

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/io/io_binary.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/code_pages.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::int64_t kChunk = 1 << 16;

std::string normalized(std::string_view name) {
  std::string text;
  for (char c : name) text += c == '_' || c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  return text;
}

bool is_byte_wise(const std::string& encoding) {
  std::string name = normalized(encoding);
  for (const char* known : {"utf-8", "utf8", "ascii", "us-ascii", "latin-1", "latin1", "iso-8859-1",
                            "iso8859-1", "l1", "u8"})
    if (name == known) return true;
  std::erase(name, '-');
  const CodePage* page = find_code_page(name);
  return page && page->characters['\n'] == '\n';
}

bool is_utf8(const std::string& encoding) {
  std::string name = normalized(encoding);
  return name == "utf-8" || name == "utf8" || name == "u8";
}

// The length of the UTF-8 character that begins with this byte.
std::size_t character_size(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

// A binary file whose methods no class of a program has replaced; null: its methods are called.
BinaryFile* plain_binary_file(const Value& buffer) {
  return type_of(buffer)->has(Type::kUserDefined) ? nullptr : as_binary_file(buffer);
}

}  // namespace

Newlines read_newlines(const Value& newline) {
  Newlines result;
  if (newline.is_none() || newline.is_empty()) return result;
  if (!is_str(newline))
    raise(errors::TypeError, "newline must be str or None, not {}", type_name(newline));
  std::string_view text = text_of(newline);
  if (text != "" && text != "\n" && text != "\r" && text != "\r\n")
    raise(errors::ValueError, "illegal newline value: {}", repr_text(newline));
  result.translate = false;
  result.universal = text.empty();
  if (!text.empty()) result.end = result.written = text;
  return result;
}

TextSettings read_text_settings(const Value& encoding, const Value& errors_name,
                                const Value& newline) {
  TextSettings settings;
  if (!encoding.is_none()) {
    settings.encoding = to_text(encoding, "open() argument 'encoding'");
    if (settings.encoding == "locale") settings.encoding = "UTF-8";
    settings.shown_encoding = settings.encoding;
  }
  if (!errors_name.is_none()) settings.errors = to_text(errors_name, "open() argument 'errors'");
  settings.newlines = read_newlines(newline);
  encode_text("", settings.encoding, "strict");  // LookupError for unknown names
  return settings;
}

std::size_t find_line_end(std::string_view text, const Newlines& newlines, bool complete) {
  if (!newlines.universal) {
    std::size_t found = text.find(newlines.end);
    return found == text.npos ? found : found + newlines.end.size();
  }
  std::size_t newline = text.find('\n');
  std::size_t carriage = text.substr(0, newline).find('\r');
  if (carriage == text.npos) return newline == text.npos ? newline : newline + 1;
  if (carriage + 1 < text.size()) return carriage + (text[carriage + 1] == '\n' ? 2 : 1);
  return complete ? carriage + 1 : text.npos;
}

std::string translate_ends(std::string text, const Newlines& newlines) {
  if (!newlines.translate) return text;
  std::size_t kept = text.find('\r');
  if (kept == text.npos) return text;
  for (std::size_t i = kept; i < text.size(); ++i) {
    if (text[i] == '\r') {
      text[kept++] = '\n';
      if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
    } else {
      text[kept++] = text[i];
    }
  }
  text.resize(kept);
  return text;
}

void note_line_ends(std::string_view text, unsigned& seen) {
  constexpr unsigned kReturn = 1, kNewline = 2, kPair = 4;
  if (!(seen & kReturn) || !(seen & kPair))
    for (std::size_t at = text.find('\r'); at != text.npos; at = text.find('\r', at + 1))
      seen |= at + 1 < text.size() && text[at + 1] == '\n' ? kPair : kReturn;
  if (seen & kNewline) return;
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    if (at == 0 || text[at - 1] != '\r') {
      seen |= kNewline;
      return;
    }
}

Value told_line_ends(unsigned seen) {
  constexpr const char* kEnds[] = {"\r", "\n", "\r\n"};
  Values found;
  for (unsigned each = 0; each < 3; ++each)
    if (seen & 1U << each) found.push_back(make_str(kEnds[each]));
  if (found.empty()) return Value::none();
  return found.size() == 1 ? found[0] : Value(make_tuple(std::move(found)));
}

TextFile::TextFile(const Value& buffer, TextSettings settings, Type* type)
    : TextStream(type),
      buffer_(buffer),
      binary_(buffer.is_empty() ? nullptr : plain_binary_file(buffer)),
      settings_(std::move(settings)),
      byte_wise_(is_byte_wise(settings_.encoding)) {}

void TextFile::attach(const Value& buffer, TextSettings settings) {
  if (buffer.is_object() && buffer.object() == this)
    raise(errors::ValueError, "a file cannot be its own buffer");
  buffer_ = buffer;
  binary_ = plain_binary_file(buffer);
  settings_ = std::move(settings);
  byte_wise_ = is_byte_wise(settings_.encoding);
  raw_.clear();
  position_ = 0;
  ended_ = false;
  at_start_ = true;
}

void TextFile::change(TextSettings settings, bool reads_otherwise) {
  if (reads_otherwise && !raw_.empty())
    raise_unsupported(
        "It is not possible to set the encoding or newline of stream after the first "
        "read");
  if (!closed() && writable()) flush();
  settings_ = std::move(settings);
  byte_wise_ = is_byte_wise(settings_.encoding);
}

Value TextFile::detach() {
  if (buffer_.is_empty()) raise(errors::ValueError, "underlying buffer has been detached");
  flush();
  binary_ = nullptr;
  return std::exchange(buffer_, Value());
}

TextFile::~TextFile() {
  try {
    bool alone = buffer_.is_object() && buffer_.object()->references() == 1;
    if (alone && binary_) close();
  } catch (const Raised&) {  // nobody is left to hear of it
  }
}

bool TextFile::ask(const char* method) {
  check_stack();  // streams may stand on each other in a ring
  Value answer = find_attribute(buffer_, intern(method));
  return answer.is_empty() || truth(call(answer));
}

bool TextFile::closed() {
  if (buffer_.is_empty()) return true;
  check_stack();
  if (binary_) return binary_->closed();
  Value closed = find_attribute(buffer_, intern("closed"));
  return !closed.is_empty() && truth(closed);
}

void TextFile::check_open() {
  if (buffer_.is_empty()) raise(errors::ValueError, "underlying buffer has been detached");
  if (closed()) raise_closed_file();
}

bool TextFile::readable() { return binary_ ? binary_->readable() : ask("readable"); }
bool TextFile::writable() { return binary_ ? binary_->writable() : ask("writable"); }
bool TextFile::seekable() { return binary_ ? binary_->seekable() : ask("seekable"); }

void TextFile::check_readable() {
  check_open();
  if (!readable()) raise_unsupported("not readable");
}

// Reads more bytes; false at the end. Encodings that hide line ends are read whole, as UTF-8.
bool TextFile::fill() {
  raw_.erase(0, position_);
  position_ = 0;
  std::int64_t size = byte_wise_ ? kChunk : -1;
  std::string piece;
  Value buffer = buffer_;  // others may take it away while this waits
  if (binary_) {
    piece = byte_wise_ ? binary_->read_available(size) : binary_->read(size);
  } else {
    // What a connection has to say so far is asked for, where that can be asked.
    Value method = size < 0 ? Value() : find_attribute(buffer_, intern("read1"));
    if (method.is_empty()) method = get_attribute(buffer_, intern("read"));
    Value read = call(method, Value::integer(size));
    if (!is_bytes_like(read))
      raise(errors::TypeError,
            "underlying read() should have returned a bytes-like object, not '{}'",
            type_name(read));
    piece = to_bytes(read);
  }
  if (piece.empty()) {
    ended_ = true;
    return false;
  }
  raw_ += byte_wise_ ? piece : decode_bytes(piece, settings_.encoding, settings_.errors);
  return true;
}

std::string TextFile::decode(std::string_view bytes, std::size_t) {
  if (!byte_wise_ || is_ascii_text(bytes)) return std::string(bytes);
  return decode_bytes(bytes, settings_.encoding, settings_.errors);
}

// Whether so many bytes wait, of which those that lack are read: no more, since whoever writes them
// may wait for an answer.
bool TextFile::await(std::size_t bytes) {
  while (waiting().size() < bytes)
    if (!fill()) return false;
  return true;
}

// The next `size` bytes as text, past which the reader moves.
std::string TextFile::take(std::size_t size) {
  std::string text = decode(waiting().substr(0, size), position_);
  position_ += size;
  if (settings_.newlines.universal) note_line_ends(text, seen_ends_);
  return translate_ends(std::move(text), settings_.newlines);
}

std::string TextFile::read(std::int64_t size) {
  check_readable();
  if (size < 0) {
    while (fill()) {
    }
    return take(waiting().size());
  }
  bool utf8 = !byte_wise_ || is_utf8(settings_.encoding);
  std::size_t used = 0;
  for (std::int64_t count = 0; count < size; ++count) {
    if (!await(used + 1)) break;
    char first = waiting()[used];
    std::size_t length = utf8 ? character_size(static_cast<unsigned char>(first)) : 1;
    bool may_be_pair = settings_.newlines.translate && first == '\r';
    bool whole = await(used + (may_be_pair ? 2 : length));
    used += may_be_pair && whole && waiting()[used + 1] == '\n' ? 2 : length;
  }
  return take(std::min(used, waiting().size()));
}

std::string TextFile::read_line(std::int64_t limit) {
  check_readable();
  std::size_t end;
  while ((end = find_line_end(waiting(), settings_.newlines, ended_)) == std::string::npos) {
    if (fill()) continue;
    end = find_line_end(waiting(), settings_.newlines, true);
    if (end == std::string::npos) end = waiting().size();
    break;
  }
  if (limit >= 0 && end > static_cast<std::size_t>(limit)) {
    std::string text = decode(waiting().substr(0, end), position_);
    if (count_code_points(text) > limit) return read(limit);
  }
  ended_ = false;
  return take(end);
}

void TextFile::write(std::string_view text) {
  check_open();
  if (!writable()) raise_unsupported("not writable");
  if (!raw_.empty()) {
    if (seekable()) {
      seek(tell(), 0);
    } else {
      raw_.clear();
      position_ = 0;
    }
  }
  std::string replaced;
  if (settings_.newlines.written != "\n" && text.find('\n') != text.npos) {
    for (char c : text) c == '\n' ? replaced += settings_.newlines.written : replaced += c;
    text = replaced;
  }
  if (binary_ && byte_wise_ && is_ascii_text(text)) {
    binary_->write(text);
  } else {
    write_encoded(text);
  }
  if (settings_.by_line && text.find_first_of("\r\n") != text.npos) flush();
}

void TextFile::write_encoded(std::string_view text) {
  std::string bytes = encode_text(text, settings_.encoding, settings_.errors);
  bool has_mark =
      normalized(settings_.encoding) == "utf-16" || normalized(settings_.encoding) == "utf-32";
  if (has_mark && !at_start_) bytes.erase(0, normalized(settings_.encoding) == "utf-16" ? 2 : 4);
  at_start_ = false;
  if (binary_)
    binary_->write(bytes);
  else
    call_method(buffer_, names().write, Value(make<Bytes>(std::move(bytes))));
}

std::int64_t TextFile::seek(std::int64_t offset, std::int64_t whence) {
  check_open();
  if (whence == 1 && offset != 0) raise_unsupported("can't do nonzero cur-relative seeks");
  if (whence == 2 && offset != 0) raise_unsupported("can't do nonzero end-relative seeks");
  if (whence == 0 && offset < 0) raise(errors::ValueError, "negative seek position {}", offset);
  if (whence < 0 || whence > 2)
    raise(errors::ValueError, "invalid whence ({}, should be 0, 1 or 2)", whence);
  if (whence == 1) offset = tell(), whence = 0;
  raw_.clear();
  position_ = 0;
  ended_ = false;
  if (whence == 0 && offset == 0) at_start_ = true;
  if (binary_) return binary_->seek(offset, static_cast<int>(whence));
  return to_int64(
      call_method(buffer_, intern("seek"), Value::integer(offset), Value::integer(whence)));
}

std::int64_t TextFile::tell() {
  check_open();
  if (!seekable()) raise_unsupported("underlying stream is not seekable");
  std::int64_t position =
      binary_ ? binary_->tell() : to_int64(call_method(buffer_, intern("tell")));
  std::string_view rest = waiting();
  return position -
         static_cast<std::int64_t>(
             byte_wise_ ? rest.size() : encode_text(rest, settings_.encoding, "strict").size());
}

std::int64_t TextFile::truncate(const Value& size) {
  std::int64_t target = size.is_none() ? tell() : to_int64(size);
  flush();
  if (binary_)
    binary_->truncate(target);
  else
    call_method(buffer_, intern("truncate"), Value::integer(target));
  return target;
}

void TextFile::flush() {
  check_open();
  if (binary_)
    binary_->flush();
  else
    call_method(buffer_, names().flush);
}

void TextFile::close() {
  if (closed()) return;
  if (binary_)
    binary_->close();
  else
    call_method(buffer_, names().close);
}

}  // namespace strider::lang
