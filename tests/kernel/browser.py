#!/usr/bin/env python3
"""Runs a notebook in headless Chromium, in the classic notebook and in JupyterLab.

Each runs cells, shows a table and a PNG, moves a progress bar, completes a name, interrupts a running
loop with the button and goes on. Pictures stay in build/screenshots. What is not installed is left
out and named; --only picks one.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "build/screenshots"
PROGRAMS = ROOT / "build/browser-venv"
PATIENCE = 30

CELLS = [
    "import numpy as np\nx = np.arange(12.0).reshape(3, 4)\nx",
    "from IPython.display import Image, display\n"
    "g = np.linspace(0, 1, 120)\ndisplay(Image(g[None, :] * g[:, None]))",
    "import time\nfor n in np.progress(range(60), desc='steps'):\n    time.sleep(0.05)",
    "print('before')\nwhile True: pass",
    "print('goes' + ' on', x.sum())",
    "x_long_name = 1",
]


def notebook():
    return {"nbformat": 4, "nbformat_minor": 5,
            "metadata": {"kernelspec": {"name": "strider", "display_name": "Strider",
                                        "language": "strider"}},
            "cells": [{"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [],
                       "execution_count": None, "source": text} for n, text in enumerate(CELLS)]}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """A notebook server in a folder with the notebook."""

    def __init__(self, words, folder):
        self.port = free_port()
        self.log = open(PICTURES / f"{Path(words[0]).name}.log", "w")
        self.process = subprocess.Popen(
            [*words, "--no-browser", "--ip=127.0.0.1", f"--port={self.port}", "--allow-root"],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            start_new_session=True)
        end = time.monotonic() + 4 * PATIENCE  # JupyterLab is slow to start on a busy machine
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api", timeout=1)
                return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)


def start_browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                 "--window-size=1200,1600"):
        options.add_argument(word)
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


class Front:
    """What both fronts are asked to do; the ways to find things differ."""

    def __init__(self, browser, name):
        self.browser = browser
        self.name = name

    def ask(self, script, *arguments):
        return self.browser.execute_script("return " + script, *arguments)

    def until(self, what, test, patience=PATIENCE):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            value = test()
            if value:
                return value
            time.sleep(0.03)
        self.picture("failed")
        raise AssertionError(f"{self.name}: {what}")

    def picture(self, name):
        self.browser.save_screenshot(str(PICTURES / f"{self.name}-{name}.png"))

    def output(self, cell, selector):
        return self.ask("((...a) => { const cell = document.querySelectorAll(a[0])[a[1]];"
                        "const found = cell && cell.querySelector(a[2]);"
                        "return found ? found.outerHTML : ''; })(...arguments)",
                        self.CELL, cell, selector)

    def text(self, cell):
        return self.ask("((...a) => { const cell = document.querySelectorAll(a[0])[a[1]];"
                        "const found = cell && cell.querySelector(a[2]);"
                        "return found ? found.innerText : ''; })(...arguments)",
                        self.CELL, cell, self.OUTPUT)

    def go(self):
        """Everything that is asked of a front."""
        self.run(0)
        self.until("a table", lambda: "<table" in self.output(0, "table"))
        self.run(1)
        self.until("a picture", lambda: "data:image/png" in self.output(1, "img"))
        self.run(2)
        seen = set()

        def moves():
            bar = self.output(2, "progress")
            if bar:
                seen.add(bar)
            return len(seen) >= 5
        self.until("a bar that moves", moves)
        self.picture("bar")
        self.until("the end of the bar", lambda: "60" in self.text(2))
        self.run(3)
        self.until("output while the cell runs", lambda: "before" in self.text(3))
        begin = time.monotonic()
        self.interrupt()
        self.until("an interrupt", lambda: "KeyboardInterrupt" in self.text(3))
        took = time.monotonic() - begin
        self.run(4)
        self.until("the next cell", lambda: "goes on 66.0" in self.text(4))
        self.run(5)
        self.complete()
        self.picture("completion")
        self.escape()
        self.picture("whole")
        print(f"{self.name}: runs, table, picture, bar ({len(seen)} states seen), completion, "
              f"interrupt within {took * 1000:.0f} ms as the page shows it")

    def escape(self):
        from selenium.webdriver.common.keys import Keys
        self.browser.switch_to.active_element.send_keys(Keys.ESCAPE)


class Classic(Front):
    CELL, OUTPUT = ".code_cell", ".output"

    def open(self, port):
        self.browser.get(f"http://127.0.0.1:{port}/notebooks/a.ipynb")
        self.until("a kernel", lambda: self.ask(
            "window.Jupyter && Jupyter.notebook && Jupyter.notebook.kernel && "
            "Jupyter.notebook.kernel.info_reply && Jupyter.notebook.kernel.info_reply.implementation"))

    def run(self, cell):
        self.ask("Jupyter.notebook.get_cell(arguments[0]).execute()", cell)

    def interrupt(self):
        self.browser.find_element(
            "css selector",
            "button[data-jupyter-action='jupyter-notebook:interrupt-kernel']").click()

    def complete(self):
        from selenium.webdriver.common.keys import Keys
        self.ask("(() => { Jupyter.notebook.select(5); Jupyter.notebook.edit_mode();"
                 "const cell = Jupyter.notebook.get_cell(5); cell.set_text('x_lon');"
                 "cell.code_mirror.setCursor(0, 5); cell.focus_editor(); })()")
        self.browser.switch_to.active_element.send_keys(Keys.TAB)
        self.until("a completion", lambda: "x_long_name" in self.ask(
            "Jupyter.notebook.get_cell(5).get_text()"))


class Lab(Front):
    CELL, OUTPUT = ".jp-CodeCell", ".jp-Cell-outputArea"

    def open(self, port):
        self.browser.get(f"http://127.0.0.1:{port}/lab/tree/a.ipynb?reset")
        self.until("cells", lambda: len(self.browser.find_elements(
            "css selector", ".jp-CodeCell .cm-content")) >= len(CELLS), 60)
        self.until("a kernel", lambda: self.browser.find_elements(
            "css selector", ".jp-Notebook-ExecutionIndicator[data-status='idle']"), 60)

    def run(self, cell):
        from selenium.webdriver.common.keys import Keys
        editor = self.browser.find_elements("css selector", ".jp-CodeCell .cm-content")[cell]
        self.ask("arguments[0].scrollIntoView({block: 'center'})", editor)
        editor.click()
        editor.send_keys(Keys.CONTROL, Keys.ENTER)

    def interrupt(self):
        self.browser.find_element(
            "css selector", "[data-jp-item-name='interrupt'] [data-command], "
            "[data-jp-item-name='interrupt'] jp-button, "
            "[data-jp-item-name='interrupt'] button").click()

    def complete(self):
        from selenium.webdriver.common.keys import Keys
        editor = self.browser.find_elements("css selector", ".jp-CodeCell .cm-content")[5]
        editor.click()
        editor.send_keys(Keys.CONTROL, "a")
        editor.send_keys("x_lon")
        time.sleep(0.3)
        editor.send_keys(Keys.TAB)
        self.until("a completion", lambda: "x_long_name" in editor.text
                   or self.browser.find_elements("css selector", ".jp-Completer-item"))


def prepared_lab():
    """Returns the JupyterLab program of PyPI, installed under build/ the first time."""
    program = PROGRAMS / "bin/jupyter-lab"
    if not program.exists():
        venv.create(PROGRAMS, with_pip=True)
        subprocess.run([PROGRAMS / "bin/pip", "install", "--quiet", "jupyterlab==4.*", "notebook<7",
                        "setuptools<81", "selenium"], check=True)
    return PROGRAMS


def fronts():
    programs = prepared_lab()
    sys.path += [str(path) for path in programs.glob("lib/python*/site-packages")]
    yield Classic, [str(programs / "bin/jupyter-notebook"), "--NotebookApp.token=",
                    "--NotebookApp.port_retries=0"]
    yield Lab, [str(programs / "bin/jupyter-lab"), "--IdentityProvider.token=",
                "--ServerApp.port_retries=0"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strider", required=True)
    parser.add_argument("--only", choices=("Classic", "Lab"))
    options = parser.parse_args()
    PICTURES.mkdir(parents=True, exist_ok=True)
    failures = 0
    for kind, words in fronts():
        if options.only not in (None, kind.__name__):
            continue
        with tempfile.TemporaryDirectory(prefix="strider-browser-") as folder:
            Path(folder, "a.ipynb").write_text(json.dumps(notebook()))
            server = Server(words, folder)
            browser = start_browser()
            try:
                front = kind(browser, kind.__name__.lower())
                front.open(server.port)
                front.go()
            except Exception as error:  # noqa: BLE001: the other front is tried all the same
                failures += 1
                print(f"FAILED: {kind.__name__}: {type(error).__name__}: {error}")
            finally:
                browser.quit()
                server.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
