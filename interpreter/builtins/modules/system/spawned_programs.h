// Programs that run beside this one: starting them, and talking with them over pipes.
#pragma once

#include <string>
#include <vector>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// spawn(program, arguments, env, moves, cwd, session): starts a program; its number. `env` None:
// this process's; `moves`: (descriptor here, descriptor there). OSError.
Value spawn_program(const Parameters& parameters);
// exchange(input, data, output, errors, seconds): writes data to a descriptor, which is closed
// behind it, and reads two others (-1: none) to their ends or for some seconds (None: ever).
// (what is left of data, output, errors, whether all ended)
Value exchange_bytes(const Parameters& parameters);

// The texts of paths, and their addresses with a null behind them, as exec takes its arguments.
std::vector<std::string> path_texts_of(const Value& paths);
std::vector<char*> words_of(std::vector<std::string>& texts);

}  // namespace strider::lang
