// Calls NVRTC through the functions found in its library.
#include "kernels/backend/cuda/jit/nvrtc.h"

#include <nvrtc.h>

#include <algorithm>

#include "kernels/backend/cuda/toolkit.h"

namespace strider::nd::cuda {
namespace {

// Results of one rounded operation are rounded once, as on the CPU: nothing is contracted.
constexpr const char* kOptions[] = {"--std=c++20", "--fmad=false", "--minimal",
                                    "--device-as-default-execution-space"};
// Machine code is made sooner of functions that stand where they are called.
constexpr const char* kQuickMachineCode = "--Ofast-compile=mid";
constexpr const char* kQuickPortableCode = "--Ofast-compile=max";

constexpr const char* kFile = "libnvrtc.so.13";

class Nvrtc {
 public:
  Nvrtc() : library_(kFile) {
    library_.find("nvrtcVersion", version);
    library_.find("nvrtcGetNumSupportedArchs", count_architectures);
    library_.find("nvrtcGetSupportedArchs", list_architectures);
    library_.find("nvrtcGetErrorString", error_text);
    library_.find("nvrtcCreateProgram", create);
    library_.find("nvrtcDestroyProgram", destroy);
    library_.find("nvrtcCompileProgram", compile);
    library_.find("nvrtcGetProgramLogSize", log_size);
    library_.find("nvrtcGetProgramLog", log);
    library_.find("nvrtcGetCUBINSize", cubin_size);
    library_.find("nvrtcGetCUBIN", cubin);
    library_.find("nvrtcGetPTXSize", ptx_size);
    library_.find("nvrtcGetPTX", ptx);
  }

  bool is_open() const { return library_.is_open() && cubin && ptx && list_architectures; }
  std::string reason() const {
    return "kernels are compiled by NVRTC (" + std::string(kFile) + "), which cannot be opened: " +
           (library_.is_open() ? "functions are missing" : library_.reason());
  }

  decltype(nvrtcVersion)* version;
  decltype(nvrtcGetNumSupportedArchs)* count_architectures;
  decltype(nvrtcGetSupportedArchs)* list_architectures;
  decltype(nvrtcGetErrorString)* error_text;
  decltype(nvrtcCreateProgram)* create;
  decltype(nvrtcDestroyProgram)* destroy;
  decltype(nvrtcCompileProgram)* compile;
  decltype(nvrtcGetProgramLogSize)* log_size;
  decltype(nvrtcGetProgramLog)* log;
  decltype(nvrtcGetCUBINSize)* cubin_size;
  decltype(nvrtcGetCUBIN)* cubin;
  decltype(nvrtcGetPTXSize)* ptx_size;
  decltype(nvrtcGetPTX)* ptx;

 private:
  ToolkitLibrary library_;
};

const Nvrtc& opened() {
  static const Nvrtc* nvrtc = new Nvrtc;  // threads may compile until the process ends
  return *nvrtc;
}

const Nvrtc& require() {
  const Nvrtc& nvrtc = opened();
  if (!nvrtc.is_open()) throw Error(ErrorKind::kNotImplemented, nvrtc.reason());
  return nvrtc;
}

void check(nvrtcResult result) {
  if (result == NVRTC_SUCCESS) return;
  throw Error(ErrorKind::kMemory, std::string("NVRTC: ") + opened().error_text(result));
}

// A program of NVRTC's, destroyed with the scope.
class Program {
 public:
  explicit Program(const std::string& text) {
    check(nvrtc_.create(&program_, text.c_str(), "kernel.cu", 0, nullptr, nullptr));
  }
  ~Program() { nvrtc_.destroy(&program_); }
  Program(const Program&) = delete;

  bool compile(const std::string& architecture, Effort effort) {
    std::string target = "--gpu-architecture=" + architecture;
    std::vector<const char*> options(std::begin(kOptions), std::end(kOptions));
    options.push_back(target.c_str());
    bool machine = architecture.starts_with("sm_");
    if (effort == Effort::kQuick)
      options.push_back(machine ? kQuickMachineCode : kQuickPortableCode);
    return nvrtc_.compile(program_, static_cast<int>(options.size()), options.data()) ==
           NVRTC_SUCCESS;
  }
  std::string log() const { return without_end(read(nvrtc_.log_size, nvrtc_.log)); }
  std::string machine_code() const { return read(nvrtc_.cubin_size, nvrtc_.cubin); }
  std::string portable_code() const { return without_end(read(nvrtc_.ptx_size, nvrtc_.ptx)); }

 private:
  // Texts come with the zero byte that ends them.
  static std::string without_end(std::string text) {
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

  template <class Size, class Read>
  std::string read(Size* size_of, Read* read) const {
    std::size_t size = 0;
    check(size_of(program_, &size));
    std::string content(size, '\0');
    if (size) check(read(program_, content.data()));
    return content;
  }

  const Nvrtc& nvrtc_ = require();
  nvrtcProgram program_ = nullptr;
};

std::string number_lines(const std::string& text) {
  std::string numbered;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string label = std::to_string(++number);
    numbered += std::string(label.size() < 4 ? 4 - label.size() : 0, ' ') + label + "  ";
    numbered.append(text, at, end - at) += '\n';
    at = end + 1;
  }
  return numbered;
}

}  // namespace

CompileError::CompileError(const std::string& text, const std::string& log)
    : Error(ErrorKind::kNotImplemented,
            "a kernel does not compile:\n" + log + "\n" + number_lines(text)),
      log_(log) {}

bool has_nvrtc(std::string* reason) {
  bool there = opened().is_open();
  if (!there && reason) *reason = opened().reason();
  return there;
}

std::string compiler_identity() {
  int major = 0, minor = 0;
  check(require().version(&major, &minor));
  std::string identity = "nvrtc " + std::to_string(major) + "." + std::to_string(minor);
  for (const char* option : kOptions) identity += std::string(" ") + option;
  return identity;
}

std::string architecture_for(int capability) {
  int count = 0;
  check(require().count_architectures(&count));
  std::vector<int> known(static_cast<std::size_t>(count));
  check(require().list_architectures(known.data()));
  std::sort(known.begin(), known.end());
  auto after = std::upper_bound(known.begin(), known.end(), capability);
  if (after == known.begin())
    throw Error(ErrorKind::kNotImplemented,
                "NVRTC does not compile for a device so old: its compute capability is " +
                    std::to_string(capability / 10) + "." + std::to_string(capability % 10));
  int best = *(after - 1);
  return (best == capability ? "sm_" : "compute_") + std::to_string(best);
}

std::string compile(const std::string& text, const std::string& architecture, Effort effort) {
  Program program(text);
  if (!program.compile(architecture, effort)) throw CompileError(text, program.log());
  return architecture.starts_with("sm_") ? program.machine_code() : program.portable_code();
}

}  // namespace strider::nd::cuda
