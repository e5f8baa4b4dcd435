// The modules zlib and _zlib: compression and checksums.
#include <zlib.h>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kChunk = 1 << 16;

Type& zlib_error() {
  static Type& type = *[] {
    Ref<Dict> space = make_dict();
    space->set(names().module, Value(make_str("zlib")));
    Ref<Type> made =
        make_class("error", {Ref<Type>(&errors::Exception())}, space, &Type::type_object());
    return made.detach();
  }();
  return type;
}

[[noreturn]] void raise_zlib(int code, const char* what, const z_stream& stream) {
  std::string message = fmt::format("Error {} {}", code, what);
  if (stream.msg) message += fmt::format(": {}", stream.msg);
  if (!stream.msg && code == Z_BUF_ERROR) message += ": incomplete or truncated stream";
  if (!stream.msg && code == Z_STREAM_ERROR) message += ": inconsistent stream state";
  raise_message(zlib_error(), message);
}

void give(z_stream& stream, std::string_view bytes) {
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
}

// Runs deflate or inflate until the input is used up, the stream ends or `limit` bytes are there.
template <class Step>
int pump(z_stream& stream, std::string& output, std::size_t limit, Step step) {
  int code;
  do {
    std::size_t before = output.size();
    std::size_t room = limit ? std::min(kChunk, limit - before) : kChunk;
    output.resize(before + room);
    stream.next_out = reinterpret_cast<Bytef*>(output.data() + before);
    stream.avail_out = static_cast<uInt>(room);
    code = step(&stream);
    output.resize(before + room - stream.avail_out);
    bool full = limit && output.size() >= limit;
    if (code != Z_OK || full) break;
  } while (stream.avail_out == 0);
  return code;
}

// --- Objects ---

// Streams that end with the object, also where it does not come to be.
struct DeflateStream : z_stream {
  DeflateStream() : z_stream{} {}
  ~DeflateStream() { deflateEnd(this); }
};
struct InflateStream : z_stream {
  InflateStream() : z_stream{} {}
  ~InflateStream() { inflateEnd(this); }
};

class Compressor final : public Object {
 public:
  Compressor(int level, int window, int memory, int strategy, std::string_view known = {});
  explicit Compressor(Compressor& other);
  DeflateStream stream;
  bool ended = false;
};

class Decompressor final : public Object {
 public:
  explicit Decompressor(int window, std::string_view known = {});
  explicit Decompressor(Decompressor& other);
  std::string decompress(std::string_view data, std::size_t limit);
  InflateStream stream;
  std::string unused, tail, dictionary;  // the last: what data may count on as if it came before
  bool ended = false;
};

std::string Decompressor::decompress(std::string_view data, std::size_t limit) {
  std::string output;
  if (ended) {
    unused += data;
    return output;
  }
  give(stream, data);
  int code = pump(stream, output, limit, [this](z_stream* s) {
    int found = inflate(s, Z_SYNC_FLUSH);
    if (found != Z_NEED_DICT || dictionary.empty()) return found;
    found = inflateSetDictionary(s, reinterpret_cast<const Bytef*>(dictionary.data()),
                                 static_cast<uInt>(dictionary.size()));
    return found == Z_OK ? inflate(s, Z_SYNC_FLUSH) : found;
  });
  std::string_view rest = data.substr(data.size() - stream.avail_in);
  tail.clear();
  if (code == Z_STREAM_END) {
    ended = true;
    unused = rest;
  } else if (code != Z_OK && code != Z_BUF_ERROR) {
    raise_zlib(code, "while decompressing data", stream);
  } else {
    tail = rest;
  }
  return output;
}

Value compressor_compress(const Parameters& p) {
  auto* object = p[0].as<Compressor>();
  z_stream& stream = object->stream;
  std::string output;
  give(stream, to_bytes(p[1]));
  int code = object->ended
                 ? Z_STREAM_ERROR
                 : pump(stream, output, 0, [](z_stream* s) { return deflate(s, Z_NO_FLUSH); });
  if (code == Z_STREAM_ERROR) raise_zlib(code, "while compressing data", stream);
  return make<Bytes>(std::move(output));
}

Value compressor_flush(const Parameters& p) {
  auto* object = p[0].as<Compressor>();
  int mode = static_cast<int>(to_int64(p[1]));
  std::string output;
  if (mode == Z_NO_FLUSH) return make<Bytes>(std::move(output));
  give(object->stream, {});
  int code = object->ended ? Z_STREAM_ERROR : pump(object->stream, output, 0, [mode](z_stream* s) {
    return deflate(s, mode);
  });
  if (code == Z_STREAM_ERROR) raise_zlib(code, "while flushing", object->stream);
  object->ended = code == Z_STREAM_END;
  return make<Bytes>(std::move(output));
}

Value decompressor_decompress(const Parameters& p) {
  std::int64_t limit = to_int64(p[2]);
  if (limit < 0) raise(errors::ValueError, "max_length must be non-negative");
  return make<Bytes>(
      p[0].as<Decompressor>()->decompress(to_bytes(p[1]), static_cast<std::size_t>(limit)));
}

Value decompressor_flush(const Parameters& p) {
  if (to_int64(p[1]) <= 0) raise(errors::ValueError, "length must be greater than zero");
  auto* object = p[0].as<Decompressor>();
  std::string data = std::move(object->tail);
  object->tail.clear();
  return make<Bytes>(object->decompress(data, 0));
}

template <class Kind>
Value copied(const Parameters& p) {
  return make<Kind>(*p[0].as<Kind>());
}

const NativeRow kCompressorMethods[] = {
    {"copy(self, /)", copied<Compressor>, "An object that goes on from the same place."},
    {"__copy__(self, /)", copied<Compressor>, "copy()."},
    {"__deepcopy__(self, memo, /)", copied<Compressor>, "copy()."},
    {"compress(self, data, /)", compressor_compress, "Takes data; returns what is ready."},
    {"flush(self, mode=4, /)", compressor_flush, "Returns what is left."},
};

const NativeRow kDecompressorMethods[] = {
    {"copy(self, /)", copied<Decompressor>, "An object that goes on from the same place."},
    {"__copy__(self, /)", copied<Decompressor>, "copy()."},
    {"__deepcopy__(self, memo, /)", copied<Decompressor>, "copy()."},
    {"decompress(self, data, /, max_length=0)", decompressor_decompress,
     "Takes compressed data; returns what is ready."},
    {"flush(self, length=16384, /)", decompressor_flush, "Returns what is left."},
};

const PropertyRow kDecompressorProperties[] = {
    {"unused_data",
     [](const Value& self) { return Value(make<Bytes>(self.as<Decompressor>()->unused)); }, nullptr,
     "What came behind the compressed data."},
    {"unconsumed_tail",
     [](const Value& self) { return Value(make<Bytes>(self.as<Decompressor>()->tail)); }, nullptr,
     "Input that max_length left over."},
    {"eof", [](const Value& self) { return Value::boolean(self.as<Decompressor>()->ended); },
     nullptr, "Whether the end was reached."},
};

Type& compressor_type() {
  static Type& type = *[] {
    Type& made = make_module_type("Compress", "zlib");
    made.add(kCompressorMethods);
    return &made;
  }();
  return type;
}

Type& decompressor_type() {
  static Type& type = *[] {
    Type& made = make_module_type("Decompress", "zlib");
    made.add(kDecompressorMethods);
    made.add(kDecompressorProperties);
    return &made;
  }();
  return type;
}

Compressor::Compressor(int level, int window, int memory, int strategy, std::string_view known)
    : Object(Layout::kOther, &compressor_type()) {
  int code = deflateInit2(&stream, level, Z_DEFLATED, window, memory, strategy);
  if (code == Z_STREAM_ERROR) raise(errors::ValueError, "Invalid initialization option");
  if (code != Z_OK) raise_zlib(code, "while creating compression object", stream);
  if (known.data() && deflateSetDictionary(&stream, reinterpret_cast<const Bytef*>(known.data()),
                                           static_cast<uInt>(known.size())) != Z_OK)
    raise(errors::ValueError, "Invalid dictionary");
}

Compressor::Compressor(Compressor& other) : Object(Layout::kOther, &compressor_type()) {
  int code = other.ended ? Z_STREAM_ERROR : deflateCopy(&stream, &other.stream);
  if (code == Z_STREAM_ERROR) raise(errors::ValueError, "Inconsistent stream state");
  if (code != Z_OK) raise_zlib(code, "while copying compression object", other.stream);
}

Decompressor::Decompressor(int window, std::string_view known)
    : Object(Layout::kOther, &decompressor_type()), dictionary(known) {
  int code = inflateInit2(&stream, window);
  if (code == Z_STREAM_ERROR) raise(errors::ValueError, "Invalid initialization option");
  if (code != Z_OK) raise_zlib(code, "while creating decompression object", stream);
  // Data without a head does not say that it needs the dictionary.
  if (window < 0 && !known.empty())
    inflateSetDictionary(&stream, reinterpret_cast<const Bytef*>(known.data()),
                         static_cast<uInt>(known.size()));
}

Decompressor::Decompressor(Decompressor& other)
    : Object(Layout::kOther, &decompressor_type()),
      unused(other.unused),
      tail(other.tail),
      dictionary(other.dictionary),
      ended(other.ended) {
  int code = inflateCopy(&stream, &other.stream);
  if (code == Z_STREAM_ERROR) raise(errors::ValueError, "Inconsistent stream state");
  if (code != Z_OK) raise_zlib(code, "while copying decompression object", other.stream);
}

// --- Functions ---

int int_of(const Value& value) { return static_cast<int>(to_int64(value)); }

Value zlib_compress(const Parameters& p) {
  int level = int_of(p[1]);
  if (level < -1 || level > 9) raise_message(zlib_error(), "Bad compression level");
  Ref<Compressor> object = make<Compressor>(level, int_of(p[2]), 8, Z_DEFAULT_STRATEGY);
  std::string output;
  give(object->stream, to_bytes(p[0]));
  pump(object->stream, output, 0, [](z_stream* s) { return deflate(s, Z_FINISH); });
  return make<Bytes>(std::move(output));
}

Value zlib_decompress(const Parameters& p) {
  Ref<Decompressor> object = make<Decompressor>(int_of(p[1]));
  std::string output = object->decompress(to_bytes(p[0]), 0);
  if (!object->ended) raise_zlib(Z_BUF_ERROR, "while decompressing data", object->stream);
  return make<Bytes>(std::move(output));
}

template <uLong (*kChecksum)(uLong, const Bytef*, z_size_t)>
Value checksum(const Parameters& p) {
  std::string_view bytes = to_bytes(p[0]);
  uLong start = static_cast<std::uint32_t>(to_int64(p[1]));
  return Value::integer(static_cast<std::int64_t>(
      kChecksum(start, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size())));
}

std::string_view dictionary_of(const Value& value) {
  return value.is_none() ? std::string_view() : to_bytes(value);
}

Value zlib_compressobj(const Parameters& p) {
  return make<Compressor>(int_of(p[0]), int_of(p[2]), int_of(p[3]), int_of(p[4]),
                          dictionary_of(p[5]));
}

Value zlib_decompressobj(const Parameters& p) {
  return make<Decompressor>(int_of(p[0]), dictionary_of(p[1]));
}

const NativeRow kFunctions[] = {
    {"compress(data, /, level=-1, wbits=15)", zlib_compress, "Data compressed."},
    {"decompress(data, /, wbits=15, bufsize=16384)", zlib_decompress, "Data decompressed."},
    {"compressobj(level=-1, method=8, wbits=15, memLevel=8, strategy=0, zdict=None)",
     zlib_compressobj, "An object that compresses piece by piece."},
    {"decompressobj(wbits=15, zdict=None)", zlib_decompressobj,
     "An object that decompresses piece by piece."},
    {"crc32(data, value=0, /)", checksum<crc32_z>, "The CRC-32 checksum."},
    {"adler32(data, value=1, /)", checksum<adler32_z>, "The Adler-32 checksum."},
};

const ConstantRow kConstants[] = {
    {"error", [] { return Value(&zlib_error()); }},
    {"MAX_WBITS", [] { return Value::integer(MAX_WBITS); }},
    {"DEFLATED", [] { return Value::integer(Z_DEFLATED); }},
    {"DEF_MEM_LEVEL", [] { return Value::integer(8); }},
    {"Z_DEFAULT_COMPRESSION", [] { return Value::integer(Z_DEFAULT_COMPRESSION); }},
    {"Z_BEST_COMPRESSION", [] { return Value::integer(Z_BEST_COMPRESSION); }},
    {"Z_BEST_SPEED", [] { return Value::integer(Z_BEST_SPEED); }},
    {"Z_NO_COMPRESSION", [] { return Value::integer(Z_NO_COMPRESSION); }},
    {"Z_DEFAULT_STRATEGY", [] { return Value::integer(Z_DEFAULT_STRATEGY); }},
    {"Z_FINISH", [] { return Value::integer(Z_FINISH); }},
    {"Z_NO_FLUSH", [] { return Value::integer(Z_NO_FLUSH); }},
    {"Z_SYNC_FLUSH", [] { return Value::integer(Z_SYNC_FLUSH); }},
    {"Z_FULL_FLUSH", [] { return Value::integer(Z_FULL_FLUSH); }},
    {"Z_PARTIAL_FLUSH", [] { return Value::integer(Z_PARTIAL_FLUSH); }},
    {"Z_BLOCK", [] { return Value::integer(Z_BLOCK); }},
    {"Z_TREES", [] { return Value::integer(Z_TREES); }},
    {"Z_FILTERED", [] { return Value::integer(Z_FILTERED); }},
    {"Z_HUFFMAN_ONLY", [] { return Value::integer(Z_HUFFMAN_ONLY); }},
    {"Z_RLE", [] { return Value::integer(Z_RLE); }},
    {"Z_FIXED", [] { return Value::integer(Z_FIXED); }},
    {"DEF_BUF_SIZE", [] { return Value::integer(16384); }},
    {"ZLIB_RUNTIME_VERSION", [] { return Value(make_str(zlibVersion())); }},
    {"ZLIB_VERSION", [] { return Value(make_str(ZLIB_VERSION)); }},
};

}  // namespace

const NativeModule kZlibModule = {"zlib", "Compression with zlib.", kFunctions, kConstants};
const NativeModule kNativeZlibModule = {"_zlib", "Compression with zlib.", kFunctions, kConstants};

}  // namespace strider::lang
