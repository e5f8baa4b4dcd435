// Plug-ins of the language: shared libraries that lie beside the program.
#pragma once

#include <string>

namespace strider::lang {

// The function `entry` of lib/strider/<file> beside the program, or in STRIDER_PLUGIN_FOLDER; null,
// with the reason, where the library cannot be opened. `needs`: what it is built with.
void* find_plugin_entry(const char* file, const char* entry, const char* needs,
                        std::string& reason);

}  // namespace strider::lang
