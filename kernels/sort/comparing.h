// NumPy's quicksort and selection by comparing: the same comparisons and exchanges, so that equal
// elements end up where NumPy leaves them. (Quicksort with the median of three, insertion for short
// parts and heapsort for stubborn ones; introselect with the median of medians of five.)
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace strider::nd {

// Places of elements, put in order by comparing the elements.
template <class Less>
class PlaceSort {
 public:
  // less(a, b): whether the element at place a comes before that at place b.
  PlaceSort(std::int64_t* places, Less less) : places_(places), less_(less) {}

  void sort(std::int64_t count) {
    sort(0, count - 1, 2 * (std::bit_width(unsigned_of(count)) - 1));
  }

 private:
  static constexpr std::int64_t kShort = 15;  // the largest distance of ends that is inserted

  static std::uint64_t unsigned_of(std::int64_t count) { return static_cast<std::uint64_t>(count); }

  void sort_by_heap(std::int64_t begin, std::int64_t count) {
    std::int64_t* heap = places_ + begin - 1;  // counted from one
    for (std::int64_t top = count / 2; top > 0; --top) sink(heap, top, heap[top], count);
    while (count > 1) {
      std::int64_t place = std::exchange(heap[count], heap[1]);
      sink(heap, 1, place, --count);
    }
  }

  void sink(std::int64_t* heap, std::int64_t at, std::int64_t place, std::int64_t count) {
    for (std::int64_t next = 2 * at; next <= count; next *= 2) {
      if (next < count && less_(heap[next], heap[next + 1])) ++next;
      if (!less_(place, heap[next])) break;
      heap[at] = heap[next];
      at = next;
    }
    heap[at] = place;
  }

  void exchange(std::int64_t i, std::int64_t j) { std::swap(places_[i], places_[j]); }

  void exchange_if_less(std::int64_t i, std::int64_t j) {
    if (less_(places_[i], places_[j])) exchange(i, j);
  }

  // Parts begin .. end around a median; returns where it stands.
  std::int64_t part(std::int64_t begin, std::int64_t end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    exchange_if_less(middle, begin);
    exchange_if_less(end, middle);
    exchange_if_less(middle, begin);
    const std::int64_t pivot = places_[middle];
    std::int64_t low = begin, high = end - 1;
    exchange(middle, high);
    for (;;) {
      do ++low;
      while (less_(places_[low], pivot));
      do --high;
      while (less_(pivot, places_[high]));
      if (low >= high) break;
      exchange(low, high);
    }
    exchange(low, end - 1);
    return low;
  }

  void insert_each(std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin + 1; i <= end; ++i) {
      const std::int64_t place = places_[i];
      std::int64_t at = i;
      for (; at > begin && less_(place, places_[at - 1]); --at) places_[at] = places_[at - 1];
      places_[at] = place;
    }
  }

  // The shorter part goes on at once, the longer one later: each has the levels that are left.
  void sort(std::int64_t begin, std::int64_t end, int levels) {
    struct Rest {
      std::int64_t begin, end;
      int levels;
    };
    std::vector<Rest> rests{{begin, end, levels}};
    while (!rests.empty()) {
      Rest now = rests.back();
      rests.pop_back();
      if (now.levels < 0) {
        sort_by_heap(now.begin, now.end - now.begin + 1);
        continue;
      }
      while (now.end - now.begin > kShort) {
        const std::int64_t middle = part(now.begin, now.end);
        --now.levels;
        if (middle - now.begin < now.end - middle) {
          rests.push_back({middle + 1, now.end, now.levels});
          now.end = middle - 1;
        } else {
          rests.push_back({now.begin, middle - 1, now.levels});
          now.begin = middle + 1;
        }
      }
      insert_each(now.begin, now.end);
    }
  }

  std::int64_t* places_;
  Less less_;
};

// Selection among elements that Access gives: at(i), exchange(i, j), from(offset).
template <class Access, class Less>
class Selection {
 public:
  // `last_is_sought`: whether the largest is looked for by looking at all.
  Selection(Access access, Less less, bool last_is_sought)
      : access_(access), less_(less), last_is_sought_(last_is_sought) {}

  // The ranks are selected one after the other, in rising order.
  void select(std::int64_t count, std::int64_t rank) { select(access_, count, rank, &pivots_); }

 private:
  using Pivots = std::vector<std::int64_t>;
  static constexpr std::size_t kMostPivots = 50;
  static constexpr std::int64_t kFew = 3;

  bool less(const Access& in, std::int64_t i, std::int64_t j) const {
    return less_(in.at(i), in.at(j));
  }

  static void keep(Pivots* pivots, std::int64_t pivot, std::int64_t rank) {
    if (!pivots) return;
    if (pivot == rank && pivots->size() == kMostPivots)
      pivots->back() = pivot;
    else if (pivot >= rank && pivots->size() < kMostPivots)
      pivots->push_back(pivot);
  }

  // Puts the smallest `ranks` of them first, one after the other.
  void select_few(const Access& in, std::int64_t begin, std::int64_t end, std::int64_t ranks) {
    for (std::int64_t i = begin; i < begin + ranks; ++i) {
      std::int64_t least = i;
      for (std::int64_t k = i + 1; k <= end; ++k)
        if (less(in, k, least)) least = k;
      in.exchange(i, least);
    }
  }

  void select_last(const Access& in, std::int64_t begin, std::int64_t end) {
    std::int64_t most = begin;
    for (std::int64_t k = begin + 1; k <= end; ++k)
      if (!less(in, k, most)) most = k;
    in.exchange(end, most);
  }

  void exchange_if_less(const Access& in, std::int64_t i, std::int64_t j) {
    if (less(in, i, j)) in.exchange(i, j);
  }

  // The place of the median of five.
  std::int64_t median_of_five(const Access& in, std::int64_t at) {
    exchange_if_less(in, at + 1, at);
    exchange_if_less(in, at + 4, at + 3);
    exchange_if_less(in, at + 3, at);
    exchange_if_less(in, at + 4, at + 1);
    exchange_if_less(in, at + 2, at + 1);
    if (!less(in, at + 3, at + 2)) return at + 2;
    return less(in, at + 3, at + 1) ? at + 1 : at + 3;
  }

  std::int64_t median_of_medians(const Access& in, std::int64_t begin, std::int64_t count) {
    const std::int64_t medians = count / 5;
    for (std::int64_t i = 0; i < medians; ++i)
      in.exchange(median_of_five(in, begin + 5 * i), begin + i);
    if (medians > 2) select(in.from(begin), medians, medians / 2, nullptr);
    return begin + medians / 2;
  }

  // Where a search for a rank goes on, by the pivots of those before; false if it is in place.
  static bool narrow(Pivots& pivots, std::int64_t rank, std::int64_t& low, std::int64_t& high) {
    for (; !pivots.empty(); pivots.pop_back()) {
      if (pivots.back() == rank) return false;
      if (pivots.back() > rank) {
        high = pivots.back() - 1;
        break;
      }
      low = pivots.back() + 1;
    }
    return true;
  }

  void select(const Access& in, std::int64_t count, std::int64_t rank, Pivots* pivots) {
    std::int64_t low = 0, high = count - 1;
    if (pivots && !narrow(*pivots, rank, low, high)) return;
    if (rank - low < kFew) {
      select_few(in, low, high, rank - low + 1);
      return keep(pivots, rank, rank);
    }
    if (last_is_sought_ && rank == count - 1) return select_last(in, low, rank);
    int levels = 2 * (std::bit_width(static_cast<std::uint64_t>(count)) - 1);
    while (low + 1 < high) {
      const std::int64_t middle = part(in, low, high, levels--);
      if (middle != rank) keep(pivots, middle, rank);
      if (middle >= rank) high = middle - 1;
      if (middle <= rank) low = above_;
    }
    if (high == low + 1) exchange_if_less(in, high, low);
    keep(pivots, rank, rank);
  }

  // Parts low .. high around a pivot; returns where it stands, and keeps where what follows begins.
  std::int64_t part(const Access& in, std::int64_t low, std::int64_t high, int levels) {
    std::int64_t left = low + 1, right = high;
    if (levels > 0 || right - left < 5) {
      const std::int64_t middle = low + (high - low) / 2;
      exchange_if_less(in, high, middle);
      exchange_if_less(in, high, low);
      exchange_if_less(in, low, middle);
      in.exchange(middle, low + 1);
    } else {
      in.exchange(median_of_medians(in, left, right - left), low);
      --left;
      ++right;
    }
    const auto pivot = in.at(low);
    for (;;) {
      do ++left;
      while (less_(in.at(left), pivot));
      do --right;
      while (less_(pivot, in.at(right)));
      if (right < left) break;
      in.exchange(left, right);
    }
    in.exchange(low, right);
    above_ = left;
    return right;
  }

  Access access_;
  Less less_;
  bool last_is_sought_;
  Pivots pivots_;
  std::int64_t above_ = 0;
};

}  // namespace strider::nd
