// How wide characters stand in East Asian text.
#pragma once

namespace strider::lang {

// "W", "F", "H", "Na", "A" or "N", as in the Unicode standard's annex 11.
const char* east_asian_width(char32_t code);

}  // namespace strider::lang
