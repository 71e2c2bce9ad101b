"""Random ops: what is drawn has its distribution, and follows from the seed and the run."""

from collections.abc import Callable
import pathlib

import numpy as np
import pytest
import torch
from case import Of
from conftest import Compiler
from library import Library

N = 20000

Draw = Callable[..., Library]


@pytest.fixture
def draw(compiler: Compiler, tmp_path: pathlib.Path) -> Draw:
    """Compiles a function of one tensor."""

    def compile(function: Callable[[torch.Tensor], object], x: torch.Tensor) -> Library:
        torch.export.save(torch.export.export(Of(function), (x,)), tmp_path / "random.pt2")
        compiler.compile(tmp_path / "random.pt2", tmp_path / "random.so")
        return Library(tmp_path / "random.so")

    return compile


X = torch.zeros(N)


def test_repeats_after_the_same_seed_only(draw: Draw) -> None:
    library = draw(torch.rand_like, X)
    x = X.numpy()
    first, second = library.run(x)[0], library.run(x)[0]
    assert not np.array_equal(first, second)
    library.seed(0)
    assert np.array_equal(library.run(x)[0], first)
    assert np.array_equal(library.run(x)[0], second)
    library.seed(1)
    assert not np.array_equal(library.run(x)[0], first)


def test_the_program_takes_a_seed(draw: Draw, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    library = draw(torch.rand_like, X)
    np.save(tmp_path / "x.npy", X.numpy())
    for seed in [0, 7]:
        library.seed(seed)
        done = compiler.run("run", tmp_path / "random.so", "--in", tmp_path / "x.npy", "--seed", seed, "--out", tmp_path)
        assert done.returncode == 0, done.stderr
        assert np.array_equal(np.load(tmp_path / "out0.npy"), library.run(X.numpy())[0])


def test_ops_draw_different_numbers(draw: Draw) -> None:
    a, b = draw(lambda x: (torch.rand_like(x), torch.rand_like(x)), X).run(X.numpy(), outputs=2)
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.03


def moments(x: np.ndarray, mean: float, deviation: float, fourth: float) -> None:
    """Mean, deviation and fourth moment about the mean, in deviations, within five standard errors."""
    x = x.astype(np.float64)
    n = x.size
    assert abs(x.mean() - mean) < 5 * deviation / n**0.5
    assert abs(((x - mean) ** 2).mean() - deviation**2) < 5 * deviation**2 * ((fourth - 1) / n) ** 0.5


def evenly(counts: np.ndarray) -> None:
    """Chi-squared, within five standard deviations."""
    expected = counts.sum() / counts.size
    chi, freedom = ((counts - expected) ** 2 / expected).sum(), counts.size - 1
    assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
def test_uniform(draw: Draw, dtype: torch.dtype) -> None:
    x = draw(lambda x: torch.rand(N, dtype=dtype), X).run(X.numpy())[0]
    assert x.min() >= 0 and (dtype == torch.float16 or x.max() < 1)
    moments(x, 0.5, 12**-0.5, 1.8)
    evenly(np.histogram(x, 20, (0, 1))[0])
    assert abs(np.corrcoef(x[1:].astype(float), x[:-1].astype(float))[0, 1]) < 0.04


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_normal(draw: Draw, dtype: torch.dtype) -> None:
    x = draw(lambda x: torch.randn(N, dtype=dtype), X).run(X.numpy())[0]
    moments(x, 0, 1, 3)
    quantiles = [-1.2815515655446004, -0.8416212335729142, -0.5244005127080407, -0.2533471031357997, 0, 0.2533471031357997,
                 0.5244005127080407, 0.8416212335729142, 1.2815515655446004]
    evenly(np.histogram(x, [-np.inf, *quantiles, np.inf])[0])


def test_randint(draw: Draw) -> None:
    x = draw(lambda x: torch.randint(-3, 7, (N,)), X).run(X.numpy())[0]
    assert x.min() == -3 and x.max() == 6
    evenly(np.bincount(x + 3))


def test_randperm(draw: Draw) -> None:
    library = draw(lambda x: torch.randperm(100), X)
    orders = [library.run(X.numpy())[0] for _ in range(200)]
    assert all(np.array_equal(np.sort(order), np.arange(100)) for order in orders)
    moments(np.array([order[0] for order in orders]), 49.5, 28.87, 1.8)


def test_bernoulli(draw: Draw) -> None:
    x = draw(torch.bernoulli, X + 0.3).run(X.numpy() + np.float32(0.3))[0]
    assert set(np.unique(x)) == {0.0, 1.0}
    moments(x, 0.3, 0.21**0.5, (0.3**3 + 0.7**3) / 0.21)


def test_dropout(draw: Draw) -> None:
    x = draw(lambda x: torch.dropout(x, 0.4, True), X + 1).run(X.numpy() + 1)[0]
    assert np.allclose(np.unique(x), [0, 1 / 0.6])
    moments(x, 1, (0.4 / 0.6) ** 0.5, (0.6**3 + 0.4**3) / 0.24)


def test_exponential(draw: Draw) -> None:
    x = draw(lambda x: x.clone().exponential_(2.0), X).run(X.numpy())[0]
    assert x.min() > 0 or (x == 0).mean() < 1e-3
    moments(x, 0.5, 0.5, 9)


def test_uniform_and_normal_in_place(draw: Draw) -> None:
    a, b = draw(lambda x: (x.clone().uniform_(-2, 4), x.clone().normal_(3, 0.5)), X).run(X.numpy(), outputs=2)
    assert a.min() >= -2 and a.max() <= 4
    moments(a, 1, 3**0.5, 1.8)
    moments(b, 3, 0.5, 3)


@pytest.mark.parametrize("replacement", [True, False])
def test_multinomial(draw: Draw, replacement: bool) -> None:
    weights = torch.tensor([1.0, 0.0, 3.0, 4.0]).repeat(N, 1)
    x = draw(lambda w: torch.multinomial(w, 3, replacement), weights).run(weights.numpy())[0]
    assert x.shape == (N, 3) and not (x == 1).any()
    assert replacement or all(len(set(row)) == 3 for row in x[:100])
    counts = np.bincount(x[:, 0], minlength=4) * np.array([8, 0, 8 / 3, 2])
    assert np.abs(counts[[0, 2, 3]] / N - 1).max() < 0.1


def test_half_of_a_graph_that_draws_is_the_same(draw: Draw) -> None:
    """A value that two ops read is drawn once."""
    def function(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        noise = torch.randn_like(x)
        return noise + 1, noise.sum()

    a, b = draw(function, X).run(X.numpy(), outputs=2)
    assert abs((a - 1).sum(dtype=np.float64) - b) < 0.1


def philox(count: int, stream: int, seed: int, run: int) -> np.ndarray:
    """Philox 4x32-10's words for elements 0 to count - 1, written down from its definition."""
    c = np.stack([np.arange(count), np.full(count, stream), np.full(count, run), np.zeros(count, int)]).astype(np.uint64)
    key = np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint64)
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = np.stack([(b >> np.uint64(32)) ^ c[1] ^ key[0], b & low, (a >> np.uint64(32)) ^ c[3] ^ key[1], a & low])
        key = (key + np.array([0x9E3779B9, 0xBB67AE85], np.uint64)) & low
    return c


def test_is_philox(draw: Draw) -> None:
    library = draw(lambda x: (torch.rand(50), torch.randint(0, 1 << 40, (50,)), torch.randn(50, dtype=torch.float64)), X)
    assert philox(1, 0, 0, 0)[:, 0].tolist() == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    for seed in [0, 0x123456789ABCDEF]:
        library.seed(seed)
        for run in range(2):
            uniform, integers, normal = library.run(X.numpy(), outputs=3)
            words = philox(50, 0, seed, run)
            assert np.array_equal(uniform, ((words[0] >> np.uint64(8)) / 2.0**24).astype(np.float32))
            words = philox(50, 1, seed, run)
            assert np.array_equal(integers, (words[0] << np.uint64(32) | words[1]) % np.uint64(1 << 63) % np.uint64(1 << 40))
            w = philox(50, 2, seed, run)
            u, v = ((w[i] << np.uint64(21) | w[i + 1] >> np.uint64(11)) / 2.0**53 for i in [0, 2])
            np.testing.assert_allclose(normal, np.sqrt(-2 * np.log(u + 2.0**-53)) * np.cos(2 * np.pi * v), rtol=1e-12, atol=1e-14)
