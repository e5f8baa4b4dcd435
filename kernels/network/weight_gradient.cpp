// The gradient by the filters: for every tap of every filter a sum over all places of all images.
// Filters lie side by side in vectors; tiles of taps times filters are summed in registers over one
// band of an image after another. Bands are dealt out to a fixed number of shares, whose sums are
// added in the end.
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <vector>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/cpu/windows.h"
#include "kernels/network/convolution.h"
#include "kernels/network/numbers.h"
#include "kernels/network/slide.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kMostShares = 32;
constexpr std::int64_t kShareBytes = std::int64_t{1} << 26;  // of all shares together
constexpr std::int64_t kSharePlaces = 1024;   // what is summed before shares are worth adding
constexpr std::int64_t kBandPlaces = 768;     // what is summed before tiles are worth changing
constexpr std::int64_t kBandBytes = 1 << 21;  // of the sheets of a band of several images

template <class T>
class WeightGradient {
 public:
  WeightGradient(const Convolution& shape, const T* dy, const T* x)
      : shape_(shape),
        dy_(dy),
        x_(x),
        windows_(window_kernels<T>()),
        channels_(shape.channels / shape.groups),
        filters_(shape.filters / shape.groups),
        places_(shape.columns.places()),
        sheet_(forward_axis(shape.rows), forward_axis(shape.columns), places_) {
    bool neighbours = shape.columns.stride == 1 && shape.columns.dilation == 1;
    run_ = neighbours ? even_part(shape.columns.size, kLongestRun) : 1;
    runs_in_row_ = (shape.columns.size + run_ - 1) / run_;
    vectors_ = choose_vectors((filters_ + windows_.lanes - 1) / windows_.lanes);
    bases_in_tile_ = windows_.bases[run_ - 1][vectors_ - 1];
    plan_sizes();
  }

  void run(T* dw) {
    std::int64_t items = (shape_.batch + images_ - 1) / images_ * bands_;
    std::int64_t size = shape_.groups * filter_tiles_ * base_tiles_ * tile_,
                 bytes = sizeof(T) * size;
    std::int64_t places = shape_.batch * shape_.rows.places() * places_;
    std::int64_t shares =
        std::min({kMostShares, kShareBytes / bytes, places / kSharePlaces, items});
    shares = std::max<std::int64_t>(shares, 1);
    Numbers<T> sums(shares * size);
    std::int64_t least = 1 + worth_a_thread(1 << 17) / (places / shares * size + 1);
    parallel_for(shares, least, [&](std::int64_t begin, std::int64_t end) {
      Memory memory(*this);
      for (std::int64_t share = begin; share < end; ++share) {
        T* to = sums.get() + share * size;
        std::fill(to, to + size, T(0));
        for (std::int64_t i = items * share / shares; i < items * (share + 1) / shares; ++i)
          add_band(memory, {i / bands_ * images_, i % bands_ * height_}, to);
      }
    });
    add_shares(sums.get(), shares, size);
    write(sums.get(), dw);
  }

 private:
  // What a thread works with: a sheet and the vectors of what came back.
  struct Memory {
    explicit Memory(const WeightGradient& owner)
        : sheet(owner.images_ * owner.sheet_size() + kLongestRun),
          values(owner.images_ * owner.height_ * owner.places_ * owner.width()) {
      T* end = sheet.get() + owner.images_ * owner.sheet_size();
      std::fill(end, end + kLongestRun, T(0));
    }
    Numbers<T> sheet, values;
    std::vector<std::int64_t> steps;
  };

  // Some rows of some images.
  struct Band {
    std::int64_t image, top;
  };

  std::int64_t width() const { return vectors_ * windows_.lanes; }  // of a tile, in filters
  std::int64_t sheet_size() const { return channels_ * sheet_.plane(height_); }

  // Wide tiles read fewest numbers for each sum, but filters may not fill them.
  static std::int64_t choose_vectors(std::int64_t vectors) {
    std::int64_t best = 1;
    for (std::int64_t wide = 2; wide <= kMostVectors; ++wide)
      if ((vectors + wide - 1) / wide * wide <= (vectors + best - 1) / best * best) best = wide;
    return best;
  }

  void plan_sizes() {
    std::int64_t row_bytes =
        (channels_ * sheet_.row() + places_ * width()) * static_cast<std::int64_t>(sizeof(T));
    height_ = band_height(shape_.rows.places(), sheet_.rows().more(), row_bytes, shape_.batch);
    bands_ = (shape_.rows.places() + height_ - 1) / height_;
    if (bands_ == 1) {
      std::int64_t bytes = sheet_size() * static_cast<std::int64_t>(sizeof(T));
      images_ = std::min(kBandPlaces / (height_ * places_), kBandBytes / bytes);
      images_ = even_part(shape_.batch, std::clamp<std::int64_t>(images_, 1, shape_.batch));
    }
    std::int64_t bases = channels_ * shape_.rows.size * runs_in_row_;
    base_tiles_ = (bases + bases_in_tile_ - 1) / bases_in_tile_;
    filter_tiles_ = (filters_ + width() - 1) / width();
    tile_ = bases_in_tile_ * run_ * width();
    place_bases(bases);
  }

  // Where runs of taps start in a sheet; the last tile is filled up with the first one.
  void place_bases(std::int64_t bases) {
    for (std::int64_t i = 0; i < base_tiles_ * bases_in_tile_; ++i) {
      std::int64_t base = i < bases ? i : 0, rows = shape_.rows.size;
      std::int64_t row = base / runs_in_row_;
      auto row_tap = static_cast<std::size_t>(row % rows);
      auto column_tap = static_cast<std::size_t>(base % runs_in_row_ * run_);
      bases_.push_back(row / rows * sheet_.plane(height_) +
                       sheet_.place(row_tap, column_tap, height_));
    }
  }

  void add_band(Memory& memory, const Band& band, T* sums) {
    std::int64_t height = std::min(height_, shape_.rows.places() - band.top);
    std::int64_t images = std::min(images_, shape_.batch - band.image);
    memory.steps.clear();
    for (std::int64_t i = 0; i < images; ++i)
      for (std::int64_t row = 0; row < height; ++row)
        for (std::int64_t column = 0; column < places_; ++column)
          memory.steps.push_back(i * sheet_size() + row * sheet_.pitch() + column);
    std::int64_t area = shape_.rows.extent * shape_.columns.extent;
    for (std::int64_t group = 0; group < shape_.groups; ++group) {
      check_interrupt();
      for (std::int64_t i = 0; i < images; ++i) {
        std::int64_t first = ((band.image + i) * shape_.groups + group) * channels_;
        sheet_.fill(x_ + first * area, channels_, band.top, height_,
                    memory.sheet.get() + i * sheet_size());
      }
      for (std::int64_t f = 0; f < filter_tiles_; ++f, sums += base_tiles_ * tile_) {
        std::int64_t first = (band.image * shape_.groups + group) * filters_ + f * width();
        std::int64_t count = std::min(width(), filters_ - f * width());
        for (std::int64_t i = 0; i < images; ++i)
          turn(first + i * shape_.filters, count, band.top, height,
               memory.values.get() + i * height * places_ * width());
        add_tiles(memory, sums);
      }
    }
  }

  void add_tiles(const Memory& memory, T* sums) const {
    auto kernel = windows_.gather[run_ - 1][vectors_ - 1];
    GatherTile<T> tile{memory.sheet.get(),  bases_.data(),
                       memory.steps.data(), static_cast<std::int64_t>(memory.steps.size()),
                       memory.values.get(), sums};
    for (std::int64_t i = 0; i < base_tiles_; ++i) {
      kernel(tile);
      tile.bases += bases_in_tile_;
      tile.sums += tile_;
    }
  }

  // What came back to some filters in a band, place by place.
  void turn(std::int64_t plane, std::int64_t count, std::int64_t top, std::int64_t height,
            T* values) const {
    std::int64_t area = shape_.rows.places() * places_, size = height * places_;
    if (count < width()) std::fill(values, values + size * width(), T(0));
    auto transpose = kernels().transpose[sizeof(T) == 4 ? 2 : 3];
    constexpr std::int64_t kItem = sizeof(T);
    transpose(reinterpret_cast<const std::byte*>(dy_ + plane * area + top * places_), area * kItem,
              reinterpret_cast<std::byte*>(values), width() * kItem, size, count);
  }

  void add_shares(T* sums, std::int64_t shares, std::int64_t size) const {
    parallel_for(size, worth_a_thread(1 << 15), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t share = 1; share < shares; ++share)
        for (std::int64_t i = begin; i < end; ++i) sums[i] += sums[share * size + i];
    });
  }

  // From tiles to (filters, channels, rows, columns).
  void write(const T* sums, T* dw) const {
    std::int64_t rows = channels_ * shape_.rows.size, columns = shape_.columns.size;
    for (std::int64_t filter = 0; filter < shape_.filters; ++filter) {
      std::int64_t group = filter / filters_, f = filter % filters_;
      const T* from =
          sums + (group * filter_tiles_ + f / width()) * base_tiles_ * tile_ + f % width();
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
          *dw++ = from[((row * runs_in_row_ + column / run_) * run_ + column % run_) * width()];
    }
  }

  const Convolution& shape_;
  const T *dy_, *x_;
  const WindowKernels<T>& windows_;
  std::int64_t channels_, filters_, places_;
  Sheet sheet_;
  std::int64_t run_ = 1, runs_in_row_ = 1, vectors_ = 1, bases_in_tile_ = 1;
  std::int64_t height_ = 1, bands_ = 1, base_tiles_ = 1, filter_tiles_ = 1, tile_ = 1;
  std::int64_t images_ = 1;  // of a band
  std::vector<std::int64_t> bases_;
};

}  // namespace

template <class T>
void convolve_weight_gradient(const Convolution& shape, const T* dy, const T* x, T* dw) {
  WeightGradient<T>(shape, dy, x).run(dw);
}

template void convolve_weight_gradient(const Convolution&, const float*, const float*, float*);
template void convolve_weight_gradient(const Convolution&, const double*, const double*, double*);

}  // namespace strider::nd
