// Modes and signals. Bytes are read one at a time: what is typed ahead stays in the terminal, where
// programs find it.
#include "interpreter/repl/terminal.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace strider {
namespace {

constexpr int kEscapePatience = 50;  // milliseconds between the bytes of one key
constexpr std::string_view kPasteMarksOn = "\x1b[?2004h", kPasteMarksOff = "\x1b[?2004l";

volatile sig_atomic_t window_changed = 0, interrupt_came = 0;

// Becomes readable when a signal comes, in whichever thread it is handled.
int wake_descriptor() {
  static const int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return descriptor;
}

void wake() {
  int error = errno;
  std::uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(wake_descriptor(), &one, sizeof one);
  errno = error;
}

void on_window_change(int) {
  window_changed = 1;
  wake();
}

void on_interrupt(int) {
  interrupt_came = 1;
  wake();
}

void sleep_until_input() {
  pollfd ends[] = {{STDIN_FILENO, POLLIN, 0}, {wake_descriptor(), POLLIN, 0}};
  if (poll(ends, 2, -1) <= 0) return;
  std::uint64_t count = 0;
  if (ends[1].revents) [[maybe_unused]]
    ssize_t got = ::read(wake_descriptor(), &count, sizeof count);
}

// What the terminal is given back when the program is ended while keys are read.
termios modes_to_restore = {};

void on_termination(int number) {
  tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_to_restore);
  [[maybe_unused]] ssize_t written =
      ::write(STDOUT_FILENO, kPasteMarksOff.data(), kPasteMarksOff.size());
  signal(number, SIG_DFL);
  raise(number);
}

void replace_action(int number, void (*handler)(int), struct sigaction& usual) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(number, &action, &usual);
}

winsize window_size() {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  return size;
}

}  // namespace

bool Terminal::can_edit() const {
  const char* name = std::getenv("TERM");
  bool moves = name && *name && std::strcmp(name, "dumb") != 0;
  return moves && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

int Terminal::width() const {
  int columns = window_size().ws_col;
  return columns > 1 ? columns : 80;
}

int Terminal::height() const {
  int rows = window_size().ws_row;
  return rows > 0 ? rows : 24;
}

Terminal::KeyMode::KeyMode(Terminal& terminal) : terminal_(terminal) { terminal_.enter_key_mode(); }

Terminal::KeyMode::~KeyMode() { terminal_.leave_key_mode(); }

void Terminal::enter_key_mode() {
  if (tcgetattr(STDIN_FILENO, &usual_) != 0) return;
  termios keys = usual_;
  keys.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  keys.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
  wake_descriptor();  // made outside of handlers
  window_changed = 0;
  interrupt_came = 0;
  modes_to_restore = usual_;
  replace_action(SIGWINCH, on_window_change, usual_actions_[0]);
  replace_action(SIGCONT, on_window_change, usual_actions_[1]);
  replace_action(SIGINT, on_interrupt, usual_actions_[2]);
  replace_action(SIGTERM, on_termination, usual_actions_[3]);
  write(kPasteMarksOn);
  in_key_mode_ = true;
}

void Terminal::leave_key_mode() {
  if (!std::exchange(in_key_mode_, false)) return;
  write(kPasteMarksOff);
  sigaction(SIGWINCH, &usual_actions_[0], nullptr);
  sigaction(SIGCONT, &usual_actions_[1], nullptr);
  sigaction(SIGINT, &usual_actions_[2], nullptr);
  sigaction(SIGTERM, &usual_actions_[3], nullptr);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &usual_);
}

void Terminal::suspend() {
  leave_key_mode();
  kill(0, SIGTSTP);
  enter_key_mode();
  window_changed = 1;
}

void Terminal::write(std::string_view text) const {
  while (!text.empty()) {
    ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the terminal has gone: reading will tell
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool Terminal::input_waits(int milliseconds) const {
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  int ready;
  do ready = poll(&input, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

int Terminal::next_byte(int milliseconds) {
  if (milliseconds >= 0 && !input_waits(milliseconds)) return kNothing;
  while (milliseconds < 0 && !input_waits()) {
    if (window_changed || interrupt_came) return kSignal;
    sleep_until_input();
  }
  unsigned char byte = 0;
  ssize_t got = ::read(STDIN_FILENO, &byte, 1);
  if (got == 1) return byte;
  return got < 0 && errno == EINTR ? kSignal : kInputEnded;
}

bool Terminal::took_interrupt() { return std::exchange(interrupt_came, 0) != 0; }

void Terminal::took_window_change() { window_changed = 0; }

bool read_plain_line(std::string& line, bool hidden, bool& interrupted) {
  termios usual = {};
  bool hides = hidden && tcgetattr(STDIN_FILENO, &usual) == 0;
  if (hides) {
    termios silent = usual;
    silent.c_lflag = (silent.c_lflag & ~static_cast<tcflag_t>(ECHO)) | ECHONL;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &silent);
  }
  line.clear();
  interrupted = false;
  char byte = 0;
  ssize_t got;
  while ((got = ::read(STDIN_FILENO, &byte, 1)) == 1 && byte != '\n') line += byte;
  interrupted = got < 0 && errno == EINTR;
  if (hides) tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
  return got == 1 || (got == 0 && !line.empty());
}

}  // namespace strider
