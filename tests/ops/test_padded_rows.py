"""Rows of a padded convolution that lie outside of the image: zeros, whatever was in memory before."""

import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler
from library import Library


class _AfterProduct(torch.nn.Module):
    """The product before leaves large numbers in the scratch memory that the convolution uses."""

    def __init__(self, convolution: torch.nn.Module, flipped: bool) -> None:
        super().__init__()
        self.before = torch.nn.Conv2d(convolution.in_channels, convolution.in_channels, 1)
        self.convolution = convolution
        self.flipped = flipped

    def forward(self, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        product = a @ b
        x = self.before(x) + product[0, 0] * 0
        return product, self.convolution(x.flip(1) if self.flipped else x)


CONVOLUTIONS = {
    "one channel a group": torch.nn.Conv2d(8, 16, 1, padding=1, groups=8),
    "one channel": torch.nn.Conv2d(1, 40, 1, padding=2, stride=2),
    "one channel, taps": torch.nn.Conv2d(1, 40, (3, 1), padding=2),
    "channels": torch.nn.Conv2d(24, 40, 3, padding=1),
    "channels of groups": torch.nn.Conv2d(24, 48, 1, padding=1, groups=2),
}


@pytest.mark.parametrize("flipped", [False, True], ids=["", "flipped"])
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_agrees(name: str, flipped: bool, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    convolution = CONVOLUTIONS[name]
    module = _AfterProduct(convolution, flipped).requires_grad_(False).eval()
    inputs = (torch.randn(2, convolution.in_channels, 9, 11), torch.rand(64, 1500) * 1e6, torch.rand(1500, 96) * 1e6)
    torch.export.save(torch.export.export(module, inputs), tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    for got, want in zip(library.run(*(x.numpy() for x in inputs), outputs=2), module(*inputs), strict=True):
        np.testing.assert_allclose(got, want.numpy(), rtol=1e-4, atol=1e-4)
    library.close()
