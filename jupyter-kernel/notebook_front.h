// NotebookFront: what a program shows and asks, as messages of the request that runs it.
#pragma once

#include <optional>
#include <string>
#include <xeus/xmessage.hpp>

#include "interpreter/runtime/program/front.h"

namespace xeus {
class xinterpreter;
}

namespace strider::jupyter {

class Server;

// The forms by type, as messages hold them.
nl::json data_of(const MimeBundle& bundle);
nl::json metadata_of(const MimeBundle& bundle);

class NotebookFront : public Front {
 public:
  // Once, before anything is shown.
  void connect(Server& server, xeus::xinterpreter& messages);
  // Before each entry: whether its user may be asked.
  void begin(bool asks);
  // What the entry wants to be shown beside its output.
  nl::json take_payload() { return std::exchange(payload_, nl::json::array()); }

  bool owns_streams() const override { return true; }
  void write(Stream stream, std::string_view text) override;
  std::optional<std::string> ask(const std::string& prompt, bool hidden) override;
  void show(const MimeBundle& value, int number) override;
  void display(const MimeBundle& value, const std::string& id) override;
  void update(const MimeBundle& value, const std::string& id) override;
  void clear(bool wait) override;
  void page(const MimeBundle& text) override;
  bool shows(std::string_view type) const override;

 private:
  Server* server_ = nullptr;
  xeus::xinterpreter* messages_ = nullptr;
  bool asks_ = false;
  nl::json payload_ = nl::json::array();
};

}  // namespace strider::jupyter
