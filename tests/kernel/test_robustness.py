"""What is forged or broken is dropped; the kernel ends when it should and only then."""

import hashlib
import hmac
import json
import os
import signal
import subprocess
import sys
import time

import pytest
import zmq

from support import TIMEOUT, kernel

DELIMITER = b"<IDS|MSG>"


@pytest.fixture(scope="module")
def session():
    with kernel() as started:
        yield started


def address(session, channel):
    info = session.manager.get_connection_info()
    return f"tcp://{info['ip']}:{info[channel + '_port']}"


class Raw:
    """A socket that sends whatever it is told."""

    def __init__(self, session, channel="shell"):
        self.key = session.manager.session.key
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(address(session, channel))

    def parts(self, kind, content=None, header=None):
        header = header or {"msg_id": os.urandom(8).hex(), "msg_type": kind, "session": "raw",
                            "username": "x", "date": "2026-01-01T00:00:00Z", "version": "5.3"}
        return [json.dumps(part).encode() for part in (header, {}, {}, content or {})]

    def sign(self, parts):
        digest = hmac.new(self.key, digestmod=hashlib.sha256)
        for part in parts:
            digest.update(part)
        return digest.hexdigest().encode()

    def answer(self, frames, timeout=300):
        """Sends frames; returns the type of the reply, None without one."""
        self.socket.send_multipart(frames)
        if not self.socket.poll(timeout):
            return None
        reply = self.socket.recv_multipart()
        return json.loads(reply[reply.index(DELIMITER) + 2])["msg_type"]


@pytest.fixture(params=["shell", "control"])
def raw(session, request):
    made = Raw(session, request.param)
    yield made
    made.socket.close()


def test_a_signed_request_is_answered(raw):
    parts = raw.parts("kernel_info_request")
    assert raw.answer([DELIMITER, raw.sign(parts), *parts], 5000) == "kernel_info_reply"


def test_forged_requests_are_dropped(session, raw):
    parts = raw.parts("shutdown_request", {"restart": False})
    right = raw.sign(parts)
    other = raw.sign(raw.parts("kernel_info_request"))
    for signature in (b"", b"ab", b"0" * 64, other, right[:-1], right + b"0", right.upper()):
        assert raw.answer([DELIMITER, signature, *parts]) is None
    assert session.run("1").value == "1"


def test_a_message_counts_once(raw):
    parts = raw.parts("kernel_info_request")
    frames = [DELIMITER, raw.sign(parts), *parts]
    assert raw.answer(frames, 5000) == "kernel_info_reply"
    assert raw.answer(frames) is None


def test_short_and_broken_frames_do_no_harm(session, raw):
    parts = raw.parts("kernel_info_request")
    signature = raw.sign(parts)
    for count in range(5):
        assert raw.answer([DELIMITER, signature, *parts][:count + 1], 50) is None
    assert raw.answer([b""], 50) is None
    assert raw.answer([b"x", b"y", b"z"], 50) is None
    assert raw.answer([signature, *parts], 50) is None
    for broken in ([b"{", *parts[1:]], [b"[]", *parts[1:]], [*parts[:3], b"\xff\xfe"],
                   [b"{}", *parts[1:]], [*parts[:3], b"3"]):
        assert raw.answer([DELIMITER, raw.sign(broken), *broken], 50) is None
    for content in ({}, {"comm_id": 3}, {"comm_id": "x" * 1000, "target_name": "t"}):
        parts = raw.parts("comm_open", content)
        raw.answer([DELIMITER, raw.sign(parts), *parts], 50)
    for content in ({"code": 3}, {"code": "1", "silent": "no"}, {"user_expressions": [1]}):
        parts = raw.parts("execute_request", content)
        raw.answer([DELIMITER, raw.sign(parts), *parts], 50)
    assert session.run("1").value == "1"


def test_the_heart_beats_while_a_cell_runs(session):
    request = session.send("import time\ntime.sleep(0.5)")
    socket = zmq.Context.instance().socket(zmq.REQ)
    socket.setsockopt(zmq.LINGER, 0)
    socket.connect(address(session, "hb"))
    socket.send(b"ping")
    assert socket.poll(400) and socket.recv() == b"ping"
    socket.close()
    session.finish(request)


def test_subscribers_are_welcomed(session):
    socket = zmq.Context.instance().socket(zmq.SUB)
    socket.setsockopt(zmq.LINGER, 0)
    socket.connect(address(session, "iopub"))
    socket.setsockopt(zmq.SUBSCRIBE, b"")
    assert socket.poll(5000)
    frames = socket.recv_multipart()
    assert json.loads(frames[frames.index(DELIMITER) + 2])["msg_type"] == "iopub_welcome"
    socket.close()


def test_input_reaches_the_program(session):
    request = session.send("name = input('who? ')\nname", allow_stdin=True)
    asked = session.client.get_stdin_msg(timeout=TIMEOUT)["content"]
    assert asked == {"prompt": "who? ", "password": False}
    session.client.input("Ada")
    assert session.finish(request).value == "'Ada'"


def test_passwords_are_hidden(session):
    request = session.send("import getpass\ngetpass.getpass()", allow_stdin=True)
    asked = session.client.get_stdin_msg(timeout=TIMEOUT)["content"]
    assert asked["password"] is True
    session.client.input("secret")
    assert session.finish(request).value == "'secret'"


def test_an_answer_that_comes_too_late_is_not_taken(session):
    request = session.send("input('first ')", allow_stdin=True)
    session.client.get_stdin_msg(timeout=TIMEOUT)
    os.kill(session.pid, signal.SIGINT)
    assert session.finish(request).status == "error"
    session.client.input("late")
    time.sleep(0.2)
    request = session.send("input('second ')", allow_stdin=True)
    session.client.get_stdin_msg(timeout=TIMEOUT)
    session.client.input("right")
    assert session.finish(request).value == "'right'"


def test_input_without_anybody_to_ask_is_an_error(session):
    assert session.run("input('?')").status == "error"


@pytest.mark.parametrize("code", ["while True: pass", "input('?')", "import time\ntime.sleep(60)",
                                  "while True: print('x')",
                                  "while True:\n    try:\n        while True: pass\n"
                                  "    except KeyboardInterrupt: pass"])
def test_restart_and_shutdown_while_busy(code):
    with kernel() as started:
        started.run("x = 1")
        request = started.send(code, allow_stdin=True)
        started.wait_for("execute_input", request)
        time.sleep(0.2)
        begin = time.monotonic()
        started.client.shutdown(restart=True)
        assert started.client.get_control_msg(timeout=TIMEOUT)["content"] == {
            "restart": True, "status": "ok"}
        while started.manager.is_alive():
            assert time.monotonic() - begin < 2
            time.sleep(0.01)
        started.manager.restart_kernel(now=True)
        started.client.wait_for_ready(timeout=TIMEOUT)
        assert started.run("'x' in globals()").value == "False"


PARENT = """
import os, sys, time
from jupyter_client.manager import KernelManager
manager = KernelManager(kernel_name="strider")
manager.start_kernel(env={**os.environ, "JPY_PARENT_PID": str(os.getpid())})
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=30)
client.execute(sys.argv[1])
time.sleep(0.5)
print(manager.provisioner.pid, flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("code", ["1", "while True: pass"])
def test_no_orphan_is_left(code):
    done = subprocess.run([sys.executable, "-c", PARENT, code], capture_output=True, text=True,
                          timeout=60, stdin=subprocess.DEVNULL)
    pid = int(done.stdout.split()[-1])
    end = time.monotonic() + 5
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}")


def test_a_termination_signal_ends_it():
    with kernel() as started:
        os.kill(started.pid, signal.SIGTERM)
        end = time.monotonic() + 5
        while started.manager.is_alive() and time.monotonic() < end:
            time.sleep(0.02)
        assert not started.manager.is_alive()
