// Registry: the modules written in C++, by name.
#pragma once

#include <string_view>

#include "interpreter/runtime/program/module.h"

namespace strider::lang {

// The native module of a dotted name, or null.
const NativeModule* find_native_module(std::string_view name);
// Names of all native modules, for suggestions.
void list_native_modules(std::vector<std::string_view>& names);
// Names of all top-level modules that the program brings along.
void list_importable_modules(std::vector<std::string_view>& names);

extern const NativeModule kBuiltinsModule;
extern const NativeModule kSysModule;
extern const NativeModule kArrayModule;
extern const NativeModule kBinasciiModule;
extern const NativeModule kBisectModule;
extern const NativeModule kCmathModule;
extern const NativeModule kCollectionsModule;
extern const NativeModule kDatetimeModule;
extern const NativeModule kDecimalsModule;
extern const NativeModule kDrawingModule;
extern const NativeModule kErrnoModule;
extern const NativeModule kFcntlModule;
extern const NativeModule kTermiosModule;
extern const NativeModule kFrontModule;
extern const NativeModule kFunctoolsModule;
extern const NativeModule kForksModule;
extern const NativeModule kThreadsModule;
extern const NativeModule kInterruptsModule;
extern const NativeModule kGcModule;
extern const NativeModule kTracebackModule;
extern const NativeModule kEvaluatorModule;
extern const NativeModule kAstModule;
extern const NativeModule kCsvModule;
extern const NativeModule kHashlibModule;
extern const NativeModule kHeapqModule;
extern const NativeModule kImporterModule;
extern const NativeModule kIoModule;
extern const NativeModule kItertoolsModule;
extern const NativeModule kJsonModule;
extern const NativeModule kMapsModule;
extern const NativeModule kMathModule;
extern const NativeModule kNativeZlibModule;
extern const NativeModule kOperatorModule;
extern const NativeModule kOsModule;
extern const NativeModule kPickledModule;
extern const NativeModule kPackersModule;
extern const NativeModule kProcessesModule;
extern const NativeModule kProfilerModule;
extern const NativeModule kRandomModule;
extern const NativeModule kReModule;
extern const NativeModule kSelectModule;
extern const NativeModule kSocketsModule;
extern const NativeModule kSqliteModule;
extern const NativeModule kStructModule;
extern const NativeModule kTimeModule;
extern const NativeModule kPicturesModule;
extern const NativeModule kTlsModule;
extern const NativeModule kCompilerModule;
extern const NativeModule kUnicodedataModule;
extern const NativeModule kWeakrefModule;
extern const NativeModule kZlibModule;

}  // namespace strider::lang
