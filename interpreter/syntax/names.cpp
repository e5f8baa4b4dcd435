// Normal forms are computed by utf8proc.
#include "interpreter/syntax/names.h"

#include <utf8proc.h>

#include <cstdlib>

#include "interpreter/syntax/utf8.h"

namespace strider::syntax {

std::string name_of_identifier(std::string_view written) {
  utf8proc_uint8_t* normal = nullptr;
  auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
  utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(written.data()),
                   static_cast<utf8proc_ssize_t>(written.size()), &normal, options);
  if (size < 0) return std::string(written);
  std::string_view text(reinterpret_cast<const char*>(normal), static_cast<std::size_t>(size));
  std::string name;
  for (std::size_t place = 0; place < text.size();) {
    DecodedCharacter next = decode_character(text, static_cast<uint32_t>(place));
    if (is_stand_in(next.code))
      name += static_cast<char>(next.code - kStandIns);
    else
      name += text.substr(place, next.size);
    place += next.size;
  }
  std::free(normal);
  return name;
}

}  // namespace strider::syntax
