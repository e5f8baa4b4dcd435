// Interpreter: requests as xeus hands them over, answered by the session.
#pragma once

#include <xeus/xinterpreter.hpp>

#include "interpreter/session/session.h"
#include "jupyter-kernel/notebook_front.h"

namespace strider::jupyter {

class Interpreter : public xeus::xinterpreter {
 public:
  Interpreter(Session& session, NotebookFront& front) : session_(session), front_(front) {}

 private:
  void configure_impl() override {}
  nl::json execute_request_impl(int number, const std::string& code, bool silent, bool kept,
                                nl::json expressions, bool allow_stdin) override;
  nl::json complete_request_impl(const std::string& code, int cursor) override;
  nl::json inspect_request_impl(const std::string& code, int cursor, int detail) override;
  nl::json is_complete_request_impl(const std::string& code) override;
  nl::json kernel_info_request_impl() override;  // also on the control thread
  void shutdown_request_impl() override {}       // the server's owner ends what runs

  nl::json reply_to(const Outcome& outcome, bool silent, const nl::json& expressions);
  nl::json values_of(const nl::json& expressions);

  Session& session_;
  NotebookFront& front_;
};

}  // namespace strider::jupyter
