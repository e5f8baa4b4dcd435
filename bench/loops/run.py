#!/usr/bin/env python3
"""Times loops under numba.jit beside Numba and beside CPython, in one run.

    bench/loops/run.py --strider build/release/bin/strider --python PYTHON [--rounds 3] [--filter NAME]

PYTHON is a python3 with NumPy and Numba (`pip install numba`). Prints for each loop the median over the rounds: Strider's
time, those of the others relative to it, and the first calls, which compile. The last line, `pi` of one turn, is the
cost of a call.
"""

import argparse
import os
import statistics
import subprocess
from pathlib import Path

LOOPS = Path(__file__).resolve().parent / "loops.npx"


def times_of(command, settings, name):
    """(name, first, warm) of each loop, in the order of the program."""
    text = subprocess.run([*command, str(LOOPS), *([name] if name else [])], check=True, capture_output=True,
                          text=True, env={**os.environ, **settings}).stdout
    return [(words[0], float(words[1]), float(words[2])) for words in map(str.split, text.splitlines())]


def main():
    """Runs the rounds and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", default="build/release/bin/strider")
    parser.add_argument("--python", default="python3")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--filter", default="", help="only the loop of this name")
    options = parser.parse_args()
    engines = {"strider": ([options.strider], {}), "Numba": ([options.python], {}),
               "CPython": ([options.python], {"NUMBA_DISABLE_JIT": "1"})}
    found = {name: [] for name in engines}
    for _ in range(options.rounds):
        for name, (command, settings) in engines.items():
            found[name].append(times_of(command, settings, options.filter))
    print("| loop | strider | Numba | CPython | first: strider | Numba |\n|---|---:|---:|---:|---:|---:|")
    for place, (loop, *_) in enumerate(found["strider"][0]):
        first, warm = ({name: statistics.median(each[place][column] for each in rounds)
                        for name, rounds in found.items()} for column in (1, 2))
        ours = warm["strider"]
        print(f"| {loop} | {ours * 1e3:.3g} ms | {warm['Numba'] / ours:.2f} | {warm['CPython'] / ours:.1f} "
              f"| {first['strider'] * 1e3:.1f} ms | {first['Numba'] * 1e3:.0f} ms |")


if __name__ == "__main__":
    main()
