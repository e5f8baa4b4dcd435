// Palettes made for a picture: by cutting the box of its colours at medians, or by counting the
// colours in cells of a coarse and a fine grid.
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <unordered_map>

#include "pictures/loops.h"

namespace strider::pictures {
namespace {

using Colour = std::array<std::uint8_t, 4>;

std::uint32_t key_of(const Colour& colour) {
  return static_cast<std::uint32_t>(colour[0] << 16 | colour[1] << 8 | colour[2]);
}

std::vector<Colour> pixels_of(const Raster& source) {
  std::vector<Colour> pixels(static_cast<std::size_t>(source.width * source.height));
  const auto* bytes = source.row<std::uint8_t>(0);
  const Colour* clear = nullptr;  // all that nothing is seen of is one colour
  for (Colour& pixel : pixels) {
    pixel = {bytes[0], bytes[1], bytes[2], source.bands == 4 ? bytes[3] : std::uint8_t{255}};
    if (pixel[3] == 0) {
      if (!clear) clear = &pixel;
      pixel = *clear;
    }
    bytes += source.bands;
  }
  return pixels;
}

// How many pixels have a colour, colours taken without as many low bits as it needs to have no
// more than 65,536 of them.
struct Counts {
  explicit Counts(const std::vector<Colour>& pixels) {
    for (const Colour& pixel : pixels) {
      ++counts[key_of(cut(pixel))];
      while (counts.size() > kMostColours) {
        ++places;
        std::unordered_map<std::uint32_t, std::uint32_t> fewer;
        for (auto [key, count] : counts) fewer[key >> 1 & 0x7f7f7f] += count;
        counts.swap(fewer);
      }
    }
  }
  Colour cut(const Colour& colour) const {
    return {static_cast<std::uint8_t>(colour[0] >> places),
            static_cast<std::uint8_t>(colour[1] >> places),
            static_cast<std::uint8_t>(colour[2] >> places), 0};
  }
  static constexpr std::size_t kMostColours = 65536;
  int places = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> counts;
};

struct Counted {
  Colour colour;
  std::uint32_t count;
};

struct Box {
  std::vector<Counted> colours;
  std::uint64_t pixels = 0;
  std::unique_ptr<Box> upper, lower;

  int extent(std::size_t band) const {
    auto [low, high] = std::minmax_element(
        colours.begin(), colours.end(),
        [band](const Counted& a, const Counted& b) { return a.colour[band] < b.colour[band]; });
    return high->colour[band] - low->colour[band];
  }
  bool is_single() const { return extent(0) == 0 && extent(1) == 0 && extent(2) == 0; }
};

// Where the pixels of the brighter half end, along the band that is seen to differ most.
void split(Box& box) {
  constexpr std::array<int, 3> kSeen = {77, 150, 29};
  std::size_t band = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (box.extent(i) * kSeen[i] > box.extent(band) * kSeen[band]) band = i;
  std::map<int, std::uint64_t, std::greater<>> sums;
  for (const Counted& counted : box.colours) sums[counted.colour[band]] += counted.count;
  std::uint64_t pixels = 0;
  int last = sums.begin()->first;
  for (auto [value, count] : sums) {
    pixels += count;
    last = value;
    if (pixels * 2 > box.pixels) break;
  }
  if (last == sums.rbegin()->first) last = std::next(sums.rbegin())->first;
  box.upper = std::make_unique<Box>();
  box.lower = std::make_unique<Box>();
  for (const Counted& counted : box.colours) {
    Box& part = counted.colour[band] >= last ? *box.upper : *box.lower;
    part.colours.push_back(counted);
    part.pixels += counted.count;
  }
  box.colours.clear();
}

// The box with most pixels on top; of equals, which comes first follows from the heap's shape.
class Heap {
 public:
  bool empty() const { return boxes_.size() == 1; }
  void add(Box* box) {
    std::size_t place = boxes_.size();
    boxes_.push_back(box);
    for (; place > 1 && box->pixels > boxes_[place / 2]->pixels; place /= 2)
      boxes_[place] = boxes_[place / 2];
    boxes_[place] = box;
  }
  Box* take() {
    Box *result = boxes_[1], *last = boxes_.back();
    boxes_.pop_back();
    const std::size_t end = boxes_.size();
    std::size_t place = 1;
    while (2 * place < end) {
      std::size_t child = 2 * place;
      if (child + 1 < end && boxes_[child]->pixels < boxes_[child + 1]->pixels) ++child;
      if (last->pixels > boxes_[child]->pixels) break;
      boxes_[place] = boxes_[child];
      place = child;
    }
    if (place < end) boxes_[place] = last;
    return result;
  }

 private:
  std::vector<Box*> boxes_{nullptr};
};

void number_boxes(const Box& box, std::unordered_map<std::uint32_t, std::uint32_t>& numbers,
                  std::uint32_t& next) {
  if (box.upper) {
    number_boxes(*box.upper, numbers, next);
    number_boxes(*box.lower, numbers, next);
    return;
  }
  for (const Counted& counted : box.colours) numbers[key_of(counted.colour)] = next;
  ++next;
}

int distance(const Colour& a, const Colour& b) {
  int sum = 0;
  for (std::size_t band = 0; band < 3; ++band) sum += (a[band] - b[band]) * (a[band] - b[band]);
  return sum;
}

std::vector<Colour> averages(const std::vector<Colour>& pixels,
                             const std::vector<std::uint32_t>& places, std::size_t size) {
  std::vector<std::array<std::uint64_t, 4>> sums(size);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    auto& sum = sums[places[i]];
    for (std::size_t band = 0; band < 3; ++band) sum[band] += pixels[i][band];
    ++sum[3];
  }
  std::vector<Colour> result(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t band = 0; band < 3 && sums[i][3] != 0; ++band)
      result[i][band] = static_cast<std::uint8_t>(0.5 + static_cast<double>(sums[i][band]) /
                                                            static_cast<double>(sums[i][3]));
  return result;
}

// Colours of the palette in order of their distance from each.
class Neighbours {
 public:
  explicit Neighbours(const std::vector<Colour>& palette) : palette_(palette) {
    const std::size_t size = palette.size();
    order_.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      order_[i].resize(size);
      for (std::size_t j = 0; j < size; ++j)
        order_[i][j] = {distance(palette[i], palette[j]), static_cast<std::uint32_t>(j)};
      std::sort(order_[i].begin(), order_[i].end());
    }
  }
  // The nearest colour; `guess` where none is nearer.
  std::uint32_t nearest(const Colour& colour, std::uint32_t guess) const {
    const int far = distance(palette_[guess], colour);
    int least = far;
    std::uint32_t best = guess;
    for (auto [apart, place] : order_[guess]) {
      if (apart > 4 * far) break;
      const int next = distance(palette_[place], colour);
      if (next < least) least = next, best = place;
    }
    return best;
  }

 private:
  const std::vector<Colour>& palette_;
  std::vector<std::vector<std::pair<int, std::uint32_t>>> order_;
};

std::size_t move_to_nearest(const std::vector<Colour>& pixels, const std::vector<Colour>& palette,
                            std::vector<std::uint32_t>& places) {
  const Neighbours neighbours(palette);
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  std::size_t changes = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    auto [found, is_new] = known.try_emplace(key_of(pixels[i]), 0);
    if (is_new) found->second = neighbours.nearest(pixels[i], places[i]);
    if (found->second != places[i]) ++changes;
    places[i] = found->second;
  }
  return changes;
}

std::vector<Colour> cut_at_medians(const std::vector<Colour>& pixels, int colours, int rounds,
                                   std::vector<std::uint32_t>& places) {
  const Counts counts(pixels);
  Box root;
  root.pixels = pixels.size();
  for (auto [key, count] : counts.counts)
    root.colours.push_back(
        {{static_cast<std::uint8_t>(key >> 16), static_cast<std::uint8_t>(key >> 8),
          static_cast<std::uint8_t>(key), 0},
         count});
  Heap heap;
  heap.add(&root);
  for (int made = 1; made < colours; ++made) {
    Box* box = nullptr;
    while (!heap.empty() && (!box || box->is_single())) box = heap.take();
    if (!box || box->is_single()) break;
    split(*box);
    heap.add(box->upper.get());
    heap.add(box->lower.get());
  }
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  std::uint32_t size = 0;
  number_boxes(root, numbers, size);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    places[i] = numbers[key_of(counts.cut(pixels[i]))];
  std::vector<Colour> palette = averages(pixels, places, size);
  move_to_nearest(pixels, palette, places);
  while (rounds > 0) {
    palette = averages(pixels, places, size);
    if (move_to_nearest(pixels, palette, places) < static_cast<std::size_t>(rounds)) break;
  }
  return palette;
}

// Sums of the colours of a cell of a grid.
struct Cell {
  std::uint32_t count = 0;
  std::array<std::uint64_t, 4> sums{};

  Colour average() const {
    Colour result{};
    for (std::size_t band = 0; band < 4 && count != 0; ++band)
      result[band] = static_cast<std::uint8_t>(std::min(
          static_cast<int>(static_cast<float>(sums[band]) / static_cast<float>(count)), 255));
    return result;
  }
  void change(const Cell& other, bool add) {
    const std::uint32_t sign = add ? 1 : ~0U;
    count += sign * other.count;
    for (std::size_t band = 0; band < 4; ++band)
      sums[band] += add ? other.sums[band] : ~other.sums[band] + 1;
  }
};

class Grid {
 public:
  explicit Grid(const std::array<int, 4>& bits)
      : bits_(bits), cells(std::size_t{1} << (bits[0] + bits[1] + bits[2] + bits[3])) {}
  std::size_t place(const Colour& colour) const {
    std::size_t place = 0;
    for (std::size_t band = 0; band < 4; ++band)
      place = place << bits_[band] | static_cast<std::size_t>(colour[band] >> (8 - bits_[band]));
    return place;
  }
  // A colour within the cell.
  Colour colour(std::size_t place) const {
    Colour result{};
    for (std::size_t band = 4; band-- > 0;) {
      const std::size_t mask = (std::size_t{1} << bits_[band]) - 1;
      result[band] = static_cast<std::uint8_t>((place & mask) << (8 - bits_[band]));
      place >>= bits_[band];
    }
    return result;
  }
  std::size_t used() const {
    return static_cast<std::size_t>(
        std::count_if(cells.begin(), cells.end(), [](const Cell& cell) { return cell.count > 0; }));
  }
  std::vector<Cell> sorted() const {
    std::vector<Cell> result = cells;
    std::stable_sort(result.begin(), result.end(),
                     [](const Cell& a, const Cell& b) { return a.count > b.count; });
    return result;
  }
  void take_away(std::span<const Cell> others) {
    for (const Cell& other : others)
      if (other.count != 0) cells[place(other.average())].change(other, false);
  }

 private:
  std::array<int, 4> bits_;

 public:
  std::vector<Cell> cells;
};

// Every coarse cell that is used has a colour; the fine cells with most pixels have the rest.
std::vector<Colour> count_cells(const std::vector<Colour>& pixels, std::size_t colours, bool alpha,
                                std::vector<std::uint32_t>& places) {
  using Bits = std::array<int, 4>;
  Grid fine(alpha ? Bits{3, 4, 3, 3} : Bits{4, 4, 4, 0});
  Grid coarse(alpha ? Bits{2, 2, 2, 2} : Bits{2, 2, 2, 0});
  for (const Colour& pixel : pixels) {
    Cell& cell = fine.cells[fine.place(pixel)];
    ++cell.count;
    for (std::size_t band = 0; band < 4; ++band) cell.sums[band] += pixel[band];
  }
  for (std::size_t i = 0; i < fine.cells.size(); ++i)
    coarse.cells[coarse.place(fine.colour(i))].change(fine.cells[i], true);
  const std::vector<Cell> by_count = fine.sorted();
  std::size_t coarse_count = std::min(coarse.used(), colours), fine_count = colours - coarse_count;
  coarse.take_away(std::span(by_count).first(std::min(fine_count, by_count.size())));
  while (coarse_count > coarse.used()) {
    const std::size_t taken = fine_count;
    coarse_count = coarse.used();
    fine_count = colours - coarse_count;
    coarse.take_away(std::span(by_count).subspan(taken, fine_count - taken));
  }
  std::vector<Cell> chosen = coarse.sorted();
  chosen.resize(coarse_count);
  chosen.insert(chosen.end(), by_count.begin(),
                by_count.begin() + static_cast<std::ptrdiff_t>(fine_count));
  std::vector<std::uint32_t> of_coarse(coarse.cells.size()), of_fine(fine.cells.size());
  for (std::size_t i = coarse_count; i-- > 0;)
    of_coarse[coarse.place(chosen[i].average())] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 0; i < of_fine.size(); ++i)
    of_fine[i] = of_coarse[coarse.place(fine.colour(i))];
  for (std::size_t i = chosen.size(); i-- > coarse_count;)
    of_fine[fine.place(chosen[i].average())] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 0; i < pixels.size(); ++i) places[i] = of_fine[fine.place(pixels[i])];
  std::vector<Colour> palette;
  for (const Cell& cell : chosen) palette.push_back(cell.average());
  return palette;
}

}  // namespace

Palette quantize(const Raster& source, const Raster& target, Choice choice, int colours,
                 int rounds) {
  const std::vector<Colour> pixels = pixels_of(source);
  std::vector<std::uint32_t> places(pixels.size());
  const std::vector<Colour> chosen =
      choice == Choice::kOctree
          ? count_cells(pixels, static_cast<std::size_t>(colours), source.bands == 4, places)
          : cut_at_medians(pixels, colours, rounds, places);
  std::transform(places.begin(), places.end(), target.row<std::uint8_t>(0),
                 [](std::uint32_t place) { return static_cast<std::uint8_t>(place); });
  Palette palette;
  for (const Colour& colour : chosen)
    palette.colours.insert(palette.colours.end(), colour.begin(), colour.end());
  return palette;
}

}  // namespace strider::pictures
