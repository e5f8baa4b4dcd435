// WebP, by libwebp: single pictures and rows of them.
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "pictures/codecs.h"

namespace strider::pictures {
namespace {

WebPConfig config_of(const WebpOptions& options) {
  WebPConfig config;
  if (!WebPConfigInit(&config)) throw std::runtime_error("the library for WebP is another version");
  config.lossless = options.lossless;
  config.quality = static_cast<float>(options.quality);
  config.alpha_quality = static_cast<int>(options.alpha_quality);
  config.method = options.method;
  config.exact = options.exact;
  if (!WebPValidateConfig(&config)) throw std::runtime_error("invalid options for WebP");
  return config;
}

// A picture as libwebp takes it, of three bands or four.
class Canvas {
 public:
  Canvas(const Raster& source, bool lossless) {
    if (!WebPPictureInit(&picture_))
      throw std::runtime_error("the library for WebP is another version");
    picture_.width = static_cast<int>(source.width);
    picture_.height = static_cast<int>(source.height);
    picture_.use_argb = lossless;
    const auto* bytes = source.row<std::uint8_t>(0);
    const int row_size = static_cast<int>(source.width * source.bands);
    const bool taken = source.bands == 4 ? WebPPictureImportRGBA(&picture_, bytes, row_size)
                                         : WebPPictureImportRGB(&picture_, bytes, row_size);
    if (!taken) throw std::runtime_error("a picture cannot be taken over for WebP");
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  ~Canvas() { WebPPictureFree(&picture_); }
  WebPPicture* get() { return &picture_; }

 private:
  WebPPicture picture_;
};

struct DecoderDeleter {
  void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
};
struct EncoderDeleter {
  void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
};

}  // namespace

Film read_webp(std::string_view file, std::int64_t first, std::int64_t last) {
  WebPData data = {reinterpret_cast<const std::uint8_t*>(file.data()), file.size()};
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data.bytes, data.size, &features) != VP8_STATUS_OK)
    throw std::runtime_error("no file of WebP");
  std::unique_ptr<WebPAnimDecoder, DecoderDeleter> decoder(WebPAnimDecoderNew(&data, nullptr));
  WebPAnimInfo info;
  if (!decoder || !WebPAnimDecoderGetInfo(decoder.get(), &info))
    throw std::runtime_error("could not create decoder object");
  Film film{info.canvas_width, info.canvas_height,      static_cast<int>(info.loop_count),
            info.bgcolor,      features.has_alpha != 0, {}};
  film.frames.resize(info.frame_count);
  const std::size_t size =
      static_cast<std::size_t>(film.width) * static_cast<std::size_t>(film.height) * 4;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(last, info.frame_count); ++i) {
    std::uint8_t* pixels = nullptr;
    int end = 0;
    if (!WebPAnimDecoderGetNext(decoder.get(), &pixels, &end))
      throw std::runtime_error("failed to read next frame");
    Frame& frame = film.frames[static_cast<std::size_t>(i)];
    frame.end = end;
    if (i >= first) frame.picture = {film.width, film.height, 4, {pixels, pixels + size}, false};
  }
  return film;
}

std::string write_webp(const Raster& source, const WebpOptions& options) {
  const WebPConfig config = config_of(options);
  Canvas canvas(source, options.lossless);
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  canvas.get()->writer = WebPMemoryWrite;
  canvas.get()->custom_ptr = &writer;
  const bool done = WebPEncode(&config, canvas.get()) != 0;
  std::string result;
  if (done) result.assign(reinterpret_cast<char*>(writer.mem), writer.size);
  WebPMemoryWriterClear(&writer);
  if (!done) throw std::runtime_error("encoding error " + std::to_string(canvas.get()->error_code));
  return result;
}

std::string write_webp_film(std::span<const Raster> frames, std::span<const std::int64_t> ends,
                            std::span<const WebpOptions> options, const FilmOptions& film) {
  WebPAnimEncoderOptions settings;
  if (!WebPAnimEncoderOptionsInit(&settings))
    throw std::runtime_error("the library for WebP is another version");
  settings.anim_params.bgcolor = film.background;
  settings.anim_params.loop_count = film.loops;
  settings.minimize_size = film.smallest;
  settings.allow_mixed = film.mixed;
  if (film.least_distance >= 0) settings.kmin = film.least_distance;
  if (film.most_distance >= 0) settings.kmax = film.most_distance;
  std::unique_ptr<WebPAnimEncoder, EncoderDeleter> encoder(WebPAnimEncoderNew(
      static_cast<int>(frames[0].width), static_cast<int>(frames[0].height), &settings));
  if (!encoder) throw std::runtime_error("could not create encoder object");
  auto check = [&](int done) {
    if (!done) throw std::runtime_error(WebPAnimEncoderGetError(encoder.get()));
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const WebPConfig config = config_of(options[i]);
    Canvas canvas(frames[i], true);
    const int start = i == 0 ? 0 : static_cast<int>(ends[i - 1]);
    check(WebPAnimEncoderAdd(encoder.get(), canvas.get(), start, &config));
  }
  check(WebPAnimEncoderAdd(encoder.get(), nullptr, static_cast<int>(ends.back()), nullptr));
  WebPData data;
  WebPDataInit(&data);
  check(WebPAnimEncoderAssemble(encoder.get(), &data));
  std::string result(reinterpret_cast<const char*>(data.bytes), data.size);
  WebPDataClear(&data);
  return result;
}

}  // namespace strider::pictures
