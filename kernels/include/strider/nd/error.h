// Error: what the array library throws; the language maps each kind to one of Python's classes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace strider::nd {

enum class ErrorKind : std::uint8_t {
  kValue,         // ValueError
  kType,          // TypeError
  kIndex,         // IndexError
  kMemory,        // MemoryError (NumPy's _ArrayMemoryError)
  kOverflow,      // OverflowError
  kZeroDivision,  // ZeroDivisionError
  kAxis,          // numpy.exceptions.AxisError
  kLinAlg,        // numpy.linalg.LinAlgError
  kUfuncCast,     // numpy's UFuncTypeError (a TypeError)
  kFileFormat,    // ValueError about a damaged file
  kNotImplemented,
  kFloatingPoint,  // FloatingPointError (np.errstate(... 'raise'))
  kRuntime,        // RuntimeError: a device failed or is not there
  kInterrupted,    // KeyboardInterrupt: the work was abandoned
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace strider::nd
