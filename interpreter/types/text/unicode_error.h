// UnicodeEncodeError, UnicodeDecodeError and UnicodeTranslateError: their attributes and messages.
#pragma once

namespace strider::lang {

class Type;

void set_up_unicode_error(Type& type);

}  // namespace strider::lang
