"""The command line's part, and Jupyter's own tools over the kernel."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STRIDER = os.environ.get("STRIDER", str(ROOT / "build/release/bin/strider"))


def run(*words, **settings):
    return subprocess.run(words, capture_output=True, text=True, timeout=120,
                          stdin=settings.pop("stdin", subprocess.DEVNULL), **settings)


def test_the_kernel_is_installed_listed_and_removed(tmp_path):
    done = run(STRIDER, "kernel", "install", "--prefix", str(tmp_path), "--name", "mine",
               "--device", "cpu")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "share/jupyter/kernels/mine"
    specification = json.loads((folder / "kernel.json").read_text())
    assert os.path.isabs(specification["argv"][0]) and "{connection_file}" in specification["argv"]
    assert specification["argv"][-2:] == ["--device", "cpu"]
    assert specification["language"] == "strider"
    assert (folder / "logo-64x64.png").exists() and (folder / "logo-svg.svg").exists()
    assert "mine" in run(STRIDER, "kernel", "list", "--prefix", str(tmp_path)).stdout
    assert run(STRIDER, "kernel", "remove", "--prefix", str(tmp_path), "--name",
               "mine").returncode == 0
    assert not folder.exists()
    assert run(STRIDER, "kernel", "remove", "--prefix", str(tmp_path), "--name",
               "mine").returncode == 1


def test_for_this_user_and_this_environment(tmp_path):
    environment = {**os.environ, "JUPYTER_DATA_DIR": str(tmp_path / "data"),
                   "VIRTUAL_ENV": str(tmp_path / "venv")}
    assert run(STRIDER, "kernel", "install", "--user", env=environment).returncode == 0
    assert run(STRIDER, "kernel", "install", "--sys-prefix", env=environment).returncode == 0
    assert (tmp_path / "data/kernels/strider/kernel.json").exists()
    assert (tmp_path / "venv/share/jupyter/kernels/strider/kernel.json").exists()


def test_wrong_words_are_refused():
    assert run(STRIDER, "kernel").returncode == 2
    assert run(STRIDER, "kernel", "install", "--name", "../x").returncode == 1
    assert run(STRIDER, "kernel", "install", "--user", "--prefix", "/tmp").returncode == 2


def notebook(*sources):
    cells = [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
              "source": source, "id": f"cell{number}"} for number, source in enumerate(sources)]
    return {"cells": cells, "nbformat": 4, "nbformat_minor": 5,
            "metadata": {"kernelspec": {"name": "strider", "display_name": "Strider",
                                        "language": "strider"}}}


def test_nbconvert_executes_a_notebook(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(notebook(
        "import numpy as np\nx = np.arange(6).reshape(2, 3)\nx", "print(x.sum())",
        "h = display(0, display_id=True)\nfor n in range(100): h.update(n)")))
    done = run(sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output",
               "b.ipynb", str(path))
    assert done.returncode == 0, done.stderr
    cells = json.loads((tmp_path / "b.ipynb").read_text())["cells"]
    assert "<table" in "".join(cells[0]["outputs"][0]["data"]["text/html"])
    assert cells[1]["outputs"][0]["text"] == ["15\n"]
    assert cells[2]["outputs"][0]["data"]["text/plain"] == ["99"]
    assert [cell["execution_count"] for cell in cells] == [1, 2, 3]


def test_a_notebook_that_runs_without_jupyter_keeps_what_was_entered(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(notebook("6 * 7", "_, Out[1], In[1]", "%history")))
    done = run(STRIDER, str(path))
    assert done.stdout.splitlines() == ["42", "(42, 42, '6 * 7')", "6 * 7", "_, Out[1], In[1]", "%history"]


@pytest.mark.parametrize("path", sorted((ROOT / "examples/notebooks").glob("*.ipynb")),
                         ids=str)
def test_nbconvert_executes_the_examples(path, tmp_path):
    done = run(sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir",
               str(tmp_path), str(path), cwd=path.parent)
    assert done.returncode == 0, done.stderr


def test_the_console_answers():
    done = run(sys.executable, "-m", "jupyter_console", "--kernel", "strider", "--simple-prompt",
               stdin=None, input="6 * 7\nprint('hello' + ' there')\nexit\n")
    assert "42" in done.stdout and "hello there" in done.stdout, done.stdout + done.stderr
