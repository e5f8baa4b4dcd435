// The native modules about arrays besides numpy itself.
#pragma once

#include "interpreter/runtime/program/module.h"

namespace strider::lang {

extern const NativeModule kDevicesModule;
extern const NativeModule kElementsModule;
extern const NativeModule kEvaluationModule;
extern const NativeModule kNetworkModule;
extern const NativeModule kNumpyLinalgModule;
extern const NativeModule kNumpyFftModule;
extern const NativeModule kNumpyRandomModule;
extern const NativeModule kNumpyStrideTricksModule;
extern const NativeModule kNumpyVersionModule;
extern const NativeModule kStepsModule;

}  // namespace strider::lang
