// The error that broken source raises.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "interpreter/syntax/source.h"

namespace strider::syntax {

enum class ErrorClass : uint8_t { kSyntaxError, kIndentationError, kTabError };

class SyntaxError : public std::runtime_error {
 public:
  SyntaxError(const std::string& message, Span span,
              ErrorClass error_class = ErrorClass::kSyntaxError, bool incomplete = false)
      : std::runtime_error(message),
        span_(span),
        error_class_(error_class),
        incomplete_(incomplete) {}

  Span span() const { return span_; }
  ErrorClass error_class() const { return error_class_; }
  // "SyntaxError", "IndentationError" or "TabError".
  const char* class_name() const;
  // Whether the text ended too early: more text could make it right.
  bool incomplete() const { return incomplete_; }
  // The source the span refers to; set by parse and resolve.
  const std::shared_ptr<const Source>& source() const { return source_; }
  void set_source(std::shared_ptr<const Source> source) { source_ = std::move(source); }

 private:
  Span span_;
  ErrorClass error_class_;
  bool incomplete_;
  std::shared_ptr<const Source> source_;
};

}  // namespace strider::syntax
