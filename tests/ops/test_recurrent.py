"""Recurrent layers whose weights are the module's: they are packed, and each step is a phase."""

import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler


class Layers(torch.nn.Module):
    """Outputs and last states; the first states are zeros if none are given."""

    def __init__(self, layers: torch.nn.RNNBase) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: torch.Tensor, *states: torch.Tensor) -> tuple[torch.Tensor, ...]:
        first = states if len(states) == 2 else states[0] if states else None
        outputs, last = self.layers(x, first)
        return (outputs, *last) if isinstance(last, tuple) else (outputs, last)


# Units and batch beside the widths of vectors and register tiles.
SIZES = [(5, 19, 7), (8, 8, 1), (3, 33, 13)]
CELLS = [torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN]


@pytest.mark.parametrize("given", [False, True], ids=["zeros", "given"])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.__name__)
def test_agrees_with_eager(cell: type, size: tuple[int, int, int], given: bool, compiler: Compiler,
                           tmp_path: pathlib.Path) -> None:
    width, hidden, batch = size
    torch.manual_seed(0)
    module = Layers(cell(width, hidden, num_layers=2, bidirectional=True)).requires_grad_(False).eval()
    states = [torch.randn(4, batch, hidden) for _ in range(2 if cell is torch.nn.LSTM else 1)]
    inputs = (torch.randn(6, batch, width), *(states if given else []))
    torch.export.save(torch.export.export(module, inputs), tmp_path / "layers.pt2")
    compiler.compile(tmp_path / "layers.pt2", tmp_path / "layers.so")
    files = []
    for number, tensor in enumerate(inputs):
        files.append(tmp_path / f"in{number}.npy")
        np.save(files[-1], tensor.numpy())
    outputs = compiler.outputs(tmp_path / "layers.so", files, tmp_path / "out")
    expected = module(*inputs)
    assert len(outputs) == len(expected)
    for got, want in zip(outputs, expected):
        np.testing.assert_allclose(got, want.numpy(), rtol=0, atol=1e-5)
