"""What the GPU bench computes: each row's inputs and its text in NumPy's language.

The same text runs in strider, CuPy, JAX (jitted) and NumPy; `jax` is another where arrays cannot be
written to, `fused` the function that cupy.fuse takes. `bytes` is what one element must move, for the
floor. Knows nothing of timing.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from black_scholes import OPTION, POLYNOMIAL, SCHOLES, SINGLE
from boltzmann import BOLTZMANN

STEP = "0.2 * (g[1:-1, 1:-1] + g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:])"
MATRIX = "a = np.sin(np.arange(n * n, dtype='{0}')).reshape(n, n)"
SYMMETRIC = MATRIX + "; a = a + a.T"
DEFINITE = MATRIX + "; a = a @ a.T / n + 2 * np.eye(n, dtype='{0}')"
# CuPy's example of k-means.
CLUSTERS = """
def run(x, m):
    d = ((x[:, None] - m)**2).sum(2)
    near = d.argmin(1)
    mask = near == np.arange(m.shape[0])[:, None]
    sums = np.where(mask[:, :, None], x, 0.0).sum(1)
    return sums / mask.sum(1)[:, None]
"""


def function(text):
    """One returned expression as a function of its inputs."""
    names, _, expression = text.partition(": ")
    return f"def run({names}):\n    return {expression}\n"


def matrix_row(expression, dtype="float64", inputs=MATRIX):
    """A row on one n by n matrix."""
    return dict(inputs=inputs.format(dtype), arguments="a", sizes=(2048,), bytes=0,
                text=function(f"a: {expression}"))


def adding(count):
    """A loop of additions on small arrays, by the addition."""
    return dict(inputs=f"a = np.ones({count}); b = np.ones({count})", arguments="a, b", bytes=0,
                sizes=(count,), divide=100, jax=None,
                text="def run(a, b):\n    for _ in range(100):\n        c = a + b\n    return c\n")


LARGE = (10**4, 10**5, 10**6, 10**7, 10**8)
# name: inputs from n, arguments, text of run(...), sizes, bytes an element moves (0: not bound)
ROWS = {
    "Table 1: arange(n).reshape(1000, -1).T * 2": dict(
        inputs="count = n", arguments="count", sizes=LARGE, bytes=8, jax=None,
        text=function("count: np.arange(count).reshape(1000, -1).T * 2")),
    "Black-Scholes, float64": dict(inputs=OPTION, arguments="s, k, t", sizes=LARGE, bytes=40,
                                   text=POLYNOMIAL + SCHOLES, fused=True),
    "Black-Scholes, float32": dict(inputs=OPTION + SINGLE, arguments="s, k, t", sizes=LARGE,
                                   bytes=20, text=POLYNOMIAL + SCHOLES, fused=True),
    "Jacobi step, n by n": dict(
        inputs="g = np.linspace(0.0, 1.0, n * n).reshape(n, n)", arguments="g",
        sizes=(512, 2048, 8192), bytes=16, square=True,
        text=f"def run(g):\n    g[1:-1, 1:-1] = {STEP}\n    return g\n",
        jax=f"def run(g):\n    return g.at[1:-1, 1:-1].set({STEP})\n"),
    "sum((a - b)²)": dict(
        inputs="a = np.linspace(0.0, 1.0, n); b = np.linspace(1.0, 3.0, n)", arguments="a, b",
        sizes=(10**6, 10**8), bytes=16, text=function("a, b: ((a - b)**2).sum()"), fused=True),
    "softmax over rows, 4096 wide": dict(
        inputs="g = np.linspace(0.0, 1.0, n).reshape(-1, 4096)", arguments="g",
        sizes=(2**20, 2**26), bytes=16,
        text="def run(g):\n    e = np.exp(g - g.max(1)[:, None])\n    return e / e.sum(1)[:, None]\n"),
    "layer norm, 4096 wide": dict(
        inputs="g = np.linspace(0.0, 1.0, n).reshape(-1, 4096)", arguments="g",
        sizes=(2**20, 2**26), bytes=16,
        text="def run(g):\n    d = g - g.mean(1)[:, None]\n"
             "    return d / np.sqrt((d * d).mean(1)[:, None] + 1e-5)\n"),
    "k-means step, n × 2, k = 2": dict(
        inputs="x = (np.arange(2 * n) % 977 * 0.01).reshape(n, 2); m = np.array([[1.0, 2.0], [5.0, 4.0]])",
        arguments="x, m", sizes=(2 * 10**7,), bytes=32, text=CLUSTERS),
    "k-means assignment, n × 64, k = 256": dict(
        inputs="x = np.sin(np.arange(64 * n)).reshape(n, 64); m = x[:256] * 1.0", arguments="x, m",
        sizes=(10**6,), bytes=0,
        text=function("x, m: ((m * m).sum(1) - 2 * (x @ m.T)).argmin(1)")),
    "RBM step, 784 × 4096, batch n, float32": dict(
        inputs="v = (np.arange(784 * n) % 7 / 7).reshape(n, 784).astype('float32'); "
               "w = np.sin(np.arange(784 * 4096) * 1.0).reshape(784, 4096).astype('float32') * np.float32(0.01); "
               "hidden = np.zeros(4096, 'float32'); visible = np.zeros(784, 'float32'); "
               "chance = (np.arange(4096 * n) % 11 / 11).reshape(n, 4096).astype('float32')",
        arguments="v, w, hidden, visible, chance", sizes=(128,), bytes=0, text=BOLTZMANN),
    "a @ b, n by n, float32": dict(inputs=MATRIX.format("float32"), arguments="a", sizes=(8192,),
                                   bytes=0, text=function("a: a @ a")),
    "a @ b, n by n, float64": dict(inputs=MATRIX.format("float64"), arguments="a", sizes=(8192,),
                                   bytes=0, text=function("a: a @ a")),
    "linalg.solve": matrix_row("np.linalg.solve(a, a)", inputs=DEFINITE),
    "linalg.cholesky": matrix_row("np.linalg.cholesky(a)", inputs=DEFINITE),
    # Both factors: what is not returned, a compiler may leave out.
    "linalg.qr": matrix_row("tuple(np.linalg.qr(a))"),
    "linalg.svd": matrix_row("np.linalg.svd(a)[1]"),
    "linalg.eigh": matrix_row("np.linalg.eigh(a)[0]", inputs=SYMMETRIC),
    "linalg.inv": matrix_row("np.linalg.inv(a)", inputs=DEFINITE),
    "fft, 2^24 complex": dict(inputs="a = np.sin(np.arange(n) * 1.0) + 0j", arguments="a",
                              sizes=(2**24,), bytes=32, text=function("a: np.fft.fft(a)")),
    "sort": dict(inputs="a = np.sin(np.arange(n) * 1.0)", arguments="a", sizes=(10**7,), bytes=0,
                 text=function("a: np.sort(a)")),
    "argsort": dict(inputs="a = np.sin(np.arange(n) * 1.0)", arguments="a", sizes=(10**7,),
                    bytes=0, text=function("a: np.argsort(a)")),
    "uniform": dict(inputs="g = np.random.default_rng(1); count = n", arguments="g, count",
                    sizes=(10**8,), bytes=8, jax=None,
                    text=function("g, count: g.random(count)")),
    "normal": dict(inputs="g = np.random.default_rng(1); count = n", arguments="g, count",
                   sizes=(10**8,), bytes=8, jax=None,
                   text=function("g, count: g.standard_normal(count)")),
    "integers": dict(inputs="g = np.random.default_rng(1); count = n", arguments="g, count",
                     sizes=(10**8,), bytes=8, jax=None,
                     text=function("g, count: g.integers(0, 1000, count)")),
    "a + b, 10 elements": adding(10),
    "a + b, 1000 elements": adding(1000),
    "a + b, 100000 elements": adding(100_000),
}

# The measured copy: 16 bytes an element.
COPY = dict(inputs="x = np.linspace(0.0, 1.0, n); y = np.zeros(n)", arguments="x, y", bytes=16,
            sizes=(10**8,), jax=None,
            text="def run(x, y):\n    y[:] = x\n    return y\n")
