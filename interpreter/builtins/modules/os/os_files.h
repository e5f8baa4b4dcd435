// The part of os that works on files and folders.
#pragma once

#include <dirent.h>

#include <cstddef>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

extern const NativeRow kFileFunctions[];
extern const std::size_t kFileFunctionCount;
extern const NativeRow kPathFunctions[];
extern const std::size_t kPathFunctionCount;

class SystemPath;
// The folder of a path or descriptor, which whoever asked closes; OSError.
DIR* open_folder(const SystemPath& path);
Type& stat_result_type();
Type& statvfs_result_type();
Type& directory_entry_type();
// os.scandir(path) and os.stat(path, follow_symlinks=True), os.fstat(fd).
Value os_scandir(const Parameters& parameters);
Value os_stat(const Parameters& parameters);
Value os_lstat(const Parameters& parameters);
Value os_fstat(const Parameters& parameters);

}  // namespace strider::lang
