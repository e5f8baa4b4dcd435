// Operations: every row has its loops and uses listed instructions only; bits do not depend on
// length, layout or threads.
#include <doctest/doctest.h>
#include <strider/nd/error.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include <cctype>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

using namespace strider::nd;

namespace {

struct Expression {
  std::string_view name;
  std::string_view text;
};

constexpr Expression kExpressions[] = {
#define OP(id, name, inputs, group, types, result, identity, conditions, expression, doc, example) \
  {name, #expression},
#define OP2(id, name, inputs, group, types, result, conditions, first, second, doc, example) \
  {name, #first " " #second},
#include "kernels/table/ops.def"
};

const std::set<std::string, std::less<>> kInstructions = {
#define INSTRUCTION(name, arguments, types, result, accuracy) #name,
#include "kernels/table/instructions.def"
};

// The names that are called in an expression.
std::set<std::string> calls_in(std::string_view text) {
  std::set<std::string> calls;
  std::string word;
  for (char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    if (c == '(' && !word.empty()) calls.insert(word);
    word.clear();
  }
  return calls;
}

Array numbers(std::int64_t count, DType dtype = DType::kFloat64) {
  return Array::arange(Scalar(0.37), Scalar(0.71), count, DType::kFloat64).astype(dtype);
}

bool same_bits(const Array& a, const Array& b) {
  Array x = a.contiguous(), y = b.contiguous();
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.byte_count())) == 0;
}

std::string message_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void note(void* context, FloatingErrors errors, std::string_view operation) {
  *static_cast<std::string*>(context) += std::string(operation) + std::to_string(errors.flags);
}

}  // namespace

TEST_CASE("expressions use listed instructions only") {
  for (const Expression& expression : kExpressions) {
    for (const std::string& call : calls_in(expression.text)) {
      CAPTURE(expression.name);
      CHECK_MESSAGE(kInstructions.count(call) == 1, call);
    }
  }
}

TEST_CASE("every row is found by its name and describes itself") {
  for (int i = 0; i < kOpCount; ++i) {
    const OpFacts& row = facts(static_cast<Op>(i));
    CHECK(find_op(row.name) == row.op);
    CHECK(!row.doc.empty());
    CHECK(!row.example.empty());
    CHECK(!loop_types(row.op).empty());
  }
  CHECK(find_op("abs") == Op::kAbsolute);
  CHECK(!find_op("nothing"));
}

TEST_CASE("unary results do not depend on length or layout") {
  for (int i = 0; i < kOpCount; ++i) {
    const OpFacts& row = facts(static_cast<Op>(i));
    if (row.inputs != 1 || row.outputs != 1) continue;
    for (DType dtype : {DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex128}) {
      if (row.types.find(facts(dtype).code) == std::string_view::npos) continue;
      CAPTURE(row.name);
      Array whole = numbers(1003, dtype);
      Array all = apply(row.op, whole);
      int size = item_size(dtype), out_size = item_size(all.dtype());
      for (std::int64_t start : {0, 1, 5, 990}) {
        Array part = whole.view(Dims{7}, Dims{size}, start * size);
        CHECK(same_bits(apply(row.op, part), all.view(Dims{7}, Dims{out_size}, start * out_size)));
      }
      Array spread = whole.view(Dims{501}, Dims{2 * size}, 0);
      CHECK(same_bits(apply(row.op, spread), all.view(Dims{501}, Dims{2 * out_size}, 0)));
    }
  }
}

TEST_CASE("sums add in pairs whatever the number of threads") {
  Array a = numbers(1 << 20);
  double low = 0, high = 0;
  Array first = a.view(Dims{1 << 19}, Dims{8}, 0), second = a.view(Dims{1 << 19}, Dims{8}, 8 << 19);
  low = sum(first).item().get<double>();
  high = sum(second).item().get<double>();
  CHECK(sum(a).item().get<double>() == low + high);
}

TEST_CASE("weak numbers take the array's type and must fit") {
  Array bytes = Array::full(Dims{2}, Scalar(std::uint8_t{250}), DType::kUInt8);
  CHECK(apply(Op::kAdd, bytes, Operand::weak_int(10)).as<std::uint8_t>()[0] == 4);
  CHECK(message_of([&] { apply(Op::kAdd, bytes, Operand::weak_int(300)); }) ==
        "Python integer 300 out of bounds for uint8");
  CHECK(apply(Op::kLess, bytes, Operand::weak_int(300)).as<bool>()[0]);
  CHECK(apply(Op::kMultiply, bytes, Operand::weak_float(0.5)).dtype() == DType::kFloat64);
}

TEST_CASE("int64 and uint64 compare exactly") {
  Array a = Array::full(Dims{1}, Scalar(std::int64_t{9007199254740993}), DType::kInt64);
  Array b = Array::full(Dims{1}, Scalar(std::uint64_t{9007199254740992}), DType::kUInt64);
  CHECK(apply(Op::kGreater, a, b).as<bool>()[0]);
  CHECK(!apply(Op::kEqual, a, b).as<bool>()[0]);
}

TEST_CASE("overlapping outputs see the old values") {
  Array a = Array::arange(Scalar(std::int64_t{0}), Scalar(std::int64_t{1}), 6, DType::kInt64);
  Array low = a.view(Dims{5}, Dims{8}, 0), high = a.view(Dims{5}, Dims{8}, 8);
  UfuncOptions options;
  options.out[0] = &high;
  apply(Op::kAdd, low, high, options);
  const std::int64_t expected[] = {0, 1, 3, 5, 7, 9};
  CHECK(std::memcmp(a.data(), expected, sizeof expected) == 0);
}

TEST_CASE("conditions reach the handler under the operation's name") {
  std::string seen;
  set_floating_error_handler(note, &seen);
  apply(Op::kDivide, Array::full(Dims{3}, Scalar(1.0), DType::kFloat64), Operand::weak_float(0.0));
  apply(Op::kLog, Array::full(Dims{3}, Scalar(-1.0), DType::kFloat64));
  apply(Op::kExp, Array::full(Dims{3}, Scalar(1.0), DType::kFloat64));
  set_floating_error_handler(nullptr, nullptr);
  CHECK(seen == "divide1log8");
}

TEST_CASE("errors carry NumPy's messages") {
  Array a = Array::zeros(Dims{2, 3}, DType::kFloat64), b = Array::zeros(Dims{4}, DType::kFloat64);
  CHECK(message_of([&] { apply(Op::kAdd, a, b); }) ==
        "operands could not be broadcast together with shapes (2,3) (4,) ");
  CHECK(message_of([&] { max(Array::zeros(Dims{0}, DType::kFloat64)); }) ==
        "zero-size array to reduction operation maximum which has no identity");
  ReduceOptions options;
  options.axes = Axes(2);
  CHECK(message_of([&] { sum(a, options); }) == "axis 2 is out of bounds for array of dimension 2");
  CHECK(message_of([&] {
          a.reshape(Dims{4, -1});
        }) == "cannot reshape array of size 6 into shape (4,newaxis)");
}
