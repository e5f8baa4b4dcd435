"""What the fusion bench computes: each row's inputs and its text in NumPy's language.

The same text runs in strider, NumPy and JAX; numexpr and Numba have their own where theirs is a
different one. Knows nothing of timing.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from black_scholes import OPTION, POLYNOMIAL, SCHOLES, SINGLE

# Inputs by row: Python text that makes them from n, the number of elements.
QUADRATIC = "x = np.linspace(0.0, 1.0, n); y = np.linspace(1.0, 2.0, n)"
SQUARE = "side = max(int(n ** 0.5), 3); "
GRID = SQUARE + "g = np.linspace(0.0, 1.0, side * side).reshape(side, side)"
PAIR = SQUARE + ("a = np.linspace(0.0, 1.0, side * side).reshape(side, side); "
                 "b = np.linspace(1.0, 3.0, side * side).reshape(side, side)")

SCHOLES_NUMEXPR = """
def normal(d):
    w = ne.evaluate("1 / (1 + 0.2316419 * abs(d))")
    return ne.evaluate("where(d > 0, 1 - 0.3989422804014327 * exp(-0.5 * d * d) * w * (0.31938153 + w * (-0.356563782 + w * (1.781477937 + w * (-1.821255978 + w * 1.330274429)))), 0.3989422804014327 * exp(-0.5 * d * d) * w * (0.31938153 + w * (-0.356563782 + w * (1.781477937 + w * (-1.821255978 + w * 1.330274429)))))")
def run(s, k, t):
    d1 = ne.evaluate("(log(s / k) + (0.02 + 0.045) * t) / (0.3 * sqrt(t))")
    d2 = ne.evaluate("d1 - 0.3 * sqrt(t)")
    n1, n2 = normal(d1), normal(d2)
    return ne.evaluate("s * n1 - k * exp(-0.02 * t) * n2"), ne.evaluate("k * exp(-0.02 * t) * (1 - n2) - s * (1 - n1)")
"""
SCHOLES_NUMBA = """
def run(s, k, t):
    call, put = np.empty_like(s), np.empty_like(s)
    for i in nb.prange(s.size):
        root = 0.3 * math.sqrt(t[i])
        d1 = (math.log(s[i] / k[i]) + (0.02 + 0.045) * t[i]) / root
        d2 = d1 - root
        later = k[i] * math.exp(-0.02 * t[i])
        n1, n2 = normal(d1), normal(d2)
        call[i] = s[i] * n1 - later * n2
        put[i] = later * (1 - n2) - s[i] * (1 - n1)
    return call, put
"""
NORMAL_NUMBA = """
@nb.njit
def normal(d):
    w = 1 / (1 + 0.2316419 * abs(d))
    p = w * (0.31938153 + w * (-0.356563782 + w * (1.781477937 + w * (-1.821255978 + w * 1.330274429))))
    q = 0.3989422804014327 * math.exp(-0.5 * d * d) * p
    return 1 - q if d > 0 else q
"""


def single(text):
    """One returned expression as a function of its inputs."""
    names, _, expression = text.partition(": ")
    return f"def run({names}):\n    return {expression}\n"


# name: inputs, arguments, the text of run(...), bytes that one element must move (0: not bound)
ROWS = {
    "x² + 2xy + y²": dict(
        inputs=QUADRATIC, arguments="x, y", bytes=24,
        text=single("x, y: x*x + 2*x*y + y*y"),
        numexpr='def run(x, y):\n    return ne.evaluate("x*x + 2*x*y + y*y")\n'),
    "Black-Scholes (polynomial), float64": dict(
        inputs=OPTION, arguments="s, k, t", bytes=0, text=POLYNOMIAL + SCHOLES,
        numexpr=SCHOLES_NUMEXPR, numba=NORMAL_NUMBA, numba_run=SCHOLES_NUMBA),
    "Black-Scholes (polynomial), float32": dict(
        inputs=OPTION + SINGLE, arguments="s, k, t", bytes=0, text=POLYNOMIAL + SCHOLES,
        numexpr=None, numba=NORMAL_NUMBA, numba_run=SCHOLES_NUMBA),
    "Jacobi step": dict(
        inputs=GRID, arguments="g", bytes=16,
        text="def run(g):\n    c = g[1:-1, 1:-1]\n    c[:] = 0.2 * (c + g[:-2, 1:-1] + g[2:, 1:-1]"
             " + g[1:-1, :-2] + g[1:-1, 2:])\n    return g\n",
        jax="def run(g):\n    return g.at[1:-1, 1:-1].set(0.2 * (g[1:-1, 1:-1] + g[:-2, 1:-1] + "
            "g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:]))\n",
        numexpr="def run(g):\n    c, n, e, w, s = g[1:-1, 1:-1], g[:-2, 1:-1], g[2:, 1:-1], "
                "g[1:-1, :-2], g[1:-1, 2:]\n    c[:] = ne.evaluate('0.2 * (c + n + e + w + s)')\n"
                "    return g\n"),
    "sum((a - b)²), all": dict(
        inputs=PAIR, arguments="a, b", bytes=16, text=single("a, b: ((a - b)**2).sum()"),
        numexpr='def run(a, b):\n    return ne.evaluate("sum((a - b)**2)")\n'),
    "sum((a - b)²), axis 0": dict(
        inputs=PAIR, arguments="a, b", bytes=16, text=single("a, b: ((a - b)**2).sum(0)"),
        numexpr='def run(a, b):\n    return ne.evaluate("sum((a - b)**2, axis=0)")\n'),
    "sum((a - b)²), axis 1": dict(
        inputs=PAIR, arguments="a, b", bytes=16, text=single("a, b: ((a - b)**2).sum(1)"),
        numexpr='def run(a, b):\n    return ne.evaluate("sum((a - b)**2, axis=1)")\n'),
    "softmax over rows": dict(
        inputs=GRID, arguments="g", bytes=0, numexpr=None,
        text="def run(g):\n    e = np.exp(g - g.max(1)[:, None])\n    return e / e.sum(1)[:, None]\n"),
    "layer norm": dict(
        inputs=GRID, arguments="g", bytes=0, numexpr=None,
        text="def run(g):\n    m = g.sum(1)[:, None] / g.shape[1]\n    d = g - m\n"
             "    return d / np.sqrt((d * d).sum(1)[:, None] / g.shape[1] + 1e-5)\n"),
    "k-means assignment": dict(
        inputs="x = np.linspace(0.0, 1.0, max(n // 16, 1) * 4).reshape(-1, 4) % 0.37; "
               "m = np.linspace(0.0, 0.37, 16).reshape(4, 4)",
        arguments="x, m", bytes=0, numexpr=None,
        text=single("x, m: ((x[:, None] - m)**2).sum(2).argmin(1)")),
    "arange(n).reshape(c, -1).T * 2": dict(
        inputs="count = n; width = 1000 if n >= 1000 else 5", arguments="count, width", bytes=8,
        numexpr=None, jax=None, numba=None,
        text=single("count, width: np.arange(count).reshape(width, -1).T * 2")),
    "cumsum(x * y)": dict(
        inputs=QUADRATIC, arguments="x, y", bytes=24, numexpr=None,
        text=single("x, y: np.cumsum(x * y)")),
    "x[y > 1.5] = 0": dict(
        inputs=QUADRATIC, arguments="x, y", bytes=16, numexpr=None,
        text="def run(x, y):\n    x[y > 1.5] = 0\n    return x\n",
        jax="def run(x, y):\n    return np.where(y > 1.5, 0, x)\n"),
}

# The measured copy: 16 bytes an element.
COPY = dict(inputs="x = np.linspace(0.0, 1.0, n); y = np.zeros(n)", arguments="x, y", bytes=16,
            numexpr=None, jax=None, text="def run(x, y):\n    y[:] = x\n    return y\n",
            numba_run="def run(x, y):\n    for i in nb.prange(x.size):\n        y[i] = x[i]\n"
                      "    return y\n")
