from case import b, case, f, i, t

import torch

x = f(4, 5, 6)


def at(*shape: int, size: int) -> torch.Tensor:
    return i(*shape, low=0, high=size)


case("index.Tensor", x, [at(3, size=4)])
case("index.Tensor", x, [None, at(2, 3, size=5)])
case("index.Tensor", x, [at(3, size=4), at(3, size=5)])
case("index.Tensor", x, [at(3, size=4), None, at(3, size=6)])
case("index.Tensor", x, [i(3, low=-4, high=4), at(1, size=5)])
case("index.Tensor", x, [at(2, 1, size=4), at(3, size=5), at(1, size=6)])
case("index_put.default", x, [at(1, size=4)], f(5, 6))
case("index_put.default", x, [None, torch.tensor([1, 3])], f(4, 2, 6))
case("index_put.default", x, [torch.tensor([1, 3]), torch.tensor([0, -1])], f(2, 6))
case("index_put.default", x, [at(6, size=4)], f(6, 5, 6), True)
case("index_put.default", x, [b(4, 5)], t(2.0)[0])
case("index_put.default", x, [torch.tensor([1, 3]), None, torch.tensor([0, 2])], f(2, 5))
case("index_put_.default", f(4, 5), [torch.tensor([1, 3])], f(2, 5))
case("index_select.default", x, 1, at(3, size=5))
case("index_add.default", f(4, 5), 0, at(6, size=4), f(6, 5), alpha=2)
case("index_copy.default", f(4, 5), 1, torch.tensor([2, 0]), f(4, 2))
case("index_copy_.default", f(4, 5), 1, torch.tensor([2, 0]), f(4, 2))
case("index_fill.int_Scalar", f(4, 5), 1, torch.tensor([2, 0]), 3.0)
case("gather.default", x, 1, at(4, 3, 6, size=5))
case("gather.default", x, 2, at(2, 3, 8, size=6))
case("gather.default", i(4, 5), 0, at(2, 5, size=4))
case("take.default", x, i(3, 2, low=-100, high=100))
case("take_along_dim.default", x, at(4, 5, 2, size=6), 2)
case("take_along_dim.default", x, at(3, size=6))
unique = torch.stack([torch.randperm(5)[:3] for _ in range(4)])
case("scatter.src", f(4, 5), 1, unique, f(4, 3))
case("scatter.src", f(4, 5), 1, unique[:2], f(4, 5))
case("scatter.value", f(4, 5), 1, unique, 2.5)
case("scatter.value", i(4, 5), 1, unique, 7)
case("scatter.reduce", f(4, 5), 1, at(4, 8, size=5), f(4, 8), reduce="add")
case("scatter_add.default", f(4, 5), 1, at(4, 8, size=5), f(4, 8))
case("scatter_add.default", i(4, 5), 0, at(7, 5, size=4), i(7, 5))
for reduce in ["sum", "prod", "mean", "amax", "amin"]:
    for include in [True, False]:
        case("scatter_reduce.two", f(4, 5), 1, at(4, 8, size=5), f(4, 8), reduce, include_self=include)
        case("scatter_reduce.two", i(4, 5), 1, at(4, 8, size=5), i(4, 8), reduce, include_self=include)
case("masked_scatter.default", f(4, 5), b(4, 5), f(20))
case("embedding.default", f(7, 4), at(2, 3, size=7))
case("embedding.default", f(7, 4), at(2, 3, size=7), 1)
for mode in [0, 1, 2]:
    case("embedding_bag.padding_idx", f(9, 4), at(8, size=9), torch.tensor([0, 3, 3, 5]), False, mode, False, None, False, None)
    case("_embedding_bag.default", f(9, 4), at(8, size=9), torch.tensor([0, 2, 5, 8]), False, mode, False, None, True)
case("_embedding_bag.default", f(9, 4), at(8, size=9), torch.tensor([0, 3]), False, 0, False, f(8))

case("nonzero.default", f(4, 5).relu())
case("nonzero.default", b(3, 2, 4))
case("nonzero.default", i(7, low=0, high=2))
case("where.default", b(4, 5))
case("masked_select.default", x, b(5, 6))
case("masked_select.default", i(4, 5), b(4, 5))
case("index.Tensor", x, [b(4, 5)])
case("index.Tensor", x, [None, b(5)])
case("index_put.default", x, [b(4, 5)], f(6))
case("index_put.default", x, [b(4)], f(5, 6))
case("_unique2.default", i(3, 4))
case("_unique2.default", i(3, 4), True, True, True)
case("resize_.default", f(3, 4), [2, 5])
