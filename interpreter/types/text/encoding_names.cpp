// Names as CPython has them, in lower case without marks; others are asked of code_pages.h.
#include "interpreter/types/text/encoding_names.h"

#include <map>
#include <string>

#include "interpreter/runtime/error/error.h"

namespace strider::lang {
namespace {

constexpr EncodingName kEncodings[] = {
    {"utf8", Encoding::kUtf8, "utf-8"},
    {"u8", Encoding::kUtf8, "utf-8"},
    {"utf", Encoding::kUtf8, "utf-8"},
    {"cp65001", Encoding::kUtf8, "utf-8"},
    {"utf8sig", Encoding::kUtf8Signature, "utf-8"},
    {"ascii", Encoding::kAscii, "ascii"},
    {"usascii", Encoding::kAscii, "ascii"},
    {"646", Encoding::kAscii, "ascii"},
    {"us", Encoding::kAscii, "ascii"},
    {"iso646us", Encoding::kAscii, "ascii"},
    {"isoir6", Encoding::kAscii, "ascii"},
    {"cp367", Encoding::kAscii, "ascii"},
    {"ibm367", Encoding::kAscii, "ascii"},
    {"latin1", Encoding::kLatin1, "latin-1"},
    {"charmap", Encoding::kLatin1, "charmap"},
    {"latin", Encoding::kLatin1, "latin-1"},
    {"l1", Encoding::kLatin1, "latin-1"},
    {"iso88591", Encoding::kLatin1, "latin-1"},
    {"88591", Encoding::kLatin1, "latin-1"},
    {"iso8859", Encoding::kLatin1, "latin-1"},
    {"8859", Encoding::kLatin1, "latin-1"},
    {"cp819", Encoding::kLatin1, "latin-1"},
    {"ibm819", Encoding::kLatin1, "latin-1"},
    {"isoir100", Encoding::kLatin1, "latin-1"},
    {"csisolatin1", Encoding::kLatin1, "latin-1"},
    {"utf16", Encoding::kUtf16, "utf-16"},
    {"u16", Encoding::kUtf16, "utf-16"},
    {"utf16le", Encoding::kUtf16Little, "utf-16-le"},
    {"utf16be", Encoding::kUtf16Big, "utf-16-be"},
    {"utf32", Encoding::kUtf32, "utf-32"},
    {"u32", Encoding::kUtf32, "utf-32"},
    {"utf32le", Encoding::kUtf32Little, "utf-32-le"},
    {"utf32be", Encoding::kUtf32Big, "utf-32-be"},
    {"unicodeescape", Encoding::kEscape, "unicodeescape"},
    {"rawunicodeescape", Encoding::kRawEscape, "rawunicodeescape"},
};

}  // namespace

const EncodingName* find_encoding(std::string_view name) {
  std::string plain;
  for (char character : name) {
    if (character == '-' || character == '_' || character == ' ') continue;
    plain += static_cast<char>(character >= 'A' && character <= 'Z' ? character + 32 : character);
  }
  for (const EncodingName& entry : kEncodings)
    if (plain == entry.alias) return &entry;
  static auto& others = *new std::map<std::string, EncodingName>();
  auto known = others.find(plain);
  if (known != others.end()) return &known->second;
  if (const CodePage* page = find_code_page(plain))
    return &others.emplace(plain, EncodingName{"", Encoding::kPage, "charmap", page, nullptr})
                .first->second;
  if (const EastAsianEncoding* found = find_east_asian_encoding(plain))
    return &others
                .emplace(plain,
                         EncodingName{"", Encoding::kEastAsian, found->shown, nullptr, found})
                .first->second;
  return nullptr;
}

}  // namespace strider::lang
