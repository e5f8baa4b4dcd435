// What the language and the plug-in that compiles loops agree on: a text in LLVM's language becomes
// code that takes and gives words of 64 bits. Knows no values of the language, and not what a text
// is about.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace strider::compiler {

// Grows by one when something that both sides compile in changes.
inline constexpr int kContract = 1;

// A function `i64 name(i64* words)` as it was compiled; kept alive by this.
class Code {
 public:
  virtual ~Code() = default;
  // What the function returns. It trusts the words: pointers among them must be right.
  virtual std::int64_t run(std::uint64_t* words) const = 0;
};

class Library {
 public:
  int contract = kContract;
  const char* version = "";  // of the program it belongs to
  virtual ~Library() = default;
  // Compiles a text for this machine, optimised, without contraction. std::runtime_error with
  // LLVM's words where the text is not right. Functions that it declares are the process's own.
  virtual std::unique_ptr<Code> compile(const std::string& text, const std::string& name) const = 0;
  // The major version of LLVM: from 15 on pointers have no types in texts.
  virtual int language_version() const = 0;
};

inline constexpr const char* kEntry = "strider_compiler_entry";

}  // namespace strider::compiler
