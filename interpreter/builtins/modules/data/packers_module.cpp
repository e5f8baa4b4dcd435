// The module _packers: streams of bytes that bzip2 and LZMA pack and unpack piece by piece. bz2 and
// lzma are written on it. Knows nothing of files.
#include <bzlib.h>
#include <lzma.h>

#include <functional>
#include <optional>
#include <span>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::size_t kChunk = 1 << 16;

enum class Step { kMoved, kStuck, kEnded };

// What is left of the input, and room for the output.
struct Span {
  const char* in;
  std::size_t in_left;
  char* out;
  std::size_t out_left;
};

// A stream of one library; a step takes input and gives output. Errors of the language.
class Coder {
 public:
  virtual ~Coder() = default;
  virtual Step step(Span& span, bool finish) = 0;
};

class Stream final : public Object {
 public:
  static Type& type();
  explicit Stream(std::unique_ptr<Coder> by)
      : Object(Layout::kOther, &type()), coder(std::move(by)) {}
  // Takes bytes; gives up to `limit` of what is ready, the rest later.
  std::string feed(std::string_view data, std::size_t limit, bool finish);

  std::unique_ptr<Coder> coder;
  std::string waiting;  // input that was not taken yet; behind the end: what is no part of it
  bool ended = false;
};

std::string Stream::feed(std::string_view data, std::size_t limit, bool finish) {
  waiting += data;
  std::string output;
  std::size_t taken = 0;
  while (!ended && output.size() < limit) {
    std::size_t before = output.size(), room = std::min(kChunk, limit - before);
    output.resize(before + room);
    Span span{waiting.data() + taken, waiting.size() - taken, output.data() + before, room};
    Step step = coder->step(span, finish);
    output.resize(before + room - span.out_left);
    bool moved = span.in_left != waiting.size() - taken || span.out_left != room;
    taken = waiting.size() - span.in_left;
    ended = step == Step::kEnded;
    bool idle = span.in_left == 0 && span.out_left > 0 && !finish;
    if (step == Step::kStuck || !moved || idle) break;
  }
  waiting.erase(0, taken);
  return output;
}

// --- bzip2 ---

[[noreturn]] void raise_bzip2(int code) {
  if (code == BZ_DATA_ERROR || code == BZ_DATA_ERROR_MAGIC)
    raise(errors::OSError, "Invalid data stream");
  if (code == BZ_PARAM_ERROR)
    raise(errors::ValueError, "Internal error - invalid parameters passed to libbzip2");
  if (code == BZ_MEM_ERROR) raise_message(errors::MemoryError(), "");
  raise(errors::OSError, "Unrecognized error from libbzip2: {}", code);
}

class Bzip2Coder final : public Coder {
 public:
  explicit Bzip2Coder(int level) : packs_(level > 0) {
    int code =
        packs_ ? BZ2_bzCompressInit(&stream_, level, 0, 0) : BZ2_bzDecompressInit(&stream_, 0, 0);
    if (code != BZ_OK) raise_bzip2(code);
  }
  ~Bzip2Coder() override { packs_ ? BZ2_bzCompressEnd(&stream_) : BZ2_bzDecompressEnd(&stream_); }
  Step step(Span& span, bool finish) override {
    constexpr std::size_t kMost = 1u << 30;
    std::size_t in = std::min(span.in_left, kMost);
    stream_.next_in = const_cast<char*>(span.in);
    stream_.avail_in = static_cast<unsigned>(in);
    stream_.next_out = span.out;
    stream_.avail_out = static_cast<unsigned>(span.out_left);
    if (packs_ && in == 0 && !finish) return Step::kStuck;
    bool last = finish && in == span.in_left;
    int code =
        packs_ ? BZ2_bzCompress(&stream_, last ? BZ_FINISH : BZ_RUN) : BZ2_bzDecompress(&stream_);
    if (code < 0) raise_bzip2(code);
    span.in_left -= in - stream_.avail_in;
    span.out_left = stream_.avail_out;
    return code == BZ_STREAM_END ? Step::kEnded : Step::kMoved;
  }

 private:
  bz_stream stream_{};
  bool packs_;
};

// --- LZMA ---

Type& lzma_error() {
  static Type& type = *[] {
    Ref<Dict> space = make_dict();
    space->set(names().module, Value(make_str("_lzma")));
    Ref<Type> made =
        make_class("LZMAError", {Ref<Type>(&errors::Exception())}, space, &Type::type_object());
    return made.detach();
  }();
  return type;
}

void require_lzma(lzma_ret code) {
  switch (code) {
    case LZMA_OK:
    case LZMA_GET_CHECK:
    case LZMA_NO_CHECK:
    case LZMA_STREAM_END:
    case LZMA_BUF_ERROR:
      return;
    case LZMA_UNSUPPORTED_CHECK:
      raise_message(lzma_error(), "Unsupported integrity check");
    case LZMA_MEM_ERROR:
      raise_message(errors::MemoryError(), "");
    case LZMA_MEMLIMIT_ERROR:
      raise_message(lzma_error(), "Memory usage limit exceeded");
    case LZMA_FORMAT_ERROR:
      raise_message(lzma_error(), "Input format not supported by decoder");
    case LZMA_OPTIONS_ERROR:
      raise_message(lzma_error(), "Invalid or unsupported options");
    case LZMA_DATA_ERROR:
      raise_message(lzma_error(), "Corrupt input data");
    case LZMA_PROG_ERROR:
      raise_message(lzma_error(), "Internal error");
    default:
      raise_message(lzma_error(),
                    fmt::format("Unrecognized error from liblzma: {}", static_cast<int>(code)));
  }
}

class LzmaCoder final : public Coder {
 public:
  explicit LzmaCoder(const std::function<lzma_ret(lzma_stream*)>& start) {
    require_lzma(start(&stream_));
  }
  ~LzmaCoder() override { lzma_end(&stream_); }
  Step step(Span& span, bool finish) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(span.in);
    stream_.avail_in = span.in_left;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(span.out);
    stream_.avail_out = span.out_left;
    lzma_ret code = lzma_code(&stream_, finish ? LZMA_FINISH : LZMA_RUN);
    require_lzma(code);
    span.in_left = stream_.avail_in;
    span.out_left = stream_.avail_out;
    return code == LZMA_STREAM_END ? Step::kEnded : Step::kMoved;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

enum Format { kAuto, kXz, kAlone, kRaw };

// --- The module ---

Value stream_feed(const Parameters& p) {
  std::int64_t limit = to_int64(p[2]);
  auto most = limit < 0 ? std::string::npos / 2 : static_cast<std::size_t>(limit);
  return make<Bytes>(p[0].as<Stream>()->feed(to_bytes(p[1]), most, truth(p[3])));
}

const NativeRow kStreamMethods[] = {
    {"feed(self, data, limit=-1, finish=False, /)", stream_feed,
     "Takes bytes; returns up to limit of those that are ready."},
};

const PropertyRow kStreamProperties[] = {
    {"ended", [](const Value& self) { return Value::boolean(self.as<Stream>()->ended); }, nullptr,
     "Whether the end was reached."},
    {"waiting", [](const Value& self) { return Value(make<Bytes>(self.as<Stream>()->waiting)); },
     nullptr, "Input that was not taken yet."},
};

Type& Stream::type() {
  static Type& type = *[] {
    Type& made = make_module_type("Stream", "_packers");
    made.add(kStreamMethods);
    made.add(kStreamProperties);
    return &made;
  }();
  return type;
}

Value bzip2_packer(const Parameters& p) {
  return make<Stream>(std::make_unique<Bzip2Coder>(static_cast<int>(to_int64(p[0]))));
}

Value bzip2_unpacker(const Parameters&) { return make<Stream>(std::make_unique<Bzip2Coder>(0)); }

// Filters one after the other, with the options that they are given.
class FilterChain {
 public:
  // A list of (id, options): of LZMA (preset, dict_size, lc, lp, pb, mode, nice_len, mf, depth),
  // of a difference (dist,), of machine code (start_offset,); None stands for what is usual.
  explicit FilterChain(const Value& list) {
    Iteration items(list);
    Value item;
    while (items.next(item)) {
      if (count_ == LZMA_FILTERS_MAX)
        raise(errors::ValueError, "Too many filters - liblzma supports a maximum of {}",
              LZMA_FILTERS_MAX);
      const auto& pair = item.as<Tuple>()->items();
      add(static_cast<lzma_vli>(to_int64(pair[0])), pair[1]);
    }
    filters_[count_].id = LZMA_VLI_UNKNOWN;
  }
  const lzma_filter* get() const { return filters_; }

 private:
  void add(lzma_vli id, const Value& options) {
    std::span<const Value> given = options.as<Tuple>()->items();
    lzma_filter& filter = filters_[count_];
    Options& room = options_[count_++];
    filter.id = id;
    filter.options = &room;
    if (id == LZMA_FILTER_LZMA1 || id == LZMA_FILTER_LZMA2) {
      set_lzma(room.lzma, given);
    } else if (id == LZMA_FILTER_DELTA) {
      room.delta = {};
      room.delta.type = LZMA_DELTA_TYPE_BYTE;
      room.delta.dist = given[0].is_none() ? 1 : number(given[0]);
    } else {
      room.code = {};
      room.code.start_offset = given[0].is_none() ? 0 : number(given[0]);
    }
  }
  static std::uint32_t number(const Value& value) {
    return static_cast<std::uint32_t>(to_int64(value));
  }
  static void set_lzma(lzma_options_lzma& options, std::span<const Value> given) {
    std::uint32_t preset = given[0].is_none() ? LZMA_PRESET_DEFAULT : number(given[0]);
    if (lzma_lzma_preset(&options, preset))
      raise_message(lzma_error(), fmt::format("Invalid compression preset: {}", preset));
    std::uint32_t* places[] = {&options.dict_size, &options.lc, &options.lp, &options.pb};
    for (std::size_t i = 0; i < std::size(places); ++i)
      if (!given[i + 1].is_none()) *places[i] = number(given[i + 1]);
    if (!given[5].is_none()) options.mode = static_cast<lzma_mode>(number(given[5]));
    if (!given[6].is_none()) options.nice_len = number(given[6]);
    if (!given[7].is_none()) options.mf = static_cast<lzma_match_finder>(number(given[7]));
    if (!given[8].is_none()) options.depth = number(given[8]);
  }

  union Options {
    lzma_options_lzma lzma;
    lzma_options_delta delta;
    lzma_options_bcj code;
  };
  Options options_[LZMA_FILTERS_MAX];
  lzma_filter filters_[LZMA_FILTERS_MAX + 1];
  std::size_t count_ = 0;
};

// lzma_packer(format, check, preset, filters)
Value lzma_packer(const Parameters& p) {
  std::int64_t format = to_int64(p[0]), check = to_int64(p[1]);
  auto preset = static_cast<std::uint32_t>(to_int64(p[2]));
  std::optional<FilterChain> chain;
  if (!p[3].is_none()) chain.emplace(p[3]);
  return make<Stream>(std::make_unique<LzmaCoder>([&](lzma_stream* stream) {
    if (format == kRaw) return lzma_raw_encoder(stream, chain->get());
    if (format == kAlone) {
      lzma_options_lzma usual;
      if (lzma_lzma_preset(&usual, preset)) return LZMA_OPTIONS_ERROR;
      const void* options = chain ? chain->get()->options : &usual;
      return lzma_alone_encoder(stream, static_cast<const lzma_options_lzma*>(options));
    }
    if (check < 0 || check > LZMA_CHECK_ID_MAX) return LZMA_PROG_ERROR;
    auto kind = static_cast<lzma_check>(check);
    return chain ? lzma_stream_encoder(stream, chain->get(), kind)
                 : lzma_easy_encoder(stream, preset, kind);
  }));
}

// lzma_unpacker(format, memory_limit, filters)
Value lzma_unpacker(const Parameters& p) {
  std::int64_t format = to_int64(p[0]);
  std::uint64_t limit = p[1].is_none() ? UINT64_MAX : static_cast<std::uint64_t>(to_int64(p[1]));
  std::optional<FilterChain> chain;
  if (!p[2].is_none()) chain.emplace(p[2]);
  return make<Stream>(std::make_unique<LzmaCoder>([&](lzma_stream* stream) {
    if (format == kRaw) return lzma_raw_decoder(stream, chain->get());
    if (format == kXz) return lzma_stream_decoder(stream, limit, 0);
    if (format == kAlone) return lzma_alone_decoder(stream, limit);
    return lzma_auto_decoder(stream, limit, 0);
  }));
}

const NativeRow kFunctions[] = {
    {"bzip2_packer(level, /)", bzip2_packer, "A stream that bzip2 packs."},
    {"bzip2_unpacker()", bzip2_unpacker, "A stream that bzip2 unpacks."},
    {"lzma_packer(format, check, preset, filters, /)", lzma_packer, "A stream that LZMA packs."},
    {"lzma_unpacker(format, memory_limit, filters, /)", lzma_unpacker,
     "A stream that LZMA unpacks."},
    {"is_check_supported(check, /)",
     [](const Parameters& p) {
       return Value::boolean(lzma_check_is_supported(static_cast<lzma_check>(to_int64(p[0]))));
     },
     "Whether a check of LZMA is known."},
};

const ConstantRow kConstants[] = {
    {"LZMAError", [] { return Value(&lzma_error()); }},
};

}  // namespace

const NativeModule kPackersModule = {"_packers", "Streams that are packed and unpacked.",
                                     kFunctions, kConstants};

}  // namespace strider::lang
