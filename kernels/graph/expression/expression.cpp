// The life of expressions: their place among the readers of storages, and how arrays promise them.
#include "kernels/graph/expression/expression.h"

#include <algorithm>
#include <cstring>

#include "kernels/graph/expression/balance.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/reporting/log.h"

namespace strider::nd {

void Expression::read(int index, Storage* source, std::int64_t offset, const Dims& steps,
                      DType type) {
  Reading& reading = arguments[index];
  source->retain();
  reading.storage = source;
  reading.offset = offset;
  reading.strides = steps;
  reading.dtype = type;
  reading.reader = this;
  reading.next = source->readers;
  if (reading.next) reading.next->previous = &reading;
  source->readers = &reading;
  count = static_cast<std::uint8_t>(std::max<int>(count, index + 1));
}

void Expression::read(int index, const Scalar& value) {
  arguments[index].scalar = value;
  arguments[index].dtype = value.dtype();
  count = static_cast<std::uint8_t>(std::max<int>(count, index + 1));
}

bool Expression::is_zero() const {
  if (!is_constant()) return false;
  const std::byte zeros[16] = {};
  return std::memcmp(arguments[0].scalar.data(), zeros,
                     static_cast<std::size_t>(item_size(dtype))) == 0;
}

Expression*& newest_expression() {
  thread_local Expression* newest = nullptr;
  return newest;
}

Expression::Expression() : older(newest_expression()) {
  if (older) older->newer = this;
  newest_expression() = this;
}

Expression::~Expression() {
  if (older) older->newer = newer;
  (newer ? newer->older : newest_expression()) = older;
  for (Reading& reading : arguments) {
    if (!reading.storage) continue;
    (reading.previous ? reading.previous->next : reading.storage->readers) = reading.next;
    if (reading.next) reading.next->previous = reading.previous;
    reading.storage->release();
  }
}

namespace {

// The place of an operation among all, those that are computed at once included.
std::int64_t next_number() {
  thread_local std::int64_t number = 0;
  return number++;
}

}  // namespace

Array promise_array(Expression* expression) {
  Storage* storage = Storage::promise(expression);
  expression->storage = storage;
  expression->number = next_number();
  if (recording().place) expression->place = recording().place();
  expression->strict = recording().strict();
  log_expression("record", *expression);
  ++graph_counts().recorded;
  ++graph_counts().pending;
  int item = item_size(expression->dtype);
  balance().promised += result_bytes(*expression);
  Array array(
      new Node(storage, 0, expression->dtype, expression->shape, expression->strides, nullptr));
  Node* node = array.node();
  node->c_contiguous = is_dense(node->shape, node->strides, item, false);
  node->f_contiguous = node->shape.size() < 2 ? node->c_contiguous
                                              : is_dense(node->shape, node->strides, item, true);
  return array;
}

void drop_promise(Expression* expression) {
  --graph_counts().pending;
  if (expression->storage->references() == 0) log_expression("drop", *expression);
  if (expression->storage->held) {
    balance().promised -= result_bytes(*expression);
  }
  delete expression;
}

}  // namespace strider::nd
