// The subscripts of einsum: NumPy's grammar and its complaints.
#include "kernels/linalg/einsum_terms.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace strider::nd {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::kValue, message); }

constexpr int kEllipsis = 0;  // stands for the ellipsis until the operand's rank is known

std::string letter(int label) { return std::string(1, static_cast<char>(label)); }

// The labels of one term, with kEllipsis for "...".
Labels read_term(std::string_view term, const std::string& where) {
  Labels labels;
  bool ellipsis = false;
  for (std::size_t i = 0; i < term.size(); ++i) {
    auto code = static_cast<unsigned char>(term[i]);
    if (std::isalpha(code)) {
      labels.push_back(code);
    } else if (code == '.') {
      if (ellipsis || term.substr(i, 3) != "...")
        fail(
            "einstein sum subscripts string contains a '.' that is not part of an ellipsis "
            "('...') in " +
            where);
      ellipsis = true;
      labels.push_back(kEllipsis);
      i += 2;
    } else if (code != ' ') {
      fail("invalid subscript '" + letter(code) +
           "' in einstein sum subscripts string, subscripts must be letters");
    }
  }
  return labels;
}

// Replaces kEllipsis by labels for `count` axes.
Labels with_ellipsis(const Labels& labels, int count) {
  Labels result;
  for (int label : labels) {
    if (label != kEllipsis) result.push_back(label);
    for (int k = count; label == kEllipsis && k > 0; --k) result.push_back(-k);
  }
  return result;
}

Labels fit_term(const Labels& labels, int rank, std::size_t number) {
  bool ellipsis = contains(labels, kEllipsis);
  int letters = static_cast<int>(labels.size()) - ellipsis;
  if (letters > rank)
    fail("einstein sum subscripts string contains too many subscripts for operand " +
         std::to_string(number));
  if (letters < rank && !ellipsis)
    fail(
        "operand has more dimensions than subscripts given in einstein sum, but no '...' "
        "ellipsis provided to broadcast the extra dimensions.");
  return with_ellipsis(labels, rank - letters);
}

std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  while (true) {
    std::size_t comma = text.find(',');
    terms.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return terms;
    text.remove_prefix(comma + 1);
  }
}

struct Sides {
  std::string_view inputs, output;
  bool has_output = false;
};

Sides split_sides(std::string_view subscripts) {
  std::size_t dash = subscripts.find('-');
  std::size_t arrow = subscripts.find("->");
  if (dash != arrow)
    fail("einstein sum subscript string does not contain proper '->' output specified");
  if (arrow == std::string_view::npos) return {subscripts, {}, false};
  return {subscripts.substr(0, arrow), subscripts.substr(arrow + 2), true};
}

int ellipsis_axes(const EinsumTerms& terms) {
  int count = 0;
  for (const Labels& labels : terms.inputs)
    for (int label : labels) count = std::max(count, -label);
  return count;
}

// Without an output: the ellipsis, then the letters that occur once, in order.
Labels implied_output(const EinsumTerms& terms) {
  Labels all, ellipsis;
  for (const Labels& labels : terms.inputs) append(all, labels);
  std::sort(all.begin(), all.end());
  ellipsis.push_back(kEllipsis);
  Labels output = with_ellipsis(ellipsis, ellipsis_axes(terms));
  for (int label : all)
    if (label > 0 && std::count(all.begin(), all.end(), label) == 1) output.push_back(label);
  return output;
}

Labels explicit_output(std::string_view text, const EinsumTerms& terms) {
  Labels output = read_term(text, "the output");
  Labels known, seen;
  for (const Labels& labels : terms.inputs) append(known, labels);
  bool ellipsis = false;
  for (int label : output) {
    ellipsis |= label == kEllipsis;
    if (label == kEllipsis) continue;
    if (contains(seen, label))
      fail("einstein sum subscripts string includes output subscript '" + letter(label) +
           "' multiple times");
    seen.push_back(label);
    if (!contains(known, label))
      fail("einstein sum subscripts string included output subscript '" + letter(label) +
           "' which never appeared in an input");
  }
  int axes = ellipsis_axes(terms);
  if (axes > 0 && !ellipsis)
    fail(
        "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis "
        "provided to broadcast the extra dimensions.");
  return with_ellipsis(output, axes);
}

// "(2,3)->(2,newaxis,3)": an operand's axes in the order of the whole loop.
std::string remapped_text(const Array& operand, const Labels& labels, const Labels& loop) {
  std::string text, separator;
  int shown = 0;
  for (int label : loop) {
    auto at = std::find(labels.begin(), labels.end(), label);
    if (at == labels.end() && text.empty()) continue;
    ++shown;
    text += separator;
    text += at == labels.end()
                ? "newaxis"
                : std::to_string(operand.shape()[static_cast<int>(at - labels.begin())]);
    separator = ",";
  }
  return shape_text(operand.shape()) + "->(" + text + (shown == 1 ? ",)" : ")");
}

[[noreturn]] void throw_mismatch(const EinsumTerms& terms, std::span<const Array> operands) {
  Labels loop = terms.output;
  for (const Labels& labels : terms.inputs)
    for (int label : labels)
      if (!contains(loop, label)) loop.push_back(label);
  std::string message =
      "operands could not be broadcast together with remapped shapes [original->remapped]: ";
  for (std::size_t k = 0; k < operands.size(); ++k)
    message += remapped_text(operands[k], terms.inputs[k], loop) + " ";
  fail(message);
}

// A label repeated in one operand means its diagonal: the extents must agree.
void check_repeats(const Labels& labels, const Array& operand, std::size_t number) {
  for (int axis = 0; axis < operand.rank(); ++axis) {
    int label = labels[static_cast<std::size_t>(axis)];
    auto first = static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
    std::int64_t extent = operand.shape()[axis], known = operand.shape()[first];
    if (known != extent)
      fail("dimensions in operand " + std::to_string(number) + " for collapsing index '" +
           letter(label) + "' don't match (" + std::to_string(known) +
           " != " + std::to_string(extent) + ")");
  }
}

void find_extents(EinsumTerms& terms, std::span<const Array> operands) {
  for (std::size_t k = 0; k < operands.size(); ++k)
    for (int axis = 0; axis < operands[k].rank(); ++axis) {
      std::int64_t extent = operands[k].shape()[axis];
      std::int64_t& known = terms.extents.of(terms.inputs[k][static_cast<std::size_t>(axis)]);
      if (known == 1) known = extent;
      if (extent != 1 && extent != known) throw_mismatch(terms, operands);
    }
}

}  // namespace

EinsumTerms parse_einsum(std::string_view subscripts, std::span<const Array> operands) {
  if (operands.empty())
    fail("must specify the einstein sum subscripts string and at least one operand");
  Sides sides = split_sides(subscripts);
  std::vector<std::string_view> texts = split_terms(sides.inputs);
  if (texts.size() < operands.size())
    fail(
        "fewer operands provided to einstein sum function than specified in the subscripts "
        "string");
  if (texts.size() > operands.size())
    fail("more operands provided to einstein sum function than specified in the subscripts string");
  EinsumTerms terms;
  terms.inputs.reserve(operands.size());
  for (std::size_t k = 0; k < operands.size(); ++k) {
    Labels labels = read_term(texts[k], "operand " + std::to_string(k));
    terms.inputs.push_back(fit_term(labels, operands[k].rank(), k));
    check_repeats(terms.inputs[k], operands[k], k);
  }
  terms.output = sides.has_output ? explicit_output(sides.output, terms) : implied_output(terms);
  find_extents(terms, operands);
  return terms;
}

}  // namespace strider::nd
