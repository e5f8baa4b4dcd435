// Outputs as nbformat 4.5 describes them: stream, execute_result, display_data, error.
#include "interpreter/notebook/collector.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace strider {
namespace {

// A text as notebooks keep it: a list of lines with their ends.
Json lines_of(std::string_view text) {
  Json lines = Json::array();
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(std::string(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return lines;
}

bool is_text(std::string_view type) {
  return type.starts_with("text/") || type == "image/svg+xml" || type == "application/javascript";
}

Json data_of(const MimeBundle& value) {
  Json data = Json::object();
  for (const MimeBundle::Form& form : value.forms) {
    if (is_text(form.type))
      data[form.type] = lines_of(form.data);
    else if (form.type.ends_with("json"))
      data[form.type] = Json::parse(form.data, nullptr, false);
    else
      data[form.type] = form.data;
  }
  return data;
}

Json metadata_of(const MimeBundle& value) {
  Json size = Json::object();
  if (value.width > 0) size["width"] = value.width;
  if (value.height > 0) size["height"] = value.height;
  Json metadata = Json::object();
  for (const MimeBundle::Form& form : value.forms)
    if (!size.empty() && form.type.starts_with("image/")) metadata[form.type] = size;
  return metadata;
}

Json display_output(const MimeBundle& value) {
  return {{"data", data_of(value)},
          {"metadata", metadata_of(value)},
          {"output_type", "display_data"}};
}


void print(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

}  // namespace

void Collector::begin(Json& outputs) {
  outputs = Json::array();
  outputs_ = &outputs;
  clear_is_due_ = false;
}

void Collector::add(Json output) {
  clear_if_due();
  outputs_->push_back(std::move(output));
}

void Collector::clear_if_due() {
  if (!clear_is_due_) return;
  clear_is_due_ = false;
  *outputs_ = Json::array();
  std::erase_if(places_, [&](const Place& place) { return place.outputs == outputs_; });
}

void Collector::write(Stream stream, std::string_view text) {
  if (prints_) print(stream == Stream::kOutput ? stdout : stderr, text);
  clear_if_due();
  const char* name = stream == Stream::kOutput ? "stdout" : "stderr";
  bool goes_on = !outputs_->empty() && outputs_->back()["output_type"] == "stream" &&
                 outputs_->back()["name"] == name;
  if (!goes_on)
    outputs_->push_back({{"name", name}, {"output_type", "stream"}, {"text", Json::array()}});
  Json& lines = outputs_->back()["text"];
  Json added = lines_of(text);
  bool open_line = !lines.empty() && !lines.back().get_ref<const std::string&>().ends_with('\n');
  for (Json& line : added) {
    if (open_line)
      lines.back().get_ref<std::string&>() += line.get_ref<const std::string&>();
    else
      lines.push_back(std::move(line));
    open_line = false;
  }
}

void Collector::flush() {
  if (prints_) std::fflush(stdout);
}

void Collector::print_plain(const MimeBundle& value) const {
  const std::string* text = value.find("text/plain");
  if (prints_ && text) print(stdout, *text + "\n");
}

void Collector::show(const MimeBundle& value, int number) {
  print_plain(value);
  add({{"data", data_of(value)},
       {"execution_count", number},
       {"metadata", metadata_of(value)},
       {"output_type", "execute_result"}});
}

void Collector::display(const MimeBundle& value, const std::string& id) {
  print_plain(value);
  add(display_output(value));
  if (!id.empty()) places_.push_back({id, outputs_, outputs_->size() - 1});
}

void Collector::update(const MimeBundle& value, const std::string& id) {
  for (const Place& place : places_)
    if (place.id == id) (*place.outputs)[place.index] = display_output(value);
}

void Collector::clear(bool wait) {
  clear_is_due_ = true;
  if (!wait) clear_if_due();
}

void Collector::page(const MimeBundle& text) {
  if (const std::string* plain = text.find("text/plain")) write(Stream::kOutput, *plain + "\n");
}

void Collector::add_error(const Outcome& outcome) {
  if (prints_) print(stderr, outcome.traceback);
  Json traceback = Json::array();
  std::istringstream lines(outcome.traceback);
  for (std::string line; std::getline(lines, line);) traceback.push_back(line);
  add({{"ename", outcome.kind},
       {"evalue", outcome.message},
       {"output_type", "error"},
       {"traceback", std::move(traceback)}});
}

}  // namespace strider
