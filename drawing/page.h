// Pages on cairo's surfaces.
#pragma once

#include <memory>

#include "drawing/drawing.h"

namespace strider::drawing {

std::unique_ptr<Page> open_page(const PageOptions& options);

}  // namespace strider::drawing
