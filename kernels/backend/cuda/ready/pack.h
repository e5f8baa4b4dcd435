// The file of ready-made kernels: machine code by module, compressed, for some architectures, and
// the keys by which kernels are found in it. Knows nothing of loops and of devices.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace strider::nd::cuda {

// A module's kernels for one architecture.
struct PackedModule {
  std::vector<std::string> keys;
  std::size_t size = 0;  // of the machine code
  std::string code;      // compressed
};
PackedModule pack_module(std::vector<std::string> keys, const std::string& machine_code);

// Modules for an architecture by its number (90 for sm_90).
struct PackedArchitecture {
  int number = 0;
  std::vector<PackedModule> modules;
};
std::string pack(const std::vector<PackedArchitecture>& architectures);

class ReadyPack {
 public:
  // What pack() made, which must stay, or nothing.
  explicit ReadyPack(std::string_view packed) : packed_(packed) {}

  struct Place {
    std::size_t module = 0;
    std::size_t number = 0;  // of the key among its module's
  };

  // Chooses the code that a device of this compute capability runs best. Without one, or where the
  // file is not what it should be, nothing is found. Before anything else.
  void open(int capability);
  std::optional<Place> find(const std::string& key) const;
  // Of a module that was found; empty if it is damaged.
  std::string machine_code(std::size_t module) const;
  std::size_t module_count() const { return modules_.size(); }

 private:
  struct Module {
    std::size_t start = 0, packed = 0, size = 0;
  };

  std::string_view packed_;
  std::vector<Module> modules_;
  std::unordered_map<std::string_view, Place> places_;
};

}  // namespace strider::nd::cuda
