// Arranges elements on a GPU by ready-made kernels.
#pragma once

#include "kernels/backend/arranger.h"
#include "kernels/backend/cuda/precompiled/queue.h"

namespace strider::nd::cuda {

class CudaDevice;

class CudaArranger : public Arranger {
 public:
  explicit CudaArranger(CudaDevice& device) : device_(device) {}

  bool gather(const std::byte* base, const Places& places, std::byte* packed) override;
  bool scatter(std::byte* base, const Places& places, const std::byte* packed,
               bool repeat_one) override;
  bool choose(const std::uint8_t* mask, std::int64_t size, const std::byte* values, int item,
              std::int64_t count, std::byte* chosen) override;
  bool list(const std::uint8_t* mask, std::int64_t size, std::int64_t count,
            std::int64_t* positions) override;
  bool sort(DType dtype, std::byte* values, Lines lines) override;
  bool order(DType dtype, const std::byte* values, Lines lines, std::int64_t* order) override;
  bool search(DType dtype, const std::byte* sorted, std::int64_t size, const std::byte* values,
              std::int64_t count, bool right, std::int64_t* places) override;
  bool count(const std::int64_t* values, std::int64_t count, std::int64_t* counts,
             std::int64_t bins) override;
  bool add_runs(const double* values, const std::int64_t* starts, std::int64_t runs,
                double* sums) override;

 private:
  Queue queue();

  CudaDevice& device_;
};

}  // namespace strider::nd::cuda
