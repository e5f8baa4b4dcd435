// Terminal: its modes, its size, and what is typed, key by key. Knows nothing of lines.
#pragma once

#include <signal.h>
#include <termios.h>

#include <string>
#include <string_view>

namespace strider {

struct Key {
  enum class Kind {
    kCharacter,  // `text`; with `control` or `meta` the letter's lower case
    kEnter,
    kTab,
    kBackTab,
    kBackspace,
    kDelete,
    kUp,
    kDown,
    kLeft,
    kRight,
    kHome,
    kEnd,
    kEscape,
    kPaste,      // `text`, newlines as they are
    kResize,     // the window has another size, or the program was stopped and goes on
    kInterrupt,  // a signal
    kEndOfInput,
    kUnknown,
  };
  Kind kind = Kind::kUnknown;
  std::string text;
  bool control = false, meta = false;

  bool is_control(char letter) const {
    return kind == Kind::kCharacter && control && text.size() == 1 && text[0] == letter;
  }
  bool is_meta(char letter) const {
    return kind == Kind::kCharacter && meta && !control && text.size() == 1 && text[0] == letter;
  }
};

class Terminal {
 public:
  // Whether both ends are a terminal that can move its cursor.
  bool can_edit() const;
  int width() const;
  int height() const;

  // Gives keys one by one and unseen while in scope.
  class KeyMode {
   public:
    explicit KeyMode(Terminal& terminal);
    ~KeyMode();
    KeyMode(const KeyMode&) = delete;

   private:
    Terminal& terminal_;
  };
  Key read_key();
  // Whether more has been typed already.
  bool input_waits(int milliseconds = 0) const;
  // Stops the program as Ctrl-Z does; comes back when it goes on.
  void suspend();

  void write(std::string_view text) const;

 private:
  void enter_key_mode();
  void leave_key_mode();
  static constexpr int kInputEnded = -1, kSignal = -2, kNothing = -3;
  // A byte, or one of these. Without a limit: milliseconds < 0.
  int next_byte(int milliseconds);
  static bool took_interrupt();
  static void took_window_change();
  Key read_escape();
  Key read_sequence();
  Key read_paste();
  Key read_character(unsigned char first);

  termios usual_ = {};
  struct sigaction usual_actions_[4] = {};
  bool in_key_mode_ = false;
};

// A line of standard input without its newline and, where it is a terminal, perhaps unseen; false
// at the end. `interrupted` is set where a signal ends the wait.
bool read_plain_line(std::string& line, bool hidden, bool& interrupted);

}  // namespace strider
