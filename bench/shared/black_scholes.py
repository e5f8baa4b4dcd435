"""Black-Scholes prices of calls and puts in NumPy's language, for the benches that time them.

Knows nothing of engines.
"""

# Inputs from n, the number of options; then in single precision.
OPTION = ("s = np.linspace(10.0, 50.0, n); k = np.linspace(12.0, 45.0, n); "
          "t = np.linspace(0.5, 3.0, n)")
SINGLE = "; s = s.astype('float32'); k = k.astype('float32'); t = t.astype('float32')"

# Abramowitz and Stegun 26.2.17, as the polynomial row of Black-Scholes.
POLYNOMIAL = """
def normal(d):
    w = 1 / (1 + 0.2316419 * abs(d))
    p = w * (0.31938153 + w * (-0.356563782 + w * (1.781477937 + w * (-1.821255978 + w * 1.330274429))))
    q = 0.3989422804014327 * np.exp(-0.5 * d * d) * p
    return np.where(d > 0, 1 - q, q)
"""
SCHOLES = """
def run(s, k, t):
    root = 0.3 * np.sqrt(t)
    d1 = (np.log(s / k) + (0.02 + 0.045) * t) / root
    d2 = d1 - root
    later = k * np.exp(-0.02 * t)
    n1 = normal(d1)
    n2 = normal(d2)
    return s * n1 - later * n2, later * (1 - n2) - s * (1 - n1)
"""
