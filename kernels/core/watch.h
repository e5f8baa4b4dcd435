// The floating-point conditions of work that is done now, told under the name of what does it.
#pragma once

#include <strider/nd/floating_errors.h>

namespace strider::nd {

class Watch {
 public:
  // null: nobody is told.
  explicit Watch(const char* name) : name_(name) {
    if (name_) clear_floating_errors();
  }
  void tell() const {
    if (name_) deliver_floating_errors(take_floating_errors(), name_);
  }

 private:
  const char* name_;
};

}  // namespace strider::nd
