#!/usr/bin/env python3
"""Compare the array functions written in npx (stdlib/numpy) with the installed NumPy's own.

    numpy_functions.py [--only WORD] [--examples] [--own] [--natives] [--strider PATH]

The functions are loaded as private modules whose `np` finds every name of stdlib/numpy in those modules and only
the rest in NumPy, so that no function can lean on its namesake. Each line of numpy_cases/*.txt is an expression
(`[1] * 2`) or statements that end in one, evaluated in both worlds: value, dtype, shape, text, errors must agree.
--examples runs the installed NumPy's docstring examples on our functions, --own ours on both,
--natives lists the names our files expect of the native part, --strider runs the cases under a built strider.
"""

import argparse
import ast
import builtins
import contextlib
import doctest
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback
import types
import warnings

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2] / 'stdlib' / 'numpy'
CASES = pathlib.Path(__file__).resolve().parent / 'numpy_cases'


def exports(path):
    tree = ast.parse(path.read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == '__all__':
            return ast.literal_eval(node.value)
    return []


def build_index():
    index = {}
    for path in sorted(ROOT.rglob('*.npx')):
        folder = '.'.join(part for part in path.relative_to(ROOT).parts[:-1] if not part.startswith('_'))
        for name in exports(path):
            full = f'{folder}.{name}' if folder else name
            assert full not in index, (full, path, index[full])
            index[full] = path
    return index


class Namespace:
    """np or np.linalg, ...: ours first, NumPy's where we have none."""

    def __init__(self, world, prefix, real):
        self.__dict__.update(_world=world, _prefix=prefix, _real=real)

    def __getattr__(self, name):
        full = f'{self._prefix}.{name}' if self._prefix else name
        value = self._world.find(full, self._real)
        self.__dict__[name] = value
        return value


class World:
    def __init__(self):
        self.index = build_index()
        self.folders = {f.rsplit('.', 1)[0] for f in self.index if '.' in f}
        self.folders |= {f.split('.')[0] for f in self.folders}
        self.modules = {}
        self.natives = set()
        self.np = Namespace(self, '', numpy)

    def find(self, full, real):
        if full in self.index:
            return getattr(self.load(self.index[full]), full.rsplit('.', 1)[-1])
        if full in CORES:
            return CORES[full]
        name = full.rsplit('.', 1)[-1]
        if full in self.folders:
            return Namespace(self, full, getattr(real, name, types.SimpleNamespace()))
        self.natives.add(full)
        return getattr(real, name)

    def load(self, path):
        if path not in self.modules:
            module = types.ModuleType('npx.' + path.stem)
            module.__file__ = str(path)
            module.__builtins__ = dict(vars(builtins), __import__=self.imports)
            self.modules[path] = module
            exec(compile(path.read_text(), str(path), 'exec', dont_inherit=True), vars(module))
        return self.modules[path]

    def imports(self, name, *rest):
        if name.split('.')[0] == 'numpy':
            return self.np
        return builtins.__import__(name, *rest)


def flat_stack(f, a, *rest):
    return f(a, *rest)


def svd(a, full_matrices, compute_uv):
    r = numpy.linalg.svd(a, full_matrices, compute_uv)
    return tuple(r) if compute_uv else r


def eigh(a, uplo, vectors):
    return tuple(numpy.linalg.eigh(a, uplo)) if vectors else numpy.linalg.eigvalsh(a, uplo)


def eig(a, vectors):
    complex_type = numpy.result_type(a.dtype, numpy.complex64)
    if not vectors:
        return numpy.linalg.eigvals(a).astype(complex_type)
    return tuple(x.astype(complex_type) for x in numpy.linalg.eig(a))


def complex_fft(a, n, axis, forward, factor):
    f = numpy.fft.fft(a, n, axis) if forward else numpy.fft.ifft(a, n, axis, norm='forward')
    return f if factor == 1 else f * factor


def real_fft(a, n, axis, factor):
    f = numpy.fft.rfft(a, n, axis)
    return f if factor == 1 else f * factor


def inverse_real_fft(a, n, axis, factor):
    f = numpy.fft.irfft(a, n, axis, norm='forward')
    return f if factor == 1 else f * factor


def parse_numbers(text, delimiter, columns):
    rows = [line.split(delimiter) for line in text.splitlines()]
    return numpy.array([[float(x) for x in row] for row in rows if row]).reshape(-1, columns)


CORES = {
    'linalg._solve': lambda a, b: numpy.linalg.solve(a, b),
    'linalg._inv': lambda a: numpy.linalg.inv(a),
    'linalg._det': lambda a: numpy.linalg.det(a),
    'linalg._slogdet': lambda a: tuple(numpy.linalg.slogdet(a)),
    'linalg._cholesky': lambda a: numpy.linalg.cholesky(a),
    'linalg._eigh': eigh,
    'linalg._eig': eig,
    'linalg._qr': lambda a, mode: (
        (r := numpy.linalg.qr(a, mode)) if mode == 'r' else tuple(numpy.linalg.qr(a, mode))
    ),
    'linalg._svd': svd,
    'linalg._lstsq': lambda a, b, rcond: numpy.linalg.lstsq(a, b, rcond),
    'fft._c2c': complex_fft,
    'fft._r2c': real_fft,
    'fft._c2r': inverse_real_fft,
    '_parse_numbers': parse_numbers,
}
numpy_repr = {'legacy': False}


def show(value, depth=0):
    """A value as text that differs when value, type, dtype, shape or printed text differ."""
    if isinstance(value, numpy.ndarray):
        return f'array{value.shape}{value.dtype.str}{value.tolist() if value.size < 3000 else hash(value.tobytes())}'
    if isinstance(value, numpy.generic):
        return f'{value.dtype}({value.item()!r})'
    if isinstance(value, (list, tuple)):
        inner = ', '.join(show(x) for x in value)
        name = type(value).__name__
        fields = getattr(value, '_fields', '')
        return f'{name}{fields}<{inner}>'
    if isinstance(value, dict):
        return 'dict<' + ', '.join(f'{show(k)}: {show(v)}' for k, v in value.items()) + '>'
    if isinstance(value, types.FunctionType):
        return 'function ' + value.__name__
    return f'{type(value).__name__} {value!r}'


def evaluate(source, np):
    scope = {
        'np': np,
        'arange': numpy.arange,
        'array': numpy.array,
        'nan': numpy.nan,
        'inf': numpy.inf,
        'pi': numpy.pi,
        'rng': numpy.random.default_rng(7),
        'io': io,
    }
    tree = ast.parse(source)
    last = tree.body[-1]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        try:
            if isinstance(last, ast.Expr):
                exec(compile(ast.Module(tree.body[:-1], []), '<case>', 'exec'), scope)
                result = show(eval(compile(ast.Expression(last.value), '<case>', 'eval'), scope))
            else:
                exec(compile(tree, '<case>', 'exec'), scope)
                result = ''
        except Exception as error:
            result = f'{type(error).__name__}: {error}'
            scope['trace'] = traceback.format_exc()
    said = ''.join(f' [{w.category.__name__}: {w.message}]' for w in caught)
    return result + out.getvalue() + said, scope.get('trace', '')


def near(ours, theirs):
    """Whether the texts differ only in the last digits of numbers."""
    number = r'[-+]?\d+\.?\d*(?:e[-+]?\d+)?'
    if re.sub(number, '#', ours) != re.sub(number, '#', theirs):
        return False
    pairs = zip(re.findall(number, ours), re.findall(number, theirs))
    return all(abs(float(x) - float(y)) <= 1e-13 + 1e-9 * abs(float(y)) for x, y in pairs)


def run_cases(world, only):
    counts = {'same': 0, 'near': 0, 'differ': 0}
    for path in sorted(CASES.glob('*.txt')):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if (
                not line.strip()
                or line.startswith('#')
                or (only and only not in line and only not in path.stem)
            ):
                continue
            theirs, _ = evaluate(line, numpy)
            ours, trace = evaluate(line, world.np)
            verdict = 'same' if ours == theirs else 'near' if near(ours, theirs) else 'differ'
            counts[verdict] += 1
            if verdict == 'differ':
                print(
                    f'{path.name}:{number}: {line}\n  numpy: {theirs[:700]}\n  npx:   {ours[:700]}'
                )
                if trace and only:
                    print(trace)
    print(counts)
    return counts['differ']


PROGRAM_HEAD = '''import io
import numpy as np
from numpy import arange, array, inf, nan, pi
def show(value):
    if isinstance(value, np.ndarray):
        return f"array{value.shape}{value.dtype}{value!r}"
    if isinstance(value, (list, tuple)):
        return type(value).__name__ + "<" + ", ".join(show(x) for x in value) + ">"
    if isinstance(value, dict):
        return "dict<" + ", ".join(f"{show(k)}: {show(v)}" for k, v in value.items()) + ">"
    return f"{type(value).__name__} {value!r}"
def run(name, case):
    global rng
    rng = np.random.default_rng(7)
    try:
        text = show(case())
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    print(f"@{name}", text)
'''


def program_of(path):
    """All cases of a file as one program that prints each result after its line number."""
    lines = [PROGRAM_HEAD]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith('#') or line.startswith('for '):
            continue
        body = ast.parse(line).body
        parts = [ast.unparse(node) for node in body]
        if isinstance(body[-1], ast.Expr):
            parts[-1] = 'return ' + parts[-1]
        lines.append(f'def case_{number}():\n    ' + '\n    '.join(parts))
        lines.append(f'run({number}, case_{number})')
    return '\n'.join(lines) + '\n'


def outputs(command, program):
    done = subprocess.run(command + [program], capture_output=True, text=True, timeout=600)
    parts = re.split(r'^@(\d+) ', done.stdout, flags=re.M)
    return dict(zip(map(int, parts[1::2]), parts[2::2])), done


def run_under_strider(strider, only):
    """The cases as programs under strider and under this Python, compared case by case."""
    total = differing = 0
    for path in sorted(CASES.glob('*.txt')):
        if only and only not in path.stem:
            continue
        source = path.read_text().splitlines()
        with tempfile.NamedTemporaryFile('w', suffix='.npx') as program:
            program.write(program_of(path))
            program.flush()
            theirs, _ = outputs([sys.executable, '-W', 'ignore'], program.name)
            ours, done = outputs([strider], program.name)
        wrong = [
            n for n in theirs if ours.get(n) != theirs[n] and not near(ours.get(n, ''), theirs[n])
        ]
        total, differing = total + len(theirs), differing + len(wrong)
        print(f'{path.stem}: {len(theirs) - len(wrong)} of {len(theirs)}, exit {done.returncode}')
        if len(ours) < len(theirs):
            print('  ended early: ' + done.stderr.strip()[-500:])
        for number in wrong:
            if number in ours:
                print(
                    f'  {path.name}:{number}: {source[number - 1]}\n    numpy:   {theirs[number][:400].rstrip()}'
                    f'\n    strider: {ours[number][:400].rstrip()}'
                )
    print(f'{total - differing} of {total} cases agree')
    return differing


class Checker(doctest.OutputChecker):
    def check_output(self, want, got, flags):
        squeeze = lambda s: re.sub(r'\s+', '', s)
        return (
            super().check_output(want, got, flags)
            or squeeze(want) == squeeze(got)
            or near(got, want)
        )


def passing(examples, text, full):
    """The examples whose printed output is what the installed NumPy prints today, and all that print nothing."""
    failed = set()
    runner = doctest.DocTestRunner(
        Checker(), verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    runner.report_failure = runner.report_unexpected_exception = (
        lambda o, t, example, g: failed.add(example.lineno)
    )
    test = doctest.DocTestParser().get_doctest(text, {'np': numpy}, full, None, 0)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        runner.run(test, clear_globs=True, out=lambda text: None)
    return [example for example in examples if example.lineno not in failed]


def run_examples(world, only, own):
    """Docstring examples: of the installed NumPy (own=False) or ours, on our functions."""
    runner = doctest.DocTestRunner(
        Checker(), verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    missing = []
    for full in sorted(world.index):
        if full.rsplit('.', 1)[-1].startswith('_') or (only and only not in full):
            continue
        source = ours = world.np
        for part in full.split('.'):
            ours = getattr(ours, part)
        if isinstance(ours, numpy.ndarray):
            continue
        if not own:
            source = numpy
            for part in full.split('.'):
                source = getattr(source, part, None)
        else:
            source = ours
        text = getattr(source, '__doc__', None) or ''
        if own and (callable(ours) or isinstance(ours, type)) and '>>>' not in text:
            missing.append(full)
        test = doctest.DocTestParser().get_doctest(text, {'np': world.np}, full, None, 0)
        if not own:
            test.examples = passing(test.examples, text, full)
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            runner.run(test, clear_globs=True)
            if own:
                test = doctest.DocTestParser().get_doctest(
                    text, {'np': numpy}, full + ' (numpy)', None, 0
                )
                runner.run(test, clear_globs=True)
    if missing:
        print('no example:', *missing)
    print(runner.summarize())


def list_natives(index):
    used = set()
    for path in set(index.values()):
        used |= {m for m in re.findall(r'\bnp\.((?:\w+\.)*\w+)', path.read_text())}
    folders = {f.rsplit('.', 1)[0] for f in index if '.' in f}
    print(
        *sorted(
            n
            for n in used
            if n not in index
            and not any(n.rsplit('.', k)[0] in index for k in range(1, n.count('.') + 1))
            and n not in folders
        )
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--only', default='')
    parser.add_argument('--examples', action='store_true')
    parser.add_argument('--own', action='store_true')
    parser.add_argument('--natives', action='store_true')
    parser.add_argument('--strider', default='')
    options = parser.parse_args()
    if options.strider:
        sys.exit(run_under_strider(options.strider, options.only) != 0)
    world = World()
    if options.natives:
        list_natives(world.index)
    elif options.examples or options.own:
        run_examples(world, options.only, options.own)
    else:
        sys.exit(run_cases(world, options.only) != 0)


if __name__ == '__main__':
    main()
