// The interactive prompt in a terminal, on libedit.
#pragma once

namespace strider {

class Session;

// Reads and runs entries until end of input or exit(); returns the exit status.
int run_repl(Session& session, const char* banner);

}  // namespace strider
