// Collector: a front that keeps what a cell shows as the outputs of a notebook (nbformat 4).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/session/session.h"

namespace strider {

using Json = nlohmann::ordered_json;

class Collector : public Front {
 public:
  // `prints`: texts go to standard output and error as well.
  explicit Collector(bool prints) : prints_(prints) {}

  // Starts a cell; its outputs go to `outputs`, which is emptied and outlives the cells.
  void begin(Json& outputs);
  void add_error(const Outcome& outcome);

  bool owns_streams() const override { return true; }
  void write(Stream stream, std::string_view text) override;
  void flush() override;
  void show(const MimeBundle& value, int number) override;
  void display(const MimeBundle& value, const std::string& id) override;
  void update(const MimeBundle& value, const std::string& id) override;
  void clear(bool wait) override;
  void page(const MimeBundle& text) override;
  bool shows(std::string_view) const override { return !prints_; }

 private:
  struct Place {  // an output that display() gave an id
    std::string id;
    Json* outputs;
    std::size_t index;
  };
  void add(Json output);
  void clear_if_due();
  void print_plain(const MimeBundle& value) const;

  bool prints_;
  bool clear_is_due_ = false;
  Json* outputs_ = nullptr;
  std::vector<Place> places_;
};

}  // namespace strider
