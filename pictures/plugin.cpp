// The plug-in's entry.
#include "pictures/codecs.h"
#include "pictures/letters.h"
#include "pictures/packing.h"
#include "pictures/painter.h"

using namespace strider::pictures;

extern "C" __attribute__((visibility("default"))) const Pictures* strider_pictures() {
  static const Pictures pictures = {
      kContract,       STRIDER_VERSION, resample,     reduce,      warp,
      convolve,        box_blur,        rank,         most_common, look_up,
      count_samples,   multiply_alpha,  mix,          compose,     dither,
      nearest_colours, quantize,        draw_points,  draw_lines,  draw_polygon,
      draw_rectangle,  draw_round,      png_unfilter, png_filter,  unpack_gif,
      pack_gif,        unpack_tiff,     pack_tiff,    unpack_runs, pack_runs,
      read_jpeg,       write_jpeg,      read_webp,    write_webp,  write_webp_film,
      open_face,       face_facts,      text_box,     draw_text};
  return &pictures;
}
