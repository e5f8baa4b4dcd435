// A function that is called for one item after another: key= of sorted, min and max.
#pragma once

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// A method of an object written in C++ (`key=table.get`) is taken apart once.
class KeyFunction {
 public:
  explicit KeyFunction(const Value& function) : function_(function) {
    if (!function.has_layout(Layout::kBoundMethod)) return;
    const auto* method = function.as<BoundMethod>();
    if (!method->function.has_layout(Layout::kNativeFunction)) return;
    native_ = method->function.as<NativeFunction>();
    arguments_[0] = method->self;
  }
  Value operator()(const Value& item) {
    if (!native_) return call(function_, item);
    arguments_[1] = item;
    return native_->invoke(Arguments(arguments_, 2));
  }

 private:
  Value function_;
  const NativeFunction* native_ = nullptr;
  Value arguments_[2];
};

}  // namespace strider::lang
