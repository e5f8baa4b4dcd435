"""The python side of the differential tests: imports NumPy once and forks for each program.

Reads one JSON request a line ({"path", "cwd", "stdin", "timeout"}), answers one JSON line
({"stdout", "stderr", "exit"}; exit is null when the program ran out of time). Knows nothing of
what the answers are compared with.
"""

import importlib.abc
import importlib.util
import importlib.machinery
import json
import os
import select
import signal
import sys
import time
import traceback
import types

import numpy  # noqa: F401  (imported here so that every forked program has it at once)


class NpxFinder(importlib.abc.MetaPathFinder):
    """Finds `name.npx` and `name/__init__.npx` where Python would look for `name.py`."""

    def find_spec(self, name, path=None, target=None):
        """Returns the spec of a module kept as .npx, or None."""
        leaf = name.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            package = os.path.join(folder, leaf, "__init__.npx")
            module = os.path.join(folder, leaf + ".npx")
            if os.path.isfile(package):
                return self._spec(name, package, [os.path.dirname(package)])
            if os.path.isfile(module):
                return self._spec(name, module, None)
        return None

    @staticmethod
    def _spec(name, file, locations):
        loader = importlib.machinery.SourceFileLoader(name, file)
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=locations)


def run_program(path):
    """Runs a program as `__main__`; returns its exit status as `python3 path` would."""
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    sys.argv = [path]
    sys.path[0] = os.path.dirname(path)
    sys.meta_path.insert(0, NpxFinder())
    sys.dont_write_bytecode = True
    try:
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)
        exec(code, module.__dict__)
    except SystemExit as stop:
        return exit_status(stop.code)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def exit_status(code):
    """Turns the argument of sys.exit into the process's status."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def child(request, stdin, stdout, stderr):
    """Body of the forked process: redirects the three streams and leaves with the status."""
    for source, number in ((stdin, 0), (stdout, 1), (stderr, 2)):
        os.dup2(source, number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)
    os.chdir(request["cwd"])
    status = run_program(request["path"])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def wait_for(process, pipes, seconds):
    """Drains the pipes until the process ends; returns (outputs, exit or None)."""
    end = time.monotonic() + seconds
    outputs = {pipe: b"" for pipe in pipes}
    still_open = set(pipes)
    while still_open:
        left = end - time.monotonic()
        ready = select.select(list(still_open), [], [], max(left, 0))[0]
        if not ready:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return outputs, None
        for pipe in ready:
            data = os.read(pipe, 1 << 16)
            outputs[pipe] += data
            if not data:
                still_open.discard(pipe)
    return outputs, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def answer(request):
    """Runs one request in a fork and returns the reply."""
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    os.write(in_write, request["stdin"].encode())
    os.close(in_write)
    process = os.fork()
    if process == 0:
        try:
            child(request, in_read, out_write, err_write)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(70)
    for pipe in (in_read, out_write, err_write):
        os.close(pipe)
    outputs, status = wait_for(process, (out_read, err_read), request["timeout"])
    reply = {"stdout": outputs[out_read], "stderr": outputs[err_read]}
    os.close(out_read)
    os.close(err_read)
    reply = {name: data.decode("utf-8", "replace") for name, data in reply.items()}
    return {**reply, "exit": status}


def main():
    """Serves requests until stdin closes; says its versions first."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    print(sys.version.split()[0], numpy.__version__, file=replies, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=replies, flush=True)


if __name__ == "__main__":
    main()
