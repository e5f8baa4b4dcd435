// Pasted: program text as it is copied from documents and from the middle of programs.
#pragma once

#include <string>
#include <string_view>

namespace strider {

// The program in a pasted text: without the prompts of a copied dialogue (and without the answers
// in it), and without an indent that all lines share.
std::string program_of_paste(std::string_view text);

}  // namespace strider
