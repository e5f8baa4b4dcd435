// %-templates over numbers, as Python's % operator fills them. Knows nothing of rows.
#pragma once

#include <strider/nd/scalar.h>

#include <string>
#include <string_view>
#include <vector>

namespace strider::nd::file {

// A template such as "%5.2f,%d", taken apart once and filled many times.
class PercentTemplate {
 public:
  // kValue with Python's messages for a broken template.
  explicit PercentTemplate(std::string_view text);
  int slots() const { return slots_; }
  // Appends the template with the slots filled; false when a value does not suit its conversion.
  bool append(std::string& out, const Scalar* values) const;

 private:
  struct Piece {
    std::string literal;  // text before the slot
    std::string flags;
    int width = 0;
    int precision = -1;
    char conversion = '\0';  // '\0': no slot, only text
  };
  static bool append_piece(std::string& out, const Piece& piece, const Scalar& value);

  std::vector<Piece> pieces_;
  int slots_ = 0;
};

}  // namespace strider::nd::file
