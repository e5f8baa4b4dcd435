// Cell by cell through one session; the file is replaced only when all is written.
#include "interpreter/notebook/run_notebook.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpreter/notebook/collector.h"

namespace strider {
namespace {

constexpr int kUsageError = 2;
constexpr int kInterrupted = 130;

// What is wrong with a notebook; empty: nothing.
std::string complaint(const Json& notebook) {
  if (notebook.is_discarded()) return "it is not JSON";
  if (!notebook.is_object() || !notebook.contains("nbformat")) return "it has no 'nbformat'";
  if (notebook["nbformat"] != 4)
    return "its format is " + notebook["nbformat"].dump() + "; only 4 is known";
  if (!notebook.contains("cells") || !notebook["cells"].is_array()) return "it has no cells";
  for (const Json& cell : notebook["cells"])
    if (!cell.is_object() || !cell.contains("cell_type")) return "a cell has no 'cell_type'";
  return {};
}

std::string source_of(const Json& cell) {
  if (!cell.contains("source")) return {};
  const Json& source = cell["source"];
  if (source.is_string()) return source.get<std::string>();
  std::string text;
  for (const Json& line : source) text += line.is_string() ? line.get<std::string>() : "";
  return text;
}

// Writes beside the file and renames, so that a full disk leaves the old one whole.
bool write_file(const std::string& name, const Json& notebook) {
  std::string other = name + ".part";
  {
    std::ofstream stream(other, std::ios::binary);
    stream << notebook.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
    if (!stream.flush()) return false;
  }
  std::error_code error;
  std::filesystem::rename(other, name, error);
  return !error;
}

int status_of(const Outcome& outcome) {
  switch (outcome.status) {
    case Outcome::Status::kOk:
      return 0;
    case Outcome::Status::kExit:
      return outcome.exit_code;
    case Outcome::Status::kInterrupted:
      return kInterrupted;
    default:
      return 1;
  }
}

// Runs the cells; returns the exit status.
int run_cells(Json& cells, Session& session, Collector& collector, bool allow_errors) {
  EntryOptions options;
  options.last_value = true;
  for (Json& cell : cells) {
    if (cell["cell_type"] != "code") continue;
    cell["execution_count"] = nullptr;  // both members are there before anybody points to one
    collector.begin(cell["outputs"]);
    std::string source = source_of(cell);
    if (source.find_first_not_of(" \t\r\n") == source.npos) continue;
    Outcome outcome = session.execute(source, options);
    cell["execution_count"] = outcome.number;
    if (outcome.status == Outcome::Status::kOk) continue;
    bool failed = outcome.status != Outcome::Status::kExit;
    if (failed) collector.add_error(outcome);
    if (allow_errors && outcome.status == Outcome::Status::kError) continue;
    return status_of(outcome);
  }
  return 0;
}

}  // namespace

int run_notebook(const NotebookRun& run, SessionOptions options, void (*started)(Session*)) {
  std::ifstream stream(run.file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  Json notebook = Json::parse(text.str(), nullptr, false);
  if (std::string wrong = complaint(notebook); !wrong.empty()) {
    std::fprintf(stderr, "strider: '%s' is no notebook: %s\n", run.file.c_str(), wrong.c_str());
    return kUsageError;
  }
  Collector collector(run.output.empty());
  options.front = &collector;
  int status = 0;
  Json last_words;  // what the session prints at its end, which belongs to no cell
  {
    Session session(std::move(options));
    started(&session);
    status = run_cells(notebook["cells"], session, collector, run.allow_errors);
    started(nullptr);
    collector.begin(last_words);
  }
  if (run.output.empty()) return status;
  if (!write_file(run.output, notebook)) {
    std::fprintf(stderr, "strider: can't write '%s'\n", run.output.c_str());
    return 1;
  }
  if (status == 1)
    std::fprintf(stderr, "strider: a cell of '%s' failed; see '%s'\n", run.file.c_str(),
                 run.output.c_str());
  return status;
}

}  // namespace strider
