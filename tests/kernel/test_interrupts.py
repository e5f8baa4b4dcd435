"""Interrupts by signal and by message: soon, in whatever runs, and nothing is lost."""

import os
import random
import signal
import time

import pytest

from support import TIMEOUT, kernel

SLOW = float(os.environ.get("STRIDER_TIME_FACTOR", "1"))
SOON = 0.1 * SLOW

PROGRAMS = {
    "loop": "while True: pass",
    "function": "def f(n):\n    return n + 1\nn = 0\nwhile True: n = f(n)",
    "long loop over arrays": "x = np.ones(50_000_000)\nwhile True: x = np.sin(x) + 1\n",
    "sum of a long array": "x = np.arange(100_000_000.0)\nwhile True: np.exp(np.sin(x)).sum()",
    "sort": "x = np.random.default_rng(1).random(200_000_000)\nprint('on')\nnp.sort(x)",
    "list sort": "x = [str(i) for i in range(1_000_000)]\nprint('on')\nx.sort(reverse=True)\n"
                 "while True: x.sort(key=lambda s: s[::-1])",
    "matmul": "a = np.ones((3000, 3000))\nprint('on')\nwhile True: a @ a",
    "sleep": "import time\ntime.sleep(60)",
    "prints": "while True: print('x' * 50)",
    "displays": "while True: display(1)",
    "updates": "h = display(0, display_id=True)\nwhile True: h.update(1)",
    "shell": "!sleep 60",
    "input": "input('?')",
    "os.system": "import os\nwhile True: os.system('sleep 60')",
}


@pytest.fixture(scope="module", params=["signal", "message"])
def session(request):
    with kernel(mode=request.param) as started:
        started.run("import numpy as np")
        yield started


def interrupt(session):
    if session.manager.kernel_spec.interrupt_mode == "message":
        message = session.client.session.msg("interrupt_request", {})
        session.client.control_channel.send(message)
        assert session.client.get_control_msg(timeout=5)["content"]["status"] == "ok"
    else:
        os.kill(session.pid, signal.SIGINT)


def start(session, code):
    """Runs a program and returns once it is where it stays."""
    asks = code.startswith("input(")
    request = session.send("state = 'kept'\n" + code, allow_stdin=asks)
    if asks:
        session.client.get_stdin_msg(timeout=TIMEOUT)
    elif "print('on')\n" in code:
        session.wait_for("stream", request)
    else:
        session.wait_for("execute_input", request)
        time.sleep(0.5)
    time.sleep(0.1)
    return request


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_interrupt_ends_it_soon(session, name):
    times = []
    while not times or (times[-1] > SOON and len(times) < 3):  # others may use the machine
        times.append(time_to_end(session, PROGRAMS[name]))
    assert times[-1] < SOON, f"{times} s"


def time_to_end(session, code):
    """Interrupts a program, looks at what is left, and returns how long it went on."""
    request = start(session, code)
    begin = time.monotonic()
    interrupt(session)
    reply = session.reply(request)
    took = time.monotonic() - begin
    errors = [m["content"] for m in session.collect(request) if m["msg_type"] == "error"]
    assert reply["content"]["status"] == "error"
    assert [e["ename"] for e in errors] == ["KeyboardInterrupt"]
    assert session.run("state").value == "'kept'"
    return took


def test_a_program_may_catch_it_and_go_on(session):
    request = start(session, "try:\n    while True: pass\nexcept KeyboardInterrupt:\n"
                             "    print('caught')\nprint('on')")
    interrupt(session)
    result = session.finish(request)
    assert result.status == "ok" and result.text() == "caught\non\n"


def test_an_idle_kernel_is_not_disturbed(session):
    for _ in range(20):
        interrupt(session)
        assert session.run("6 * 7").value == "42"


def test_a_queued_cell_is_dropped_with_the_interrupted_one(session):
    first = start(session, "while True: pass")
    second = session.send("never = 1")
    time.sleep(0.1)
    interrupt(session)
    assert session.finish(first).status == "error"
    assert session.finish(second).status == "aborted"


def test_a_hundred_interrupts_at_random_moments(session):
    generator = random.Random(7)
    programs = ["while True: pass", "import time\ntime.sleep(30)",
                "x = np.ones(5_000_000)\nwhile True: x = np.sqrt(x + 1)",
                "while True: print('x')", "while True: sorted(range(1000))"]
    times = []
    session.run("count = 0")
    for number in range(100):
        request = session.send("count += 1\n" + programs[number % len(programs)])
        session.wait_for("execute_input", request)
        time.sleep(generator.random() * 0.05)
        begin = time.monotonic()
        interrupt(session)
        assert session.reply(request)["content"]["status"] == "error"
        times.append(time.monotonic() - begin)
        session.collect(request)
    times.sort()
    print(f"median {times[50] * 1000:.1f} ms, 95 % within {times[94] * 1000:.1f} ms, "
          f"longest {times[-1] * 1000:.1f} ms")
    assert times[94] < SOON
    # An entry may be stopped before its first statement, but none runs twice.
    assert 90 <= int(session.run("count").value) <= 100
