// Entry: what is typed at a prompt or in a cell, turned into a program of the language: `%name`,
// `!command` and `name?` become calls of the library's _fronts.commands. Evaluates nothing.
#pragma once

#include <string>
#include <string_view>

namespace strider {

// The entry as a program with as many lines, each statement on its own line.
// `%name rest`, `!rest`, `target = %name rest`, `target = !rest`, `name?`, `name??` and `?name`
// count where a statement may start; `%%name rest` on the first line takes the whole entry.
std::string program_of_entry(std::string_view entry);

// Whether a line of such a program is, or holds, the call that a command became.
bool is_command_call(std::string_view line);

// Whether the entry is a `%%` command, whose text goes on until a blank line.
bool is_cell_command(std::string_view entry);

}  // namespace strider
