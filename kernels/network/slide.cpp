// Bands of images, tile by tile.
#include "kernels/network/slide.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "kernels/backend/cpu/windows.h"
#include "kernels/network/few.h"
#include "kernels/network/few_places.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kSheetBytes = 1 << 18;
constexpr std::int64_t kShares = 64;  // bands that are enough for any number of threads

// What a vector of sums holds of one row of places.
struct Run {
  std::int64_t lane, count, row, column;
};

// The vectors that cover the places of a pass in a band.
class Cover {
 public:
  Cover(std::int64_t height, std::int64_t columns, std::int64_t pitch, std::int64_t lanes) {
    std::int64_t by_rows = height * ((columns + lanes - 1) / lanes);
    std::int64_t whole = (height - 1) * pitch + columns;
    if (by_rows <= (whole + lanes - 1) / lanes)
      cover_rows(height, columns, pitch, lanes);
    else
      cover_whole(whole, columns, pitch, lanes);
    first_run_.push_back(runs_.size());
  }

  std::size_t size() const { return places_.size(); }
  const std::int64_t* places() const { return places_.data(); }
  // Calls body(run) for what a vector holds.
  template <class Body>
  void for_each_run(std::size_t vector, Body&& body) const {
    for (std::size_t i = first_run_[vector]; i < first_run_[vector + 1]; ++i) body(runs_[i]);
  }

 private:
  void cover_rows(std::int64_t height, std::int64_t columns, std::int64_t pitch,
                  std::int64_t lanes) {
    for (std::int64_t row = 0; row < height; ++row) {
      for (std::int64_t column = 0; column < columns; column += lanes) {
        start(row * pitch + column);
        runs_.push_back({0, std::min(lanes, columns - column), row, column});
      }
    }
  }
  // One vector behind another, whatever rows they meet.
  void cover_whole(std::int64_t whole, std::int64_t columns, std::int64_t pitch,
                   std::int64_t lanes) {
    for (std::int64_t place = 0; place < whole; place += lanes) {
      std::size_t before = runs_.size();
      start(place);
      for (std::int64_t at = place, end = std::min(place + lanes, whole); at < end;) {
        std::int64_t row = at / pitch, column = at % pitch;
        std::int64_t count = std::min(columns - column, end - at);
        if (count > 0) runs_.push_back({at - place, count, row, column});
        at = std::min(end, (row + 1) * pitch);
      }
      if (runs_.size() > before) continue;
      places_.pop_back();  // between two rows
      first_run_.pop_back();
    }
  }
  void start(std::int64_t place) {
    places_.push_back(place);
    first_run_.push_back(runs_.size());
  }

  std::vector<std::int64_t> places_;
  std::vector<std::size_t> first_run_;
  std::vector<Run> runs_;
};

// A pass with its weights in the order in which tiles read them: group, block of filters, tap.
template <class T>
class ReadyPass {
 public:
  ReadyPass(const SlideJob<T>& job, const SlidePass& pass, const Sheet& sheet, std::int64_t block)
      : pass(pass),
        in_channel_(static_cast<std::int64_t>(pass.row_taps.size() * pass.column_taps.size())),
        all_taps_(pass.row_taps.size() == sheet.rows().taps() &&
                  pass.column_taps.size() == sheet.columns().taps()),
        block_(block),
        count_(job.channels * in_channel_),
        weights_(new T[static_cast<std::size_t>(job.groups * job.filters * count_)]) {
    std::int64_t blocks = (job.filters + block - 1) / block;
    parallel_for(job.groups * blocks, 1 + worth_a_thread(1 << 15) / (block * count_ + 1),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i)
                     pack(job, i / blocks, i % blocks * block);
                 });
  }

  std::int64_t count() const { return count_; }  // of taps, over all channels
  const T* weights(std::int64_t filter) const { return weights_.get() + filter * count_; }

  // Finds where the taps are in a sheet of so many rows of windows, and what vectors cover them.
  void place_taps(const Sheet& sheet, std::int64_t channels, std::int64_t height,
                  std::int64_t lanes) {
    height_ = std::min(height, pass.rows);
    cover_.emplace(height_, pass.columns, sheet.pitch(), lanes);
    taps_.reserve(static_cast<std::size_t>(count_));
    for (std::int64_t c = 0; c < channels; ++c)
      for (std::size_t row : pass.row_taps)
        for (std::size_t column : pass.column_taps)
          taps_.push_back(c * sheet.plane(height) + sheet.place(row, column, height));
  }
  const std::int64_t* taps() const { return taps_.data(); }
  std::int64_t height() const { return height_; }  // of a band that is not the last one
  const Cover& cover() const { return *cover_; }   // of such a band

  const SlidePass& pass;

 private:
  // The weights of a block, tap by tap.
  void pack(const SlideJob<T>& job, std::int64_t group, std::int64_t first) {
    std::int64_t size = std::min(block_, job.filters - first);
    T* to = weights_.get() + (group * job.filters + first) * count_;
    const T* from = job.weights + group * job.group_step + first * job.filter_step;
    if (all_taps_ && job.channel_step == in_channel_)
      return transpose_weights(from, job.filter_step, to, size, count_, size);
    for (std::int64_t c = 0; c < job.channels; ++c, from += job.channel_step) {
      if (all_taps_)
        transpose_weights(from, job.filter_step, to, size, in_channel_, size);
      else
        pick(job, from, to, size);
      to += in_channel_ * size;
    }
  }

  void pick(const SlideJob<T>& job, const T* from, T* to, std::int64_t size) const {
    for (std::size_t row : pass.row_taps)
      for (std::size_t column : pass.column_taps) {
        std::int64_t tap = static_cast<std::int64_t>(row) * job.row_step;
        tap += static_cast<std::int64_t>(column);
        for (std::int64_t f = 0; f < size; ++f) *to++ = from[f * job.filter_step + tap];
      }
  }

  std::int64_t in_channel_;  // taps
  bool all_taps_;            // in their order
  std::int64_t block_;       // filters of a tile
  std::int64_t count_;
  std::unique_ptr<T[]> weights_;
  std::vector<std::int64_t> taps_;
  std::int64_t height_ = 0;
  std::optional<Cover> cover_;
};

template <class T>
class Slider {
 public:
  Slider(const SlideJob<T>& job, const Sheet& sheet, const std::vector<SlidePass>& passes)
      : job_(job),
        sheet_(sheet),
        kernels_(window_kernels<T>()),
        block_(even_part(job.filters, kernels_.filters)) {
    for (const SlidePass& pass : passes) {
      ready_.emplace_back(job, pass, sheet, block_);
      rows_ = std::max(rows_, pass.rows);
    }
    std::int64_t row_bytes = job.channels * sheet.row() * static_cast<std::int64_t>(sizeof(T));
    height_ = band_height(rows_, sheet.rows().more(), row_bytes, job.batch * job.groups);
    for (ReadyPass<T>& ready : ready_)
      ready.place_taps(sheet, job.channels, height_, kernels_.lanes);
  }

  void run() {
    std::int64_t bands = (rows_ + height_ - 1) / height_;
    std::int64_t images = job_.batch * job_.groups;
    std::int64_t numbers = job_.channels * sheet_.plane(height_) + kernels_.lanes;
    std::int64_t work = height_ * sheet_.pitch() * job_.filters * ready_[0].count();
    // Where there are few bands, parts of the filters are shared, too.
    std::int64_t blocks = (job_.filters + block_ - 1) / block_;
    std::int64_t parts = std::min(blocks / 2, kShares / (images * bands));
    std::int64_t part = even_part(job_.filters, job_.filters / std::max<std::int64_t>(parts, 1));
    part = (part + block_ - 1) / block_ * block_;
    parts = (job_.filters + part - 1) / part;
    std::int64_t least = 1 + worth_a_thread(1 << 17) * parts / (work + 1);
    parallel_for(images * bands * parts, least, [&](std::int64_t begin, std::int64_t end) {
      std::unique_ptr<T[]> memory(new T[static_cast<std::size_t>(numbers)]);
      for (std::int64_t i = begin; i < end; ++i) {
        check_interrupt();
        std::int64_t band = i / parts, first = i % parts * part;
        slide_band(band / bands, band % bands * height_,
                   {first, std::min(first + part, job_.filters)}, memory.get());
      }
    });
  }

 private:
  struct Filters {
    std::int64_t begin, end;
  };

  void slide_band(std::int64_t image, std::int64_t top, const Filters& filters, T* memory) const {
    const Sheet& sheet = sheet_;
    std::int64_t size = sheet.rows().extent() * sheet.columns().extent() * job_.channels;
    sheet.fill(job_.source + image * size, job_.channels, top, height_, memory);
    T* end = memory + job_.channels * sheet.plane(height_);
    std::fill(end, end + kernels_.lanes, T(0));  // the last vectors may reach over
    for (const ReadyPass<T>& ready : ready_) {
      std::int64_t height = std::min(height_, ready.pass.rows - top);
      if (height > 0) slide_pass(ready, image, top, height, filters, memory);
    }
  }

  void slide_pass(const ReadyPass<T>& ready, std::int64_t image, std::int64_t top,
                  std::int64_t height, const Filters& filters, const T* memory) const {
    std::optional<Cover> last;
    if (height != ready.height())
      last.emplace(height, ready.pass.columns, sheet_.pitch(), kernels_.lanes);
    const Cover& cover = last ? *last : ready.cover();
    std::int64_t group = image % job_.groups;
    SlideTile<T> tile{};
    tile.source = memory;
    tile.taps = ready.taps();
    tile.count = ready.count();
    for (std::int64_t f = filters.begin; f < filters.end; f += block_) {
      std::int64_t block = std::min(block_, filters.end - f);
      std::int64_t filter = group * job_.filters + f;
      tile.weights = ready.weights(filter);
      tile.start = job_.bias ? job_.bias + filter : nullptr;
      T* target = job_.target + (image * job_.filters + f) * job_.height * job_.width;
      slide_block(tile, cover, block, ready.pass, top, target);
    }
  }

  void slide_block(SlideTile<T>& tile, const Cover& cover, std::int64_t block,
                   const SlidePass& pass, std::int64_t top, T* target) const {
    alignas(64) T sums[kMostTile];
    tile.sums = sums;
    const auto& kernels = kernels_.slide[block - 1];
    for (std::size_t first = 0; first < cover.size();) {
      std::size_t left = cover.size() - first, vectors = std::min<std::size_t>(kMostVectors, left);
      if (left == kMostVectors + 1) vectors = 2;  // one vector alone is slow
      tile.places = cover.places() + first;
      kernels[vectors - 1](tile);
      for (std::int64_t f = 0; f < block; ++f)
        for (std::size_t v = 0; v < vectors; ++v) {
          const T* from =
              sums + (f * static_cast<std::int64_t>(vectors) + static_cast<std::int64_t>(v)) *
                         kernels_.lanes;
          put(from, cover, first + v, pass, top, target + f * job_.height * job_.width);
        }
      first += vectors;
    }
  }

  void put(const T* sums, const Cover& cover, std::size_t vector, const SlidePass& pass,
           std::int64_t top, T* plane) const {
    cover.for_each_run(vector, [&](const Run& run) {
      std::int64_t row = (top + run.row) * job_.step_down + pass.first_row;
      std::int64_t column = run.column * job_.step_across + pass.first_column;
      T* to = plane + row * job_.width + column;
      const T* from = sums + run.lane;
      if (job_.step_across == 1)
        copy_few(from, to, run.count);
      else
        for (std::int64_t i = 0; i < run.count; ++i) to[i * job_.step_across] = from[i];
    });
  }

  const SlideJob<T>& job_;
  const Sheet& sheet_;
  const WindowKernels<T>& kernels_;
  const std::int64_t block_;  // filters of a tile
  std::vector<ReadyPass<T>> ready_;
  std::int64_t rows_ = 0, height_ = 1;
};

}  // namespace

std::int64_t band_height(std::int64_t rows, std::int64_t more, std::int64_t row_bytes,
                         std::int64_t images) {
  std::int64_t fits = kSheetBytes / std::max<std::int64_t>(1, row_bytes) - more;
  std::int64_t least = std::max<std::int64_t>(4, 2 * more);  // less copies the same rows too often
  std::int64_t bands = (rows + std::max(fits, least) - 1) / std::max(fits, least);
  bands = std::max(bands, std::min((kShares + images - 1) / images, rows / least));
  bands = std::clamp<std::int64_t>(bands, 1, rows);
  return (rows + bands - 1) / bands;
}

template <class T>
void slide(const SlideJob<T>& job, const Sheet& sheet, const std::vector<SlidePass>& passes) {
  if (passes.size() == 1 && slide_few_places(job, sheet, passes[0])) return;
  Slider<T>(job, sheet, passes).run();
}

template void slide(const SlideJob<float>&, const Sheet&, const std::vector<SlidePass>&);
template void slide(const SlideJob<double>&, const Sheet&, const std::vector<SlidePass>&);

}  // namespace strider::nd
