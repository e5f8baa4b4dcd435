// Reads pairs and paddings, and names what cannot be read.
#include "interpreter/builtins/network/network_arguments.h"

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

struct Two {
  Value first, second;
};

// The items of a sequence of two; false for what is none.
bool try_two(const Value& value, Two& two) {
  if (!is_tuple(value) && !is_list(value)) return false;
  Ref<Tuple> items = to_tuple(value);
  if (items->size() != 2) return false;
  two = {(*items)[0], (*items)[1]};
  return true;
}

bool try_pair(const Value& value, nd::WindowPair& pair) {
  Two two;
  if (try_index(value, pair.down)) {
    pair.across = pair.down;
    return true;
  }
  return try_two(value, two) && try_index(two.first, pair.down) &&
         try_index(two.second, pair.across);
}

}  // namespace

nd::WindowPair to_window_pair(const char* function, const char* name, const Value& value) {
  nd::WindowPair pair;
  if (!try_pair(value, pair))
    raise(errors::TypeError, "{}: {} is {}, but wants an integer or (down, across)", function, name,
          repr_text(value));
  return pair;
}

nd::WindowPadding to_window_padding(const char* function, const Value& value) {
  nd::WindowPair pair, across;
  if (try_pair(value, pair)) return {pair.down, pair.down, pair.across, pair.across};
  Two two;
  if (try_two(value, two) && try_pair(two.first, pair) && try_pair(two.second, across))
    return {pair.down, pair.across, across.down, across.across};
  if (is_str(value)) {
    std::string text = str_text(value);
    if (text == "valid") return {};
    if (text == "same") return {0, 0, 0, 0, true};
  }
  raise(errors::TypeError,
        "{}: padding is {}, but wants an integer, (down, across), ((top, bottom), (left, right)), "
        "'same' or 'valid'",
        function, repr_text(value));
}

void raise_named(const char* function, const char* name) {
  Ref<Exception> caught = caught_exception();
  Type& type = *caught->type();
  if (&type != &errors::TypeError() && &type != &errors::ValueError()) throw;
  raise_message(type, fmt::format("{}: {}: {}", function, name, str_text(caught.get())));
}

}  // namespace strider::lang
