// The main program of a room's unit tests.
#define DOCTEST_CONFIG_IMPLEMENT  // also behind the declarations, where those are precompiled
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
