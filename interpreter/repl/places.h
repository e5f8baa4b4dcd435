// Places: where the prompt keeps its history and looks for what it runs first.
#pragma once

#include <string>

namespace strider {

// $XDG_STATE_HOME/strider/history, by default below ~/.local/state; empty without a home. Where
// there is none yet, ~/.strider_history of earlier versions is taken over.
std::string history_file();
// $XDG_CONFIG_HOME/strider/startup.npx, by default below ~/.config; empty where there is none.
std::string startup_file();

}  // namespace strider
