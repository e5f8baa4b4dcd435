// Files in memory: what is written is read back, and damage gives errors, never crashes.
#include <doctest/doctest.h>
#include <strider/nd/error.h>
#include <strider/nd/file.h>

#include <cstring>
#include <string>

using namespace strider::nd;

namespace {

Array table() { return Array::arange(0.0, 1.0, 12, DType::kFloat64).reshape(Dims{3, 4}); }

Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

bool same(const Array& a, const Array& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && tobytes(a) == tobytes(b);
}

// A small generator of reproducible damage.
class Dice {
 public:
  std::size_t roll(std::size_t sides) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % sides;
  }

 private:
  std::uint64_t state_ = 42;
};

template <class Read>
void read_damaged(const std::string& whole, Read read) {
  Dice dice;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = whole;
    for (std::size_t flips = dice.roll(4); flips > 0; --flips)
      damaged[dice.roll(damaged.size())] ^= static_cast<char>(1 << dice.roll(8));
    if (dice.roll(3) == 0) damaged.resize(dice.roll(damaged.size()));
    try {
      read(damaged);
    } catch (const Error&) {
    }
  }
}

std::string error_of(std::string_view text, const TableFormat& format = {}) {
  try {
    parse_numbers(text, DType::kFloat64, format);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("an array comes back from .npy in its own order") {
  CHECK(same(read_npy(bytes_of(npy_bytes(table()))), table()));
  Array columns = table().transpose();
  Array back = read_npy(bytes_of(npy_bytes(columns)));
  CHECK(same(back, columns));
  CHECK(back.is_f_contiguous());
}

TEST_CASE("the header is padded to 64 bytes and names dtype, order and shape") {
  std::string content = npy_bytes(table());
  CHECK(content.size() == 128 + 96);
  CHECK(content.substr(10, 61) == "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }  ");
}

TEST_CASE("big-endian numbers are turned around") {
  std::string content = npy_bytes(Array::scalar(1.0));
  content.replace(content.find("<f8"), 3, ">f8");
  std::string number = content.substr(content.size() - 8);
  content.replace(content.size() - 8, 8, std::string(number.rbegin(), number.rend()));
  CHECK(read_npy(bytes_of(content)).item().to_double() == 1.0);
}

TEST_CASE("pickled, truncated and foreign content is refused") {
  std::string content = npy_bytes(table());
  std::string pickled = content;
  pickled.replace(pickled.find("<f8"), 3, "|O8");
  CHECK_THROWS_WITH(read_npy(bytes_of(pickled)),
                    "Object arrays cannot be loaded when allow_pickle=False");
  content.resize(content.size() - 9);
  CHECK_THROWS_WITH(read_npy(bytes_of(content)),
                    "Failed to read all data for array. Expected (3, 4) = 12 elements, could only "
                    "read 10 elements. (file seems not fully written?)");
  CHECK_THROWS_AS(read_npy(bytes_of("PK")), Error);
}

TEST_CASE("archives keep several arrays, stored or compressed") {
  const NamedArray members[] = {{"a", table()}, {"b", Array::scalar(2.0)}};
  for (bool compressed : {false, true}) {
    NpzFile file = NpzFile::from_bytes(npz_bytes(members, compressed));
    CHECK(file.files() == std::vector<std::string>{"a", "b"});
    CHECK(same(file.read("a"), table()));
    CHECK(same(file.read("b.npy"), Array::scalar(2.0)));
    CHECK(!file.contains("c"));
  }
}

TEST_CASE("damaged arrays and archives give errors, never crashes") {
  read_damaged(npy_bytes(table()), [](const std::string& text) { read_npy(bytes_of(text)); });
  const NamedArray members[] = {{"a", table()}, {"b", Array::scalar(2.0)}};
  for (bool compressed : {false, true})
    read_damaged(npz_bytes(members, compressed), [](const std::string& text) {
      NpzFile file = NpzFile::from_bytes(text);
      for (const std::string& name : file.files()) file.read(name);
    });
}

TEST_CASE("text tables are cut at blanks or a delimiter") {
  Array numbers = parse_numbers("1 2.5\n# note\n3 -4e2 # more\n", DType::kFloat64);
  CHECK(numbers.shape() == Dims{2, 2});
  CHECK(numbers.as<double>()[3] == -400);
  TableFormat commas;
  commas.delimiter = ",";
  commas.use_columns = {-1};
  CHECK(parse_numbers("1, 2\n3, 4", DType::kInt64, commas).as<std::int64_t>()[1] == 4);
}

TEST_CASE("bad cells and ragged rows are named") {
  CHECK(error_of("1 x") == "could not convert string 'x' to float64 at row 0, column 2.");
  CHECK(error_of("1 2\n3") ==
        "the number of columns changed from 2 to 1 at row 2; use `usecols` to select a subset and "
        "avoid this error");
  TableFormat format;
  format.use_columns = {5};
  CHECK(error_of("1 2", format) == "invalid column index 5 at row 1 with 2 columns");
}

TEST_CASE("rows are written by %-templates") {
  CHECK(format_rows(Array::scalar(1.5).reshape(Dims{1})) == "1.500000000000000000e+00\n");
  RowFormat format{{"%d", "%.1f", "%5s", "%g"}, ",", "\n"};
  CHECK(format_rows(table(), format) == "0,1.0,  2.0,3\n4,5.0,  6.0,7\n8,9.0, 10.0,11\n");
  RowFormat wrong{{"%d %d"}, ",", "\n"};
  CHECK_THROWS_WITH(format_rows(table(), wrong), "fmt has wrong number of % formats:  %d %d");
}

TEST_CASE("raw bytes become elements of the wanted type") {
  std::string bytes("\x01\x00\x02\x00", 4);
  CHECK(frombuffer(bytes_of(bytes), DType::kInt16).as<std::int16_t>()[1] == 2);
  CHECK(frombuffer(bytes_of(bytes), DType::kInt16, -1, 0, true).as<std::int16_t>()[0] == 256);
  CHECK_THROWS_WITH(frombuffer(bytes_of(bytes), DType::kInt64),
                    "buffer size must be a multiple of element size");
}

TEST_CASE("separated text stops where it no longer matches") {
  bool stopped = false;
  CHECK(fromstring("1, 2 ,3", DType::kInt64, -1, ",", &stopped).size() == 3);
  CHECK(!stopped);
  CHECK(fromstring("1, x", DType::kInt64, -1, ",", &stopped).size() == 1);
  CHECK(stopped);
}
