"""Stand-ins for what NumPy's tests take from its inside, where it is about the tests themselves."""
import os

import numpy as np
import pytest

sctypes = {
    "int": [np.int8, np.int16, np.int32, np.int64],
    "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
    "float": [np.float16, np.float32, np.float64, np.longdouble],
    "complex": [np.complex64, np.complex128, np.clongdouble],
    "others": [bool, object, bytes, str, np.void],
}


def obj2sctype(rep, default=None):
    """The type of NumPy's scalars for a type or its name."""
    return np.dtype(rep).type


def _no_tracing(function):
    return function


def requires_memory(free_bytes):
    """Leaves tests out that need more than a few hundred million bytes."""
    def leave_out(function):
        return pytest.mark.skip(function) if free_bytes > 5e8 else function
    return leave_out


def _assert_valid_refcount(op):
    raise pytest.Skipped("references are not counted so")


def _glibc_older_than(version):
    return False


def asbytes(text):
    """Bytes of a text."""
    return text if isinstance(text, bytes) else str(text).encode("latin1")


def asunicode(text):
    """The text of bytes."""
    return text.decode("latin1") if isinstance(text, bytes) else str(text)


def _gen_alignment_data(dtype=np.float32, type="binary", max_size=24):
    """Outputs and inputs that begin at the first elements of their memory, and words for each; some share it."""
    for first in range(3):
        for count in range(first + 2, max(first + 3, max_size)):
            def filled():
                return np.arange(count, dtype=dtype)[first:]

            def empty():
                return np.empty((count,), dtype=dtype)[first:]
            words = f"{count - first} elements behind {first}, "
            inputs = [filled() for _ in range(1 if type == "unary" else 2)]
            yield empty(), *inputs, words + "apart"
            yield inputs[0], *inputs, words + "in place"
            yield empty()[1:], *(each[:-1] for each in inputs), words + "one later"
            yield empty()[:-1], *(each[1:] for each in inputs), words + "one earlier"


class _npyio_impl:
    """What reads files; nothing depends on how much of one is read at once."""
    _loadtxt_chunksize = 50000


class _datasource:
    """Where files are found by their names or addresses."""
    DataSource = np.lib.npyio.DataSource

    @staticmethod
    def open(path, mode="r", destpath=os.curdir, encoding=None, newline=None):
        """A file by its name or address, opened."""
        return np.lib.npyio.DataSource(destpath).open(path, mode, encoding=encoding, newline=newline)


ConversionWarning = UserWarning  # of which NumPy has a class of its own


def _block_setup(arrays):
    """What block() finds out first, as far as tests hand it on."""
    return arrays, None, None, None


def _block_concatenate(arrays, *rest):
    return np.block(arrays)


_block_slicing = _block_concatenate
