// The list of native modules. A new module is one declaration and one line here.
#include "interpreter/builtins/registry.h"

#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/builtins/numpy/namespaces.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/strings/shortcuts.h"

namespace strider::lang {
namespace {

const NativeModule* const kModules[] = {
    &kBuiltinsModule,
    &kSysModule,
    &kArrayModule,
    &kBinasciiModule,
    &kBisectModule,
    &kCmathModule,
    &kCollectionsModule,
    &kCsvModule,
    &kDatetimeModule,
    &kDecimalsModule,
    &kDrawingModule,
    &kErrnoModule,
    &kDevicesModule,
    &kElementsModule,
    &kStepsModule,
    &kElementListsModule,
    &kElementOrderModule,
    &kElementTextsModule,
    &kElementTimesModule,
    &kEvaluationModule,
    &kFcntlModule,
    &kTermiosModule,
    &kFrontModule,
    &kForksModule,
    &kThreadsModule,
    &kFunctoolsModule,
    &kGcModule,
    &kInterruptsModule,
    &kHashlibModule,
    &kImporterModule,
    &kHeapqModule,
    &kIoModule,
    &kItertoolsModule,
    &kJsonModule,
    &kMapsModule,
    &kMathModule,
    &kNativeZlibModule,
    &kNetworkModule,
    &kOperatorModule,
    &kOsModule,
    &kPickledModule,
    &kPackersModule,
    &kProcessesModule,
    &kProfilerModule,
    &kRandomModule,
    &kReModule,
    &kSelectModule,
    &kSocketsModule,
    &kSqliteModule,
    &kStructModule,
    &kTimeModule,
    &kPicturesModule,
    &kTlsModule,
    &kCompilerModule,
    &kNumpyModule,
    &kNumpyLinalgModule,
    &kNumpyFftModule,
    &kNumpyRandomModule,
    &kNumpyStrideTricksModule,
    &kNumpyVersionModule,
    &kUnicodedataModule,
    &kTracebackModule,
    &kEvaluatorModule,
    &kWeakrefModule,
    &kZlibModule,
    &kAstModule,
    &kTextShortcutsModule,
};

}  // namespace

const NativeModule* find_native_module(std::string_view name) {
  for (const NativeModule* module : kModules)
    if (name == module->name) return module;
  return name.starts_with("numpy.") ? find_numpy_namespace(name) : nullptr;
}

void list_native_modules(std::vector<std::string_view>& names) {
  for (const NativeModule* module : kModules) names.push_back(module->name);
}

}  // namespace strider::lang
