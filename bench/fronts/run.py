#!/usr/bin/env python3
"""Times what a user waits for in a notebook and at a prompt, beside IPython and ipykernel.

    bench/fronts/run.py --strider build/release/bin/strider [--output FILE]

Both run in turns in one session on this machine; each figure is a median, or the 99th of 100.
Needs requirements.txt in the python that runs it.
"""

import argparse
import json
import os
import platform
import pty
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import zmq
from jupyter_client.session import Session

CHANNELS = ("shell", "control", "stdin", "iopub", "hb")
GOALS = {"kernel": 60, "round": 2, "completion": 10, "prompt": 20}


class Kernel:
    """A kernel started by its program, spoken to over plain sockets."""

    def __init__(self, words, folder):
        info = {"transport": "tcp", "ip": "127.0.0.1", "key": "bench",
                "signature_scheme": "hmac-sha256"}
        found = [socket.socket() for _ in CHANNELS]
        for channel, each in zip(CHANNELS, found):
            each.bind(("127.0.0.1", 0))
            info[channel + "_port"] = each.getsockname()[1]
        for each in found:
            each.close()
        path = Path(folder, f"{info['shell_port']}.json")
        path.write_text(json.dumps(info))
        self.session = Session(key=b"bench")
        self.shell = self.connect(zmq.DEALER, info["shell_port"])
        self.iopub = self.connect(zmq.SUB, info["iopub_port"])
        self.iopub.setsockopt(zmq.SUBSCRIBE, b"")
        begin = time.perf_counter()
        self.process = subprocess.Popen([*words, "-f", str(path)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.ask("kernel_info_request", {})
        self.started = time.perf_counter() - begin

    def connect(self, kind, port):
        made = zmq.Context.instance().socket(kind)
        made.setsockopt(zmq.LINGER, 0)
        made.setsockopt(zmq.RECONNECT_IVL, 1)
        made.connect(f"tcp://127.0.0.1:{port}")
        return made

    def ask(self, kind, content):
        """Sends a request and returns the reply's content."""
        sent = self.session.send(self.shell, kind, content)["header"]["msg_id"]
        while True:
            if not self.shell.poll(60_000):
                raise TimeoutError(kind)
            _, reply = self.session.recv(self.shell, 0)
            if reply["parent_header"].get("msg_id") == sent:
                return reply["content"]

    def run(self, code):
        """Runs an entry until its reply and its idle status are there."""
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {},
                   "allow_stdin": False, "stop_on_error": True}
        sent = self.session.send(self.shell, "execute_request", content)["header"]["msg_id"]
        self.session.recv(self.shell, 0)
        while self.iopub.poll(10_000):
            _, message = self.session.recv(self.iopub, 0)
            if message["parent_header"].get("msg_id") == sent and \
                    message["content"].get("execution_state") == "idle":
                return

    def close(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.shell.close()
        self.iopub.close()


def timed(work, count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - begin))
    return sorted(times)


def prompt_time(words, mark):
    """Returns the milliseconds until a program in a terminal shows its prompt."""
    begin = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(words[0], words)
    seen = b""
    while mark not in seen:
        if not select.select([terminal], [], [], 30)[0]:
            raise TimeoutError(words[0])
        seen += os.read(terminal, 4096)
    took = 1000 * (time.perf_counter() - begin)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(terminal)
    return took


def kernel_figures(words, folder, rounds):
    starts = []
    for _ in range(rounds):
        kernel = Kernel(words, folder)
        starts.append(1000 * kernel.started)
        kernel.close()
    kernel = Kernel(words, folder)
    for _ in range(3):  # until IOPub is connected
        kernel.run("import numpy as np\nx = np.zeros((3, 4))")
    rounds_of_one = timed(lambda: kernel.run("1+1"), 100)
    content = {"code": "np.lin", "cursor_pos": 6}
    completions = timed(lambda: kernel.ask("complete_request", content), 100)
    kernel.close()
    return {"kernel": statistics.median(starts), "round": statistics.median(rounds_of_one),
            "completion": completions[98]}


def table(figures):
    names = {"kernel": "kernel: start to kernel_info, ms", "round": "`1+1`: request to idle, ms",
             "completion": "completion of `np.lin`, 99 %, ms",
             "prompt": "prompt: start to its first line, ms"}
    lines = ["| | strider | IPython / ipykernel | goal |", "|---|---|---|---|"]
    for key, name in names.items():
        lines.append(f"| {name} | {figures['strider'][key]:.1f} | {figures['python'][key]:.1f} "
                     f"| {GOALS[key]} |")
    return "\n".join(lines)


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strider", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--output", help="also writes the table to this file")
    options = parser.parse_args()
    strider = os.path.abspath(options.strider)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_STATE_HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
            os.environ[name] = os.path.join(folder, name.lower())
        ours = kernel_figures([strider + "-kernel"], folder, options.rounds)
        theirs = kernel_figures([sys.executable, "-m", "ipykernel_launcher"], folder,
                                options.rounds)
        prompts = {"strider": [], "python": []}
        for _ in range(options.rounds):
            prompts["strider"].append(prompt_time([strider], b">>> "))
            prompts["python"].append(prompt_time([sys.executable, "-m", "IPython", "--no-banner",
                                                  "--simple-prompt"], b"In [1]"))
    ours["prompt"] = statistics.median(prompts["strider"])
    theirs["prompt"] = statistics.median(prompts["python"])
    text = (f"# Fronts, {date.today()}\n\n{processor()}, {os.cpu_count()} cores, "
            f"Python {platform.python_version()}. Medians of {options.rounds} starts and of 100 "
            f"requests; both in one run of `bench/fronts/run.py`.\n\n"
            + table({"strider": ours, "python": theirs}) + "\n")
    print(text)
    if options.output:
        Path(options.output).write_text(text)


if __name__ == "__main__":
    main()
