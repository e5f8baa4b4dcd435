// Part of every program built with sanitizers: the findings that are not ours.

// OpenBLAS's threads wait for each other by spinning on variables of their own; ZeroMQ's hand
// sockets and messages over in queues without locks. ThreadSanitizer does not see that in code that
// it did not instrument, so what they write looks unordered. xeus dates messages by std::gmtime,
// whose result all threads share; jupyter-kernel/wire.cpp puts dates of its own in their place.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "race:libopenblas.so\nrace:libzmq.so\nrace:xeus::iso8601_now\n";
}
