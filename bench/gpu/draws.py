#!/usr/bin/env python3
"""Random numbers on a GPU: the CPU's to the bit, and how long 1e8 take beside CuPy's.

    bench/gpu/draws.py --strider build/release/bin/strider [--check 1e7] [--time 1e8]

Prints how many digests differ, and times: the best of five draws, each waited for; of few numbers
on the CPU, too. CuPy, where python3 has it, draws by its own generators. Fails where a digest differs.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "draws.npx"


def output_of(strider, device, *arguments):
    command = [strider, "--device", device, str(PROGRAM), *arguments]
    begin = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True)
    print(f"{' '.join(command)}: {time.perf_counter() - begin:.2f} s, exit {result.returncode}")
    if result.returncode:
        print(result.stderr[-2000:])
    return result.stdout


def compare(strider, count):
    host, device = (output_of(strider, name, count).splitlines() for name in ("cpu", "cuda"))
    pairs = list(zip(host, device))
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    for mine, theirs in differing[:12]:
        print("CPU ", mine, "\nCUDA", theirs)
    missing = abs(len(host) - len(device))
    print(f"{len(pairs)} digests compared, {len(differing)} differ, {missing} missing")
    return not differing and not missing and bool(pairs)


def time_cupy(count):
    try:
        import cupy
    except ImportError:
        return print("no CuPy")
    for kind in (cupy.random.XORWOW, cupy.random.Philox4x3210):
        rng = cupy.random.Generator(kind(7))
        for name, draw in (("random", lambda: rng.random(count)),
                           ("random float32", lambda: rng.random(count, dtype=cupy.float32)),
                           ("standard_normal", lambda: rng.standard_normal(count)),
                           ("normal float32", lambda: rng.standard_normal(count, dtype=cupy.float32)),
                           ("standard_exponential", lambda: rng.standard_exponential(count)),
                           ("integers(1000)", lambda: rng.integers(0, 1000, count))):
            best = 1e9
            for _ in range(5):
                begin = time.perf_counter()
                float(draw()[-1])
                best = min(best, time.perf_counter() - begin)
            print(f"CuPy {kind.__name__:14} {name:24} {best * 1e3:9.3f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strider", default="build/release/bin/strider")
    parser.add_argument("--check", default="1e7", help="draws of each kind that are compared")
    parser.add_argument("--time", default="1e8", help="draws that are timed")
    options = parser.parse_args()
    equal = compare(options.strider, options.check)
    for device, count in (("cuda", options.time), ("cpu", "1e4"), ("cuda", "1e4"), ("cpu", "1e5"),
                          ("cuda", "1e5")):
        print(output_of(options.strider, device, count, "time"), end="")
    time_cupy(int(float(options.time)))
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
