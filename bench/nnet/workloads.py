"""What the bench of networks computes: for each row its inputs and its text in every engine's words.

`strider` texts are written over np and nnet; NumPy and CuPy take `arrays`, which is NumPy alone, or
run strider's where it is that; `torch` and `jax` have their own. `inputs` makes float32 arrays with
np (NumPy's), which every engine turns into its own. `floor` is what the floor program is asked for.
Knows nothing of timing.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from boltzmann import BOLTZMANN

NOISE = "np.sin(np.arange({0}) * {1}).reshape({2}).astype('float32')"


def noise(shape, step, scale=1.0):
    """The text of an array of this shape that is neither regular nor random."""
    count = 1
    for extent in shape:
        count *= extent
    text = NOISE.format(count, step, shape)
    return text if scale == 1.0 else f"{text} * np.float32({scale})"


def convolution(work, batch, channels, extent, filters, size, padding):
    """A row of one convolution: forward, or the gradient by data or weights."""
    places = extent + 2 * padding - size + 1
    x = noise((batch, channels, extent, extent), 0.37)
    w = noise((filters, channels, size, size), 0.73)
    dy = noise((batch, filters, places, places), 0.51)
    images, kernel = (batch, channels, extent, extent), (size, size)
    jax = ("from jax import lax\n"
           "def convolve(x, w):\n"
           f"    return lax.conv_general_dilated(x, w, (1, 1), [({padding}, {padding})] * 2)\n")
    backward = ("def run(dy, x, w):\n    return torch.ops.aten.convolution_backward(dy, x, w, None, "
                f"[1, 1], [{padding}] * 2, [1, 1], False, [0, 0], 1, {{}})[{{}}]\n")
    floor = ["conv", work, batch, channels, extent, filters, size, padding]
    common = {"inputs": f"{dy}; {x}; {w}", "floor": floor}
    if work == "forward":
        return dict(common, strider=f"def run(dy, x, w):\n    return nnet.conv2d(x, w, padding={padding})\n",
                    torch=f"def run(dy, x, w):\n    return torch.nn.functional.conv2d(x, w, padding={padding})\n",
                    jax=jax + "def run(dy, x, w):\n    return convolve(x, w)\n")
    if work == "data":
        return dict(common, strider="def run(dy, x, w):\n    return nnet.conv2d_data_gradient(dy, w, "
                                    f"{images}, padding={padding})\n",
                    torch=backward.format("[True, False, False]", 0),
                    jax=jax + "def run(dy, x, w):\n    return jax.vjp(lambda x: convolve(x, w), x)[1](dy)[0]\n")
    return dict(common, strider="def run(dy, x, w):\n    return nnet.conv2d_weight_gradient(dy, x, "
                                f"{kernel}, padding={padding})\n",
                torch=backward.format("[False, True, False]", 1),
                jax=jax + "def run(dy, x, w):\n    return jax.vjp(lambda w: convolve(x, w), w)[1](dy)[0]\n")


BOLTZMANN_TORCH = """
def run(v, w, hidden, visible, chance):
    h = torch.sigmoid(v @ w + hidden)
    up = v.T @ h
    drawn = (h > chance).to(torch.float32)
    back = torch.sigmoid(drawn @ w.T + visible)
    again = torch.sigmoid(back @ w + hidden)
    step = (up - back.T @ again) * (0.1 / 128)
    return w + step, visible + (v - back).sum(0) * (0.1 / 128)
"""
SOFTMAX = """
def run(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)
"""

# An LSTM and its gradients, written with products of matrices.
LSTM_ARRAYS = """
def sigmoid(x):
    return 1 / (1 + np.exp(-x))

def run(x, h, c, w_x, w_h, b, dy):
    steps, batch, width = dy.shape
    first_h, first_c = h, c
    inputs = x @ w_x.T + b
    ys, gates, cells = [], [], [c]
    for t in range(steps):
        g = inputs[t] + h @ w_h.T
        i, f, n, o = (g[:, k * width:(k + 1) * width] for k in range(4))
        i, f, n, o = sigmoid(i), sigmoid(f), np.tanh(n), sigmoid(o)
        c = f * c + i * n
        h = o * np.tanh(c)
        ys.append(h)
        cells.append(c)
        gates.append((i, f, n, o))
    dh, dc, raws = np.zeros_like(h), np.zeros_like(c), [None] * steps
    for t in range(steps - 1, -1, -1):
        i, f, n, o = gates[t]
        bent = np.tanh(cells[t + 1])
        dh = dh + dy[t]
        dc = dc + dh * o * (1 - bent * bent)
        raws[t] = np.concatenate((dc * n * i * (1 - i), dc * cells[t] * f * (1 - f),
                                  dc * i * (1 - n * n), dh * bent * o * (1 - o)), 1)
        dc = dc * f
        dh = raws[t] @ w_h
    raw = np.stack(raws).reshape(steps * batch, -1)
    before = np.stack([first_h, *ys[:-1]]).reshape(steps * batch, -1)
    return (np.stack(ys), (raw @ w_x).reshape(x.shape), dh, dc, raw.T @ x.reshape(steps * batch, -1), raw.T @ before,
            raw.sum(0))
"""
LSTM_STRIDER = """
def run(x, h, c, w_x, w_h, b, dy):
    y, last_h, last_c, trace = nnet.lstm(x, h, c, (w_x, w_h, b))
    dx, dh, dc, dw = nnet.lstm_gradient(dy, np.zeros_like(h), np.zeros_like(c), trace)
    return (y, dx, dh, dc, *dw)
"""
LSTM_TORCH = """
layer = None
def run(x, h, c, w_x, w_h, b, dy):
    global layer
    if layer is None:
        layer = torch.nn.LSTM(x.shape[2], h.shape[1]).to(x.device)
        with torch.no_grad():
            layer.weight_ih_l0.copy_(w_x), layer.weight_hh_l0.copy_(w_h)
            layer.bias_ih_l0.copy_(b), layer.bias_hh_l0.zero_()
    with torch.enable_grad():
        x, h, c = (part.detach().requires_grad_() for part in (x, h[None], c[None]))
        y, _ = layer(x, (h, c))
        return torch.autograd.grad(y, [x, h, c, *layer.parameters()], dy)
"""
LSTM_JAX = """
def forward(x, h, c, w_x, w_h, b):
    def step(state, inputs):
        h, c = state
        i, f, n, o = jnp.split(inputs + h @ w_h.T, 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(n)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    return jax.lax.scan(step, (h, c), x @ w_x.T + b)[1]

def run(x, h, c, w_x, w_h, b, dy):
    y, back = jax.vjp(forward, x, h, c, w_x, w_h, b)
    return (y, *back(dy))
"""

# One step of the example's network (examples/fashion_network.npx) by Adam, without dropout.
TRAINING_STRIDER = """
model = None
def run(x, labels):
    global model
    if model is None:
        model = nnet.Sequential([
            nnet.Conv2D(32, 5, padding="same", activation="relu"), nnet.MaxPool2D(2),
            nnet.Conv2D(64, 3, padding="same", activation="relu"), nnet.MaxPool2D(2),
            nnet.Flatten(), nnet.Dense(128, activation="relu"),
            nnet.Dense(10, activation="softmax")],
            optimiser=nnet.Adam(0.001), seed=1, input_shape=(1, 28, 28))
    return model.train_on_batch(x, labels)
"""
TRAINING_TORCH = """
model = optimiser = None
def run(x, labels):
    global model, optimiser
    nn = torch.nn
    if model is None:
        model = nn.Sequential(nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
                              nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                              nn.Flatten(), nn.Linear(3136, 128), nn.ReLU(),
                              nn.Linear(128, 10)).to(x.device)
        optimiser = torch.optim.Adam(model.parameters(), 0.001)
    with torch.enable_grad():
        loss = nn.functional.cross_entropy(model(x), labels)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
    return loss.detach()
"""
TRAINING_JAX = """
from jax import lax
def convolve(x, w, b):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME") + b[:, None, None]
def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
def loss_of(p, x, labels):
    x = pool(jax.nn.relu(convolve(x, *p[0])))
    x = pool(jax.nn.relu(convolve(x, *p[1]))).reshape(len(x), -1)
    x = jax.nn.relu(x @ p[2][0] + p[2][1]) @ p[3][0] + p[3][1]
    return -jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], 1).mean()
def step(state, x, labels):
    p, m, v, t = state
    loss, g = jax.value_and_grad(loss_of)(p, x, labels)
    t = t + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
    p = jax.tree.map(lambda p, m, v: p - 0.001 * (m / (1 - 0.9 ** t)) /
                     (jnp.sqrt(v / (1 - 0.999 ** t)) + 1e-8), p, m, v)
    return (p, m, v, t), loss
step = jax.jit(step, donate_argnums=0)
state = None
def run(x, labels):
    global state
    if state is None:
        shapes = ((32, 1, 5, 5), (64, 32, 3, 3), (3136, 128), (128, 10))
        outs = (32, 64, 128, 10)
        keys = jax.random.split(jax.random.key(1), 4)
        p = [(jax.random.normal(k, s) * 0.05, jnp.zeros(n)) for k, s, n in zip(keys, shapes, outs)]
        zeros = jax.tree.map(jnp.zeros_like, p)
        state = p, zeros, jax.tree.map(jnp.zeros_like, p), jnp.float32(0)
    state, loss = step(state, x, labels)
    return loss
"""

LAYERS = {
    "8×3→16, k20, 256²": (8, 3, 256, 16, 20, 0),
    "128×32→64, k3, 28²": (128, 32, 28, 64, 3, 1),
    "64×256→256, k3, 14²": (64, 256, 14, 256, 3, 1),
}
WORKS = {"forward": "forward", "data": "gradient by data", "weights": "gradient by weights"}
_LSTM = "; ".join((noise((64, 128, 512), 0.37), noise((128, 512), 0.7), noise((128, 512), 0.9),
                   noise((2048, 512), 0.73, 0.05), noise((2048, 512), 0.51, 0.05),
                   noise((2048,), 0.3), noise((64, 128, 512), 0.41)))
_RBM = "; ".join(("(np.arange(784 * 128) % 7 / 7).reshape(128, 784).astype('float32')",
                  noise((784, 4096), 1.0, 0.01), "np.zeros(4096, 'float32')", "np.zeros(784, 'float32')",
                  "(np.arange(4096 * 128) % 11 / 11).reshape(128, 4096).astype('float32')"))


def softmax(rows, columns):
    """A row of softmax over lines."""
    return {"inputs": noise((rows, columns), 0.37), "floor": ["softmax", rows, columns], "arrays": SOFTMAX,
            "strider": "def run(x):\n    return nnet.softmax(x)\n",
            "torch": "def run(x):\n    return torch.softmax(x, 1)\n",
            "jax": "def run(x):\n    return jax.nn.softmax(x, axis=1)\n"}


# Those that say most come first, should time be short.
ROWS = {
    **{f"convolution {layer}, {text}": convolution(work, *sizes)
       for layer, sizes in LAYERS.items() for work, text in WORKS.items()},
    "LSTM T 64, B 128, H 512, forward and gradients": {
        "inputs": _LSTM, "floor": ["lstm", 64, 128, 512], "strider": LSTM_STRIDER,
        "arrays": LSTM_ARRAYS, "torch": LSTM_TORCH, "jax": LSTM_JAX},
    "training step of the example's network, batch 128": {
        "inputs": noise((128, 1, 28, 28), 0.37) + "; np.arange(128) % 10", "floor": None,
        "strider": TRAINING_STRIDER, "torch": TRAINING_TORCH, "jax": TRAINING_JAX, "jitted": True},
    "RBM step, 784 × 4096, batch 128": {
        "inputs": _RBM, "floor": ["products", 784, 4096, 128], "strider": BOLTZMANN,
        "arrays": BOLTZMANN, "torch": BOLTZMANN_TORCH, "jax": BOLTZMANN.replace("np.", "jnp.")},
    "softmax, 100 × 10": softmax(100, 10),
    "softmax, 32768 × 1000": softmax(32768, 1000),
}
