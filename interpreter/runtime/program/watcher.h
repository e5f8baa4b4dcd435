// Watcher: what is told of the steps of a program while it runs: tracers, profilers, debuggers.
#pragma once

namespace strider::lang {

class Exception;
class NativeFunction;
class Value;
struct Frame;

// Of one thread. What these functions raise goes on in the frame.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // Nobody is to be told of anything any more.
  virtual bool is_idle() const = 0;
  // A body begins to run, or a generator goes on.
  virtual void begin(Frame& frame) = 0;
  // It gave a value, or raised: Empty.
  virtual void end(Frame& frame, const Value& result) = 0;
  // The frame comes to the line of `frame.at`, perhaps again: it has jumped back. Told of watched
  // frames only.
  virtual void line(Frame& frame, bool again) = 0;
  // An exception was raised in the frame or came to it; told of watched frames only.
  virtual void failure(Frame& frame, Exception& exception) = 0;
  // The frame calls a function that is not written in the language; perhaps a method of `self`.
  virtual void begin_native(Frame& frame, const NativeFunction& function, const Value& self) = 0;
  virtual void end_native(Frame& frame, const NativeFunction& function, const Value& self,
                          bool failed) = 0;
};

}  // namespace strider::lang
