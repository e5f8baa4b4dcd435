// The modules below numpy that have native functions.
#pragma once

#include "interpreter/runtime/module.h"

namespace strider::lang {

extern const NativeModule kNumpyLinalgModule;
extern const NativeModule kNumpyFftModule;
extern const NativeModule kNumpyRandomModule;
extern const NativeModule kNumpyStrideTricksModule;
extern const NativeModule kNumpyVersionModule;

}  // namespace strider::lang
