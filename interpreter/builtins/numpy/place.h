// Places of the running program, as the array library keeps them.
#pragma once

#include <strider/nd/place.h>

#include <memory>
#include <string>

#include "interpreter/syntax/source.h"

namespace strider::lang {

// A source that places are in, and the name of the module it belongs to.
class SourceText final : public nd::ProgramText {
 public:
  SourceText(std::shared_ptr<const syntax::Source> source, std::string module);
  const std::string& file() const override { return source_->file_name(); }
  int line_at(std::uint32_t offset) const override { return source_->line_of(offset); }
  const syntax::Source& source() const { return *source_; }
  const std::string& module() const { return module_; }
  // Whether it is one of the library's own npx files.
  bool is_library() const { return library_; }

 private:
  std::shared_ptr<const syntax::Source> source_;
  std::string module_;
  bool library_;
};

// Where the program is, outside the library's own npx files; its text is a SourceText.
nd::Place running_place();

}  // namespace strider::lang
