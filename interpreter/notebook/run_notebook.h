// Runs a notebook from its first cell to its last, without Jupyter, and keeps what its cells show.
#pragma once

#include <string>

#include "interpreter/session/session.h"

namespace strider {

struct NotebookRun {
  std::string file;
  std::string output;         // where the notebook with its outputs goes; empty: texts are printed
  bool allow_errors = false;  // goes on behind a cell that fails
};

// The exit status: 0, 1 after an error in a cell, 2 for a file that is no notebook (format 4), 130
// after an interrupt, or what the notebook leaves with. `started` is called with the session before
// the first cell runs and with null behind the last, for whoever interrupts it.
int run_notebook(const NotebookRun& run, SessionOptions options, void (*started)(Session*));

}  // namespace strider
