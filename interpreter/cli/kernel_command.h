// `strider kernel`: tells Jupyter where the kernel program is. Knows nothing of sessions.
#pragma once

namespace strider {

// The words behind `kernel`; returns the exit status.
int run_kernel_command(int count, char** words);

}  // namespace strider
