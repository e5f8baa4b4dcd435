// Opens OpenBLAS and finds its routines.
#include "kernels/linalg/library.h"

#include <dlfcn.h>
#include <strider/nd/error.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kernels/core/blocked_signals.h"

namespace strider::nd {
namespace {

constexpr const char* kFileNames[] = {"libopenblas.so.0", "libopenblas.so"};

// The library's threads look for work so long before they sleep: 2 to this power, in clock ticks
// (about 0.1 ms). Its default is 25 ms on a core that ours could use.
constexpr const char* kIdleTicks = "18";

// The variable by which the library is told for which processor to compute.
constexpr const char* kCoreType = "OPENBLAS_CORETYPE";

// Processors newer than the library are unknown to it: it then computes as for one without AVX,
// several times more slowly and with other roundings.
constexpr std::string_view kBeforeAvx[] = {"Prescott", "Core2", "Penryn", "Dunnington",
                                           "Nehalem",  "Atom",  "generic"};

// The processor that the library should take this one for; null: one without AVX2.
const char* known_processor() {
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool avx512 = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl");
  if (!avx2) return nullptr;
  return avx512 ? "SkylakeX" : "Haswell";
}

void* open_library() {
  void* handle = nullptr;
  for (const char* file : kFileNames)
    if (!handle) handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  return handle;
}

bool computes_without_avx(void* handle) {
  auto* name = reinterpret_cast<const char* (*)()>(dlsym(handle, "openblas_get_corename"));
  return name && std::ranges::find(kBeforeAvx, std::string_view(name())) != std::end(kBeforeAvx);
}

// Opened anew, where it does not know the processor, and told one that it knows.
void* open_for_processor() {
  void* handle = open_library();
  const char* known = known_processor();
  if (!handle || !known || std::getenv(kCoreType) || !computes_without_avx(handle)) return handle;
  dlclose(handle);
  setenv(kCoreType, known, 0);
  handle = open_library();
  unsetenv(kCoreType);
  return handle;
}

class LinearLibrary {
 public:
  LinearLibrary() {
    BlockedSignals blocked;  // the library starts threads
    setenv("OPENBLAS_THREAD_TIMEOUT", kIdleTicks, 0);
    handle_ = open_for_processor();
    if (!handle_) return;
    set_threads_ = reinterpret_cast<void (*)(int)>(find("openblas_set_num_threads"));
    set_threads(1);
    single_ = load('s', "orgqr_", "syevd_", "cblas_sdot", "cblas_sdot");
    double_ = load('d', "orgqr_", "syevd_", "cblas_ddot", "cblas_ddot");
    complex_single_ = load('c', "ungqr_", "heevd_", "cblas_cdotu_sub", "cblas_cdotc_sub");
    complex_double_ = load('z', "ungqr_", "heevd_", "cblas_zdotu_sub", "cblas_zdotc_sub");
  }

  void set_threads(int count) const {
    if (set_threads_) set_threads_(count);
  }
  bool open() const { return handle_ != nullptr; }
  const Routines& of(float) const { return single_; }
  const Routines& of(double) const { return double_; }
  const Routines& of(std::complex<float>) const { return complex_single_; }
  const Routines& of(std::complex<double>) const { return complex_double_; }

 private:
  Routine find(const std::string& name) const {
    return reinterpret_cast<Routine>(dlsym(handle_, name.c_str()));
  }
  Routines load(char letter, const char* orgqr, const char* syevd, const char* dot,
                const char* conjugated_dot) const {
    auto routine = [&](const char* rest) { return find(letter + std::string(rest)); };
    Routines found;
    found.gemm = routine("gemm_");
    found.gemv = routine("gemv_");
    found.syrk = routine("syrk_");
    found.gesv = routine("gesv_");
    found.getrf = routine("getrf_");
    found.potrf = routine("potrf_");
    found.geqrf = routine("geqrf_");
    found.orgqr = routine(orgqr);
    found.gesdd = routine("gesdd_");
    found.gelsd = routine("gelsd_");
    found.geev = routine("geev_");
    found.syevd = routine(syevd);
    found.dot = find(dot);
    found.conjugated_dot = find(conjugated_dot);
    return found;
  }

  void* handle_ = nullptr;
  void (*set_threads_)(int) = nullptr;
  Routines single_{}, double_{}, complex_single_{}, complex_double_{};
};

// The threads that the library may have: ours, or fewer where its own variable says so.
int library_threads() {
  static const int count = [] {
    const char* text = std::getenv("OPENBLAS_NUM_THREADS");
    int wanted = text ? std::atoi(text) : 0;
    return wanted > 0 ? std::min(wanted, thread_count()) : thread_count();
  }();
  return count;
}

const LinearLibrary& library() {
  static const LinearLibrary opened;
  return opened;
}

}  // namespace

LibraryThreads::LibraryThreads(bool on) : on_(on && library_threads() > 1) {
  if (on_) library().set_threads(library_threads());
}

LibraryThreads::~LibraryThreads() {
  if (on_) library().set_threads(1);
}

bool has_linear_library() { return library().open(); }

void require_linear_library() {
  if (!has_linear_library())
    throw Error(ErrorKind::kNotImplemented,
                "linear algebra needs the library OpenBLAS (libopenblas.so.0), which is not "
                "installed");
}

template <class T>
const Routines& routines() {
  return library().of(T{});
}
template const Routines& routines<float>();
template const Routines& routines<double>();
template const Routines& routines<std::complex<float>>();
template const Routines& routines<std::complex<double>>();

}  // namespace strider::nd
