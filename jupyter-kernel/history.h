// History requests, answered from the session's history.
#pragma once

#include <xeus/xhistory_manager.hpp>

#include "interpreter/session/session.h"

namespace strider::jupyter {

class HistoryManager : public xeus::xhistory_manager {
 public:
  explicit HistoryManager(const Session& session) : session_(session) {}

 private:
  void configure_impl() override {}
  // The session remembers what it runs.
  void store_inputs_impl(int, int, const std::string&, const std::string&) override {}
  nl::json get_tail_impl(int n, bool raw, bool output) const override;
  nl::json get_range_impl(int session, int start, int stop, bool raw, bool output) const override;
  nl::json search_impl(const std::string& pattern, bool raw, bool output, int n,
                       bool unique) const override;

  const Session& session_;
};

}  // namespace strider::jupyter
