// Bundles and texts on their way to messages.
#include "jupyter-kernel/notebook_front.h"

#include <xeus/xinterpreter.hpp>

#include "jupyter-kernel/server.h"

namespace strider::jupyter {
namespace {

constexpr std::string_view kShown[] = {"text/html",       "text/markdown", "text/latex",
                                       "image/svg+xml",   "image/png",     "image/jpeg",
                                       "application/json", "application/javascript"};

bool is_json(std::string_view type) {
  return type == "application/json" ||
         (type.starts_with("application/") && type.ends_with("+json"));
}

Json transient_of(const std::string& id) {
  return id.empty() ? Json::object() : Json{{"display_id", id}};
}

}  // namespace

Json data_of(const MimeBundle& bundle) {
  Json data = Json::object();
  for (const MimeBundle::Form& form : bundle.forms) {
    Json parsed = is_json(form.type) ? Json::parse(form.data, nullptr, false) : Json(form.data);
    data[form.type] = parsed.is_discarded() ? Json(form.data) : std::move(parsed);
  }
  return data;
}

Json metadata_of(const MimeBundle& bundle) {
  Json metadata = Json::object();
  if (bundle.width <= 0 && bundle.height <= 0) return metadata;
  Json size = Json::object();
  if (bundle.width > 0) size["width"] = bundle.width;
  if (bundle.height > 0) size["height"] = bundle.height;
  for (const MimeBundle::Form& form : bundle.forms)
    if (form.type.starts_with("image/")) metadata[form.type] = size;
  return metadata;
}

void NotebookFront::connect(Server& server, xeus::xinterpreter& messages) {
  server_ = &server;
  messages_ = &messages;
}

void NotebookFront::begin(bool asks) {
  asks_ = asks;
  payload_ = Json::array();
}

void NotebookFront::write(Stream stream, std::string_view text) {
  if (server_) server_->print(stream == Stream::kOutput ? "stdout" : "stderr", text);
}

std::optional<std::string> NotebookFront::ask(const std::string& prompt, bool hidden) {
  if (!asks_) return std::nullopt;
  messages_->input_request(prompt, hidden);
  return server_->take_answer();
}

void NotebookFront::show(const MimeBundle& value, int number) {
  messages_->publish_execution_result(number, data_of(value), metadata_of(value));
}

void NotebookFront::display(const MimeBundle& value, const std::string& id) {
  messages_->display_data(data_of(value), metadata_of(value), transient_of(id));
}

void NotebookFront::update(const MimeBundle& value, const std::string& id) {
  messages_->update_display_data(data_of(value), metadata_of(value), transient_of(id));
}

void NotebookFront::clear(bool wait) { messages_->clear_output(wait); }

void NotebookFront::page(const MimeBundle& text) {
  payload_.push_back({{"source", "page"}, {"data", data_of(text)}, {"start", 0}});
}

bool NotebookFront::shows(std::string_view type) const {
  return std::find(std::begin(kShown), std::end(kShown), type) != std::end(kShown);
}

}  // namespace strider::jupyter
