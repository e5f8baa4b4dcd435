// Where the log goes, and numbers with three digits and a unit.
#include "kernels/core/log.h"

#include <strider/nd/settings.h>

#include <algorithm>
#include <cstdio>

namespace strider::nd {
namespace {

int wanted_level() {
  return static_cast<int>(
      std::min<std::int64_t>(number_setting("STRIDER_DEBUG", 0).value_or(0), 9));
}

std::string short_text(double value, const char* unit) {
  char text[32];
  const char* format = value < 10 ? "%.2f %s" : (value < 100 ? "%.1f %s" : "%.0f %s");
  std::snprintf(text, sizeof text, format, value, unit);
  return text;
}

}  // namespace

const int kLogLevel = wanted_level();

void log_line(const std::string& text) { std::fprintf(stderr, "strider: %s\n", text.c_str()); }

std::string time_text(double seconds) {
  if (seconds < 1e-3) return short_text(seconds * 1e6, "us");
  return seconds < 1 ? short_text(seconds * 1e3, "ms") : short_text(seconds, "s");
}

std::string bytes_text(double bytes) {
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 4; ++unit) bytes /= 1000;
  return unit == 0 ? std::to_string(static_cast<int>(bytes)) + " B"
                   : short_text(bytes, kUnits[unit]);
}

}  // namespace strider::nd
