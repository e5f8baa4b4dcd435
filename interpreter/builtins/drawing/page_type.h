// Pages as objects of the language.
#pragma once

#include <memory>

#include "drawing/drawing.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

Value make_page(std::unique_ptr<drawing::Page> page);

}  // namespace strider::lang
