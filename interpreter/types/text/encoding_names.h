// The encodings that texts can be in, and their names.
#pragma once

#include <string_view>

#include "interpreter/types/text/code_pages.h"

namespace strider::lang {

enum class Encoding {
  kUtf8,
  kUtf8Signature,
  kAscii,
  kLatin1,
  kUtf16,
  kUtf16Little,
  kUtf16Big,
  kUtf32,
  kUtf32Little,
  kUtf32Big,
  kEscape,
  kRawEscape,
  kPage,
  kEastAsian
};

struct EncodingName {
  const char* alias;
  Encoding encoding;
  const char* shown;
  const CodePage* page = nullptr;
  const EastAsianEncoding* east_asian = nullptr;

  // Whether a single byte is none of its units.
  bool has_wide_units() const {
    return encoding >= Encoding::kUtf16 && encoding <= Encoding::kUtf32Big;
  }
};

// The encoding of a name in any case, with any marks; null if the language has none of it.
const EncodingName* find_encoding(std::string_view name);

}  // namespace strider::lang
