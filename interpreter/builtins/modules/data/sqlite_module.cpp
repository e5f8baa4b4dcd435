// The module _sqlite: databases of SQLite, their statements, and functions that statements call.
// sqlite3 is written on it. Knows nothing of cursors, transactions or adapters.
#include <sqlite3.h>

#include <memory>
#include <utility>

#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/codec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

const char* error_class(int code) {
  switch (code & 0xff) {
    case SQLITE_INTERNAL:
    case SQLITE_NOTFOUND:
      return "InternalError";
    case SQLITE_ERROR:
    case SQLITE_PERM:
    case SQLITE_ABORT:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_READONLY:
    case SQLITE_INTERRUPT:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
    case SQLITE_EMPTY:
    case SQLITE_SCHEMA:
      return "OperationalError";
    case SQLITE_TOOBIG:
      return "DataError";
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
      return "IntegrityError";
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
      return "InterfaceError";
    default:
      return "DatabaseError";
  }
}

// Raises the exception of sqlite3 for what the database says last.
[[noreturn]] void raise_sqlite(sqlite3* handle, int code) {
  if (code == SQLITE_NOMEM) raise_message(errors::MemoryError(), "");
  int extended = handle ? sqlite3_extended_errcode(handle) : code;
  Value cls = get_attribute(import_module("sqlite3"), intern(error_class(code)));
  const char* words = handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  Ref<Exception> exception = make<Exception>(cls.as<Type>(), make_tuple({Value(make_str(words))}));
  exception->attributes()->set(intern("sqlite_errorcode"), Value::integer(extended));
  raise_exception(exception);
}

class Database final : public Object {
 public:
  static Type& type();
  Database(const std::string& path, int flags, int patience);
  ~Database() override { close(); }
  void close() {
    sqlite3_close_v2(handle);
    handle = nullptr;
  }
  sqlite3* handle = nullptr;
  Value tracer;  // what is told of each statement
};

Database::Database(const std::string& path, int flags, int patience)
    : Object(Layout::kOther, &type()) {
  int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  if (code == SQLITE_OK) {
    sqlite3_busy_timeout(handle, patience);
    return;
  }
  sqlite3* failed = std::exchange(handle, nullptr);
  struct Closing {
    ~Closing() { sqlite3_close(handle); }
    sqlite3* handle;
  } closing{failed};
  raise_sqlite(failed, code);
}

sqlite3* handle_of(const Value& value) { return value.as<Database>()->handle; }

void require_done(const Value& database, int code) {
  if (code != SQLITE_OK) raise_sqlite(handle_of(database), code);
}

class Statement final : public Object {
 public:
  static Type& type();
  Statement(const Value& of, sqlite3_stmt* made)
      : Object(Layout::kOther, &type()), database(of), handle(made) {}
  ~Statement() override { sqlite3_finalize(handle); }
  Value database;
  sqlite3_stmt* handle;
};

sqlite3_stmt* statement_of(const Value& value) { return value.as<Statement>()->handle; }

// --- Values ---

Value text_value(const void* text, int size) {
  return make_str(std::string_view(static_cast<const char*>(text), static_cast<std::size_t>(size)));
}

Value bytes_value(const void* bytes, int size) {
  return make<Bytes>(
      bytes ? std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size))
            : std::string());
}

Value value_of(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return Value::integer(sqlite3_value_int64(value));
    case SQLITE_FLOAT:
      return Value::real(sqlite3_value_double(value));
    case SQLITE_TEXT: {
      const void* text = sqlite3_value_text(value);
      return text_value(text, sqlite3_value_bytes(value));
    }
    case SQLITE_BLOB: {
      const void* bytes = sqlite3_value_blob(value);
      return bytes_value(bytes, sqlite3_value_bytes(value));
    }
    default:
      return Value::none();
  }
}

// The text of a column; what is no UTF-8 is an error that shows its ASCII.
Value column_text(sqlite3_stmt* statement, int column, std::string_view bytes) {
  try {
    return make_str(decode_bytes(bytes));
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::UnicodeDecodeError())) throw;
  }
  Value cls = get_attribute(import_module("sqlite3"), intern("OperationalError"));
  raise_message(*cls.as<Type>(), fmt::format("Could not decode to UTF-8 column '{}' with text '{}'",
                                             sqlite3_column_name(statement, column),
                                             decode_bytes(bytes, "ascii", "replace")));
}

Value column_value(sqlite3_stmt* statement, int column, bool raw, bool text_as_bytes) {
  int kind = sqlite3_column_type(statement, column);
  if (kind == SQLITE_NULL) return Value::none();
  if (kind == SQLITE_INTEGER && !raw)
    return Value::integer(sqlite3_column_int64(statement, column));
  if (kind == SQLITE_FLOAT && !raw) return Value::real(sqlite3_column_double(statement, column));
  const void* bytes = sqlite3_column_blob(statement, column);
  int size = sqlite3_column_bytes(statement, column);
  bool text = kind == SQLITE_TEXT && !raw && !text_as_bytes;
  if (!text) return bytes_value(bytes, size);
  return column_text(statement, column,
                     {static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
}

// The bytes of a value that shows its memory, as scalars of numpy do; Empty for others.
Value as_bytes(const Value& value) {
  if (is_bytes_like(value)) return make<Bytes>(std::string(to_bytes(value)));
  if (!value.has_layout(Layout::kArray) && !value.has_layout(Layout::kNumpyScalar)) return Value();
  return call_method(value, intern("tobytes"));
}

// statement.bind(index, value): False for values that SQLite cannot hold.
Value bind(const Parameters& p) {
  sqlite3_stmt* statement = statement_of(p[0]);
  auto index = static_cast<int>(to_int64(p[1]));
  const Value& value = p[2];
  int code;
  if (value.is_none()) {
    code = sqlite3_bind_null(statement, index);
  } else if (is_integer(value)) {
    Value exact = exact_int(value);
    if (!exact.is_int() && !exact.is_bool())
      raise(errors::OverflowError, "Python int too large to convert to SQLite INTEGER");
    code = sqlite3_bind_int64(statement, index, exact.as_int());
  } else if (is_instance(value, float_type())) {
    code = sqlite3_bind_double(statement, index, to_double(value));
  } else if (is_str(value)) {
    std::string_view text = text_of(value);
    code = sqlite3_bind_text64(statement, index, text.data(), text.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);
  } else {
    Value bytes = as_bytes(value);
    if (bytes.is_empty()) return Value::boolean(false);
    std::string_view content = to_bytes(bytes);
    code = sqlite3_bind_blob64(statement, index, content.data() ? content.data() : "",
                               content.size(), SQLITE_TRANSIENT);
  }
  require_done(p[0].as<Statement>()->database, code);
  return Value::boolean(true);
}

void give_result(sqlite3_context* context, const Value& value) {
  if (value.is_none()) return sqlite3_result_null(context);
  if (is_integer(value)) {
    Value exact = exact_int(value);
    if (exact.is_int() || exact.is_bool()) return sqlite3_result_int64(context, exact.as_int());
  } else if (is_instance(value, float_type())) {
    return sqlite3_result_double(context, to_double(value));
  } else if (is_str(value)) {
    std::string_view text = text_of(value);
    return sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else if (is_bytes_like(value)) {
    std::string_view bytes = to_bytes(value);
    return sqlite3_result_blob64(context, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  }
  sqlite3_result_error(context, "user-defined function raised exception", -1);
}

// --- Functions that statements call ---

void forget_value(void* value) { delete static_cast<Value*>(value); }

ArgumentList arguments_of(int count, sqlite3_value** values) {
  ArgumentList list;
  for (int i = 0; i < count; ++i) list.values.push_back(value_of(values[i]));
  return list;
}

void call_function(sqlite3_context* context, int count, sqlite3_value** values) {
  try {
    auto* function = static_cast<Value*>(sqlite3_user_data(context));
    give_result(context, call(*function, arguments_of(count, values)));
  } catch (const Raised&) {
    sqlite3_result_error(context, "user-defined function raised exception", -1);
  }
}

// The aggregate's object, made at its first step.
Value* instance_of(sqlite3_context* context) {
  auto** place = static_cast<Value**>(sqlite3_aggregate_context(context, sizeof(Value*)));
  if (!*place) *place = new Value(call(*static_cast<Value*>(sqlite3_user_data(context))));
  return *place;
}

void step_aggregate(sqlite3_context* context, int count, sqlite3_value** values) {
  const char* failed = "user-defined aggregate's '__init__' method raised error";
  try {
    Value* instance = instance_of(context);
    failed = "user-defined aggregate's 'step' method raised error";
    call(get_attribute(*instance, intern("step")), arguments_of(count, values));
  } catch (const Raised&) {
    sqlite3_result_error(context, failed, -1);
  }
}

void finish_aggregate(sqlite3_context* context) {
  try {
    std::unique_ptr<Value> instance(instance_of(context));
    give_result(context, call_method(*instance, intern("finalize")));
  } catch (const Raised&) {
    sqlite3_result_error(context, "user-defined aggregate's 'finalize' method raised error", -1);
  }
}

int compare_texts(void* function, int left_size, const void* left, int right_size,
                  const void* right) {
  try {
    Value order = call(*static_cast<Value*>(function), text_value(left, left_size),
                       text_value(right, right_size));
    std::int64_t sign = to_int64(order);
    return sign < 0 ? -1 : sign > 0;
  } catch (const Raised&) {
    return 0;
  }
}

int tell_statement(unsigned, void* function, void* statement, void* text) {
  try {
    Value tracer = *static_cast<Value*>(function);  // which may put another in its place
    auto* prepared = static_cast<sqlite3_stmt*>(statement);
    char* expanded = sqlite3_expanded_sql(prepared);
    std::string words = expanded ? expanded : static_cast<const char*>(text);
    sqlite3_free(expanded);
    call(tracer, Value(make_str(words)));
  } catch (const Raised&) {
  }
  return 0;
}

Value make_function(const Parameters& p) {
  std::string name(to_text(p[1], "name"));
  int flags = SQLITE_UTF8 | (truth(p[4]) ? SQLITE_DETERMINISTIC : 0);
  auto* kept = p[3].is_none() ? nullptr : new Value(p[3]);
  bool aggregate = truth(p[5]);
  require_done(p[0], sqlite3_create_function_v2(
                         handle_of(p[0]), name.c_str(), static_cast<int>(to_int64(p[2])), flags,
                         kept, kept && !aggregate ? call_function : nullptr,
                         kept && aggregate ? step_aggregate : nullptr,
                         kept && aggregate ? finish_aggregate : nullptr, forget_value));
  return Value::none();
}

Value make_collation(const Parameters& p) {
  std::string name(to_text(p[1], "name"));
  auto* kept = p[2].is_none() ? nullptr : new Value(p[2]);
  require_done(p[0], sqlite3_create_collation_v2(handle_of(p[0]), name.c_str(), SQLITE_UTF8, kept,
                                                 kept ? compare_texts : nullptr, forget_value));
  return Value::none();
}

Value trace(const Parameters& p) {
  Value& tracer = p[0].as<Database>()->tracer;
  Value before = std::exchange(tracer, p[1]);
  bool traces = !tracer.is_none();
  sqlite3_trace_v2(handle_of(p[0]), traces ? SQLITE_TRACE_STMT : 0,
                   traces ? tell_statement : nullptr, &tracer);
  return Value::none();
}

// --- Databases and statements ---

Value open_database(const Parameters& p) {
  return make<Database>(std::string(to_text(p[0], "path")), static_cast<int>(to_int64(p[1])),
                        static_cast<int>(to_int64(p[2])));
}

// (statement or None, what is behind it)
Value prepare(const Parameters& p) {
  std::string text(to_text(p[1], "statement"));
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  require_done(p[0], sqlite3_prepare_v2(handle_of(p[0]), text.c_str(),
                                        static_cast<int>(text.size()) + 1, &statement, &tail));
  Value made = statement ? Value(make<Statement>(p[0], statement)) : Value::none();
  return make_tuple({made, Value(make_str(std::string_view(tail)))});
}

Value backup(const Parameters& p) {
  std::string name(to_text(p[2], "name"));
  sqlite3_backup* work =
      sqlite3_backup_init(handle_of(p[1]), "main", handle_of(p[0]), name.c_str());
  if (work) {
    sqlite3_backup_step(work, -1);
    sqlite3_backup_finish(work);
  }
  require_done(p[1], sqlite3_errcode(handle_of(p[1])));
  return Value::none();
}

Value step(const Parameters& p) {
  int code = sqlite3_step(statement_of(p[0]));
  if (code == SQLITE_ROW) return Value::boolean(true);
  if (code == SQLITE_DONE) return Value::boolean(false);
  raise_sqlite(handle_of(p[0].as<Statement>()->database), code);
}

// statement.row(text_as_bytes, raw): the values of the row; those of `raw` as bytes.
Value row(const Parameters& p) {
  sqlite3_stmt* statement = statement_of(p[0]);
  bool text_as_bytes = truth(p[1]);
  Values values;
  int count = sqlite3_data_count(statement);
  for (int i = 0; i < count; ++i) {
    bool raw = !p[2].is_none() && truth(get_item(p[2], Value::integer(i)));
    values.push_back(column_value(statement, i, raw, text_as_bytes));
  }
  return make_tuple(std::move(values));
}

Value reset(const Parameters& p) {
  sqlite3_reset(statement_of(p[0]));
  sqlite3_clear_bindings(statement_of(p[0]));
  return Value::none();
}

// A text for each of `count` places; None where there is none.
template <class Text>
Value texts(int count, Text text) {
  Values values;
  for (int i = 0; i < count; ++i) {
    const char* found = text(i);
    values.push_back(found ? Value(make_str(found)) : Value::none());
  }
  return make_list(std::move(values));
}

Value columns(const Parameters& p) {
  sqlite3_stmt* s = statement_of(p[0]);
  return texts(sqlite3_column_count(s), [&](int i) { return sqlite3_column_name(s, i); });
}

Value declared(const Parameters& p) {
  sqlite3_stmt* s = statement_of(p[0]);
  return texts(sqlite3_column_count(s), [&](int i) { return sqlite3_column_decltype(s, i); });
}

Value parameters(const Parameters& p) {
  sqlite3_stmt* s = statement_of(p[0]);
  return texts(sqlite3_bind_parameter_count(s),
               [&](int i) { return sqlite3_bind_parameter_name(s, i + 1); });
}

const NativeRow kDatabaseMethods[] = {
    {"prepare(self, text, /)", prepare, "The first statement of a text, and what is behind it."},
    {"function(self, name, count, function, deterministic, aggregate, /)", make_function,
     "Makes a function known to statements."},
    {"collation(self, name, function, /)", make_collation, "Makes an order of texts known."},
    {"trace(self, function, /)", trace, "Has a function told of each statement."},
    {"backup(self, target, name, /)", backup, "Copies the database into another one."},
    {"autocommit(self, /)",
     [](const Parameters& p) { return Value::boolean(sqlite3_get_autocommit(handle_of(p[0]))); },
     "Whether no transaction is open."},
    {"changes(self, /)",
     [](const Parameters& p) { return Value::integer(sqlite3_changes(handle_of(p[0]))); },
     "Rows that the last statement changed."},
    {"total_changes(self, /)",
     [](const Parameters& p) { return Value::integer(sqlite3_total_changes(handle_of(p[0]))); },
     "Rows that were changed since it was opened."},
    {"last_id(self, /)",
     [](const Parameters& p) { return Value::integer(sqlite3_last_insert_rowid(handle_of(p[0]))); },
     "The row that was inserted last."},
    {"close(self, /)",
     [](const Parameters& p) { return p[0].as<Database>()->close(), Value::none(); },
     "Closes the database."},
};

const NativeRow kStatementMethods[] = {
    {"bind(self, index, value, /)", bind, "Gives a parameter its value; whether it can be held."},
    {"step(self, /)", step, "Whether there is another row."},
    {"row(self, text_as_bytes, raw, /)", row, "The values of the row."},
    {"reset(self, /)", reset, "Goes back to the start, without parameters."},
    {"columns(self, /)", columns, "The names of the columns."},
    {"declared(self, /)", declared, "The declared types of the columns."},
    {"parameters(self, /)", parameters, "The names of the parameters, None for `?`."},
};

Type& Database::type() {
  static Type& type = *[] {
    Type& made = make_module_type("Database", "_sqlite");
    made.add(kDatabaseMethods);
    return &made;
  }();
  return type;
}

Type& Statement::type() {
  static Type& type = *[] {
    Type& made = make_module_type("Statement", "_sqlite");
    made.add(kStatementMethods);
    return &made;
  }();
  return type;
}

const NativeRow kFunctions[] = {
    {"open(path, flags, patience, /)", outside<open_database>,
     "Opens a database; patience in milliseconds where it is locked."},
    {"is_complete(text, /)",
     [](const Parameters& p) {
       std::string text(to_text(p[0], "statement"));
       return Value::boolean(sqlite3_complete(text.c_str()));
     },
     "Whether a text ends a statement."},
};

const ConstantRow kConstants[] = {
    {"version", [] { return Value(make_str(sqlite3_libversion())); }},
};

}  // namespace

const NativeModule kSqliteModule = {"_sqlite", "Databases of SQLite.", kFunctions, kConstants};

}  // namespace strider::lang
