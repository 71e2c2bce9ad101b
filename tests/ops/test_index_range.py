"""An index out of range is an error that says which and where; the library goes on working."""

from collections.abc import Callable
import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler
from library import Library


class _Of(torch.nn.Module):
    def __init__(self, function: Callable[..., torch.Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        return self.function(x, i)


# Of x [7, 20] and indices for a dim of 7.
FUNCTIONS: dict[str, Callable[..., torch.Tensor]] = {
    "embedding": lambda x, i: torch.nn.functional.embedding(i, x),
    "embedding_fused": lambda x, i: torch.softmax(torch.nn.functional.embedding(i, x) + 1, -1),
    "index": lambda x, i: x[i],
    "index_select": lambda x, i: x.index_select(0, i),
    "gather": lambda x, i: x.gather(0, i[:, None].expand(9, 20)),
    "gather_rows": lambda x, i: x.mT.contiguous().gather(1, i.expand(20, 9)),
    "index_put": lambda x, i: x.index_put((i,), torch.ones(9, 20)),
    "index_add": lambda x, i: x.index_add(0, i, torch.ones(9, 20)),
    "scatter": lambda x, i: x.scatter(0, i[:, None].expand(9, 20)[:7], torch.ones(7, 20)),
    "scatter_add": lambda x, i: x.scatter_add(0, i[:, None].expand(9, 20), torch.ones(9, 20)),
    "take": lambda x, i: x[:, 0].take(i),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_is_reported(name: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    function = FUNCTIONS[name]
    x, good = torch.randn(7, 20), torch.randperm(7).repeat(2)[:9]
    torch.export.save(torch.export.export(_Of(function), (x, good)), tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    for bad in [7, 1000, -8]:
        indices = good.clone()
        indices[3] = bad
        # Negative ones are counted from the end before they are looked at.
        with pytest.raises(RuntimeError, match=rf"index ({bad}|{bad + 7}) is out of range for a dim of size 7"):
            library.run(x.numpy(), indices.numpy())
        np.testing.assert_allclose(library.run(x.numpy(), good.numpy())[0], function(x, good).numpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises(RuntimeError, match=r"test_index_range\.py:\d+: index"):
        library.run(x.numpy(), np.full(9, 9))
    library.close()
