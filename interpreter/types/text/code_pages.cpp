// Code pages, read from the C library when they are first needed.
#include "interpreter/types/text/code_pages.h"

#include <iconv.h>

#include <cerrno>
#include <map>
#include <memory>

#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// A conversion of iconv.
class Converter {
 public:
  Converter(const std::string& to, const std::string& from)
      : handle_(iconv_open(to.c_str(), from.c_str())) {}
  ~Converter() {
    if (known()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  bool known() const { return handle_ != reinterpret_cast<iconv_t>(-1); }
  // Converts all of a text; false with errno where that fails.
  bool convert(std::string_view text, std::string& result) {
    iconv(handle_, nullptr, nullptr, nullptr, nullptr);
    char room[64];
    char *in = const_cast<char*>(text.data()), *out = room;
    std::size_t in_left = text.size(), out_left = sizeof room;
    constexpr auto kFailed = static_cast<std::size_t>(-1);
    if (iconv(handle_, &in, &in_left, &out, &out_left) == kFailed) return false;
    if (iconv(handle_, nullptr, nullptr, &out, &out_left) == kFailed) return false;
    result.assign(room, sizeof room - out_left);
    return in_left == 0;
  }

 private:
  iconv_t handle_;
};

struct PageNames {
  const char* name;          // as iconv knows it
  std::string_view aliases;  // in lower case without marks, each in blanks
};

constexpr std::string_view kPalmOs = "CP1252 of Palm OS";  // which iconv does not know

constexpr PageNames kPages[] = {
    {"CP1250", " cp1250 windows1250 1250 "},
    {"CP1251", " cp1251 windows1251 1251 "},
    {"CP1252", " cp1252 windows1252 1252 "},
    {"CP1253", " cp1253 windows1253 1253 "},
    {"CP1254", " cp1254 windows1254 1254 "},
    {"CP1255", " cp1255 windows1255 1255 "},
    {"CP1256", " cp1256 windows1256 1256 "},
    {"CP1257", " cp1257 windows1257 1257 "},
    {"CP1258", " cp1258 windows1258 1258 "},
    {"CP437", " cp437 437 ibm437 "},
    {"CP737", " cp737 "},
    {"CP775", " cp775 775 ibm775 "},
    {"CP850", " cp850 850 ibm850 "},
    {"CP852", " cp852 852 ibm852 "},
    {"CP855", " cp855 855 ibm855 "},
    {"CP857", " cp857 857 ibm857 "},
    {"CP860", " cp860 860 ibm860 "},
    {"CP862", " cp862 862 ibm862 "},
    {"CP863", " cp863 863 ibm863 "},
    {"CP865", " cp865 865 ibm865 "},
    {"CP866", " cp866 866 ibm866 "},
    {"CP869", " cp869 869 ibm869 "},
    {"CP874", " cp874 "},
    {"ISO-8859-2", " iso88592 88592 latin2 l2 "},
    {"ISO-8859-3", " iso88593 88593 latin3 l3 "},
    {"ISO-8859-4", " iso88594 88594 latin4 l4 "},
    {"ISO-8859-5", " iso88595 88595 cyrillic "},
    {"ISO-8859-6", " iso88596 88596 arabic "},
    {"ISO-8859-7", " iso88597 88597 greek "},
    {"ISO-8859-8", " iso88598 88598 hebrew "},
    {"ISO-8859-9", " iso88599 88599 latin5 l5 "},
    {"ISO-8859-10", " iso885910 885910 latin6 l6 "},
    {"ISO-8859-11", " iso885911 885911 thai "},
    {"ISO-8859-13", " iso885913 885913 latin7 l7 "},
    {"ISO-8859-14", " iso885914 885914 latin8 l8 "},
    {"ISO-8859-15", " iso885915 885915 latin9 l9 "},
    {"ISO-8859-16", " iso885916 885916 latin10 l10 "},
    {"KOI8-R", " koi8r "},
    {"KOI8-U", " koi8u "},
    {"MACINTOSH", " macroman macintosh "},
    {"MAC-CYRILLIC", " maccyrillic "},
    {"CP037", " cp037 037 ibm037 "},
    {"CP500", " cp500 500 ibm500 "},
    {"CP856", " cp856 "},
    {"CP273", " cp273 273 ibm273 csibm273 "},
    {"CP424", " cp424 424 ibm424 "},
    {"CP858", " cp858 858 ibm858 "},
    {"CP861", " cp861 861 ibm861 cpis "},
    {"CP864", " cp864 864 ibm864 "},
    {"CP1026", " cp1026 1026 ibm1026 "},
    {"CP1125", " cp1125 1125 ibm1125 cp866u "},
    {"CP1140", " cp1140 1140 ibm1140 "},
    {"HP-ROMAN8", " hproman8 roman8 r8 cshproman8 "},
    {"KOI8-T", " koi8t "},
    {"RK1048", " kz1048 rk1048 strk10482002 "},
    {"TIS-620", " tis620 tis6200 tis62025290 tis62025291 isoir166 "},
    {kPalmOs.data(), " palmos "},
};

constexpr EastAsianEncoding kEastAsian[] = {
    {"SHIFT_JIS", "shift_jis", " shiftjis sjis csshiftjis "},
    {"CP932", "cp932", " cp932 932 ms932 mskanji windows31j "},
    {"EUC-JP", "euc_jp", " eucjp ujis "},
    {"GB2312", "gb2312", " gb2312 chinese euccn "},
    {"GBK", "gbk", " gbk 936 cp936 ms936 "},
    {"GB18030", "gb18030", " gb18030 gb180302000 "},
    {"BIG5", "big5", " big5 big5tw "},
    {"CP950", "cp950", " cp950 950 ms950 "},
    {"EUC-KR", "euc_kr", " euckr korean ksc5601 "},
    {"CP949", "cp949", " cp949 949 ms949 uhc "},
};

bool has_alias(std::string_view aliases, std::string_view name) {
  return aliases.find(" " + std::string(name) + " ") != aliases.npos;
}

// Where CPython's pages differ from those of iconv.
struct Difference {
  std::string_view page;
  int byte;
  char32_t code;
};
constexpr Difference kDifferences[] = {
    {"MACINTOSH", 0xc6, 0x2206}, {"MACINTOSH", 0xf0, 0xf8ff}, {"CP273", 0xbc, 0x203e},
    {"CP424", 0x78, 0x2017},     {"CP424", 0x8f, 0xb1},       {"CP856", 0x1a, 0x1a},
    {"CP856", 0x1c, 0x1c},       {"CP856", 0x7f, 0x7f},       {"CP856", 0xee, 0xaf},
    {"CP856", 0xfa, 0xb7},       {"CP1026", 0x9d, 0xb8},      {"CP1026", 0xbc, 0xaf},
    {kPalmOs, 0x8d, 0x2666},     {kPalmOs, 0x8e, 0x2663},     {kPalmOs, 0x8f, 0x2665},
    {kPalmOs, 0x90, 0x2660},     {kPalmOs, 0x9b, 0x9b},       {kPalmOs, 0x9e, 0x9e}};

// What CPython has for a byte that is this character by iconv.
char32_t corrected(std::string_view page, int byte, char32_t code) {
  for (const Difference& each : kDifferences)
    if (each.page == page && each.byte == byte) return each.code;
  bool is_control = byte >= 0x80 && byte < 0xa0;
  bool stands_for_itself = is_control && (page == kPalmOs || page == "TIS-620");
  return code == kUndefined && stands_for_itself ? static_cast<char32_t>(byte) : code;
}

std::unique_ptr<const CodePage> read_page(const char* name) {
  Converter converter("UTF-8", name == kPalmOs ? "CP1252" : name);
  if (!converter.known()) return nullptr;
  auto page = std::make_unique<CodePage>();
  std::string text;
  for (int byte = 0; byte < 256; ++byte) {
    char character = static_cast<char>(byte);
    char32_t& code = page->characters[static_cast<std::size_t>(byte)];
    code = kUndefined;
    if (converter.convert({&character, 1}, text) && !text.empty()) {
      std::size_t offset = 0;
      code = decode_code_point(text, offset);
    }
    code = corrected(name, byte, code);
    if (code == kUndefined) continue;
    page->bytes.emplace(code, character);
  }
  return page;
}

Converter& reader_of(const EastAsianEncoding& encoding) {
  thread_local std::map<const EastAsianEncoding*, Converter> readers;
  return readers.try_emplace(&encoding, "UTF-8", encoding.name).first->second;
}

Converter& writer_of(const EastAsianEncoding& encoding) {
  thread_local std::map<const EastAsianEncoding*, Converter> writers;
  return writers.try_emplace(&encoding, encoding.name, "UTF-8").first->second;
}

}  // namespace

const CodePage* find_code_page(std::string_view name) {
  static auto& read = *new std::map<const PageNames*, std::unique_ptr<const CodePage>>();
  for (const PageNames& names : kPages) {
    if (!has_alias(names.aliases, name)) continue;
    auto found = read.find(&names);
    if (found == read.end()) found = read.emplace(&names, read_page(names.name)).first;
    return found->second.get();
  }
  return nullptr;
}

const EastAsianEncoding* find_east_asian_encoding(std::string_view name) {
  for (const EastAsianEncoding& encoding : kEastAsian)
    if (has_alias(encoding.aliases, name)) return reader_of(encoding).known() ? &encoding : nullptr;
  return nullptr;
}

int decode_one(const EastAsianEncoding& encoding, std::string_view bytes, std::string& text) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t size = 1; size <= kLongest && size <= bytes.size(); ++size) {
    if (reader_of(encoding).convert(bytes.substr(0, size), text) && !text.empty())
      return static_cast<int>(size);
    if (errno == EILSEQ) return 0;
  }
  return bytes.size() < kLongest ? -1 : 0;
}

std::string encode_one(const EastAsianEncoding& encoding, std::string_view character) {
  std::string bytes;
  return writer_of(encoding).convert(character, bytes) ? bytes : std::string();
}

}  // namespace strider::lang
