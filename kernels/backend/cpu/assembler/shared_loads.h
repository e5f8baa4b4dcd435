// SharedLoads: inputs that lie a few elements apart are loaded once. A vector of the one in the
// middle is kept with those before and behind it; the others are cut out of two of them.
#pragma once

#include <vector>

#include "kernels/backend/cpu/assembler/compile.h"
#include "kernels/backend/cpu/assembler/registers.h"

namespace strider::nd {

class SharedLoads {
 public:
  // Loads an input's vector so many points behind the present ones.
  class Loader {
   public:
    virtual ~Loader() = default;
    virtual void load_vector(std::uint16_t input, int index, int points) = 0;
  };

  SharedLoads(VectorCode& code, Loader& loader, const FusedLoop& loop,
              const std::vector<SharedInput>& shared);

  // Takes registers and emits the loads before the first iteration.
  void enter(Registers& registers);
  // Emits what an iteration begins with.
  void begin();
  // Emits the input's vector; false where it is not shared.
  bool emit(std::uint16_t input, int index);
  // Emits what an iteration ends with.
  void end();

 private:
  struct Base {
    int input = 0;
    bool looks_back = false;
    bool looks_ahead = false;
    int previous = 0;
    int current = 0;
    int next = 0;
  };

  Base& base_of(int input);

  VectorCode& code_;
  Loader& loader_;
  const FusedLoop& loop_;
  const std::vector<SharedInput>& shared_;
  std::vector<Base> bases_;
};

}  // namespace strider::nd
