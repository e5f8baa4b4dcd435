// Opens the plug-in for pictures.
#include "interpreter/builtins/pictures/plugin.h"

#include "interpreter/builtins/plugin_file.h"
#include "interpreter/runtime/error/error.h"

namespace strider::lang {

const pictures::Pictures& pictures_plugin() {
  static const auto opened = open_plugin<pictures::Pictures>(
      "libstrider_pictures.so", pictures::kPicturesEntry, "libjpeg, libwebp and FreeType",
      pictures::kContract, STRIDER_VERSION);
  if (!opened.offer) raise(errors::ImportError, "pictures cannot be read: {}", opened.reason);
  return *opened.offer;
}

}  // namespace strider::lang
