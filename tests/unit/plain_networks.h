// What a backend does for neural networks, as its contract says it, in loops over float64. Knows no
// backend.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/backend/networks.h"

namespace strider::nd::plain {

using Numbers = std::vector<double>;

inline std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// Calls use(index of x, of w, of y) for everything that is multiplied.
template <class Use>
void for_products(const Convolution& c, Use&& use) {
  std::int64_t rows = c.rows.places(), columns = c.columns.places();
  std::int64_t seen = c.channels / c.groups, own = c.filters / c.groups;
  for (std::int64_t n = 0; n < c.batch; ++n)
    for (std::int64_t f = 0; f < c.filters; ++f)
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
          for (std::int64_t k = 0; k < seen; ++k)
            for (std::int64_t u = 0; u < c.rows.size; ++u)
              for (std::int64_t v = 0; v < c.columns.size; ++v) {
                std::int64_t row = i * c.rows.stride - c.rows.before + u * c.rows.dilation;
                std::int64_t column =
                    j * c.columns.stride - c.columns.before + v * c.columns.dilation;
                if (row < 0 || row >= c.rows.extent || column < 0 || column >= c.columns.extent)
                  continue;
                std::int64_t channel = f / own * seen + k;
                use(((n * c.channels + channel) * c.rows.extent + row) * c.columns.extent + column,
                    ((f * seen + k) * c.rows.size + u) * c.columns.size + v,
                    ((n * c.filters + f) * rows + i) * columns + j);
              }
}

inline std::size_t images_size(const Convolution& c) {
  return at(c.batch * c.channels * c.rows.extent * c.columns.extent);
}
inline std::size_t weights_size(const Convolution& c) {
  return at(c.filters * (c.channels / c.groups) * c.rows.size * c.columns.size);
}
inline std::size_t results_size(const Convolution& c) {
  return at(c.batch * c.filters * c.rows.places() * c.columns.places());
}

// Calls use(window's index, index in x) for all elements of all windows, both in their order.
template <class Use>
void for_windows(const Pooling& p, Use&& use) {
  for (std::int64_t plane = 0; plane < p.planes; ++plane)
    for (std::int64_t i = 0; i < p.rows.places(); ++i)
      for (std::int64_t j = 0; j < p.columns.places(); ++j)
        for (std::int64_t u = 0; u < p.rows.size; ++u)
          for (std::int64_t v = 0; v < p.columns.size; ++v) {
            std::int64_t row = i * p.rows.stride - p.rows.before + u;
            std::int64_t column = j * p.columns.stride - p.columns.before + v;
            if (row < 0 || row >= p.rows.extent || column < 0 || column >= p.columns.extent)
              continue;
            use((plane * p.rows.places() + i) * p.columns.places() + j,
                (plane * p.rows.extent + row) * p.columns.extent + column);
          }
}

inline std::size_t windows_count(const Pooling& p) {
  return at(p.planes * p.rows.places() * p.columns.places());
}
inline std::size_t elements_count(const Pooling& p) {
  return at(p.planes * p.rows.extent * p.columns.extent);
}

// For each window the place of its maximum, or by what its sum is divided.
inline std::vector<std::int64_t> maxima(const Pooling& p, const Numbers& x) {
  std::vector<std::int64_t> found(windows_count(p), -1);
  for_windows(p, [&](std::int64_t window, std::int64_t element) {
    std::int64_t& best = found[at(window)];
    double value = x[at(element)], most = best < 0 ? 0 : x[at(best)];
    if (best < 0 || value > most || (std::isnan(value) && !std::isnan(most))) best = element;
  });
  return found;
}
inline Numbers divisors(const Pooling& p) {
  auto whole = static_cast<double>(p.rows.size * p.columns.size);
  Numbers found(windows_count(p), p.kind == PoolKind::kAverage ? whole : 0.0);
  if (p.kind == PoolKind::kAverageInside)
    for_windows(p, [&](std::int64_t window, std::int64_t) { ++found[at(window)]; });
  return found;
}

inline Numbers pool(const Pooling& p, const Numbers& x) {
  Numbers y(windows_count(p), 0.0);
  if (p.kind == PoolKind::kMaximum) {
    std::vector<std::int64_t> places = maxima(p, x);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[at(places[i])];
    return y;
  }
  Numbers by = divisors(p);
  for_windows(p, [&](std::int64_t w, std::int64_t e) { y[at(w)] += x[at(e)] / by[at(w)]; });
  return y;
}

inline Numbers pool_gradient(const Pooling& p, const Numbers& dy, const Numbers& x) {
  Numbers dx(elements_count(p), 0.0);
  if (p.kind == PoolKind::kMaximum) {
    std::vector<std::int64_t> places = maxima(p, x);
    for (std::size_t i = 0; i < dy.size(); ++i) dx[at(places[i])] += dy[i];
    return dx;
  }
  Numbers by = divisors(p);
  for_windows(p, [&](std::int64_t w, std::int64_t e) { dx[at(e)] += dy[at(w)] / by[at(w)]; });
  return dx;
}

// Calls use(element, element of its window).
template <class Use>
void for_neighbours(const ResponseNorm& r, Use&& use) {
  for (std::int64_t n = 0; n < r.batch; ++n)
    for (std::int64_t c = 0; c < r.channels; ++c)
      for (std::int64_t d = std::max<std::int64_t>(0, c - (r.size - 1) / 2);
           d <= std::min(r.channels - 1, c + r.size / 2); ++d)
        for (std::int64_t i = 0; i < r.inner; ++i)
          use((n * r.channels + c) * r.inner + i, (n * r.channels + d) * r.inner + i);
}

inline Numbers scales(const ResponseNorm& r, const Numbers& x) {
  Numbers found(x.size(), r.k);
  double factor = r.alpha / static_cast<double>(r.size);
  for_neighbours(
      r, [&](std::int64_t i, std::int64_t j) { found[at(i)] += factor * x[at(j)] * x[at(j)]; });
  return found;
}

inline Numbers normalize(const ResponseNorm& r, const Numbers& x) {
  Numbers y = x, by = scales(r, x);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] /= std::pow(by[i], r.beta);
  return y;
}

inline Numbers normalize_gradient(const ResponseNorm& r, const Numbers& dy, const Numbers& x) {
  Numbers dx(x.size(), 0.0), by = scales(r, x);
  double factor = r.alpha / static_cast<double>(r.size);
  for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = dy[i] / std::pow(by[i], r.beta);
  for_neighbours(r, [&](std::int64_t i, std::int64_t j) {
    dx[at(j)] -=
        2 * factor * r.beta * x[at(i)] * x[at(j)] * dy[at(i)] / std::pow(by[at(i)], r.beta + 1);
  });
  return dx;
}

// An LSTM and the gradients by all that goes in.
struct Lstm {
  Recurrent sizes;
  Numbers x, h, c, w_x, w_h, b;        // in
  Numbers y, last_h, last_c;           // out
  Numbers gates, cells;                // of each step
  Numbers dx, dh, dc, dw_x, dw_h, db;  // in of the gradient: dy, and of the last h and c

  void run() {
    auto [steps, batch, inputs, hidden] = sizes;
    y.assign(at(steps * batch * hidden), 0);
    gates.assign(at(steps * batch * 4 * hidden), 0);
    cells = y;
    last_h = h, last_c = c;
    for (std::int64_t t = 0; t < steps; ++t)
      for (std::int64_t n = 0; n < batch; ++n) {
        double* gate = &gates[at((t * batch + n) * 4 * hidden)];
        for (std::int64_t k = 0; k < 4 * hidden; ++k) {
          double sum = b[at(k)];
          for (std::int64_t i = 0; i < inputs; ++i)
            sum += w_x[at(k * inputs + i)] * x[at((t * batch + n) * inputs + i)];
          for (std::int64_t i = 0; i < hidden; ++i)
            sum += w_h[at(k * hidden + i)] * last_h[at(n * hidden + i)];
          gate[k] = k / hidden == 2 ? std::tanh(sum) : 1 / (1 + std::exp(-sum));
        }
        for (std::int64_t k = 0; k < hidden; ++k) {
          double& cell = last_c[at(n * hidden + k)];
          cell = gate[hidden + k] * cell + gate[k] * gate[2 * hidden + k];
          cells[at((t * batch + n) * hidden + k)] = cell;
          y[at((t * batch + n) * hidden + k)] = gate[3 * hidden + k] * std::tanh(cell);
        }
        std::copy_n(&y[at((t * batch + n) * hidden)], hidden, &last_h[at(n * hidden)]);
      }
  }

  void differentiate(const Numbers& dy, const Numbers& d_last_h, const Numbers& d_last_c) {
    auto [steps, batch, inputs, hidden] = sizes;
    dx.assign(x.size(), 0), dw_x.assign(w_x.size(), 0), dw_h.assign(w_h.size(), 0);
    db.assign(b.size(), 0), dh = d_last_h, dc = d_last_c;
    for (std::int64_t t = steps - 1; t >= 0; --t)
      for (std::int64_t n = 0; n < batch; ++n) {
        const double* gate = &gates[at((t * batch + n) * 4 * hidden)];
        const double* before_c =
            t ? &cells[at(((t - 1) * batch + n) * hidden)] : &c[at(n * hidden)];
        const double* before_h = t ? &y[at(((t - 1) * batch + n) * hidden)] : &h[at(n * hidden)];
        Numbers raw(at(4 * hidden));
        for (std::int64_t k = 0; k < hidden; ++k) {
          double i = gate[k], f = gate[hidden + k], g = gate[2 * hidden + k];
          double o = gate[3 * hidden + k];
          double bent = std::tanh(cells[at((t * batch + n) * hidden + k)]);
          double d_h = dh[at(n * hidden + k)] + dy[at((t * batch + n) * hidden + k)];
          double d_c = dc[at(n * hidden + k)] + d_h * o * (1 - bent * bent);
          raw[at(k)] = d_c * g * i * (1 - i);
          raw[at(hidden + k)] = d_c * before_c[k] * f * (1 - f);
          raw[at(2 * hidden + k)] = d_c * i * (1 - g * g);
          raw[at(3 * hidden + k)] = d_h * bent * o * (1 - o);
          dc[at(n * hidden + k)] = d_c * f;
        }
        for (std::int64_t k = 0; k < hidden; ++k) dh[at(n * hidden + k)] = 0;
        for (std::int64_t k = 0; k < 4 * hidden; ++k) {
          db[at(k)] += raw[at(k)];
          for (std::int64_t i = 0; i < inputs; ++i) {
            dx[at((t * batch + n) * inputs + i)] += raw[at(k)] * w_x[at(k * inputs + i)];
            dw_x[at(k * inputs + i)] += raw[at(k)] * x[at((t * batch + n) * inputs + i)];
          }
          for (std::int64_t i = 0; i < hidden; ++i) {
            dh[at(n * hidden + i)] += raw[at(k)] * w_h[at(k * hidden + i)];
            dw_h[at(k * hidden + i)] += raw[at(k)] * before_h[i];
          }
        }
      }
  }
};

}  // namespace strider::nd::plain
