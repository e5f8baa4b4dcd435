#!/usr/bin/env python3
"""Runs the tests on a machine with GPUs, from what pack.py packed.

    tests/gpu/check.py FOLDER [--stages unit,programs,eager,memcheck,racecheck,networks,no-cudnn,random]
                       [--seconds 500] [--logs FOLDER]

unit       the unit tests of the CUDA backend
programs   every test program, as tests/run.py runs them with --mode cuda; eager: with --mode cuda-eager
memcheck   the array programs under compute-sanitizer, batches of them in a process; racecheck: that
networks   the programs of neural networks under memcheck
no-cudnn   the same programs where cuDNN cannot be opened, and that a convolution says so
random     random programs on the GPU beside the CPU and NumPy (needs a python3 with NumPy 2)

The stages share the seconds; one that does not come to its end says how far it came, and fails.
Programs take turns on all GPUs. The whole output of each stage lies in the folder of logs. What pack.py wrote is
unpacked into a temporary folder. Builds nothing.
"""

import argparse
import concurrent.futures
import copy
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

import run as programs_test  # noqa: E402

STAGES = ("unit", "programs", "eager", "memcheck", "racecheck", "networks", "no-cudnn", "random")
CORES = len(os.sched_getaffinity(0))
JOBS = max(1, CORES - 2)  # programs at a time
BATCH = 8  # programs that share a process: a context takes long to make
WATCHED_JOBS = max(1, CORES // 2 - 1)  # such processes at a time
GPU_WAYS = ["--way", "default", "--way", "cuda", "--way", "cuda, eager"]  # of random programs
RANDOM_BATCH = 20  # random programs of one process
RANDOM_REST = 60  # seconds in which the last batches end
RANDOM_COUNT = 100_000  # more than there is time for
SANITIZER_STATUS = 99  # of a process in which something was found
# What it says of something found; summaries of nothing come, too.
REPORT = re.compile(r"^========= (?!.*SUMMARY: 0 )(?:Error|Warning|Invalid|Race|.*hazard).*", re.MULTILINE)
SANITIZER_ARGUMENTS = ["--error-exitcode", str(SANITIZER_STATUS), "--print-limit", "20"]


class Machine:
    """The unpacked programs, and how they are started here."""

    def __init__(self, pack, folder):
        with lzma.open(pack / "built.tar.xz") as file, tarfile.open(fileobj=file) as archive:
            archive.extractall(folder, filter="fully_trusted")
        self.pack = pack
        self.bin = folder / "bin"
        self.strider = self.bin / "strider"
        self.cache = folder / "cache"
        self.environment = {
            **os.environ, "LD_LIBRARY_PATH": f"{folder / 'libs'}:{os.environ.get('LD_LIBRARY_PATH', '')}",
            "STRIDER_FONT_FOLDER": str(folder / "fonts"), "PYTHONTZPATH": str(folder / "zoneinfo"),
            "TZDIR": str(folder / "zoneinfo"), "STRIDER_CACHE_DIR": str(self.cache),
            "STRIDER_CACHE_LIMIT": "4G", "STRIDER_CUDA_COMPILE": "wait", "STRIDER_NUM_THREADS": "4"}
        count = subprocess.run(
            [self.strider, "-c", "import numpy as np; print(np.cuda.device_count())"], check=True,
            capture_output=True, text=True, env={**self.environment, "STRIDER_DEVICE": "cuda"})
        self.devices = int(count.stdout)


def run_logged(command, log, seconds, **settings):
    """Runs a command with its output in a file; returns its status, None when it ran out of time."""
    with open(log, "ab") as file:
        process = subprocess.Popen([str(word) for word in command], stdout=file,
                                   stderr=subprocess.STDOUT, start_new_session=True, **settings)
        try:
            return process.wait(timeout=max(seconds, 1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with what it has started
            process.wait()
            return None


def last_lines(log, count=1):
    """The end of a log."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-count:])


def unit(machine, log, seconds):
    """The unit tests; their disk caches have limits of their own."""
    environment = {key: value for key, value in machine.environment.items()
                   if key != "STRIDER_CACHE_LIMIT"}
    status = run_logged([machine.bin / "cuda_tests"], log, seconds, env=environment)
    return f"status {status}\n{last_lines(log, 4)}", status == 0


def suite(mode, *topics):
    """A stage of test programs, all or those of some topics, in a mode of tests/run.py."""
    def stage(machine, log, seconds):
        status = run_logged([sys.executable, HERE.parent / "run.py", "--strider", machine.strider, "--mode", mode,
                    "--expected", machine.pack / "expected.json.xz", "--devices", machine.devices,
                    "--jobs", JOBS, "--batch", BATCH, "--seconds", max(1, seconds - 60),
                    *(HERE.parent / topic for topic in topics)],
                   log, seconds, env=machine.environment)
        failed = re.findall(r"^FAILED .*", log.read_text(errors="replace"), re.MULTILINE)
        return "\n".join([*failed, last_lines(log, 2)]), status == 0
    return stage


CONVOLUTION = """
import numpy as np
import nnet
x, w = np.ones((2, 3, 40, 40), "float32"), np.ones((4, 3, 3, 3), "float32")
print(nnet.conv2d(x, w).sum())
"""


def without_cudnn(machine, log, seconds):
    """The programs of networks with a library in cuDNN's place that is none, and no python3 to bring it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "libcudnn.so.9").touch()
        environment = {name: value for name, value in machine.environment.items()
                       if name not in ("CUDA_PATH", "CUDA_HOME", "CUDNN_PATH")}
        environment |= {"PATH": folder,
                        "LD_LIBRARY_PATH": f"{folder}:{environment['LD_LIBRARY_PATH']}"}
        hidden = copy.copy(machine)
        hidden.environment = environment
        told = subprocess.run([machine.strider, "-c", CONVOLUTION], capture_output=True, text=True,
                              env={**environment, "STRIDER_DEVICE": "cuda", "STRIDER_FUSION": "1"})
        good = told.stdout == "311904.0\n" and told.stderr.count("the host computes") == 1
        report, passed = suite("cuda", "nnet")(hidden, log, seconds)
        return f"{told.stdout}{told.stderr}{report}", good and passed


def programs_of(*topics):
    """The programs of these topics that run on one GPU."""
    found = programs_test.find_programs([HERE.parent / topic for topic in topics], "")
    return [program.path for program in found if program.runs_in("cuda") and not program.needs_two]


def watched(tool, *topics):
    """A stage of programs under one of compute-sanitizer's tools."""
    def stage(machine, log, seconds):
        end = time.monotonic() + seconds
        paths = programs_of(*topics)
        batches = [paths[i:i + BATCH] for i in range(0, len(paths), BATCH)]
        sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"

        def run_batch(number):
            left = end - time.monotonic()
            if left < 20:
                return None
            own = log.with_suffix(f".{number}")
            environment = {**machine.environment, "STRIDER_FUSION": "1", "STRIDER_DEVICE": "cuda",
                           "CUDA_VISIBLE_DEVICES": str(number % machine.devices)}
            return run_logged([sanitizer, "--tool", tool, *SANITIZER_ARGUMENTS, machine.strider,
                               HERE.parent / "batch.npx", *batches[number]], own, left, env=environment)

        with concurrent.futures.ThreadPoolExecutor(WATCHED_JOBS) as pool:
            statuses = list(pool.map(run_batch, range(len(batches))))
        reported, ended = [], 0
        with open(log, "w") as whole:
            for number, status in enumerate(statuses):
                own = log.with_suffix(f".{number}")
                text = own.read_text(errors="replace") if own.exists() else ""
                whole.write(text)
                own.unlink(missing_ok=True)
                names = re.findall(r"^== (/.*)", text, re.MULTILINE)
                ended += len(names) - (status is None and bool(names))
                if status not in (None, 0, SANITIZER_STATUS):
                    reported.append(f"{names[-1] if names else '?'}: ended with status {status}")
                for error in REPORT.finditer(text):
                    before = re.findall(r"^== (/.*)", text[:error.start()], re.MULTILINE)
                    reported.append(f"{os.path.relpath(before[-1], ROOT) if before else '?'}: {error[0]}")
        told = f"{ended} of {len(paths)} programs watched to their end, {len(reported)} reports"
        return "\n".join([*reported[:40], told]), not reported and ended == len(paths)
    return stage


def random_programs(machine, log, seconds):
    """Random programs, seeds from the clock, until the time is over."""
    run_logged([sys.executable, HERE.parent / "random/programs.py", "--strider", machine.strider, *GPU_WAYS,
                "--count", RANDOM_COUNT, "--batch", RANDOM_BATCH, "--seed", int(time.time()),
                "--seconds", seconds - RANDOM_REST, "--jobs", JOBS, "--devices", machine.devices], log, seconds, env=machine.environment)
    counts = re.findall(r"^(\d+) passed, (\d+) failed", log.read_text(), re.MULTILINE)
    passed, failed = map(int, counts[-1]) if counts else (0, 0)
    return f"{passed} passed, {failed} failed", passed > 0 and failed == 0


RUNNERS = {"unit": unit, "programs": suite("cuda"), "eager": suite("cuda-eager"),
           "memcheck": watched("memcheck", "arrays", "graph"),
           "racecheck": watched("racecheck", "arrays", "graph"),
           "networks": watched("memcheck", "nnet"), "no-cudnn": without_cudnn, "random": random_programs}


def main():
    """Runs the stages one after the other; the status is 1 when something failed in one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="what pack.py wrote")
    parser.add_argument("--stages", default=",".join(STAGES))
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--logs", type=Path, default=Path("gpu-logs"))
    options = parser.parse_args()
    options.logs.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + options.seconds
    stages = options.stages.split(",")
    well = True
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        machine = Machine(options.folder, Path(folder))
        print(f"{machine.devices} GPUs, {(options.folder / 'commit').read_text().strip()}", flush=True)
        for place, name in enumerate(stages):
            begin = time.monotonic()
            share = (end - begin) / (len(stages) - place)
            outcome, good = RUNNERS[name](machine, options.logs / f"{name}.log", share)
            print(f"== {name} ({time.monotonic() - begin:.0f} s)\n{outcome}", flush=True)
            well &= good
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
