// The module numpy.linalg: its native cores; what checks arguments around them is written in npx.
#include <strider/nd/linalg.h>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr char kPackage[] = "numpy.linalg";

Value wrap_pair(nd::Array first, nd::Array second) {
  return make_tuple({wrap_result(std::move(first)), wrap_result(std::move(second))});
}

Value solve(const Parameters& p) { return wrap(nd::solve(to_array(p[0]), to_array(p[1]))); }

Value inv(const Parameters& p) { return wrap(nd::inv(to_array(p[0]))); }

Value det(const Parameters& p) { return wrap_result(nd::det(to_array(p[0]))); }

Value slogdet(const Parameters& p) {
  nd::SignedLogarithm result = nd::slogdet(to_array(p[0]));
  return wrap_pair(result.sign, result.logarithm);
}

Value cholesky(const Parameters& p) { return wrap(nd::cholesky(to_array(p[0]), truth(p[1]))); }

nd::QrMode to_qr_mode(const Value& value) {
  std::string_view text = to_text(value, "mode");
  if (text == "reduced") return nd::QrMode::kReduced;
  if (text == "complete") return nd::QrMode::kComplete;
  if (text == "r") return nd::QrMode::kR;
  if (text == "raw") return nd::QrMode::kRaw;
  raise(errors::ValueError, "Unrecognized mode '{}'", text);
}

Value qr(const Parameters& p) {
  nd::QrMode mode = to_qr_mode(p[1]);
  nd::Qr result = nd::qr(to_array(p[0]), mode);
  if (mode == nd::QrMode::kR) return wrap(result.r);
  return make_tuple({wrap(result.q), wrap(result.r)});
}

Value svd(const Parameters& p) {
  bool vectors = truth(p[2]);
  nd::Svd result = nd::svd(to_array(p[0]), truth(p[1]), vectors);
  if (!vectors) return wrap(result.s);
  return array_tuple({result.u, result.s, result.vh});
}

Value wrap_eigen(const nd::Eigen& result, bool vectors) {
  if (!vectors) return wrap(result.values);
  return make_tuple({wrap(result.values), wrap(result.vectors)});
}

Value eigh(const Parameters& p) {
  bool lower = to_text(p[1], "UPLO") == "L", vectors = truth(p[2]);
  return wrap_eigen(nd::eigh(to_array(p[0]), lower, vectors), vectors);
}

Value eig(const Parameters& p) {
  bool vectors = truth(p[1]);
  return wrap_eigen(nd::eig(to_array(p[0]), vectors), vectors);
}

Value lstsq(const Parameters& p) {
  nd::LeastSquares result = nd::lstsq(to_array(p[0]), to_array(p[1]), to_double(p[2]));
  return make_tuple(
      {wrap(result.x), wrap(result.residuals), wrap_result(result.rank), wrap(result.s)});
}

const NativeRow kFunctions[] = {
    {"_solve(a, b)", solve, "LAPACK's gesv."},
    {"_inv(a)", inv, "Inverses of square matrices."},
    {"_det(a)", det, "Determinants."},
    {"_slogdet(a)", slogdet, "Signs and logarithms of determinants."},
    {"_cholesky(a, upper=False)", cholesky, "Cholesky factors."},
    {"_qr(a, mode)", qr, "QR factors; only r with mode 'r'."},
    {"_svd(a, full_matrices, compute_uv)", svd, "Singular values, with vectors if asked for."},
    {"_eigh(a, triangle, vectors)", eigh, "Eigenvalues of Hermitian matrices."},
    {"_eig(a, vectors)", eig, "Complex eigenvalues of general matrices."},
    {"_lstsq(a, b, rcond)", lstsq, "Least squares, residuals, rank, singular values."},
};

const ConstantRow kConstants[] = {
    {"LinAlgError", [] { return Value(&linalg_error()); }},
};

Value find(Name name) { return find_in_namespace(kPackage, text_of(name)); }

void list(std::vector<std::string_view>& names) { list_namespace(kPackage, names); }

}  // namespace

const NativeModule kNumpyLinalgModule = {
    kPackage, "Linear algebra: solving, decomposing, norms.", kFunctions, kConstants, find, list};

}  // namespace strider::lang
