// Keys out of bytes: UTF-8, control characters, the sequences of xterm and its kin, pastes.
#include <algorithm>

#include "interpreter/repl/terminal.h"

namespace strider {
namespace {

constexpr int kEscapePatience = 50;   // milliseconds between the bytes of one key
constexpr int kPastePatience = 2000;  // ... of a paste
constexpr std::string_view kPasteEnd = "\x1b[201~";

Key key_of(Key::Kind kind) {
  Key key;
  key.kind = kind;
  return key;
}

// The last byte of `ESC [ … X` and `ESC O X`.
Key::Kind named_key(char last) {
  switch (last) {
    case 'A':
      return Key::Kind::kUp;
    case 'B':
      return Key::Kind::kDown;
    case 'C':
      return Key::Kind::kRight;
    case 'D':
      return Key::Kind::kLeft;
    case 'H':
      return Key::Kind::kHome;
    case 'F':
      return Key::Kind::kEnd;
    case 'Z':
      return Key::Kind::kBackTab;
    case 'M':
      return Key::Kind::kEnter;
    default:
      return Key::Kind::kUnknown;
  }
}

// The number of `ESC [ number ~`.
Key::Kind numbered_key(int number) {
  switch (number) {
    case 1:
    case 7:
      return Key::Kind::kHome;
    case 4:
    case 8:
      return Key::Kind::kEnd;
    case 3:
      return Key::Kind::kDelete;
    default:
      return Key::Kind::kUnknown;
  }
}

}  // namespace

Key Terminal::read_key() {
  int byte = next_byte(-1);
  if (byte == kInputEnded) return key_of(Key::Kind::kEndOfInput);
  if (took_interrupt()) return key_of(Key::Kind::kInterrupt);
  if (byte == kSignal) {
    took_window_change();
    return key_of(Key::Kind::kResize);
  }
  switch (byte) {
    case '\r':
    case '\n':
      return key_of(Key::Kind::kEnter);
    case '\t':
      return key_of(Key::Kind::kTab);
    case 0x7f:
    case 0x08:
      return key_of(Key::Kind::kBackspace);
    case 0x1b:
      return read_escape();
    default:
      return read_character(static_cast<unsigned char>(byte));
  }
}

Key Terminal::read_character(unsigned char first) {
  Key key = key_of(Key::Kind::kCharacter);
  if (first < 0x20) {
    key.control = true;
    key.text = static_cast<char>(first == 0 ? ' ' : first < 27 ? first + 'a' - 1 : first + '@');
    return key;
  }
  key.text = static_cast<char>(first);
  std::size_t length = first < 0xc2   ? 1
                       : first < 0xe0 ? 2
                       : first < 0xf0 ? 3
                       : first < 0xf5 ? 4
                                      : 1;
  while (key.text.size() < length) {
    int byte = next_byte(kEscapePatience);
    if (byte < 0x80 || byte >= 0xc0) break;
    key.text += static_cast<char>(byte);
  }
  return key;
}

Key Terminal::read_escape() {
  int byte = next_byte(kEscapePatience);
  if (byte < 0) return key_of(Key::Kind::kEscape);
  if (byte == '[') return read_sequence();
  if (byte == 'O') {
    int last = next_byte(kEscapePatience);
    return key_of(last < 0 ? Key::Kind::kUnknown : named_key(static_cast<char>(last)));
  }
  Key key;
  if (byte == '\r' || byte == '\n')
    key = key_of(Key::Kind::kEnter);
  else if (byte == 0x7f || byte == 0x08)
    key = key_of(Key::Kind::kBackspace);
  else if (byte != 0x1b)
    key = read_character(static_cast<unsigned char>(byte));
  key.meta = true;
  return key;
}

// Behind `ESC [`: numbers separated by `;`, then a letter or `~`.
Key Terminal::read_sequence() {
  int numbers[2] = {0, 0}, place = 0, byte = 0;
  while ((byte = next_byte(kEscapePatience)) >= 0 && (byte < '@' || byte > '~')) {
    if (byte == ';')
      place = 1;
    else if (byte >= '0' && byte <= '9' && numbers[place] < 1000)
      numbers[place] = numbers[place] * 10 + byte - '0';
  }
  if (byte == '~' && numbers[0] == 200) return read_paste();
  Key key = key_of(byte < 0      ? Key::Kind::kUnknown
                   : byte == '~' ? numbered_key(numbers[0])
                                 : named_key(static_cast<char>(byte)));
  int modifiers = numbers[1] > 0 ? numbers[1] - 1 : 0;
  key.meta = (modifiers & 2) != 0;
  key.control = (modifiers & 4) != 0;
  return key;
}

Key Terminal::read_paste() {
  Key key = key_of(Key::Kind::kPaste);
  while (!key.text.ends_with(kPasteEnd)) {
    int byte = next_byte(kPastePatience);
    if (byte == kInputEnded) return key_of(Key::Kind::kEndOfInput);
    if (byte < 0) break;  // a terminal that forgets the mark of the end
    key.text += static_cast<char>(byte);
  }
  if (key.text.ends_with(kPasteEnd)) key.text.resize(key.text.size() - kPasteEnd.size());
  std::erase_if(key.text, [previous = '\0'](char c) mutable {
    bool second = c == '\n' && previous == '\r';
    previous = c;
    return second;
  });
  std::replace(key.text.begin(), key.text.end(), '\r', '\n');
  return key;
}

}  // namespace strider
