// JPEG, by libjpeg-turbo. Its errors jump back to where the work began, over nothing that needs to
// be destroyed.

#include <csetjmp>
#include <cstdio>
#include <stdexcept>

#include "pictures/codecs.h"
// clang-format off
#include <jpeglib.h>  // after what it leaves to others to include
// clang-format on

namespace strider::pictures {
namespace {

struct Failure : jpeg_error_mgr {
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX] = "";
};

void fail(j_common_ptr state) {
  auto* failure = static_cast<Failure*>(state->err);
  failure->format_message(state, failure->message);
  std::longjmp(failure->back, 1);
}

void set_up(Failure& failure) {
  jpeg_std_error(&failure);
  failure.error_exit = fail;
  failure.output_message = [](j_common_ptr) {};
}

// A whole file in memory; an end of the picture is put where it ends too early.
struct Source : jpeg_source_mgr {
  bool cut_short = false;
};

boolean end_early(j_decompress_ptr state) {
  static constexpr JOCTET kEnd[] = {0xff, JPEG_EOI};
  auto* source = static_cast<Source*>(state->src);
  source->cut_short = true;
  source->next_input_byte = kEnd;
  source->bytes_in_buffer = sizeof(kEnd);
  return TRUE;
}

void skip(j_decompress_ptr state, long count) {
  if (count <= 0) return;
  auto* source = static_cast<Source*>(state->src);
  if (static_cast<std::size_t>(count) > source->bytes_in_buffer) {
    end_early(state);
    return;
  }
  source->next_input_byte += count;
  source->bytes_in_buffer -= static_cast<std::size_t>(count);
}

void set_up(Source& source, std::string_view file) {
  source.next_input_byte = reinterpret_cast<const JOCTET*>(file.data());
  source.bytes_in_buffer = file.size();
  source.init_source = [](j_decompress_ptr) {};
  source.fill_input_buffer = end_early;
  source.skip_input_data = skip;
  source.resync_to_restart = jpeg_resync_to_restart;
  source.term_source = [](j_decompress_ptr) {};
}

J_COLOR_SPACE colours_of(int bands) {
  return bands == 1 ? JCS_GRAYSCALE : bands == 3 ? JCS_RGB : JCS_CMYK;
}

bool decode(jpeg_decompress_struct& state, Failure& failure, int bands, int scale,
            Decoded& result) {
  if (setjmp(failure.back)) return false;
  jpeg_read_header(&state, TRUE);
  state.scale_num = 1;
  state.scale_denom = static_cast<unsigned>(scale);
  state.out_color_space = colours_of(bands);
  jpeg_start_decompress(&state);
  result.width = state.output_width;
  result.height = state.output_height;
  result.bands = state.output_components;
  const std::size_t row_size = state.output_width * static_cast<std::size_t>(result.bands);
  result.bytes.resize(row_size * state.output_height);
  while (state.output_scanline < state.output_height) {
    JSAMPROW row = result.bytes.data() + state.output_scanline * row_size;
    jpeg_read_scanlines(&state, &row, 1);
  }
  jpeg_finish_decompress(&state);
  return true;
}

void set_tables(jpeg_compress_struct& state, const JpegOptions& options) {
  const int quality = options.quality == -1 ? 100 : options.quality;
  int last = 0;
  for (std::size_t i = 0; i < options.tables.size(); ++i) {
    last = static_cast<int>(i);
    jpeg_add_quant_table(&state, last, options.tables[i].data(), quality, options.quality != -1);
  }
  for (int i = 0; i < state.num_components; ++i)
    state.comp_info[i].quant_tbl_no = std::min(i, last);
}

void put_markers(jpeg_compress_struct& state, std::string_view markers) {
  const auto* bytes = reinterpret_cast<const JOCTET*>(markers.data());
  for (std::size_t at = 0; at + 3 <= markers.size();) {
    const unsigned size = bytes[at + 1] * 256U + bytes[at + 2];
    jpeg_write_marker(&state, bytes[at], bytes + at + 3, size);
    at += 3 + size;
  }
}

void set_options(jpeg_compress_struct& state, const JpegOptions& options) {
  jpeg_set_defaults(&state);
  if (options.keep_rgb && state.in_color_space == JCS_RGB) jpeg_set_colorspace(&state, JCS_RGB);
  if (!options.tables.empty())
    set_tables(state, options);
  else if (options.quality != -1)
    jpeg_set_quality(&state, options.quality, TRUE);
  if (options.horizontal > 0) {
    for (int i = 0; i < state.num_components; ++i)
      state.comp_info[i].h_samp_factor = state.comp_info[i].v_samp_factor = 1;
    state.comp_info[0].h_samp_factor = options.horizontal;
    state.comp_info[0].v_samp_factor = options.vertical;
  }
  if (options.progressive) jpeg_simple_progression(&state);
  state.smoothing_factor = options.smooth;
  state.optimize_coding = options.optimize;
  if (options.x_density > 0 && options.y_density > 0) {
    state.write_JFIF_header = TRUE;
    state.density_unit = static_cast<UINT8>(options.unit);
    state.X_density = static_cast<UINT16>(options.x_density);
    state.Y_density = static_cast<UINT16>(options.y_density);
  }
  state.restart_interval = static_cast<unsigned>(options.restart_blocks);
  state.restart_in_rows = options.restart_rows;
}

bool encode(jpeg_compress_struct& state, Failure& failure, const Raster& source,
            const JpegOptions& options) {
  if (setjmp(failure.back)) return false;
  state.image_width = static_cast<JDIMENSION>(source.width);
  state.image_height = static_cast<JDIMENSION>(source.height);
  state.input_components = source.bands;
  state.in_color_space = options.is_ycc ? JCS_YCbCr : colours_of(source.bands);
  set_options(state, options);
  jpeg_start_compress(&state, TRUE);
  put_markers(state, options.markers);
  while (state.next_scanline < state.image_height) {
    JSAMPROW row = source.row<JSAMPLE>(state.next_scanline);
    jpeg_write_scanlines(&state, &row, 1);
  }
  jpeg_finish_compress(&state);
  return true;
}

}  // namespace

Decoded read_jpeg(std::string_view file, int bands, int scale) {
  jpeg_decompress_struct state{};
  Failure failure;
  Source source;
  Decoded result;
  set_up(failure);
  state.err = &failure;
  jpeg_create_decompress(&state);
  set_up(source, file);
  state.src = &source;
  const bool done = decode(state, failure, bands, scale, result);
  jpeg_destroy_decompress(&state);
  if (!done) throw std::runtime_error(failure.message);
  result.cut_short = source.cut_short;
  return result;
}

std::string write_jpeg(const Raster& source, const JpegOptions& options) {
  jpeg_compress_struct state{};
  Failure failure;
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  set_up(failure);
  state.err = &failure;
  jpeg_create_compress(&state);
  jpeg_mem_dest(&state, &bytes, &size);
  const bool done = encode(state, failure, source, options);
  jpeg_destroy_compress(&state);
  std::string result;
  if (done) result.assign(reinterpret_cast<char*>(bytes), size);
  std::free(bytes);
  if (!done) throw std::runtime_error(failure.message);
  return result;
}

}  // namespace strider::pictures
