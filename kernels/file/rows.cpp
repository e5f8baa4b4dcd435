// Rows of numbers as text: numpy.savetxt and ndarray.tofile with a separator.
#include <strider/nd/error.h>
#include <strider/nd/file.h>
#include <strider/nd/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/file/percent.h"

namespace strider::nd {
namespace {

using file::PercentTemplate;

std::string join(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i ? separator : "") + parts[i];
  return text;
}

std::string list_text(const std::vector<std::string>& formats) {
  std::string text = "[";
  for (std::size_t i = 0; i < formats.size(); ++i) text += (i ? ", '" : "'") + formats[i] + "'";
  return text + "]";
}

// One template for a whole row of `columns` numbers.
std::string row_template(const RowFormat& format, std::int64_t columns, bool complex) {
  auto width = static_cast<std::size_t>(columns);
  if (format.formats.size() != 1) {
    if (format.formats.size() != width)
      throw Error(ErrorKind::kValue, "fmt has wrong shape.  " + list_text(format.formats));
    return join(format.formats, format.delimiter);
  }
  const std::string& one = format.formats[0];
  auto count = std::count(one.begin(), one.end(), '%');
  if (count == 1) {
    std::string cell = complex ? " (" + one + "+" + one + "j)" : one;
    return join(std::vector<std::string>(width, cell), format.delimiter);
  }
  if (count != (complex ? 2 : 1) * columns)
    throw Error(ErrorKind::kValue, "fmt has wrong number of % formats:  " + one);
  return one;
}

// The scalars that fill one row's template.
void load_row(const Array& row, std::vector<Scalar>& values) {
  values.clear();
  const std::byte* data = row.data();
  int size = item_size(row.dtype());
  DType part = real_of(row.dtype());
  for (std::int64_t i = 0; i < row.size(); ++i, data += size) {
    values.emplace_back(part, data);
    if (is_complex(row.dtype())) values.emplace_back(part, data + size / 2);
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// What ndarray.item() would be: Python's own float, int, bool or complex.
Scalar widened(const Scalar& value) {
  if (is_floating(value.dtype())) return value.as(DType::kFloat64);
  return is_complex(value.dtype()) ? value.as(DType::kComplex128) : value;
}

}  // namespace

std::string format_rows(const Array& array, const RowFormat& format) {
  if (array.rank() == 0 || array.rank() > 2)
    throw Error(ErrorKind::kValue,
                "Expected 1D or 2D array, got " + std::to_string(array.rank()) + "D array instead");
  std::int64_t rows = array.shape()[0];
  std::int64_t columns = array.rank() == 2 ? array.shape()[1] : 1;
  Array table = array.contiguous().reshape(Dims{rows, columns});
  bool complex = is_complex(array.dtype());
  std::string text = row_template(format, columns, complex);
  PercentTemplate row_format(text);
  std::string out;
  std::vector<Scalar> values;
  std::int64_t row_bytes = columns * item_size(array.dtype());
  for (std::int64_t row = 0; row < rows; ++row) {
    load_row(table.view(Dims{columns}, Dims{item_size(array.dtype())}, row * row_bytes), values);
    if (row_format.slots() != static_cast<int>(values.size()))
      throw Error(ErrorKind::kType, "not all arguments converted during string formatting");
    std::size_t begin = out.size();
    if (!row_format.append(out, values.data()))
      throw Error(ErrorKind::kType, "Mismatch between array dtype ('" +
                                        std::string(name(array.dtype())) +
                                        "') and format specifier ('" + text + "')");
    if (complex) {
      std::string line = out.substr(begin);
      replace_all(line, "+-", "-");
      out.replace(begin, std::string::npos, line);
    }
    out += format.newline;
  }
  return out;
}

void tofile(const Array& array, const std::string& path, std::string_view separator,
            std::string_view format) {
  if (separator.empty()) {
    write_file(path, tobytes(array));
    return;
  }
  PercentTemplate item_format(format.empty() ? "%s" : format);
  Array flat = array.contiguous();
  const std::byte* data = flat.size() > 0 ? flat.data() : nullptr;
  std::string out;
  for (std::int64_t i = 0; i < flat.size(); ++i) {
    if (i > 0) out += separator;
    Scalar value = widened(Scalar(flat.dtype(), data + i * item_size(flat.dtype())));
    if (item_format.slots() != 1 || !item_format.append(out, &value))
      throw Error(ErrorKind::kType, "not all arguments converted during string formatting");
  }
  write_file(path, out);
}

}  // namespace strider::nd
