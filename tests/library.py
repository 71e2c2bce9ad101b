"""A compiled library in this process, through its C interface."""

from __future__ import annotations

import ctypes
import pathlib

import numpy as np

DTYPES = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "bool", "complex64", "complex128"]
Sizes = ctypes.POINTER(ctypes.c_int64)


class Tensor(ctypes.Structure):
    """gm_tensor"""

    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32), ("shape", Sizes), ("strides", Sizes)]


class Library:
    """One context. Inputs and outputs are NumPy arrays.

    Raises
    ------
    RuntimeError
        With the library's message, if a call fails.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self.api = ctypes.CDLL(str(path))
        self.api.gm_error_text.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.check(self.api.gm_context_create(None, ctypes.byref(self.context)))

    def close(self) -> None:
        self.api.gm_context_destroy(self.context)

    def check(self, status: int) -> None:
        if status != 0:
            raise RuntimeError(self.api.gm_error_text().decode())

    def seed(self, value: int) -> None:
        self.check(self.api.gm_context_seed(self.context, ctypes.c_uint64(value)))

    def run(self, *inputs: np.ndarray, outputs: int = 1) -> list[np.ndarray]:
        arrays = [np.ascontiguousarray(array).reshape(array.shape) for array in inputs]
        given, shapes = (Tensor * len(arrays))(), []
        for tensor, array in zip(given, arrays):
            shapes.append((ctypes.c_int64 * array.ndim)(*array.shape))
            tensor.data, tensor.dtype, tensor.rank = array.ctypes.data, DTYPES.index(str(array.dtype)), array.ndim
            tensor.shape = shapes[-1]
        results = (Tensor * outputs)()
        self.check(self.api.gm_run(self.context, given, ctypes.c_size_t(len(arrays)), results, ctypes.c_size_t(outputs)))
        return [to_array(tensor) for tensor in results]


def to_array(tensor: Tensor) -> np.ndarray:
    shape = [tensor.shape[i] for i in range(tensor.rank)]
    dtype = np.dtype(DTYPES[tensor.dtype])
    size = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(ctypes.string_at(tensor.data, size) if size else b"", dtype).reshape(shape)
