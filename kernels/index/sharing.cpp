// Whether two arrays share an element, found from their steps alone. Knows no elements.
//
// A byte that both have is a solution in whole numbers of
//   steps of one · places + byte within its element = the same for the other
// with every place between 0 and its axis's end. Axes of the other are counted from their far end,
// so that all steps stand on one side: sum of step_k · x_k = distance, 0 <= x_k <= last_k.
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/core/node.h"
#include "strider/nd/index.h"

namespace strider::nd {
namespace {

using Wide = __int128;

struct Term {
  std::int64_t step;
  Wide last;  // the largest place
};

// What is added to a number of bytes from the lowest byte of an array.
std::int64_t add_axes(const Array& array, std::vector<Term>& terms) {
  std::int64_t behind_lowest = 0;
  for (int axis = 0; axis < array.rank(); ++axis) {
    std::int64_t step = array.strides()[axis], last = array.shape()[axis] - 1;
    if (step < 0) behind_lowest -= step * last;
    if (step != 0 && last > 0) terms.push_back({std::abs(step), last});
  }
  terms.push_back({1, item_size(array.dtype()) - 1});
  return behind_lowest;
}

// Equal steps are one term; the largest come first.
std::vector<Term> merged(std::vector<Term> terms) {
  std::sort(terms.begin(), terms.end(), [](auto& a, auto& b) { return a.step > b.step; });
  std::vector<Term> made;
  for (const Term& term : terms)
    if (!made.empty() && made.back().step == term.step)
      made.back().last += term.last;
    else if (term.last > 0)
      made.push_back(term);
  return made;
}

// The inverse of a number modulo another that it has no divisor in common with.
Wide inverse(Wide number, Wide modulus) {
  Wide old = number % modulus, rest = modulus, one = 1, other = 0;
  while (rest != 0) {
    Wide times = old / rest;
    std::swap(old -= times * rest, rest);
    std::swap(one -= times * other, other);
  }
  return (one % modulus + modulus) % modulus;
}

class Search {
 public:
  Search(std::vector<Term> terms, std::int64_t max_work)
      : terms_(std::move(terms)), work_left_(max_work) {
    reach_.resize(terms_.size() + 1);
    divisor_.resize(terms_.size() + 1);
    for (std::size_t k = terms_.size(); k-- > 0;) {
      reach_[k] = reach_[k + 1] + terms_[k].step * terms_[k].last;
      divisor_[k] = std::gcd(divisor_[k + 1], terms_[k].step);
    }
  }

  // Whether the terms from `k` on can add up to a distance.
  Sharing reaches(Wide distance, std::size_t k = 0) {
    if (distance < 0 || distance > reach_[k]) return Sharing::kNone;
    if (distance == 0 || distance == reach_[k]) return Sharing::kSome;
    if (distance % divisor_[k] != 0) return Sharing::kNone;
    if (k + 1 == terms_.size()) return Sharing::kSome;
    return walk(distance, k);
  }

 private:
  // Tries the places of term `k` after which the terms behind it can still add up.
  Sharing walk(Wide distance, std::size_t k) {
    const Term& term = terms_[k];
    Wide lowest = distance - reach_[k + 1];
    Wide first = lowest <= 0 ? 0 : (lowest + term.step - 1) / term.step;
    Wide end = std::min(term.last, distance / term.step);
    Wide common = divisor_[k], modulus = divisor_[k + 1] / common;
    Wide fits = distance / common % modulus * inverse(term.step / common, modulus) % modulus;
    first += ((fits - first) % modulus + modulus) % modulus;
    for (Wide place = first; place <= end; place += modulus) {
      if (work_left_ == 0) return Sharing::kTooHard;
      --work_left_;  // below zero there is no end to it
      Sharing found = reaches(distance - place * term.step, k + 1);
      if (found != Sharing::kNone) return found;
    }
    return Sharing::kNone;
  }

  std::vector<Term> terms_;
  std::vector<Wide> reach_;            // the largest sum of the terms from each on
  std::vector<std::int64_t> divisor_;  // their greatest common divisor
  std::int64_t work_left_;
};

Wide start_of(const Array& array, bool alike) {
  const Node* node = array.node();
  return alike ? Wide(node->offset) : Wide(reinterpret_cast<std::intptr_t>(array.data()));
}

}  // namespace

Sharing find_shared_element(const Array& a, const Array& b, std::int64_t max_work) {
  if (!a.may_overlap(b)) return Sharing::kNone;
  bool alike = a.same_storage(b);
  std::vector<Term> terms;
  Wide low = start_of(a, alike) - add_axes(a, terms);
  std::size_t own = terms.size();
  Wide distance = start_of(b, alike) - add_axes(b, terms) - low;
  for (std::size_t k = own; k < terms.size(); ++k) distance += terms[k].step * terms[k].last;
  return Search(merged(std::move(terms)), max_work).reaches(distance);
}

}  // namespace strider::nd
