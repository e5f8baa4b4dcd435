// Methods of exceptions that change what an exception tells.
#pragma once

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// __setstate__(self, state): sets the attributes of a dict.
Value set_state(const Parameters& p);
// add_note(self, note): one more of what is told behind the message.
Value add_note(const Parameters& p);

}  // namespace strider::lang
