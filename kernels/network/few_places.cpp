// Sums are kept for some images and a vector or three of filters, over one chunk of taps after
// another whose weights stay in the cache.
#include "kernels/network/few_places.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <vector>

#include "kernels/backend/cpu/windows.h"
#include "kernels/network/numbers.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kTapsInCache = 512;     // of a chunk
constexpr std::int64_t kFewestTaps = 128;      // from which turning results pays
constexpr std::int64_t kSheetBytes = 1 << 19;  // of the images of an item
constexpr std::int64_t kPlacesTogether = 192;  // more places do not make tiles fuller
constexpr double kWorse = 0.85;                // so much less of a vector has to be filled

double filled(std::int64_t count, std::int64_t size) {
  std::int64_t parts = (count + size - 1) / size;
  return static_cast<double>(count) / static_cast<double>(parts * size);
}

template <class T>
class FewPlaces {
 public:
  FewPlaces(const SlideJob<T>& job, const Sheet& sheet, const SlidePass& pass)
      : job_(job),
        sheet_(sheet),
        whole_(pass.row_taps.size() == sheet.rows().taps() &&
               pass.column_taps.size() == sheet.columns().taps()),
        height_(pass.rows),
        width_(pass.columns),
        in_channel_(static_cast<std::int64_t>(pass.row_taps.size() * pass.column_taps.size())),
        taps_(job.channels * in_channel_),
        sheet_size_(job.channels * sheet.plane(pass.rows)) {
    vectors_ = even_part((job.filters + kernels_.lanes - 1) / kernels_.lanes, kMostVectors);
    wide_ = vectors_ * kernels_.lanes;
    tiles_ = (job.filters + wide_ - 1) / wide_;
    bases_ = kernels_.bases[0][vectors_ - 1];
    std::int64_t together =
        std::min(kPlacesTogether / places(), kSheetBytes / (sheet_size_ * std::int64_t{sizeof(T)}));
    images_ = even_part(job.batch, std::clamp<std::int64_t>(together, 1, job.batch));
  }

  bool pays() const {
    std::int64_t whole = (height_ - 1) * sheet_.pitch() + width_;
    std::int64_t by_rows = height_ * ((width_ + kernels_.lanes - 1) / kernels_.lanes);
    std::int64_t vectors = std::min(by_rows, (whole + kernels_.lanes - 1) / kernels_.lanes);
    double by_places =
        static_cast<double>(places()) / static_cast<double>(vectors * kernels_.lanes);
    double by_filters = filled(job_.filters, wide_) * filled(images_ * places(), bases_);
    return whole_ && taps_ >= kFewestTaps && places() <= kPlacesTogether &&
           by_places < kWorse * by_filters;
  }

  void run() {
    pack_weights();
    place_taps();
    std::int64_t chunks = (job_.batch + images_ - 1) / images_;
    parallel_for(chunks * job_.groups * tiles_, 1, [&](std::int64_t begin, std::int64_t end) {
      Memory memory(*this);
      for (std::int64_t i = begin; i < end; ++i) {
        check_interrupt();
        std::int64_t tile = i % tiles_, group = i / tiles_ % job_.groups;
        slide_images(i / tiles_ / job_.groups * images_, group, tile, memory);
      }
    });
  }

 private:
  struct Memory {
    explicit Memory(const FewPlaces& owner)
        : sheets(owner.images_ * owner.sheet_size_),
          sums((owner.images_ * owner.places() + owner.bases_) * owner.wide_) {}
    Numbers<T> sheets, sums;
    std::vector<std::int64_t> bases;
  };

  std::int64_t places() const { return height_ * width_; }

  // Tile of filters by tile, tap by tap; filters that are none weigh 0.
  void pack_weights() {
    std::int64_t size = taps_ * wide_;
    weights_ = Numbers<T>(job_.groups * tiles_ * size);
    parallel_for(job_.groups * tiles_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        std::int64_t first = i % tiles_ * wide_, count = std::min(wide_, job_.filters - first);
        T* to = weights_.get() + i * size;
        if (count < wide_) std::fill(to, to + size, T(0));
        const T* from = job_.weights + i / tiles_ * job_.group_step + first * job_.filter_step;
        for (std::int64_t c = 0; c < job_.channels; ++c)
          transpose_weights(from + c * job_.channel_step, job_.filter_step,
                            to + c * in_channel_ * wide_, wide_, in_channel_, count);
      }
    });
  }

  void place_taps() {
    for (std::int64_t c = 0; c < job_.channels; ++c)
      for (std::size_t row = 0; row < sheet_.rows().taps(); ++row)
        for (std::size_t column = 0; column < sheet_.columns().taps(); ++column)
          steps_.push_back(c * sheet_.plane(height_) + sheet_.place(row, column, height_));
  }

  void slide_images(std::int64_t first, std::int64_t group, std::int64_t tile, Memory& memory) {
    std::int64_t images = std::min(images_, job_.batch - first);
    std::int64_t area = sheet_.rows().extent() * sheet_.columns().extent() * job_.channels;
    memory.bases.clear();
    for (std::int64_t i = 0; i < images; ++i) {
      const T* image = job_.source + ((first + i) * job_.groups + group) * area;
      sheet_.fill(image, job_.channels, 0, height_, memory.sheets.get() + i * sheet_size_);
      for (std::int64_t row = 0; row < height_; ++row)
        for (std::int64_t column = 0; column < width_; ++column)
          memory.bases.push_back(i * sheet_size_ + row * sheet_.pitch() + column);
    }
    while (static_cast<std::int64_t>(memory.bases.size()) % bases_ != 0) memory.bases.push_back(0);
    start_sums(group, tile, memory);
    const T* weights = weights_.get() + (group * tiles_ + tile) * taps_ * wide_;
    for (std::int64_t tap = 0; tap < taps_; tap += kTapsInCache)
      add_taps(tap, std::min(kTapsInCache, taps_ - tap), weights + tap * wide_, memory);
    for (std::int64_t i = 0; i < images; ++i)
      write((first + i) * job_.groups + group, tile, memory.sums.get() + i * places() * wide_);
  }

  void start_sums(std::int64_t group, std::int64_t tile, Memory& memory) const {
    std::int64_t first = tile * wide_, count = std::min(wide_, job_.filters - first);
    T* to = memory.sums.get();
    for (std::size_t i = 0; i < memory.bases.size(); ++i, to += wide_) {
      std::fill(to, to + wide_, T(0));
      if (job_.bias) std::copy_n(job_.bias + group * job_.filters + first, count, to);
    }
  }

  void add_taps(std::int64_t first, std::int64_t count, const T* weights, Memory& memory) const {
    auto kernel = kernels_.gather[0][vectors_ - 1];
    GatherTile<T> tile{
        memory.sheets.get(), memory.bases.data(), steps_.data() + first, count, weights,
        memory.sums.get()};
    for (std::size_t i = 0; i < memory.bases.size(); i += static_cast<std::size_t>(bases_)) {
      kernel(tile);
      tile.bases += bases_;
      tile.sums += bases_ * wide_;
    }
  }

  // The sums of an image, filter by filter.
  void write(std::int64_t image, std::int64_t tile, const T* sums) const {
    std::int64_t first = tile * wide_, count = std::min(wide_, job_.filters - first);
    T* to = job_.target + (image * job_.filters + first) * places();
    for (std::int64_t f = 0; f < count; ++f)
      for (std::int64_t i = 0; i < places(); ++i) *to++ = sums[i * wide_ + f];
  }

  const SlideJob<T>& job_;
  const Sheet& sheet_;
  const WindowKernels<T>& kernels_ = window_kernels<T>();
  bool whole_;  // the pass sees all taps
  std::int64_t height_, width_, in_channel_, taps_, sheet_size_;
  std::int64_t vectors_ = 1, wide_ = 1;  // of a tile, in vectors and in filters
  std::int64_t tiles_ = 1, bases_ = 1, images_ = 1;
  Numbers<T> weights_;
  std::vector<std::int64_t> steps_;
};

}  // namespace

template <class T>
bool slide_few_places(const SlideJob<T>& job, const Sheet& sheet, const SlidePass& pass) {
  FewPlaces<T> few(job, sheet, pass);
  if (!few.pays()) return false;
  few.run();
  return true;
}

template bool slide_few_places(const SlideJob<float>&, const Sheet&, const SlidePass&);
template bool slide_few_places(const SlideJob<double>&, const Sheet&, const SlidePass&);

}  // namespace strider::nd
