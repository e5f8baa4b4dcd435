// mappingproxy: a read-only view of a mapping, as type.__dict__ gives.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

Type& mapping_proxy_type();
Value make_mapping_proxy(const Value& mapping);

}  // namespace strider::lang
