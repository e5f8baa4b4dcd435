// PickleBuffer: stands for the memory of an object, which a pickle may leave to others to carry.
#include <memory>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/pickling/pickle.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/text/str.h"

namespace strider::lang::pickle {
namespace {

class PickleBuffer final : public Container {
 public:
  explicit PickleBuffer(Type* type) : Container(Layout::kOther, type) {}
  void traverse(Visitor& visitor) override { visitor.visit(shown); }
  void clear_references() override { release(); }
  void release() {
    held.reset();
    shown = Value();
  }
  Value shown;  // Empty once it is released
  std::unique_ptr<HeldBuffer> held;
};

const Value& shown_by(const Value& self) {
  const Value& shown = self.as<PickleBuffer>()->shown;
  if (shown.is_empty())
    raise(errors::ValueError, "operation forbidden on released PickleBuffer object");
  return shown;
}

const BufferOffer& offer_behind(const Value& self) { return *find_buffer(shown_by(self)); }

const BufferOffer kOffer = {
    [](const Value& self) { return offer_behind(self).describe(shown_by(self)); },
    [](const Value& self, bool writing) {
      return offer_behind(self).place(shown_by(self), writing);
    },
    [](const Value& self) {
      const BufferOffer& offer = offer_behind(self);
      if (offer.size) return offer.size(shown_by(self));
      Buffer buffer = offer.describe(shown_by(self));
      return element_count(buffer.shape) * buffer.item_size;
    },
    nullptr};

Value construct(Type* cls, const Arguments& arguments) {
  if (arguments.count != 1 || arguments.keyword_count)
    raise(errors::TypeError, "PickleBuffer expected 1 argument, got {}", arguments.count);
  const Value& shown = arguments.values[0];
  if (!find_buffer(shown))
    raise(errors::TypeError, "a bytes-like object is required, not '{}'", type_name(shown));
  Ref<PickleBuffer> made = make<PickleBuffer>(cls);
  made->held = std::make_unique<HeldBuffer>(shown);
  made->shown = shown;
  return made;
}

// All bytes, one after the other.
Value raw(const Parameters& p) {
  Value view = call(Value(&memory_view_type()), shown_by(p[0]));
  if (!truth(get_attribute(view, intern("c_contiguous"))))
    raise(errors::BufferError, "cannot extract raw buffer from non-contiguous buffer");
  return call_method(view, intern("cast"), Value(make_str("B")));
}

Value release(const Parameters& p) {
  p[0].as<PickleBuffer>()->release();
  return Value::none();
}

const NativeRow kMethods[] = {
    {"raw(self, /)", raw, "A memoryview of the bytes as one row."},
    {"release(self, /)", release, "Lets go of the memory."},
};

}  // namespace

Type& buffer_type() {
  static Type& type = *[] {
    Type& made = make_module_type("PickleBuffer", "pickle");
    made.doc = "Wrapper for potentially out-of-band buffers";
    made.slots.construct = construct;
    made.slots.initialize = [](const Value&, const Arguments&) {};
    made.add(kMethods);
    offer_buffer(made, kOffer);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang::pickle
