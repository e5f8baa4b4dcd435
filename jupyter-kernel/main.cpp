// The program strider-kernel: a session behind Jupyter's sockets.
//   strider-kernel -f CONNECTION_FILE [--device cpu|cuda[:N]] [--precision float32|float64]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <xeus/xeus_context.hpp>
#include <xeus/xkernel.hpp>

#include "interpreter/session/environment.h"
#include "interpreter/session/session.h"
#include "jupyter-kernel/history.h"
#include "jupyter-kernel/interpreter.h"
#include "jupyter-kernel/interrupts.h"
#include "jupyter-kernel/notebook_front.h"
#include "jupyter-kernel/server.h"

namespace {

using namespace strider;           // NOLINT: this is its program
using namespace strider::jupyter;  // NOLINT

constexpr int kUsageError = 2;

struct CommandLine {
  std::string connection_file;
  std::string device = "auto";
  std::string precision = "float64";
};

bool parse(int count, char** words, CommandLine& line) {
  if (const char* device = std::getenv("STRIDER_DEVICE")) line.device = device;
  for (int i = 1; i < count; ++i) {
    bool more = i + 1 < count;
    if (std::strcmp(words[i], "-f") == 0 && more)
      line.connection_file = words[++i];
    else if (std::strcmp(words[i], "--device") == 0 && more)
      line.device = words[++i];
    else if (std::strcmp(words[i], "--precision") == 0 && more)
      line.precision = words[++i];
    else
      return false;
  }
  return !line.connection_file.empty() &&
         (line.precision == "float64" || line.precision == "float32");
}

SessionOptions session_options(const CommandLine& line, Front& front) {
  SessionOptions options;
  options.arguments = {""};
  options.device = line.device;
  options.single_precision = line.precision == "float32";
  take_environment(options);
  options.front = &front;
  options.history_file = history_file();
  return options;
}

std::unique_ptr<xeus::xserver> make_server(xeus::xcontext& context,
                                           const xeus::xconfiguration& configuration,
                                           nl::json::error_handler_t) {
  return std::make_unique<Server>(context.get_wrapped_context<zmq::context_t>(), configuration);
}

// An empty key means that nothing is signed (xeus would make one up).
xeus::xconfiguration read_configuration(const std::string& file) {
  if (!std::filesystem::exists(file)) throw std::runtime_error("can't open file '" + file + "'");
  xeus::xconfiguration configuration = xeus::load_configuration(file);
  if (configuration.m_key.empty()) configuration.m_signature_scheme = kUnsigned;
  return configuration;
}

// Runs until a front asks for the end, or is gone.
void serve(const xeus::xconfiguration& configuration, const CommandLine& line) {
  NotebookFront front;
  auto session = std::make_unique<Session>(session_options(line, front));
  auto interpreter = std::make_unique<strider::jupyter::Interpreter>(*session, front);
  xeus::xinterpreter& messages = *interpreter;
  xeus::xkernel kernel(configuration, xeus::get_user_name(), xeus::make_context<zmq::context_t>(),
                       std::move(interpreter), make_server,
                       std::make_unique<HistoryManager>(*session));
  auto& server = static_cast<Server&>(kernel.get_server());
  front.connect(server, messages);
  Interrupts interrupts(*session, [&] { server.stop(); });
  Server::Hooks hooks;
  hooks.begin = [&] { interrupts.begin(); };
  hooks.end = [&] { interrupts.end(); };
  hooks.interrupt = [&] { interrupts.request(); };
  hooks.stop = [&] { interrupts.stop(); };
  hooks.is_interrupted = [&] { return interrupts.is_pending(); };
  hooks.finish = [&] {
    interrupts.detach();
    session.reset();  // what atexit has registered runs now
  };
  server.set_hooks(std::move(hooks));
  interrupts.start();
  kernel.start();
}

}  // namespace

int main(int count, char** words) {
  Interrupts::block_signals();
  CommandLine line;
  if (!parse(count, words, line)) {
    std::fputs("usage: strider-kernel -f CONNECTION_FILE [--device DEVICE] [--precision TYPE]\n"
               "Jupyter starts this program; `strider kernel install` tells it how.\n",
               stderr);
    return kUsageError;
  }
  try {
    serve(read_configuration(line.connection_file), line);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "strider-kernel: %s\n", error.what());
    return 1;
  }
  return 0;
}
