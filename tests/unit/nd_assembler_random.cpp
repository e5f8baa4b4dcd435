// Random lists of steps as assembled code against tiles.
#include <doctest/doctest.h>

#include "nd_assembler_support.h"

using namespace strider::nd;
