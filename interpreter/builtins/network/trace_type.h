// _nnet.Trace: what lstm_gradient needs of a run, as an object of the language.
#pragma once

#include <memory>

#include "interpreter/runtime/value/value.h"

namespace strider::nd {
class LstmTrace;
}

namespace strider::lang {

Value make_trace(std::shared_ptr<nd::LstmTrace> trace);
// TypeError for what is none.
nd::LstmTrace& to_trace(const Value& value);

}  // namespace strider::lang
