// Arrays of pixels as the plug-in takes them.
#pragma once

#include <strider/nd/array.h>

#include <new>
#include <stdexcept>

#include "interpreter/builtins/pictures/plugin.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// An array of rows, or of rows of pixels of several samples, which stays alive as long as this.
// ValueError for other arrays and for those with gaps.
class PixelRows {
 public:
  static PixelRows of_source(const Value& value);
  // What is written there is seen in the array.
  static PixelRows of_target(const Value& value);
  operator const pictures::Raster&() const { return raster_; }
  const pictures::Raster& raster() const { return raster_; }
  // ValueError unless both have the same type of samples and as many of them in a pixel, and, where
  // asked for, the same size.
  void check_fits(const PixelRows& other, bool same_size) const;
  // ValueError unless both have as many rows and columns.
  void require_size(const PixelRows& other) const;

 private:
  explicit PixelRows(const Value& value);
  nd::Array array_;
  pictures::Raster raster_;
};

// Runs work of the plug-in, whose errors are OSErrors.
template <class Function>
auto guarded_pictures(Function function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    raise(errors::MemoryError, "no memory for a picture of this size");
  } catch (const std::length_error&) {
    raise(errors::MemoryError, "no memory for a picture of this size");
  } catch (const std::runtime_error& error) {
    raise(errors::OSError, "{}", error.what());
  }
}

// Rows of pixels of bytes.
Value pixel_array(const pictures::Decoded& picture);

Value read_jpeg(const Parameters& p);
Value write_jpeg(const Parameters& p);
Value read_webp(const Parameters& p);
Value write_webp(const Parameters& p);
Value write_webp_film(const Parameters& p);
Value open_face(const Parameters& p);
Value face_facts(const Parameters& p);
Value text_box(const Parameters& p);
Value draw_text(const Parameters& p);

}  // namespace strider::lang
