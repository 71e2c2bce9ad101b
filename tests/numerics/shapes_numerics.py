"""Views, indexing, scatters, padding, symbolic sizes."""

import torch
import torch.nn.functional as F
from make import subject, test
from pointwise_numerics import boolean, f32, i64
from torch.export import Dim

INF, NAN = float("inf"), float("nan")
grid = torch.arange(12.0).reshape(3, 4)

subject("indexing", "Counting from the end, diagonals, triangles, windows.")
test("from_the_end", lambda x: (x[-1], x[:, -2], x[-3:-1, 1:-1], x[::2, ::3]), grid)
test("beyond_the_end", lambda x: (x[1:100], x[:, -100:2], x.narrow(1, 1, 2)), grid)
test("by_tensors", lambda x, i, j: (x[i], x[i, j], x[:, j]), grid, i64(2, 0, -1), i64(3, -4, 1))
test("by_broadcast_tensors", lambda x, i, j: x[i[:, None], j], grid, i64(0, 2), i64(3, 0, 0))
test("with_a_gap", lambda x, i, j: x[i, :, j], torch.arange(24.0).reshape(2, 3, 4), i64(0, 1, 1), i64(0, 3, -1))
test("gathers", lambda x, i: (x.gather(1, i), torch.take_along_dim(x, i, 1)), grid, i64(0, 0, 3, 1, 2, 2).reshape(3, 2))
test("diagonals", lambda x: (x.diagonal(), x.diagonal(1), x.diagonal(-2)), grid)
test("triangles", lambda x: (x.tril(), x.triu(1), x.tril(-1), x.triu(-1)), grid)
test("triangles_of_infinity", lambda x: (x.tril(), x.triu()), torch.full((2, 2), INF))
test("rolls_and_flips", lambda x: (x.roll(1, 0), x.roll((1, -1), (0, 1)), x.flip(0, 1), x.roll(5)), grid)
test("windows_overlap", lambda x: x.unfold(1, 3, 1), grid)
test("repeats", lambda x: (x.repeat(2, 1), x.repeat_interleave(2, 1), x.expand(2, 1, 3)), f32(1, 2, 3).reshape(1, 3))
test("one_hot", lambda i: F.one_hot(i, 4), i64(0, 3, 1))
test("embedding_with_padding", lambda w, i: F.embedding(i, w, padding_idx=0), grid, i64(0, 2, 0))
test("a_bag_with_nothing_in_it", lambda w, i, o: (F.embedding_bag(i, w, o, mode="sum"), F.embedding_bag(i, w, o, mode="mean"), F.embedding_bag(i, w, o, mode="max")), grid, i64(2, 1), i64(0, 0, 2))

subject("scatters", "Several values for one place.")
zeros = torch.zeros(2, 4)
src = f32(1, 2, 3, 4, 5, 6).reshape(2, 3)
where = i64(0, 0, 3, 1, 1, 1).reshape(2, 3)
test("sums_duplicates", lambda x, i, s: x.scatter_add(1, i, s), zeros + 10, where, src)
for reduce in ["sum", "prod", "mean", "amax", "amin"]:
    test(f"{reduce}_with_self", lambda x, i, s, r=reduce: x.scatter_reduce(1, i, s, r), zeros + 2, where, src, ulp=1)
    test(f"{reduce}_without_self", lambda x, i, s, r=reduce: x.scatter_reduce(1, i, s, r, include_self=False), zeros + 2, where, src, ulp=1)
test("amax_of_nan", lambda x, i, s: x.scatter_reduce(0, i, s, "amax"), f32(0, 0, 0), i64(0, 0, 1), f32(NAN, 5, -INF))
test("integers_wrap", lambda x, i, s: x.scatter_add(0, i, s), torch.tensor([100, 0], dtype=torch.int8), i64(0, 0, 1), torch.tensor([100, 100, 5], dtype=torch.int8))
test("put_with_accumulation", lambda x, i, v: x.index_put((i,), v, accumulate=True), f32(1, 2, 3), i64(0, 0, -1), f32(10, 20, 30))
test("put_by_a_mask", lambda x, m, v: x.index_put((m,), v), grid, grid > 5, torch.tensor(-1.0))
test("index_add_and_copy", lambda x, i, v: (x.index_add(0, i, v, alpha=2), x.index_fill(0, i, 7.0)), grid, i64(0, 0), torch.ones(2, 4))
test("a_slice_written", lambda x, y: (torch.slice_scatter(x, y, 1, 1, 4, 2), torch.select_scatter(x, y[:, 0], 1, -1), torch.diagonal_scatter(x, y[:, 0])), grid, torch.full((3, 2), -1.0))
test("masked_scatter", lambda x, m, s: x.masked_scatter(m, s), f32(1, 2, 3, 4), boolean(0, 1, 0, 1), f32(10, 20, 30, 40))

subject("padding", "Constant, reflected, replicated, circular; negative amounts crop.")
test("constant", lambda x: F.pad(x, (1, 2, 0, 1), value=-INF), grid)
test("negative_crops", lambda x: (F.pad(x, (-1, 1)), F.pad(x, (-1, -2, 1, -1), value=9.0)), grid)
test("reflect", lambda x: F.pad(x, (2, 1), mode="reflect"), grid[None])
test("replicate", lambda x: F.pad(x, (2, 1, 1, 0), mode="replicate"), grid[None])
test("circular", lambda x: F.pad(x, (2, 1), mode="circular"), grid[None])
test("integers", lambda x: F.pad(x, (1, 0), value=-7), i64(1, 2))
test("bools", lambda x: F.pad(x, (0, 1), value=True), boolean(0, 0))
test("padding_isnt_computed_on", lambda x: F.pad(x, (1, 1)).exp() + 1, f32(0, 1), ulp=1)

subject("joining", "Concatenation, stacking, splitting.")
test("promotes", lambda x, y: torch.cat([x, y]), i64(1, 2), f32(0.5))
test("skips_legacy_empties", lambda x, y: torch.cat([x, y], 1), torch.empty(0), grid)
test("one_tensor_twice", lambda x: (torch.cat([x, x, x], -1), torch.stack([x, x], 1)), f32(1, 2).reshape(1, 2))
test("uneven_parts", lambda x: (*x.split(3, 1), *x.chunk(3, 1), *torch.tensor_split(x, 3, 1)), grid)
test("meshgrid_and_outer", lambda x, y: (*torch.meshgrid(x, y, indexing="xy"), torch.outer(x, y)), f32(1, 2), f32(3, 4, 5))
test("pixel_shuffle", lambda x: (F.pixel_shuffle(x, 2), F.pixel_unshuffle(x, 2)), torch.arange(16.0).reshape(1, 4, 2, 2))

subject("creation", "Ranges and constants.")
test("ranges", lambda x: (x + torch.arange(5), x + torch.arange(5, 0, -1), x + torch.arange(0, 1, 0.2)), f32(0))
test("linspace", lambda x: x + torch.linspace(0, 1, 5), f32(0), ulp=1)
test("eye_and_full", lambda x: (x + torch.eye(2, 3), x * torch.full((2,), INF), x + torch.ones_like(x)), f32(1))
test("like_keeps_the_dtype", lambda x: (torch.zeros_like(x), torch.full_like(x, 2.7)), i64(1, 2))

subject("symbolic", "One graph for sizes known at run time.")
n = Dim("n", min=1, max=64)
test("softmax_over_a_symbol", lambda x: torch.softmax(x, 1), f32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9).reshape(2, 5), ulp=2, dynamic={0: {1: n}})
test("mean_by_a_symbol", lambda x: (x.mean(0), x.var(0)), grid, ulp=1, dynamic={0: {0: n}})
test("concatenation_of_symbols", lambda x, y: torch.cat([x, y, x]) * 2, f32(1, 2, 3), f32(4, 5), dynamic={0: {0: n}, 1: {0: Dim("m", min=1, max=64)}})
test("matrix_product", lambda x, y: x @ y, torch.arange(15.0).reshape(3, 5), torch.arange(10.0).reshape(5, 2), dynamic={0: {0: n, 1: Dim("k", min=1, max=64)}, 1: {0: Dim("k", min=1, max=64)}})
test("flattened", lambda x: x.flatten() - x.shape[0], grid, dynamic={0: {0: n}})
test("last_of_a_symbol", lambda x: (x[-1], x[1:], x.flip(0)), f32(3, 1, 4, 1, 5), dynamic={0: {0: Dim("n3", min=3, max=64)}})
test("argmax_and_scan", lambda x: (x.argmax(0), x.cumsum(0)), f32(3, 1, 4, 1, 4), dynamic={0: {0: n}})
test("causal_mask", lambda x: x.masked_fill(torch.arange(x.shape[0])[:, None] < torch.arange(x.shape[1]), -INF), torch.ones(3, 3), dynamic={0: {0: n, 1: n}})
