// Finding the running place takes a few nanoseconds: what is known of a source is kept in a small
// table.
#include "interpreter/builtins/numpy/place.h"

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/interpreter.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// The sources that were asked for last; each is alive while it stands here.
class RecentTexts {
 public:
  ~RecentTexts() {
    for (SourceText* text : texts_) {
      if (text) text->release();
    }
  }
  SourceText& find(const Frame& frame) {
    const syntax::Source* source = frame.code->source.get();
    SourceText*& text = texts_[reinterpret_cast<std::uintptr_t>(source) / 64 % kCount];
    if (!text || &text->source() != source) [[unlikely]]
      replace(text, frame);
    return *text;
  }

 private:
  static constexpr std::size_t kCount = 16;

  static void replace(SourceText*& text, const Frame& frame) {
    Value* name = frame.globals ? frame.globals->find(names().name) : nullptr;
    bool named = name && is_str(*name);
    auto* found = new SourceText(frame.code->source, named ? std::string(text_of(*name)) : "sys");
    if (text) text->release();
    text = found;
  }

  SourceText* texts_[kCount] = {};
};

}  // namespace

SourceText::SourceText(std::shared_ptr<const syntax::Source> source, std::string module)
    : source_(std::move(source)),
      module_(std::move(module)),
      library_(source_->file_name().starts_with("<stdlib>")) {}

nd::Place running_place() {
  thread_local RecentTexts recent;
  if (!Interpreter::exists()) return nd::Place();
  const Frame* frame = Interpreter::current().frame;
  while (frame && frame->code && frame->code->source) {
    SourceText& text = recent.find(*frame);
    if (!text.is_library() || !frame->caller) {
      return nd::Place(text, frame->at ? frame->at->span.begin : 0);
    }
    frame = frame->caller;
  }
  return nd::Place();
}

}  // namespace strider::lang
