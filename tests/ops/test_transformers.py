"""PyTorch's own transformer modules, exported strictly: then their fused ops stay in the graph."""

import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler
from library import Library

WIDTH, HEADS = 16, 4


class _Encoder(torch.nn.Module):
    def __init__(self, activation: str, norm_first: bool) -> None:
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, 32, activation=activation, norm_first=norm_first, batch_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None, padding: torch.Tensor | None = None) -> torch.Tensor:
        return self.encoder(x, mask=mask, src_key_padding_mask=padding)


class _Attention(torch.nn.Module):
    """The op itself: exporting nn.MultiheadAttention alone takes it apart."""

    def __init__(self, weights: bool, average: bool, same: bool) -> None:
        super().__init__()
        attention = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.parameters_ = torch.nn.ParameterList([attention.in_proj_weight, torch.nn.Parameter(torch.randn(3 * WIDTH)),
                                                   attention.out_proj.weight, torch.nn.Parameter(torch.randn(WIDTH))])
        self.weights, self.average, self.same = weights, average, same

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None, padding: torch.Tensor | None = None) -> object:
        kind = None if mask is None and padding is None else 2 if mask is not None and padding is not None else int(mask is None)
        if kind == 2:
            mask = mask[None, None] | padding[:, None, None, :]
            mask = mask.expand(x.shape[0], HEADS, -1, -1)
        key = x if self.same else x * 0.5
        y, weights = torch.ops.aten._native_multi_head_attention.default(
            x, key, key, WIDTH, HEADS, *self.parameters_, mask=padding if kind == 1 else mask, need_weights=self.weights,
            average_attn_weights=self.average, mask_type=kind)
        return (y, weights) if self.weights else y


MODULES = {
    "encoder_relu": (lambda: _Encoder("relu", False), "_transformer_encoder_layer_fwd"),
    "encoder_gelu_norm_first": (lambda: _Encoder("gelu", True), "_transformer_encoder_layer_fwd"),
    "attention": (lambda: _Attention(False, True, True), "_native_multi_head_attention"),
    "attention_to_others": (lambda: _Attention(False, True, False), "_native_multi_head_attention"),
    "attention_weights": (lambda: _Attention(True, True, True), "_native_multi_head_attention"),
    "attention_weights_of_heads": (lambda: _Attention(True, False, True), "_native_multi_head_attention"),
}
CAUSAL = torch.ones(6, 6, dtype=torch.bool).triu(1)
PADDING = torch.tensor([[False] * 4 + [True] * 2, [False] * 6, [False] * 5 + [True]])
MASKS = {"plain": (), "causal": (CAUSAL,), "padding": (None, PADDING), "both": (CAUSAL, PADDING),
         "all": (None, PADDING | torch.tensor([[True], [False], [False]]))}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("name", MODULES)
def test_agrees(name: str, mask: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    make, op = MODULES[name]
    module = make().requires_grad_(False).eval()
    x = torch.randn(3, 6, WIDTH)
    with torch.no_grad():
        program = torch.export.export(module, (x, *MASKS[mask]), strict=True)
    assert any(op in str(node.target) for node in program.graph.nodes), program.graph
    torch.export.save(program, tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    wanted = module(x, *MASKS[mask])
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    inputs = [x.numpy()] + [m.numpy() for m in MASKS[mask] if m is not None]
    for got, want in zip(library.run(*inputs, outputs=len(wanted)), wanted, strict=True):
        np.testing.assert_allclose(got, want.numpy(), rtol=1e-4, atol=1e-5)
    library.close()
