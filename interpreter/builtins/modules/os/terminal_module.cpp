// The module termios: how a terminal treats what is typed and shown (POSIX, termios.h).
#include <asm/ioctls.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kFields = 7, kCharacters = 6;

Type& error_type() {
  static Type& type = *[] {
    Ref<Dict> space = make_dict();
    space->set(names().module, Value(make_str("termios")));
    Ref<Type> made =
        make_class("error", {Ref<Type>(&errors::Exception())}, space, &Type::type_object());
    return made.detach();
  }();
  return type;
}

void check(int status) {
  if (status == 0) return;
  Value why = call(Value(&error_type()), Value::integer(errno), make_str(std::strerror(errno)));
  raise_exception(Ref<Exception>(why.as<Exception>()));
}

Value get_attributes(const Parameters& p) {
  termios mode;
  check(tcgetattr(to_descriptor(p[0]), &mode));
  Values characters;
  for (cc_t character : mode.c_cc)
    characters.push_back(make<Bytes>(std::string(1, static_cast<char>(character))));
  if (!(mode.c_lflag & ICANON))
    for (int place : {VMIN, VTIME})
      characters[static_cast<std::size_t>(place)] = Value::integer(mode.c_cc[place]);
  Values fields;
  for (tcflag_t flags : {mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag})
    fields.push_back(Value::integer(flags));
  fields.push_back(Value::integer(cfgetispeed(&mode)));
  fields.push_back(Value::integer(cfgetospeed(&mode)));
  fields.push_back(make_list(std::move(characters)));
  return make_list(std::move(fields));
}

cc_t to_character(const Value& value) {
  if (is_bytes(value) && to_bytes(value).size() == 1)
    return static_cast<cc_t>(to_bytes(value).front());
  if (is_integer(value)) return static_cast<cc_t>(to_int64(value));
  raise(errors::TypeError, "tcsetattr: elements of attributes must be characters or integers");
}

Value set_attributes(const Parameters& p) {
  if (!p[2].has_layout(Layout::kList) || p[2].as<List>()->size() != kFields)
    raise(errors::TypeError, "tcsetattr, arg 3: must be 7 element list");
  Values fields = p[2].as<List>()->items;
  const Value& characters = fields[kCharacters];
  if (!characters.has_layout(Layout::kList) || characters.as<List>()->size() != NCCS)
    raise(errors::TypeError, "tcsetattr: attributes[6] must be {} element list", NCCS);
  int descriptor = to_descriptor(p[0]);
  termios mode;
  check(tcgetattr(descriptor, &mode));
  tcflag_t* flags[] = {&mode.c_iflag, &mode.c_oflag, &mode.c_cflag, &mode.c_lflag};
  for (std::size_t i = 0; i < std::size(flags); ++i)
    *flags[i] = static_cast<tcflag_t>(to_int64(fields[i]));
  for (std::size_t i = 0; i < NCCS; ++i)
    mode.c_cc[i] = to_character(characters.as<List>()->items[i]);
  check(cfsetispeed(&mode, static_cast<speed_t>(to_int64(fields[4]))));
  check(cfsetospeed(&mode, static_cast<speed_t>(to_int64(fields[5]))));
  check(tcsetattr(descriptor, to_c_int(p[1]), &mode));
  return Value::none();
}

template <int (*kCall)(int, int)>
Value call_with_number(const Parameters& p) {
  check(kCall(to_descriptor(p[0]), to_c_int(p[1])));
  return Value::none();
}

Value drain(const Parameters& p) {
  check(tcdrain(to_descriptor(p[0])));
  return Value::none();
}

Value window_size(const Parameters& p) {
  winsize size;
  check(ioctl(to_descriptor(p[0]), TIOCGWINSZ, &size));
  return make_tuple({Value::integer(size.ws_row), Value::integer(size.ws_col)});
}

Value set_window_size(const Parameters& p) {
  const Value& pair = p[1];
  if (length(pair) != 2)
    raise(errors::TypeError, "tcsetwinsize, arg 2: must be a two-item sequence");
  winsize size;
  int descriptor = to_descriptor(p[0]);
  check(ioctl(descriptor, TIOCGWINSZ, &size));
  size.ws_row = static_cast<unsigned short>(to_int64(get_item(pair, Value::integer(0))));
  size.ws_col = static_cast<unsigned short>(to_int64(get_item(pair, Value::integer(1))));
  check(ioctl(descriptor, TIOCSWINSZ, &size));
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"tcgetattr(fd, /)", get_attributes, "The flags, speeds and characters of a terminal."},
    {"tcsetattr(fd, when, attributes, /)", set_attributes, "Sets what tcgetattr tells."},
    {"tcsendbreak(fd, duration, /)", call_with_number<tcsendbreak>, "Sends a break."},
    {"tcdrain(fd, /)", outside<drain>, "Waits until all is sent."},
    {"tcflush(fd, queue, /)", call_with_number<tcflush>, "Drops what waits."},
    {"tcflow(fd, action, /)", call_with_number<tcflow>, "Holds or resumes."},
    {"tcgetwinsize(fd, /)", window_size, "Lines and columns."},
    {"tcsetwinsize(fd, winsize, /)", set_window_size, "Sets lines and columns."},
};

template <auto kNumber>
Value number() {
  return Value::integer(static_cast<std::int64_t>(kNumber));
}

#define STRIDER_NUMBER(name) \
  { #name, number < name> }
const ConstantRow kConstants[] = {
    {"error", [] { return Value(&error_type()); }},
#include "interpreter/builtins/modules/os/terminal_numbers.def"
};
#undef STRIDER_NUMBER

}  // namespace

const NativeModule kTermiosModule = {"termios", "How a terminal treats what is typed and shown.",
                                     kFunctions, kConstants};

}  // namespace strider::lang
