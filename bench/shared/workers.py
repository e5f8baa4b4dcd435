"""Processes that time one function each, for benches that let engines take turns.

A worker reads lines from a pipe and answers with numbers. Knows nothing of what is timed.
"""

import contextlib
import subprocess


class Worker:
    """A process that times one row for one engine."""

    def __init__(self, command, path, text, environment=None):
        path.write_text(text)
        self._process = subprocess.Popen([*command, str(path)], stdin=subprocess.PIPE, text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                         env=environment)

    def ask(self, size):
        """The numbers that it answers for a size; none when the engine cannot run the row."""
        try:
            self._process.stdin.write(f"{size}\n")
            self._process.stdin.flush()
            return [float(number) for number in self._process.stdout.readline().split()[1:]]
        except (OSError, ValueError):
            return []

    def wait(self):
        """Waits until it has started, so that its imports do not disturb what others time."""
        self.ask("ready")

    def seconds(self, size):
        """The first of them; None when there is none."""
        return next(iter(self.ask(size)), None)

    def close(self):
        """Ends the process."""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()


def show_time(seconds):
    """Seconds with a readable unit."""
    for unit, scale in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
