// Front: where a program's values and output are shown and its user is asked, beyond what a script
// has. Fronts (the prompt, the notebook kernel) implement it; the language calls it, always from
// the thread that runs the program. Knows nothing of values: they come as texts by MIME type.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strider {

// One value in several forms; whoever shows it takes the richest form that it can.
struct MimeBundle {
  struct Form {
    std::string type;  // "text/plain", which every bundle has; "text/html", "image/png", …
    std::string data;  // UTF-8; binary forms are in base64 without newlines
  };
  std::vector<Form> forms;
  int width = 0, height = 0;  // of an image, in pixels; 0: its own

  const std::string* find(std::string_view type) const {
    for (const Form& form : forms)
      if (form.type == type) return &form.data;
    return nullptr;
  }
};

class Front {
 public:
  enum class Stream { kOutput, kError };

  virtual ~Front() = default;

  // Whether sys.stdout, sys.stderr and input() go through write() and ask(); otherwise they are the
  // descriptors of the process.
  virtual bool owns_streams() const { return false; }
  // Printed text as it comes; the front decides when it is seen, but keeps the order of all calls.
  virtual void write(Stream, std::string_view) {}
  virtual void flush() {}
  // A line from the user without its newline, or nothing where input has ended or nobody can be
  // asked. `hidden` is for passwords. May return early, with anything, after an interrupt.
  virtual std::optional<std::string> ask(const std::string& /*prompt*/, bool /*hidden*/) {
    return std::nullopt;
  }

  // The value of entry `number`.
  virtual void show(const MimeBundle& value, int number) = 0;
  // display(). An `id` that is not empty can be updated later.
  virtual void display(const MimeBundle& value, const std::string& id) = 0;
  virtual void update(const MimeBundle& value, const std::string& id) = 0;
  // Takes away what the running entry has shown: now, or when it shows the next thing.
  virtual void clear(bool wait) = 0;
  // Documentation and other long texts that are asked for, beside the output.
  virtual void page(const MimeBundle& text) = 0;
  // Whether a form of this type would be seen as more than text.
  virtual bool shows(std::string_view type) const = 0;
};

}  // namespace strider
