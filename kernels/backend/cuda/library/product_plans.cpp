// What is asked of an algorithm: that its bits repeat, and that it does with so much memory.
#include "kernels/backend/cuda/library/product_plans.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/backend/cuda/workspace.h"

namespace strider::nd::cuda {
namespace {

constexpr const char* kFile = "libcublasLt.so.13";
// Shapes that are kept, bytes that an algorithm may take, and the largest alignment that matters.
constexpr std::size_t kMostPlans = 64;
constexpr std::size_t kMostSpace = std::size_t{32} << 20;
constexpr std::uintptr_t kMostAligned = 256;

bool is_wanted() {
  const char* text = std::getenv("STRIDER_CUBLASLT");
  return text && std::strcmp(text, "1") == 0;
}

std::uint32_t alignment_of(const std::byte* a, const std::byte* b, const std::byte* c) {
  std::uintptr_t bits = kMostAligned;
  for (const std::byte* each : {a, b, c}) bits |= reinterpret_cast<std::uintptr_t>(each);
  return static_cast<std::uint32_t>(bits & -bits);
}

}  // namespace

// The descriptors of a product and the algorithm for it.
class ProductPlans::Plan {
 public:
  Plan(const Functions& functions, cublasLtHandle_t handle, const ColumnProduct& asked)
      : product(asked), functions_(functions) {
    good_ = describe() && choose(handle);
  }
  Plan(const Plan&) = delete;
  ~Plan() {
    if (operation_) functions_.destroy_product(operation_);
    for (cublasLtMatrixLayout_t layout : layouts_) {
      if (layout) functions_.destroy_layout(layout);
    }
  }

  bool run(cublasLtHandle_t handle, CudaDevice& device, const Elements& elements,
           const std::byte* left, const std::byte* right, std::byte* out) {
    if (!good_) return false;
    const Factor one(1), zero(0);
    Workspace space(device, chosen_.workspaceSize);
    device.activate();
    cublasStatus_t status =
        functions_.multiply(handle, operation_, one.as(elements), left, layouts_[0], right,
                            layouts_[1], zero.as(elements), out, layouts_[2], out, layouts_[2],
                            &chosen_.algo, space.start(), chosen_.workspaceSize, device.stream());
    good_ = status == CUBLAS_STATUS_SUCCESS;
    return good_;
  }

  const ColumnProduct product;

 private:
  template <class T>
  bool set_product(cublasLtMatmulDescAttributes_t attribute, T value) {
    return functions_.set_product(operation_, attribute, &value, sizeof value) ==
           CUBLAS_STATUS_SUCCESS;
  }

  bool describe() {
    auto operation = [](bool turned) { return turned ? CUBLAS_OP_T : CUBLAS_OP_N; };
    bool made = functions_.create_product(&operation_, product.compute, product.type) ==
                CUBLAS_STATUS_SUCCESS;
    const ColumnProduct::Matrix out{false, product.m, product.m * product.n};
    return made && set_product(CUBLASLT_MATMUL_DESC_TRANSA, operation(product.left.turned)) &&
           set_product(CUBLASLT_MATMUL_DESC_TRANSB, operation(product.right.turned)) &&
           describe(layouts_[0], product.m, product.k, product.left) &&
           describe(layouts_[1], product.k, product.n, product.right) &&
           describe(layouts_[2], product.m, product.n, out);
  }

  // A matrix that is rows by columns once it is turned.
  bool describe(cublasLtMatrixLayout_t& layout, std::int64_t rows, std::int64_t columns,
                const ColumnProduct::Matrix& matrix) {
    if (matrix.turned) std::swap(rows, columns);
    bool made = functions_.create_layout(&layout, product.type, static_cast<std::uint64_t>(rows),
                                         static_cast<std::uint64_t>(columns),
                                         matrix.leading) == CUBLAS_STATUS_SUCCESS;
    if (!made || product.count == 1) return made;
    auto count = static_cast<std::int32_t>(product.count);
    return functions_.set_layout(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                 sizeof count) == CUBLAS_STATUS_SUCCESS &&
           functions_.set_layout(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &matrix.step,
                                 sizeof matrix.step) == CUBLAS_STATUS_SUCCESS;
  }

  bool choose(cublasLtHandle_t handle) {
    cublasLtMatmulPreference_t preference = nullptr;
    if (functions_.create_preference(&preference) != CUBLAS_STATUS_SUCCESS) return false;
    auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
      return functions_.set_preference(preference, attribute, &value, sizeof value) ==
             CUBLAS_STATUS_SUCCESS;
    };
    constexpr std::uint32_t kRepeating =
        CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE | CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
    int found = 0;
    bool good =
        prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{kMostSpace}) &&
        prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, kRepeating) &&
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, product.alignment) &&
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, product.alignment) &&
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, product.alignment) &&
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, product.alignment) &&
        functions_.suggest(handle, operation_, layouts_[0], layouts_[1], layouts_[2], layouts_[2],
                           preference, 1, &chosen_, &found) == CUBLAS_STATUS_SUCCESS;
    functions_.destroy_preference(preference);
    return good && found > 0 && chosen_.state == CUBLAS_STATUS_SUCCESS;
  }

  const Functions& functions_;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t layouts_[3] = {};  // left, right, out
  cublasLtMatmulHeuristicResult_t chosen_ = {};
  bool good_ = false;
};

bool ProductPlans::Functions::find_all(const ToolkitLibrary& library) {
  bool all = true;
  auto find = [&](const char* name, auto*& function) {
    library.find(name, function);
    all = all && function;
  };
  find("cublasLtCreate", create);
  find("cublasLtMatmul", multiply);
  find("cublasLtMatmulAlgoGetHeuristic", suggest);
  find("cublasLtMatmulDescCreate", create_product);
  find("cublasLtMatmulDescSetAttribute", set_product);
  find("cublasLtMatmulDescDestroy", destroy_product);
  find("cublasLtMatrixLayoutCreate", create_layout);
  find("cublasLtMatrixLayoutSetAttribute", set_layout);
  find("cublasLtMatrixLayoutDestroy", destroy_layout);
  find("cublasLtMatmulPreferenceCreate", create_preference);
  find("cublasLtMatmulPreferenceSetAttribute", set_preference);
  find("cublasLtMatmulPreferenceDestroy", destroy_preference);
  return all;
}

ProductPlans::ProductPlans(CudaDevice& device) : device_(device) {
  if (!is_wanted()) return;
  library_ = std::make_unique<ToolkitLibrary>(kFile);
  if (!library_->is_open() || !functions_.find_all(*library_)) return;
  device_.activate();
  if (functions_.create(&handle_) != CUBLAS_STATUS_SUCCESS) handle_ = nullptr;
}

ProductPlans::~ProductPlans() = default;

ProductPlans::Plan& ProductPlans::find(const ColumnProduct& product) {
  auto found = std::find_if(plans_.begin(), plans_.end(),
                            [&](const Plan& plan) { return plan.product == product; });
  if (found != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, found);
    return plans_.front();
  }
  if (plans_.size() == kMostPlans) plans_.pop_back();
  return plans_.emplace_front(functions_, handle_, product);
}

bool ProductPlans::multiply(ColumnProduct product, const Elements& elements, const std::byte* left,
                            const std::byte* right, std::byte* out) {
  if (!is_open()) return false;
  product.alignment = alignment_of(left, right, out);
  return find(product).run(handle_, device_, elements, left, right, out);
}

}  // namespace strider::nd::cuda
