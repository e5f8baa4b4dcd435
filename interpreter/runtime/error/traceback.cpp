// Tracebacks as text: frames from the outermost to the innermost, carets, causes and contexts.
#include <algorithm>
#include <cstring>
#include <span>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/suggestion.h"
#include "interpreter/runtime/error/traceback_link.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/syntax/marks.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/objects/code_facts.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/syntax_error.h"

namespace strider::lang {
namespace {

constexpr std::size_t kMaxRepeats = 3;

bool same_place(const TracebackEntry& a, const TracebackEntry& b) {
  return a.source && a.source == b.source && a.function == b.function &&
         a.source->line_of(a.span.begin) == b.source->line_of(b.span.begin);
}

void append_entry(const TracebackEntry& entry, std::string& text) {
  if (!entry.source) return;
  text += fmt::format("  File \"{}\", line {}, in {}\n", entry.source->file_name(),
                      entry.source->line_of(entry.span.begin), entry.function);
  text += syntax::marked_line(*entry.source, entry.span) + "\n";
}

// How many lines sys.tracebacklimit lets be shown.
std::size_t most_lines() {
  if (!Interpreter::exists()) return SIZE_MAX;
  const Value* sys = Interpreter::current().modules->find(intern("sys"));
  Value limit = sys ? find_attribute(*sys, intern("tracebacklimit")) : Value();
  if (!limit.is_int()) return SIZE_MAX;
  return static_cast<std::size_t>(std::max<std::int64_t>(limit.as_int(), 0));
}

// The frames; a frame that repeats more than three times (recursion) is counted instead.
void append_entries(const std::vector<TracebackEntry>& entries, std::string& text) {
  std::size_t repeats = 0, shown = std::min(entries.size(), most_lines());
  for (std::size_t i = shown; i-- > 0;) {
    bool again = i + 1 < shown && same_place(entries[i], entries[i + 1]);
    repeats = again ? repeats + 1 : 0;
    if (repeats < kMaxRepeats) append_entry(entries[i], text);
    bool last = i == 0 || !same_place(entries[i], entries[i - 1]);
    if (last && repeats >= kMaxRepeats)
      text += fmt::format("  [Previous line repeated {} more time{}]\n", repeats - kMaxRepeats + 1,
                          repeats == kMaxRepeats ? "" : "s");
  }
}

// What stands behind the message: for a missing name or attribute, the one that was perhaps meant.
std::string hint_of(const Exception& exception) {
  bool of_object = exception.type()->is_subclass_of(&errors::AttributeError());
  if (!exception.hint.empty() || (!of_object && !exception.known)) return exception.hint;
  auto& attributes = *const_cast<Exception&>(exception).attributes();
  const Value *name = attributes.find(intern("name")), *object = attributes.find(intern("obj"));
  if (!name || !is_str(*name)) return {};
  if (exception.known) {
    std::vector<std::string_view> names;
    exception.known->list(names);
    return suggestion_text(text_of(*name), names);
  }
  return object ? suggest_attribute(*object, text_of(*name)) : std::string();
}

constexpr int kMostChained = 50, kMostNested = 10;
constexpr std::size_t kMostMembers = 15;

// A report being written; members of groups stand behind a margin, one for each group around them.
struct Report {
  std::string text;
  int level = 0;
  bool must_close = false;  // the innermost group still lacks its last line

  std::string indentation() const { return std::string(2 * static_cast<std::size_t>(level), ' '); }
  void add(std::string_view lines, char margin = '|') {
    if (level == 0) {
      text += lines;
      return;
    }
    while (!lines.empty()) {
      std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
      text += indentation() + margin + ' ';
      text += lines.substr(0, end);
      lines.remove_prefix(end);
    }
  }
};

// The exceptions of a group; empty for others.
std::span<const Value> members_of(const Exception& exception) {
  auto& attributes = *const_cast<Exception&>(exception).attributes();
  const Value* members = attributes.find(intern("_exceptions"));
  if (!members || !is_tuple(*members)) return {};
  return members->as<Tuple>()->items();
}

// Class and message, and what was noted.
std::string last_lines(const Exception& exception) {
  std::string text = describe(exception) + hint_of(exception) + "\n";
  auto& attributes = *const_cast<Exception&>(exception).attributes();
  if (Value* notes = attributes.find(names().notes); notes && is_list(*notes))
    for (const Value& note : notes->as<List>()->items) text += str_text(note) + "\n";
  return text;
}

void append_exception(const Exception& exception, Report& report, int depth);

void append_members(std::span<const Value> members, Report& report, int depth) {
  std::size_t shown = std::min(members.size(), kMostMembers + 1);
  for (std::size_t i = 0; i < shown; ++i) {
    bool cut = i == kMostMembers;
    report.text +=
        report.indentation() + (i == 0 ? "+-" : "  ") +
        fmt::format("+---------------- {} ----------------\n", cut ? "..." : std::to_string(i + 1));
    ++report.level;
    bool last = i + 1 == shown;
    if (last) report.must_close = true;
    std::size_t left = members.size() - kMostMembers;
    if (cut)
      report.add(fmt::format("and {} more exception{}\n", left, left == 1 ? "" : "s"));
    else
      append_exception(*members[i].as<Exception>(), report, depth + 1);
    if (last && report.must_close) {
      report.text += report.indentation() + "+------------------------------------\n";
      report.must_close = false;
    }
    --report.level;
  }
}

void append_exception(const Exception& exception, Report& report, int depth) {
  if (depth > kMostChained) return;
  if (exception.cause) {
    append_exception(*exception.cause, report, depth + 1);
    report.add("\nThe above exception was the direct cause of the following exception:\n\n");
  } else if (exception.context && !exception.suppress_context) {
    append_exception(*exception.context, report, depth + 1);
    report.add("\nDuring handling of the above exception, another exception occurred:\n\n");
  }
  std::span<const Value> members = members_of(exception);
  if (!members.empty() && report.level > kMostNested)
    return report.add(fmt::format("... (max_group_depth is {})\n", kMostNested));
  bool outermost = !members.empty() && report.level == 0;
  if (outermost) report.level = 1;
  if (!exception.traceback.empty() && most_lines() > 0) {
    if (members.empty())
      report.add("Traceback (most recent call last):\n");
    else
      report.add("Exception Group Traceback (most recent call last):\n", outermost ? '+' : '|');
    std::string entries;
    append_entries(exception.traceback, entries);
    report.add(entries);
  }
  if (exception.type()->is_subclass_of(&errors::SyntaxError())) report.add(syntax_place(exception));
  report.add(last_lines(exception));
  append_members(members, report, depth);
  if (outermost) report.level = 0;
}

// A text for a failing __str__.
std::string safe_message(const Exception& exception) {
  try {
    if (exception.type()->is_subclass_of(&errors::SyntaxError())) return syntax_message(exception);
    return str_text(Value(const_cast<Exception*>(&exception)));
  } catch (const Raised&) {
  }
  return "<exception str() failed>";
}

}  // namespace

std::string describe(const Exception& exception) {
  const Type& type = *exception.type();
  std::string name = type.module == "builtins" || type.module == "__main__"
                         ? type.qualified_name
                         : type.module + "." + type.qualified_name;
  std::string message = safe_message(exception);
  return message.empty() ? name : name + ": " + message;
}

std::string format_traceback(const Exception& exception) {
  Report report;
  append_exception(exception, report, 0);
  return std::move(report.text);
}

Value traceback_object(const Exception& exception) {
  const std::vector<TracebackEntry>& entries = exception.traceback;
  if (entries.empty()) return Value::none();
  bool goes_on = exception.chained > 0 && exception.chained <= entries.size();
  Value chain = goes_on ? exception.traceback_chain : Value::none();
  for (std::size_t i = goes_on ? exception.chained : 0; i < entries.size(); ++i) {
    const TracebackEntry& entry = entries[i];
    int line = entry.source ? entry.source->line_of(entry.span.begin) : 0;
    chain = make<TracebackLink>(entry, line, entry.frame_object, chain);
  }
  exception.traceback_chain = chain;
  exception.chained = entries.size();
  return chain;
}

void set_traceback(Exception& exception, const Value& traceback) {
  std::vector<TracebackEntry> entries;
  const TracebackLink* link = traceback_link(traceback);
  if (!link && !traceback.is_none())
    raise(errors::TypeError, "__traceback__ must be a traceback or None");
  for (; link; link = traceback_link(link->next)) {
    entries.push_back(link->entry);
    entries.back().frame = nullptr;  // what is raised in a frame that has a line gets another
  }
  std::reverse(entries.begin(), entries.end());
  exception.traceback = std::move(entries);
  exception.traceback_chain = traceback;
  exception.chained = exception.traceback.size();
}

}  // namespace strider::lang
