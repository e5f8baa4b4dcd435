"""A restricted Boltzmann machine's step in NumPy's language, for the benches that time it."""

# Contrastive divergence, after Gnumpy's example.
BOLTZMANN = """
def run(v, w, hidden, visible, chance):
    h = 1 / (1 + np.exp(-(v @ w + hidden)))
    up = v.T @ h
    drawn = (h > chance).astype('float32')
    back = 1 / (1 + np.exp(-(drawn @ w.T + visible)))
    again = 1 / (1 + np.exp(-(back @ w + hidden)))
    step = (up - back.T @ again) * np.float32(0.1 / 128)
    return w + step, visible + (v - back).sum(0) * np.float32(0.1 / 128)
"""
