// Replies: what the session says, in the words of Jupyter's messages.
#include "jupyter-kernel/interpreter.h"

#include <algorithm>

#include "interpreter/session/highlight.h"
#include "jupyter-kernel/text.h"

namespace strider::jupyter {
namespace {

using Json = nl::json;

Json error_content(const Outcome& outcome) {
  return {{"status", "error"},
          {"ename", outcome.kind},
          {"evalue", outcome.message},
          {"traceback", lines_of(colour_traceback(outcome.traceback))}};
}

// sys.exit(status) with a status that tells of a failure.
Outcome failed_exit(const Outcome& exit) {
  Outcome outcome = exit;
  outcome.kind = "SystemExit";
  outcome.message = exit.traceback.empty() ? std::to_string(exit.exit_code) : exit.traceback;
  outcome.traceback = "SystemExit: " + outcome.message;
  return outcome;
}

// What a value is, told beside its name where completions are listed.
std::string type_text(const Completions::Item& item) {
  return item.type == "instance" && !item.detail.empty() ? item.detail : item.type;
}

}  // namespace

Json Interpreter::execute_request_impl(int, const std::string& code, bool silent, bool kept,
                                       Json expressions, bool allow_stdin) {
  front_.begin(allow_stdin);
  EntryOptions options;
  options.silent = silent;
  options.kept = kept;
  options.last_value = true;
  return reply_to(session_.execute(code, options), silent, expressions);
}

Json Interpreter::reply_to(const Outcome& outcome, bool silent, const Json& expressions) {
  bool leaves = outcome.status == Outcome::Status::kExit && outcome.exit_code == 0;
  if (outcome.status != Outcome::Status::kOk && !leaves) {
    bool exits = outcome.status == Outcome::Status::kExit;
    Outcome failure = exits ? failed_exit(outcome) : outcome;
    Json content = error_content(failure);
    if (!silent)
      publish_execution_error(failure.kind, failure.message, content["traceback"]);
    content["payload"] = front_.take_payload();
    content["user_expressions"] = Json::object();
    return content;
  }
  Json payload = front_.take_payload();
  if (leaves) payload.push_back({{"source", "ask_exit"}, {"keepkernel", false}});
  return {{"status", "ok"},
          {"payload", std::move(payload)},
          {"user_expressions", values_of(expressions)}};
}

Json Interpreter::values_of(const Json& expressions) {
  Json values = Json::object();
  if (!expressions.is_object()) return values;
  for (const auto& [name, expression] : expressions.items()) {
    if (!expression.is_string()) continue;
    Evaluation result = session_.evaluate(expression.get<std::string>());
    values[name] = result.outcome.status == Outcome::Status::kOk
                       ? Json{{"status", "ok"},
                              {"data", data_of(result.value)},
                              {"metadata", metadata_of(result.value)}}
                       : error_content(result.outcome);
  }
  return values;
}

Json Interpreter::complete_request_impl(const std::string& code, int cursor) {
  Completions found = session_.complete(code, byte_of(code, cursor));
  long start = code_point_of(code, found.start), end = code_point_of(code, found.end);
  Json matches = Json::array(), types = Json::array();
  for (const Completions::Item& item : found.items) {
    matches.push_back(item.text);
    types.push_back({{"text", item.text},
                     {"type", type_text(item)},
                     {"signature", item.detail},
                     {"start", start},
                     {"end", end}});
  }
  return {{"status", "ok"},
          {"matches", std::move(matches)},
          {"cursor_start", start},
          {"cursor_end", end},
          {"metadata", {{"_jupyter_types_experimental", std::move(types)}}}};
}

Json Interpreter::inspect_request_impl(const std::string& code, int cursor, int detail) {
  Inspection known = session_.inspect(code, byte_of(code, cursor), detail);
  return {{"status", "ok"},
          {"found", known.found},
          {"data", data_of(known.text)},
          {"metadata", Json::object()}};
}

Json Interpreter::is_complete_request_impl(const std::string& code) {
  int indent = 0;
  switch (session_.is_complete(code, &indent)) {
    case Session::Completeness::kComplete:
      return {{"status", "complete"}, {"indent", ""}};
    case Session::Completeness::kIncomplete:
      return {{"status", "incomplete"},
              {"indent", std::string(static_cast<std::size_t>(std::max(indent, 0)), ' ')}};
    default:
      return {{"status", "invalid"}, {"indent", ""}};
  }
}

Json Interpreter::kernel_info_request_impl() {
  return {{"status", "ok"},
          {"implementation", "strider"},
          {"implementation_version", STRIDER_VERSION},
          {"language_info",
           {{"name", "strider"},
            {"version", STRIDER_VERSION},
            {"mimetype", "text/x-python"},
            {"file_extension", ".npx"},
            {"pygments_lexer", "python3"},
            {"codemirror_mode", {{"name", "ipython"}, {"version", 3}}},
            {"nbconvert_exporter", "script"}}},
          {"banner", "Strider " STRIDER_VERSION ": NumPy's dialect, without Python"},
          {"debugger", false},
          {"help_links", Json::array()}};
}

}  // namespace strider::jupyter
