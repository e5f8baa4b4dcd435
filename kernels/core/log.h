// The log: STRIDER_DEBUG=1 to 5 tells on stderr what is computed, and how. Costs nothing when off.
#pragma once

#include <chrono>
#include <string>

namespace strider::nd {

// Each number includes the smaller ones.
enum class LogSubject : int {
  kPasses = 1,        // every pass over memory: extents, bytes, time
  kLoops = 2,         // its loops, and why they are apart
  kInstructions = 3,  // what they do
  kRecording = 4,     // what is recorded, and what is computed when
  kRendering = 5,     // renderers and compilation
};

extern const int kLogLevel;

inline bool is_logged(LogSubject subject) { return kLogLevel >= static_cast<int>(subject); }
// Writes "strider: …" as one line.
void log_line(const std::string& text);

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// "12.3 us", "4.56 ms"; "1.23 kB", "45.6 MB".
std::string time_text(double seconds);
std::string bytes_text(double bytes);

}  // namespace strider::nd
