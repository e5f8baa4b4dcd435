"""Writes random array programs: views, in-place writes, reductions, casts, masks and selections.

Each statement runs under NumPy here while the program grows, so that every program is valid, and
so that it is known which results NumPy determines to the last bit (see Account). Knows nothing of
how programs are run or compared.
"""

import random
import re
import warnings
from dataclasses import dataclass

import numpy as np

NAMES = "abcdefgh"
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128")
COMMON_DTYPES = ("float64", "float64", "float64", "float32", "float32", "int64", "int32", "bool")
SMALL_SHAPES = ((7,), (1,), (3, 4), (4, 4), (5, 1), (2, 3, 4), (3, 1, 5), (2, 2, 2, 3), (0, 3), (33,))
LARGE_SHAPES = ((4200,), (70, 61), (17, 16, 16), (3, 1500), (1500, 3), (64, 66), (5, 4, 3, 80),
                (30, 150), (5, 7, 140))
HUGE_SHAPES = ((300, 500), (140000,), (40, 50, 60))
MOST_ELEMENTS = {"small": 400, "large": 12000, "huge": 200000}

BINARY = ("+", "-", "*", "+", "-", "*", "/", "//", "%", "&", "|", "^", "<", ">", "==", "!=", "<=")
# Which of two zeros these choose is not determined, so that 0 is added to what they give.
EXTREMES = ("np.maximum", "np.minimum", "np.fmax", "np.fmin")
FUNCTIONS = ("np.logical_and", "np.logical_or", "np.add", "np.subtract", "np.multiply", "np.less", "np.bitwise_xor",
             "np.left_shift", "np.right_shift", "np.heaviside", "np.gcd", "np.floor_divide",
             "np.logical_xor", "np.greater_equal", "np.true_divide")
UNARY = ("-{}", "+{}", "abs({})", "~{}", "np.sign({})", "np.square({})", "np.floor({})",
         "np.ceil({})", "np.trunc({})", "np.rint({})", "np.isnan({})", "np.isfinite({})",
         "np.logical_not({})", "np.conj({})", "np.sqrt({})", "np.copysign({}, -1.0)", "({} * 1) ** 2",
         "{}.real", "np.reciprocal({})", "np.positive({})", "np.isinf({})")
ELEMENTARY = ("np.exp({})", "np.log({})", "np.sin({})", "np.cos({})", "np.tanh({})", "np.expm1({})",
              "np.log1p({})", "np.cbrt({})", "np.arctan({})", "np.exp2({})", "np.log2({})",
              "np.sinh({})", "np.hypot({}, 1.5)", "np.arctan2({}, 2.0)", "abs({}) ** 1.5")
REDUCTIONS = ("sum", "sum", "sum", "prod", "max", "min", "any", "all", "argmax", "argmin", "mean",
              "var", "std", "ptp", "count_nonzero")
SCANS = ("cumsum", "cumsum", "cumprod", "diff", "sort")
VIEWS = ("{}.T", "{}[None]", "{}[..., None]", "{}.reshape(-1)", "{}.ravel()", "{}[::-1]",
         "{}[..., ::-1]", "np.swapaxes({}, 0, -1)", "{}.diagonal()", "{}[0]", "{}[..., 0]",
         "{}[-1]", "np.squeeze({})", "np.atleast_2d({})", "{}[:, ::-2]", "{}.reshape({}.shape[::-1])",
         "np.broadcast_to({}, (2,) + {}.shape)", "{}.real", "{}.imag", "{}.reshape(-1, 2)",
         "{}.view(np.uint8)", "{}.view(np.int32)", "{}.view(np.float32)", "{}[1:]", "{}[..., 1:]",
         "np.expand_dims({}, 1)", "np.moveaxis({}, 0, -1)", "{}.flatten()", "{}.copy()")
IN_PLACE = ("=", "=", "=", "+=", "+=", "-=", "*=", "/=", "//=", "|=", "^=", "&=")
SCALARS = ("0", "1", "2", "-1", "3", "0.5", "-0.25", "1.5", "True", "7", "-0.0", "np.float32(0.1)",
           "np.int8(100)", "np.inf", "np.nan", "1e300", "-3", "2", "0.1", "np.uint8(200)", "1j")

# What is done to products of matrices.
PRODUCTS = ("{}", "{}", "2.0 * {}", "-{}", "{} * 0.3 + 1", "np.maximum({}, 0)", "{}.sum(0)", "{}.T",
            "{}[..., ::2]", "np.float32(3) * {}")

UNDEFINED = ("np.inf", "'int8'")  # a cast whose result nobody knows


@dataclass(frozen=True)
class Statement:
    """One line; `cast` names an expression and the type it is cast to, if that is not always
    defined; `elementary` says that its results are rounded in a way of the library's own."""

    text: str
    cast: tuple = ()
    elementary: bool = False

    def bound(self):
        """The name that the statement binds, or None when it writes in place."""
        match = re.match(r"([a-h]) = ", self.text)
        return match and match.group(1)

    def names(self):
        """The names that it reads or writes through."""
        text = self.text[4:] if self.bound() else self.text
        return set(re.findall(r"(?<![\w.'\"])[a-h](?!\w)", text))


def root_of(value):
    """The array that owns the elements."""
    while isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base
    return value


def cast_is_defined(value, dtype):
    """Whether NumPy's result does not depend on the processor: integers hold what they are given."""
    value, dtype = np.asarray(value), np.dtype(dtype)
    if value.dtype.kind not in "fc" or dtype.kind not in "iu" or value.size == 0:
        return True
    parts = value.real
    limits = np.iinfo(dtype)
    return bool(np.isfinite(parts).all() and parts.min() > float(limits.min) - 1 + (limits.min < -1e18)
                and parts.max() < float(limits.max))


class Account:
    """Runs statements under NumPy and keeps what is known of each array:

    exact  NumPy determines every bit (but NaN's sign and payload)
    near   one elementary function of exact values: equal within its documented error
    free   computed from inexact values, or undefined by NumPy: only shape and type are compared
    """

    def __init__(self, prelude, most_elements):
        self.names = {}
        self._globals = prelude
        self._most = most_elements
        self._marks = {}

    def mark(self, name):
        """What is known of the array."""
        return self._marks.get(id(root_of(self.names[name])), "exact")

    def run(self, statement):
        """Runs the statement; false when it is not valid."""
        before = dict(self.names)
        try:
            used = {self.mark(name) for name in statement.names()}
            mark = "exact" if used <= {"exact"} else "free"
            if mark == "exact" and statement.elementary:
                mark = "near"
            if statement.cast and not self._cast_is_defined(*statement.cast):
                mark = "free"
            exec(statement.text, self._globals, self.names)
            self.names = {name: self.names[name] for name in NAMES if name in self.names}
        except Exception:
            self.names = before
            return False
        acceptable = all(self._acceptable(value) for value in self.names.values())
        if not acceptable or self._shows_nan():
            self.names = before
            return False
        self._note(statement, before, mark)
        return True

    def _cast_is_defined(self, text, dtype_text):
        names = dict(self.names)
        value, dtype = eval(text, self._globals, names), eval(dtype_text, self._globals, names)
        defined = cast_is_defined(value, dtype)
        complex_lost = np.iscomplexobj(value) and np.dtype(dtype).kind != "c"
        if not isinstance(value, np.ndarray) and (complex_lost or not defined):
            raise ValueError("a single element is not cast like an array")
        return defined

    def _acceptable(self, value):
        return (isinstance(value, (np.ndarray, np.generic)) and value.size <= self._most
                and value.ndim <= 5 and value.dtype.kind in "biufc")

    def _shows_nan(self):
        """Whether an array of another type shares memory with a NaN, whose bits nobody determines."""
        shared = {}
        for value in self.names.values():
            for array in (value, root_of(value)):
                if isinstance(array, np.ndarray):
                    shared.setdefault(id(root_of(value)), []).append(array)
        for arrays in shared.values():
            floats = [array for array in arrays if array.dtype.kind in "fc"]
            types = {array.dtype for array in arrays}
            if len(types) > 1 and any(np.isnan(array).any() for array in floats):
                return True
        return False

    def _note(self, statement, before, mark):
        bound = statement.bound()
        if not bound:
            if mark != "exact":
                for name in statement.names() & set(self.names):
                    self._marks[id(root_of(self.names[name]))] = "free"
            return
        root = root_of(self.names[bound])
        known = any(root is root_of(value) for value in before.values())
        if not known:
            self._marks[id(root)] = mark
        elif mark != "exact":
            self._marks[id(root)] = "free"


class Writer:
    """Makes one random program; the same seed makes the same one."""

    def __init__(self, seed, prelude):
        self._random = random.Random(seed)
        self.size = self._random.choices(("small", "large", "huge"), (70, 28, 2))[0]
        shapes = {"small": SMALL_SHAPES, "large": LARGE_SHAPES, "huge": HUGE_SHAPES}[self.size]
        self._shape = self._random.choice(shapes)
        self._dtypes = [self._random.choice(COMMON_DTYPES + DTYPES) for _ in range(3)]
        self._wild = self._random.random() < 0.3
        self._elementary = self._random.random() < 0.3
        self.account = Account(prelude, MOST_ELEMENTS[self.size])
        self.statements = []

    def write(self):
        """Makes the program and returns its statements."""
        for _ in range(self._random.randint(2, 3)):
            self._add(self._create())
        makers = (
            (self._create, 3), (self._view, 12), (self._compute, 22), (self._window_step, 8),
            (self._stencil_in_place, 5),
            (self._write_window, 14), (self._write_out, 6), (self._write_mask, 8),
            (self._write_chosen, 5), (self._reduce, 14), (self._scan, 3), (self._cast, 5),
            (self._select, 8), (self._multiply, 5), (self._delete, 3), (self._alias, 3),
            (self._loop, 4), (self._read, 4), (self._normalise, 2), (self._gather, 3))
        functions, weights = zip(*makers)
        length = self._random.randint(5, 40) if self.size != "huge" else self._random.randint(5, 12)
        for _ in range(4 * length):
            if len(self.statements) >= length:
                break
            self._add(self._make(self._random.choices(functions, weights)[0]))
        return self.statements

    def _add(self, statement):
        if statement is None:
            return
        if isinstance(statement, str):
            statement = Statement(statement)
        if self.account.run(statement):
            self.statements.append(statement)

    def _make(self, maker):
        try:
            return maker()
        except IndexError:  # a view that this shape does not have
            return None

    # ---- picking -------------------------------------------------------------------------------
    def _choice(self, options):
        return self._random.choice(options)

    def _chance(self, probability):
        return self._random.random() < probability

    def _arrays(self):
        return [name for name, value in sorted(self.account.names.items())
                if isinstance(value, np.ndarray)]

    def _array(self):
        names = self._arrays()
        return self._choice(names) if names else None

    def _value(self, name):
        return self.account.names[name]

    def _fresh(self):
        free = [name for name in NAMES if name not in self.account.names]
        return self._choice(free) if free and self._chance(0.7) else self._choice(NAMES)

    def _compatible(self, shape):
        """Names whose values broadcast to the shape."""
        found = []
        for name, value in sorted(self.account.names.items()):
            try:
                if np.broadcast_shapes(value.shape, shape) == tuple(shape):
                    found.append(name)
            except ValueError:
                pass
        return found

    def _operand(self, shape):
        if self._chance(0.12):
            return self._choice(SCALARS)
        names = self._compatible(shape)
        if not names or self._chance(0.15):
            return self._part(shape)
        name = self._choice(names)
        value = self._value(name)
        if value.ndim == 0 or self._chance(0.55):
            return name
        if value.shape == tuple(shape) and self._chance(0.3):
            return self._window(name, shape)
        views = ["{}[::-1]", "{}[..., ::-1]", "{}[:1]", "{}[..., :1]", "{}[0]"]
        if value.ndim >= 2 and value.shape[0] == value.shape[-1]:
            views += ["np.swapaxes({}, 0, -1)"] * 3
        return self._choice(views).format(name)

    def _part(self, shape):
        """A view of this shape of some larger array, or a scalar."""
        names = [name for name in self._arrays() if self._value(name).ndim == len(shape)
                 and all(a >= b for a, b in zip(self._value(name).shape, shape))]
        return self._window(self._choice(names), shape) if names else self._choice(SCALARS)

    def _expression(self, shape, depth=2):
        """Text of an expression that broadcasts to the shape."""
        if depth == 0:
            return self._operand(shape)
        kind = self._random.random()
        if kind < 0.15:
            return self._operand(shape)
        if kind < 0.32:
            inner = self._expression(shape, depth - 1)
            template = self._choice(UNARY)
            return template.format(f"({inner})" if not template.startswith(("np.", "abs")) else inner)
        if kind < 0.72:
            left, right = (self._expression(shape, depth - 1) for _ in range(2))
            return f"({left} {self._choice(BINARY)} {right})"
        if kind < 0.9:
            left, right = (self._expression(shape, depth - 1) for _ in range(2))
            if self._chance(0.25):
                return f"({self._choice(EXTREMES)}({left}, {right}) + 0)"
            return f"{self._choice(FUNCTIONS)}({left}, {right})"
        condition, left, right = (self._expression(shape, depth - 1) for _ in range(3))
        return f"np.where({condition}, {left}, {right})"

    def _array_expression(self, shape, depth):
        """The same, of this very shape, so that it has the axes."""
        return f"np.broadcast_to({self._expression(shape, depth)}, {tuple(shape)})" \
            if self._chance(0.3) else f"({self._expression(shape, depth)} + np.zeros({tuple(shape)}, 'bool'))"

    def _window(self, name, lengths):
        """A view of the array with these lengths; steps and signs at random."""
        parts = []
        for length, extent in zip(lengths, self._value(name).shape):
            step = self._choice((1, 1, 1, 2, 3))
            if (length - 1) * step + 1 > extent:
                step = 1
            reach = (length - 1) * step + 1
            start = self._random.randint(0, extent - reach)
            if self._chance(0.2) and length:
                end = start - 1 if start else ""
                parts.append(f"{start + reach - 1}:{end}:-{step}")
            else:
                parts.append(f"{start}:{start + reach}" + (f":{step}" if step > 1 else ""))
        return f"{name}[{', '.join(parts)}]" if parts else name

    def _lengths(self, name):
        return [self._random.randint(max(1, extent // 2), extent) if extent else 0
                for extent in self._value(name).shape]

    def _target(self, name):
        """A writeable view of the array: text and shape."""
        value = self._value(name)
        if value.ndim == 0 or self._chance(0.3):
            return f"{name}[...]", value.shape
        kind = self._random.random()
        if kind < 0.6:
            text = self._window(name, self._lengths(name))
        else:
            text = self._choice(("{}[0]", "{}.T", "{}[..., 0]", "{}[::2]", "{}[::-1]", "{}[-1:]",
                                 "{}.reshape(-1)[::3]", "{}[..., ::-1]", "{}.ravel()")).format(name)
        view = eval(text, {"np": np}, {name: value})
        return (text if text.endswith("]") else text + "[...]"), np.shape(view)

    # ---- statements ----------------------------------------------------------------------------
    def _create(self):
        name = self._fresh()
        shape = list(self._shape)
        for axis in range(len(shape)):
            if self._chance(0.15):
                shape[axis] = 1
        if len(shape) > 1 and self._chance(0.2):
            del shape[0]
        shape = tuple(shape)
        count = int(np.prod(shape))
        kind = self._random.random()
        dtype = self._choice(self._dtypes) if self._chance(0.9) else self._choice(DTYPES)
        if kind < 0.55:
            wild = ", wild=True" if self._wild else ""
            return f"{name} = fill({shape}, '{dtype}', {self._random.randint(0, 999)}{wild})"
        if kind < 0.75:
            return f"{name} = {self._range(count, dtype)}.reshape({shape})"
        if kind < 0.87:
            return f"{name} = {self._grid(shape, dtype)}"
        function = self._choice(("np.zeros({}, dtype='{}')", "np.ones({}, dtype='{}')",
                                 "np.full({}, 3, dtype='{}')"))
        return f"{name} = {function.format(shape, dtype)}"

    def _range(self, count, dtype):
        """Evenly spaced values; those of the second kind are exact in no type."""
        start, step = self._choice((0, -5, 1, 100)), self._choice((1, 1, 2, -1, 3))
        if self._chance(0.6):
            return f"np.arange({start}, {start + count * step}, {step}, dtype='{dtype}')"
        if self._chance(0.5) and np.dtype(dtype).kind == "f":
            return f"np.arange({start}, {start} + {count} * 0.1 - 0.05, 0.1, dtype='{dtype}')"
        return f"np.linspace({start}, {self._choice((2, -7.3, 1000))}, {count}).astype('{dtype}')"

    def _grid(self, shape, dtype):
        """Coordinates, or ones on one side of a diagonal."""
        axis = self._random.randrange(len(shape))
        parts = ", ".join(self._choice((f"0:{n}", f"{n}:0:-1", f"0:{2 * n}:2", f"0:3:{n}j")) for n in shape)
        lines = ", ".join(f"np.arange({n}, dtype='{dtype}')" for n in shape)
        options = [f"np.indices({shape}, dtype='{dtype}')[{axis}]", f"np.indices({shape}, dtype='{dtype}')",
                   f"np.mgrid[{parts},][{axis}].astype('{dtype}')", f"np.mgrid[{parts},]",
                   f"np.meshgrid({lines}, indexing='ij')[{axis}]", f"np.ogrid[{parts},][{axis}]"]
        if len(shape) == 2:
            size = f"{shape[0]}, {shape[1]}, {self._choice((0, 0, 1, -1, 3, -7, shape[1] - 1))}, '{dtype}'"
            options += [f"np.eye({size})", f"np.eye({size}, order='F')", f"np.tri({size})"] * 2
        return self._choice(options)

    def _view(self):
        name = self._array()
        if not name:
            return None
        if self._chance(0.4) and self._value(name).ndim:
            return f"{self._fresh()} = {self._window(name, self._lengths(name))}"
        template = self._choice(VIEWS)
        statement = f"{self._fresh()} = {template.format(*[name] * template.count('{}'))}"
        # The bits of a NaN are not determined, nor what integers are made of them.
        if ".view(" in template and (self._value(name).dtype == bool or not self._value(name).size):
            return None  # bytes other than 0 and 1 are no truth values; strider refuses empty strides
        if ".view(" in template and self._value(name).dtype.kind in "fc":
            return Statement(statement, cast=(f"{name} * 0 + np.isnan({name}) * np.inf", "'int8'"))
        return statement

    def _compute(self):
        name = self._array()
        if not name:
            return None
        text = self._expression(self._value(name).shape, self._choice((1, 2, 2, 3)))
        if self._elementary and self._chance(0.3):
            text = self._choice(ELEMENTARY).format(text)
            return Statement(f"{self._fresh()} = {text}", elementary=True)
        return f"{self._fresh()} = {text}"

    def _window_step(self):
        """A step of a stencil: views of one array are combined, and perhaps written back."""
        name = self._array()
        if not name or self._value(name).ndim == 0:
            return None
        lengths = self._lengths(name)
        windows = [self._window(name, lengths) for _ in range(self._random.randint(2, 4))]
        text = windows[0]
        for window in windows[1:]:
            text = f"({text} {self._choice('+-*+')} {window})"
        text += self._choice(("", " * 0.5", " // 2", " + 1"))
        if self._chance(0.5):
            return f"{self._fresh()} = {text}"
        return self._assignment(self._window(name, lengths), self._choice(IN_PLACE), text)

    def _stencil_in_place(self):
        """A window of an array replaced by what is around it, row for row."""
        name = self._array()
        if not name or self._value(name).ndim == 0:
            return None
        lengths = [extent - min(self._random.randint(0, 3), max(extent - 1, 0))
                   for extent in self._value(name).shape]
        target, *windows = (self._shifted(name, lengths) for _ in range(self._random.randint(2, 6)))
        text = windows[0]
        for window in windows[1:]:
            text = f"({text} {self._choice('+-+')} {window})"
        return self._assignment(target, "=", text + self._choice(("", " + 1", " * 2")))

    def _shifted(self, name, lengths):
        """A view of the array with these lengths, which begins anywhere."""
        starts = [self._random.randint(0, extent - length)
                  for length, extent in zip(lengths, self._value(name).shape)]
        parts = (f"{start}:{start + length}" for start, length in zip(starts, lengths))
        return f"{name}[{', '.join(parts)}]"

    def _assignment(self, target, operator, text):
        """A write whose value may be cast to the target's type."""
        name = re.match("[a-h]", target).group()
        value = f"({text})" if operator == "=" else f"({target} {operator[:-1]} ({text}))"
        cast = (value, f"{name}.dtype")
        plain = re.fullmatch(r"([a-h])(\[[^()]*\])?", text)
        if plain and np.may_share_memory(self._value(plain.group(1)), self._value(name)):
            cast = UNDEFINED  # NumPy copies in place where the steps have one sign
        return Statement(f"{target} {operator} {text}", cast=cast)

    def _write_window(self):
        name = self._array()
        if not name:
            return None
        target, shape = self._target(name)
        return self._assignment(target, self._choice(IN_PLACE), self._expression(shape, 2))

    def _write_out(self):
        name = self._array()
        if not name:
            return None
        target, shape = self._target(name)
        left, right = self._expression(shape, 1), self._operand(shape)
        where = f", where={self._mask(shape)}" if self._chance(0.3) else ""
        call = f"{self._choice(FUNCTIONS)}({left}, {right}"
        # NumPy itself does not copy an input that overlaps when it converts under a mask.
        return Statement(f"{call}, out={target}{where})", cast=UNDEFINED if where else ())

    def _mask(self, shape):
        return f"({self._operand(shape)} {self._choice(('<', '>', '==', '!='))} {self._operand(shape)})"

    def _write_mask(self):
        name = self._array()
        if not name or not self._value(name).flags.writeable:
            return None  # NumPy lets an array be copied to itself, read-only or not
        shape = self._value(name).shape
        mask = f"np.broadcast_to({self._mask(shape)}, {name}.shape)"
        kind = self._random.random()
        if kind < 0.4:
            return self._assignment(f"{name}[{mask}]", self._choice(IN_PLACE), self._choice(SCALARS))
        if kind < 0.7:
            value = f"np.broadcast_to({self._expression(shape, 1)}, {name}.shape)[{mask}]"
            return self._assignment(f"{name}[{mask}]", self._choice(IN_PLACE), value)
        if kind < 0.85:
            text = self._expression(shape, 1)
            return Statement(f"np.copyto({name}, {text}, where={mask}, casting='unsafe')",
                             cast=(text, f"{name}.dtype"))
        return Statement(f"np.putmask({name}, {mask}, {self._operand(shape)})")

    def _write_chosen(self):
        name = self._array()
        if not name or self._value(name).ndim == 0 or self._value(name).shape[0] < 2:
            return None
        extent = self._value(name).shape[0]
        chosen = [self._random.randint(-extent, extent - 1) for _ in range(self._choice((1, 2, 3)))]
        shape = (len(chosen),) + self._value(name).shape[1:]
        kind = self._random.random()
        if kind < 0.6:
            return self._assignment(f"{name}[{chosen}]", self._choice(IN_PLACE),
                                    self._expression(shape, 1))
        writeable = self._value(name).flags.writeable  # NumPy's ufunc.at does not ask
        if kind < 0.75 and writeable and self._value(name).dtype != bool:
            return f"np.add.at({name}, {chosen}, {self._choice(('1', '2'))})"
        if kind < 0.9:
            return f"{name}[0], {name}[-1] = {name}[-1].copy(), {name}[0]"
        return f"{name}.fill({self._choice(('1', '0', '2.5'))})"

    def _axes(self, dimensions):
        if dimensions == 0 or self._chance(0.25):
            return ""
        count = self._choice((1, 1, 2)) if dimensions > 1 else 1
        axes = self._random.sample(range(-dimensions, 0), min(count, dimensions))
        return f"axis={tuple(axes)}" if len(axes) > 1 else f"axis={axes[0]}"

    def _reduce(self):
        name = self._array()
        if not name:
            return None
        value = self._value(name)
        text = self._array_expression(value.shape, self._choice((0, 1, 1, 2)))
        function = self._choice(REDUCTIONS)
        arguments = [part for part in (self._axes(value.ndim),) if part]
        if self._chance(0.4):
            arguments.append("keepdims=True")
        if function in ("sum", "prod") and self._chance(0.15):
            arguments.append(f"dtype='{self._choice(('float32', 'float64', 'int64'))}'")
        if function in ("sum", "max", "min") and self._chance(0.1):
            arguments.append(f"where={self._mask(value.shape)}, initial=1")
        zero = " + 0" if function in ("max", "min", "ptp") else ""
        statement = f"{self._fresh()} = np.{function}({', '.join([text, *arguments])}){zero}"
        return Statement(statement, cast=(text, "'int64'") if "'int64'" in statement else ())

    def _scan(self):
        name = self._array()
        if not name:
            return None
        value = self._value(name)
        text = f"({self._expression(value.shape, 1)} + np.zeros({value.shape}, 'bool'))"
        axis = f", axis={self._random.randint(-value.ndim, -1)}" if value.ndim else ""
        function = self._choice(SCANS)
        return f"{self._fresh()} = np.{function}({text}{axis}){' + 0' * (function == 'sort')}"

    def _cast(self):
        name = self._array()
        if not name:
            return None
        dtype = self._choice(DTYPES)
        text = self._choice((name, self._expression(self._value(name).shape, 1)))
        return Statement(f"{self._fresh()} = np.asarray({text}).astype('{dtype}')",
                         cast=(text, f"'{dtype}'"))

    def _select(self):
        name = self._array()
        if not name:
            return None
        shape = self._value(name).shape
        if self._chance(0.5):
            low, high = self._choice((("-1", "2"), ("0.25", "1"), ("-100", "100"), ("None", "3")))
            return f"{self._fresh()} = np.clip({self._expression(shape, 1)}, {low}, {high})"
        left, right = self._expression(shape, 1), self._operand(shape)
        return f"{self._fresh()} = np.where({self._mask(shape)}, {left}, {right})"

    def _multiply(self):
        """A product, of operands that lie in different ways, with what is done to it."""
        factors = [(text, eval(text, {"np": np}, dict(self.account.names))) for name in self._arrays()
                   for text in (template.format(name) for template in self._factor_forms(name))]
        pairs = [(a, b) for a in factors for b in factors if self._matches(a[1].shape, b[1].shape)]
        if not pairs:
            return None
        (left, a), (right, b) = self._choice(pairs)
        text = f"({left} @ {right})" if max(a.ndim, b.ndim) > 2 or self._chance(0.7) else f"np.dot({left}, {right})"
        text = self._choice(PRODUCTS).format(text)
        target = self._choice(self._arrays())
        if self._chance(0.25):
            text = f"{target}[...] {self._choice(IN_PLACE)} {text}"
        else:
            text = f"{self._fresh()} = {text}"
        return Statement(text, cast=UNDEFINED if np.result_type(a, b).kind in "fc" or "[...]" in text else ())

    def _factor_forms(self, name):
        value = self._value(name)
        if not 0 < value.ndim < 5 or value.size > 20000:
            return []
        forms = ["{}", "{}[::-1]", "{}[..., ::2]", "{}.astype('float32')", "({} + 1)"]
        if value.ndim > 1:
            forms += ["np.swapaxes({}, -1, -2)", "np.swapaxes({}, -1, -2).astype('float64')", "({} * 2).T"]
        return [self._choice(forms), self._choice(forms)]

    @staticmethod
    def _matches(a, b):
        if len(b) == 1:
            return a[-1] == b[0]
        stacks = zip(a[-3::-1], b[-3::-1])
        return (a[-1] == b[-2] and all(m == n or 1 in (m, n) for m, n in stacks)
                and int(np.prod(a)) * b[-1] * int(np.prod(b[:-2])) < 1_000_000)

    def _delete(self):
        names = sorted(self.account.names)
        return f"del {self._choice(names)}" if len(names) > 3 else None

    def _alias(self):
        name = self._array()
        if not name:
            return None
        other = self._array()
        if self._chance(0.3) and other != name:
            return f"{name}, {other} = {other}, {name}"
        return f"{self._fresh()} = {name}"

    def _loop(self):
        name = self._array()
        if not name:
            return None
        operand = self._operand(self._value(name).shape)
        return self._choice((
            f"for _ in range(3): {name} {self._choice(('+=', '-=', '*='))} {operand}",
            f"for _ in range(4): {name} = {name} {self._choice('+-*')} {operand}",
            f"for row in {name}[:3]: row {self._choice(('+=', '*='))} 2",
            f"for row in {name}[::{self._choice('123')}]: row -= row.max() + 0",
            f"{self._fresh()} = np.stack([{name}[i] {self._choice('+-*')} {name}[-i] "
            f"for i in range(len({name}))])"))

    def _read(self):
        """Looks at values, so that part of the graph is computed early."""
        name = self._array()
        if not name or self._value(name).size == 0:
            return None
        if self.account.mark(name) != "exact":
            return f"np.asarray({name}).tobytes()"
        other = self._array()
        return self._choice((
            f"{name}.tobytes()", f"{other} += float({name}.max() + 0)",
            f"{other} = {other} + int({name}.ravel()[0])",
            f"if ({name} > 0).any(): {other} = {other} + 1",
            f"if {name}.ravel()[-1] > 0: {other} *= 2"))

    def _normalise(self):
        name = self._array()
        if not name or self._value(name).ndim == 0:
            return None
        axis = self._random.randint(-self._value(name).ndim, -1)
        text = self._choice((
            "{0} / {0}.sum({1}, keepdims=True)", "{0} - ({0}.max({1}, keepdims=True) + 0)",
            "({0} - {0}.mean({1}, keepdims=True)) / ({0}.std({1}, keepdims=True) + 1)",
            "{0} - ({0}.min() + 0)", "{0} * ({0} == {0}.max({1}, keepdims=True))"))
        return f"{self._fresh()} = {text.format(name, axis)}"

    def _gather(self):
        name = self._array()
        if not name or self._value(name).ndim == 0 or self._value(name).shape[0] == 0:
            return None
        extent = self._value(name).shape[0]
        chosen = [self._random.randint(-extent, extent - 1) for _ in range(self._choice((1, 2, 3)))]
        if self._chance(0.5) or self.account.mark(name) != "exact":
            return f"{self._fresh()} = {name}[{chosen}].copy()"  # NumPy's order of axes is its own
        return f"{self._fresh()} = {name}[{name} {self._choice(('<', '>', '!='))} 0]"
