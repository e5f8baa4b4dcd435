// Environment: what the variables of the process say to every front: where the history is kept,
// what runs first, where modules are looked for, when operations are fused.
#pragma once

#include <string>

namespace strider {

struct SessionOptions;

// $XDG_STATE_HOME/strider/history, by default below ~/.local/state; empty without a home. Where
// there is none yet, ~/.strider_history of earlier versions is taken over.
std::string history_file();
// $XDG_CONFIG_HOME/strider/startup.npx, by default below ~/.config; empty where there is none.
std::string startup_file();
// Sets what STRIDER_FUSION and PYTHONPATH ask for, where they are set.
void take_environment(SessionOptions& options);

}  // namespace strider
