// Keeps few texts as objects, many as bytes that are packed at the end.
#include "interpreter/builtins/numpy/texts/text_maker.h"

#include <algorithm>

namespace strider::lang {

TextMaker::TextMaker(const Type* kind, std::size_t count, bool loose)
    : texts_(kind == boxed().text_dtype), loose_(loose), packs_(count > TextPool::kFew && !loose) {
  if (packs_) {
    ends_.reserve(count);
    letters_.reserve(count * 8);
  } else {
    items_.reserve(count);
  }
}

char* TextMaker::begin(std::size_t size, std::int64_t length) {
  longest_ = std::max(longest_, length);
  std::size_t first = letters_.size();
  letters_.resize(first + size);
  ends_.push_back(first + size);
  return letters_.data() + first;
}

void TextMaker::copy(const Texts& texts, std::size_t i) {
  std::string_view text;
  plain_ = texts.view(i, text) && plain_;
  add(text, texts.length(i));
}

void TextMaker::add(std::string_view text, std::int64_t length) {
  if (text.ends_with('\0')) plain_ = false;
  if (packs_) {
    longest_ = std::max(longest_, length);
    letters_.append(text);
    ends_.push_back(letters_.size());
  } else {
    items_.push_back(texts_ ? Value(make_str(text, length)) : make<Bytes>(std::string(text)));
  }
}

void TextMaker::add(std::string_view text) {
  add(text, texts_ ? count_code_points(text) : static_cast<std::int64_t>(text.size()));
}

Values TextMaker::objects() const {
  Values made;
  made.reserve(ends_.size());
  std::size_t first = 0;
  for (std::size_t end : ends_) {
    std::string_view text(letters_.data() + first, end - first);
    made.push_back(texts_ ? Value(make_str(text)) : Value(make<Bytes>(std::string(text))));
    first = end;
  }
  return made;
}

Value TextMaker::array(const nd::Dims& shape) {
  std::int64_t length = longest();
  if (length < 0) return {};
  return array(shape, text_dtype(texts_ ? *boxed().text_dtype : *boxed().bytes_dtype, length));
}

Value TextMaker::array(const nd::Dims& shape, const Value& dtype) {
  if (is_strings_dtype(dtype))
    return make_boxed(packs_ ? objects() : std::move(items_), shape, dtype);
  if (!plain_) return {};
  if (loose_) return make_boxed_over(make<TextPool>(std::move(items_), 0, texts_), shape, dtype);
  if (!packs_) return make_boxed(std::move(items_), shape, dtype);
  auto width = static_cast<std::size_t>(boxed_parts::item_size(dtype));
  if (width == 0) return {};
  if (!TextPool::packs(ends_.size(), letters_.size(), width, texts_))
    return make_boxed(objects(), shape, dtype);
  nd::Array memory = text_memory(ends_.size(), width);
  std::byte* row = memory.mutable_data();
  std::size_t first = 0;
  for (std::size_t end : ends_) {
    text_rows::write({letters_.data() + first, end - first}, texts_, row, width);
    first = end;
    row += width;
  }
  return make_packed(std::move(memory), shape, dtype);
}

}  // namespace strider::lang
