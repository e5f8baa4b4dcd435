"""A running kernel for tests: starts it, talks to it, collects what it says."""

import os
import queue
import sys
import tempfile
import time
from contextlib import contextmanager

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

TIMEOUT = 30 * float(os.environ.get("STRIDER_TIME_FACTOR", "1"))
NAME = "strider"


class Result:
    """What came of a request: the reply's content and the messages of IOPub, by arrival."""

    def __init__(self, reply, messages):
        self.reply = reply
        self.messages = messages

    @property
    def status(self):
        return self.reply["content"]["status"]

    @property
    def content(self):
        return self.reply["content"]

    def of(self, kind):
        """Returns the contents of the messages of a type."""
        return [message["content"] for message in self.messages if message["msg_type"] == kind]

    def text(self, stream="stdout"):
        """Returns what was printed."""
        return "".join(c["text"] for c in self.of("stream") if c["name"] == stream)

    @property
    def value(self):
        """Returns the plain text of the entry's value, None without one."""
        shown = self.of("execute_result")
        return shown[0]["data"]["text/plain"] if shown else None

    @property
    def kinds(self):
        return [message["msg_type"] for message in self.messages]


class Kernel:
    """A kernel process and a client of it."""

    def __init__(self, mode="signal", extra=None, environment=None):
        self.manager = KernelManager(kernel_name=NAME)
        self.manager.kernel_spec.interrupt_mode = mode
        if extra:
            self.manager.kernel_spec.argv += extra
        self.manager.start_kernel(env={**os.environ, **(environment or {})},
                                  stderr=sys.stderr)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=TIMEOUT)

    @property
    def pid(self):
        return self.manager.provisioner.pid

    def close(self):
        self.client.stop_channels()
        if self.manager.is_alive():
            self.manager.shutdown_kernel(now=True)

    def send(self, code, **settings):
        """Sends an execute_request and returns its id."""
        settings.setdefault("allow_stdin", False)
        return self.client.execute(code, **settings)

    def collect(self, request, timeout=TIMEOUT):
        """Returns the messages that a request causes, up to its idle status."""
        messages = []
        end = time.monotonic() + timeout
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.01, end - time.monotonic()))
            if message["parent_header"].get("msg_id") != request:
                continue
            messages.append(message)
            if message["msg_type"] == "status" \
                    and message["content"]["execution_state"] == "idle":
                return messages

    def reply(self, request, timeout=TIMEOUT):
        """Returns the reply to a request of the shell channel."""
        end = time.monotonic() + timeout
        while True:
            message = self.client.get_shell_msg(timeout=max(0.01, end - time.monotonic()))
            if message["parent_header"].get("msg_id") == request:
                return message

    def finish(self, request, timeout=TIMEOUT):
        return Result(self.reply(request, timeout), self.collect(request, timeout))

    def run(self, code, timeout=TIMEOUT, **settings):
        return self.finish(self.send(code, **settings), timeout)

    def wait_for(self, kind, request=None, timeout=TIMEOUT):
        """Returns the next message of a type on IOPub."""
        end = time.monotonic() + timeout
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.01, end - time.monotonic()))
            if message["msg_type"] == kind and \
                    (request is None or message["parent_header"].get("msg_id") == request):
                return message

    def is_silent(self, seconds):
        """Whether nothing arrives on IOPub for a while."""
        try:
            self.client.get_iopub_msg(timeout=seconds)
        except queue.Empty:
            return True
        return False


@contextmanager
def kernel(**settings):
    """A kernel for one test."""
    started = Kernel(**settings)
    try:
        yield started
    finally:
        started.close()


def specification_folder():
    return KernelSpecManager().get_kernel_spec(NAME).resource_dir


def scratch_folder():
    return tempfile.mkdtemp(prefix="strider-kernel-")
