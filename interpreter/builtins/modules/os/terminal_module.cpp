// The module termios: how a terminal treats what is typed and shown (POSIX, termios.h).
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

const NativeRow kFunctions[] = {
    {"tcgetattr(fd, /)", get_attributes, "The flags, speeds and characters of a terminal."},
    {"tcsetattr(fd, when, attributes, /)", set_attributes, "Sets what tcgetattr tells."},
    {"tcsendbreak(fd, duration, /)", call_with_number<tcsendbreak>, "Sends a break."},
    {"tcdrain(fd, /)", outside<drain>, "Waits until all is sent."},
    {"tcflush(fd, queue, /)", call_with_number<tcflush>, "Drops what waits."},
    {"tcflow(fd, action, /)", call_with_number<tcflow>, "Holds or resumes."},
    {"tcgetwinsize(fd, /)", window_size, "Lines and columns."},
};

template <auto kNumber>
Value number() {
  return Value::integer(static_cast<std::int64_t>(kNumber));
}

#define STRIDER_NUMBER(name) \
  { #name, number < name> }
const ConstantRow kConstants[] = {
    {"error", [] { return Value(&error_type()); }},
    STRIDER_NUMBER(TCSANOW),
    STRIDER_NUMBER(TCSADRAIN),
    STRIDER_NUMBER(TCSAFLUSH),
    STRIDER_NUMBER(TCIFLUSH),
    STRIDER_NUMBER(TCOFLUSH),
    STRIDER_NUMBER(TCIOFLUSH),
    STRIDER_NUMBER(TCOOFF),
    STRIDER_NUMBER(TCOON),
    STRIDER_NUMBER(TCIOFF),
    STRIDER_NUMBER(TCION),
    STRIDER_NUMBER(IGNBRK),
    STRIDER_NUMBER(BRKINT),
    STRIDER_NUMBER(IGNPAR),
    STRIDER_NUMBER(PARMRK),
    STRIDER_NUMBER(INPCK),
    STRIDER_NUMBER(ISTRIP),
    STRIDER_NUMBER(INLCR),
    STRIDER_NUMBER(IGNCR),
    STRIDER_NUMBER(ICRNL),
    STRIDER_NUMBER(IXON),
    STRIDER_NUMBER(IXANY),
    STRIDER_NUMBER(IXOFF),
    STRIDER_NUMBER(IMAXBEL),
    STRIDER_NUMBER(OPOST),
    STRIDER_NUMBER(ONLCR),
    STRIDER_NUMBER(OCRNL),
    STRIDER_NUMBER(ONOCR),
    STRIDER_NUMBER(ONLRET),
    STRIDER_NUMBER(CSIZE),
    STRIDER_NUMBER(CS5),
    STRIDER_NUMBER(CS6),
    STRIDER_NUMBER(CS7),
    STRIDER_NUMBER(CS8),
    STRIDER_NUMBER(CSTOPB),
    STRIDER_NUMBER(CREAD),
    STRIDER_NUMBER(PARENB),
    STRIDER_NUMBER(PARODD),
    STRIDER_NUMBER(HUPCL),
    STRIDER_NUMBER(CLOCAL),
    STRIDER_NUMBER(ISIG),
    STRIDER_NUMBER(ICANON),
    STRIDER_NUMBER(ECHO),
    STRIDER_NUMBER(ECHOE),
    STRIDER_NUMBER(ECHOK),
    STRIDER_NUMBER(ECHONL),
    STRIDER_NUMBER(NOFLSH),
    STRIDER_NUMBER(TOSTOP),
    STRIDER_NUMBER(IEXTEN),
    STRIDER_NUMBER(VINTR),
    STRIDER_NUMBER(VQUIT),
    STRIDER_NUMBER(VERASE),
    STRIDER_NUMBER(VKILL),
    STRIDER_NUMBER(VEOF),
    STRIDER_NUMBER(VTIME),
    STRIDER_NUMBER(VMIN),
    STRIDER_NUMBER(VSTART),
    STRIDER_NUMBER(VSTOP),
    STRIDER_NUMBER(VSUSP),
    STRIDER_NUMBER(VEOL),
    STRIDER_NUMBER(NCCS),
    STRIDER_NUMBER(B0),
    STRIDER_NUMBER(B9600),
    STRIDER_NUMBER(B19200),
    STRIDER_NUMBER(B38400),
    STRIDER_NUMBER(B57600),
    STRIDER_NUMBER(B115200),
    STRIDER_NUMBER(TIOCGWINSZ),
    STRIDER_NUMBER(FIONREAD),
};
#undef STRIDER_NUMBER

}  // namespace

const NativeModule kTermiosModule = {"termios", "How a terminal treats what is typed and shown.",
                                     kFunctions, kConstants};

}  // namespace strider::lang
