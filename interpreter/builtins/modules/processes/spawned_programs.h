// Programs that run beside this one: starting them, and talking with them over pipes.
#pragma once

#include <string>
#include <vector>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// spawn(programs, words, env, streams, kept, folder, settings): starts the first of some programs
// that is there. `env` None: this process's; `streams`: three descriptors, -1: this process's own;
// `kept` None: nothing is closed, else what is left open beside the streams; `settings`: whether
// signals are as usual, whether it is a session of its own, group of processes, mask of files,
// user, group (-1 each: as here), further groups or None, what is called before or None. (number,
// where it failed: 0 nowhere, 1 setting, 2 folder, 3 call, 4 program; the system's error)
Value spawn_program(const Parameters& parameters);
// exchange(input, data, output, errors, seconds): writes data to a descriptor, which is closed
// behind it, and reads two others (-1: none) to their ends or for some seconds (None: ever).
// (what is left of data, output, errors, whether all ended)
Value exchange_bytes(const Parameters& parameters);

// The texts of paths, and their addresses with a null behind them, as exec takes its arguments.
std::vector<std::string> path_texts_of(const Value& paths);
std::vector<char*> words_of(std::vector<std::string>& texts);
// The variables of a mapping, each as name=value; ValueError where a name holds a '='.
std::vector<std::string> variables_of(const Value& env);

}  // namespace strider::lang
