// The module io: its list of names.
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/io/io_binary.h"
#include "interpreter/builtins/modules/io/io_open.h"
#include "interpreter/builtins/modules/io/io_text.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// In CPython's order.
Value public_names() {
  Ref<List> result = make_list();
  for (const char* name : {"BlockingIOError",
                           "open",
                           "open_code",
                           "IOBase",
                           "RawIOBase",
                           "FileIO",
                           "BytesIO",
                           "StringIO",
                           "BufferedIOBase",
                           "BufferedReader",
                           "BufferedWriter",
                           "BufferedRWPair",
                           "BufferedRandom",
                           "TextIOBase",
                           "TextIOWrapper",
                           "UnsupportedOperation",
                           "SEEK_SET",
                           "SEEK_CUR",
                           "SEEK_END",
                           "DEFAULT_BUFFER_SIZE",
                           "IncrementalNewlineDecoder"})
    result->items.emplace_back(make_str(name));
  return result;
}

const ConstantRow kConstants[] = {
    {"IOBase", [] { return Value(&io_base_type()); }},
    {"RawIOBase", [] { return Value(&raw_io_base_type()); }},
    {"BufferedIOBase", [] { return Value(&buffered_io_base_type()); }},
    {"TextIOBase", [] { return Value(&text_io_base_type()); }},
    {"FileIO", [] { return Value(&file_io_type()); }},
    {"BufferedReader", [] { return Value(&buffered_reader_type()); }},
    {"BufferedWriter", [] { return Value(&buffered_writer_type()); }},
    {"BufferedRandom", [] { return Value(&buffered_random_type()); }},
    {"BytesIO", [] { return Value(&bytes_io_type()); }},
    {"TextIOWrapper", [] { return Value(&text_io_wrapper_type()); }},
    {"StringIO", [] { return Value(&string_io_type()); }},
    {"UnsupportedOperation", [] { return Value(&unsupported_operation()); }},
    {"BlockingIOError", [] { return Value(&errors::BlockingIOError()); }},
    {"DEFAULT_BUFFER_SIZE", [] { return Value::integer(8192); }},
    {"SEEK_SET", [] { return Value::integer(0); }},
    {"SEEK_CUR", [] { return Value::integer(1); }},
    {"SEEK_END", [] { return Value::integer(2); }},
    {"__all__", public_names},
};

constexpr const char* kWrittenInNpx[] = {"IncrementalNewlineDecoder", "BufferedRWPair",
                                         "text_encoding", "open_code"};

Value find_open(Name name) {
  for (const char* each : kWrittenInNpx)
    if (text_of(name) == each) return get_attribute(import_module("_iomore"), name);
  return make_native_function(std::span(kOpenFunctions, kOpenFunctionCount), name, "io");
}

void list_open(std::vector<std::string_view>& names) {
  names.push_back("open");
  names.insert(names.end(), std::begin(kWrittenInNpx), std::end(kWrittenInNpx));
}

}  // namespace

const NativeModule kIoModule = {"io", "Files and streams.", {}, kConstants, find_open, list_open};

}  // namespace strider::lang
