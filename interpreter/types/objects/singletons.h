// The types of None, Ellipsis and NotImplemented.
#pragma once

namespace strider::lang {

class Type;

Type& none_type();
Type& ellipsis_type();
Type& not_implemented_type();

}  // namespace strider::lang
