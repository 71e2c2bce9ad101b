"""Edits of an archive's JSON: each makes it inconsistent, absurd or malicious in one way."""

from __future__ import annotations

from collections.abc import Iterator
import json
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).parents[2]

INTEGERS = [0, 1, -1, 2, 3, 7, 64, 255, 4096, 65536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**40, 2**62, 2**63 - 1, -(2**63), 2**63, 2**64]
REALS = [0.0, -0.0, 1e308, -1e308, 5e-324, 0.5, "NaN", "Infinity", "-Infinity"]
NAMES = ["", " ", "nothing", "x" * 5000, "../../x", "a\nb", "\x1b[31mred\x1b[0m", "\u202eright", "%x", '"', "\\", "é", "\x00", "<b>", "self.0", "//"]
VALUES = [None, True, [], {}, "", 0, -1, 0.5, [[]], {"as_none": True}, {"as_int": 3}, {"as_tensor": {"name": "x"}}]
SYMBOL = "Symbol('s{}', positive=True, integer=True)"
EXPRESSIONS = [
    "", "0", "Integer(-1)", "Integer(9223372036854775808)", "Symbol('s0')", "Symbol('other', positive=True, integer=True)",
    f"Mul(Integer(4611686018427387904), {SYMBOL.format(77)})", f"Pow({SYMBOL.format(77)}, Integer(40))", "Integer(1)/Integer(0)",
    f"FloorDiv({SYMBOL.format(77)}, Integer(0))", f"Mod({SYMBOL.format(77)}, Integer(0))", "Max(", "zoo", "oo", "nan", "Float('0.5', precision=53)",
    f"Add({SYMBOL.format(77)}, Integer(9223372036854775807))", "Rational(1, 3)", "Add()", "__import__('os')", "s77*s77*s77", "2**2**2**9",
]  # fmt: skip

Place = tuple[object, object]
"""A list or an object, and the index or key in it."""


def places(root: object) -> Iterator[tuple[Place, tuple[object, ...]]]:
    """Every value with the path to it, the root left out."""
    stack: list[tuple[object, tuple[object, ...]]] = [(root, ())]
    while stack:
        holder, path = stack.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            yield (holder, key), (*path, key)
            stack.append((holder[key], (*path, key)))


def choose(r: random.Random, root: object, accept: object) -> Place | None:
    """A place whose value and path `accept` takes."""
    found = [place for place, path in places(root) if accept(place[0][place[1]], path)]
    return r.choice(found) if found else None


def known_targets() -> list[str]:
    """Every overload that the importer knows, in the archive's spelling."""
    targets = set()
    for file in (ROOT / "fx" / "Aten").glob("*.td"):
        for names in re.findall(r"overloads\s*=\s*\[(.*?)\]", file.read_text(), re.DOTALL):
            targets.update("torch.ops.aten." + name for name in re.findall(r'"([\w.]+)"', names))
    return sorted(targets)


TARGETS = known_targets()


def edit_integer(r: random.Random, root: object) -> str | None:
    place = choose(r, root, lambda value, path: type(value) is int)
    if not place:
        return None
    old = place[0][place[1]]
    place[0][place[1]] = r.choice([*INTEGERS, old + 1, old - 1, -old, old * 2])
    return f"{place[1]}: {old} -> {place[0][place[1]]}"


def edit_layout(r: random.Random, root: object) -> str | None:
    """Sizes, strides and offsets, which have to fit each other."""
    fields = {"sizes", "strides", "storage_offset"}
    place = choose(r, root, lambda value, path: type(value) is int and fields & set(path))
    if not place:
        return None
    place[0][place[1]] = r.choice(INTEGERS)
    return f"a size, stride or offset is {place[0][place[1]]}"


def edit_rank(r: random.Random, root: object) -> str | None:
    place = choose(r, root, lambda value, path: isinstance(value, list) and path[-1] in ("sizes", "strides"))
    if not place:
        return None
    items = place[0][place[1]]
    choice = r.randrange(4)
    if choice == 0 and items:
        items.pop(r.randrange(len(items)))
    elif choice == 1:
        items.insert(0, {"as_int": r.choice(INTEGERS)})
    elif choice == 2:
        items.clear()
    else:
        items.extend([{"as_int": r.choice([1, 2])}] * r.choice([1, 8, 64, 2000]))
    return f"{place[1]} has {len(items)} dims"


def edit_dtype(r: random.Random, root: object) -> str | None:
    place = choose(r, root, lambda value, path: path[-1] == "dtype" and isinstance(value, int))
    if not place:
        return None
    place[0][place[1]] = r.choice([*range(-1, 40), 2**40])
    return f"dtype is {place[0][place[1]]}"


def edit_name(r: random.Random, root: object) -> str | None:
    """A value gets another's name: cycles, duplicates, undefined values."""
    named = lambda value, path: isinstance(value, str) and path[-1] in ("name", "as_name", "parameter_name", "buffer_name")  # noqa: E731
    place, other = choose(r, root, named), choose(r, root, named)
    if not place or not other:
        return None
    old, new = place[0][place[1]], r.choice([other[0][other[1]], other[0][other[1]], r.choice(NAMES)])
    if r.randrange(3):
        place[0][place[1]] = new
    else:
        for (holder, key), path in list(places(root)):
            if named(holder[key], path) and holder[key] == old:
                holder[key] = new
    return f"{old!r} is called {new[:40]!r}"


def edit_key(r: random.Random, root: object) -> str | None:
    place = choose(r, root, lambda value, path: isinstance(path[-1], str))
    if not place:
        return None
    holder, key = place
    value = holder.pop(key)
    if r.randrange(2):
        return f"field {key!r} is left out"
    new = r.choice([*NAMES, str(key)[::-1]])
    holder[new] = value
    return f"field {key!r} is called {new[:40]!r}"


def edit_value(r: random.Random, root: object) -> str | None:
    """A value of another kind, or one from elsewhere."""
    place, other = choose(r, root, lambda value, path: True), choose(r, root, lambda value, path: True)
    if not place or not other:
        return None
    new = r.choice([r.choice(VALUES), json.loads(json.dumps(other[0][other[1]]))])
    place[0][place[1]] = new
    return f"{place[1]!r} is {json.dumps(new)[:60]}"


def edit_text(r: random.Random, root: object) -> str | None:
    place = choose(r, root, lambda value, path: isinstance(value, str))
    if not place:
        return None
    old = place[0][place[1]]
    at = r.randrange(len(old) + 1)
    place[0][place[1]] = r.choice([old[:at] + r.choice(NAMES) + old[at:], old[:at], r.choice(NAMES)])
    return f"text {place[1]!r} is {place[0][place[1]][:40]!r}"


def edit_expression(r: random.Random, root: object) -> str | None:
    place = choose(r, root, lambda value, path: path[-1] == "expr_str" or (path[-1] == "sizes" and isinstance(value, list) and value))
    if not place:
        return None
    holder, key = place
    if key == "sizes":
        holder, key = holder[key], r.randrange(len(holder[key]))
        holder[key] = {"as_expr": {"expr_str": "", "hint": None}}
        holder, key = holder[key]["as_expr"], "expr_str"
    deep = r.choice([100, 250, 20000])
    expressions = [*EXPRESSIONS, "(" * deep, "Add(" * deep + "Integer(1)" + ")" * deep, "-" * deep + "1", "1" + "+1" * deep]
    holder[key] = r.choice(expressions)
    return f"expression {holder[key][:60]!r}"


def edit_range(r: random.Random, root: object) -> str | None:
    place = choose(r, root, lambda value, path: path[-1] in ("min_val", "max_val"))
    if not place:
        return None
    place[0][place[1]] = r.choice([*INTEGERS, None, "int_oo", "oo", "Infinity"])
    return f"{place[1]} is {place[0][place[1]]}"


def edit_nodes(r: random.Random, root: object) -> str | None:
    """The order, the number or the target of nodes."""
    place = choose(r, root, lambda value, path: path[-1] == "nodes" and isinstance(value, list) and value)
    if not place:
        return None
    nodes = place[0][place[1]]
    one, other = r.randrange(len(nodes)), r.randrange(len(nodes))
    choice = r.choice(["removed", "twice", "swapped", "reversed", "many", "target", "target", "target"])
    if choice == "removed":
        nodes.pop(one)
    elif choice == "twice":
        nodes.insert(other, json.loads(json.dumps(nodes[one])))
    elif choice == "swapped":
        nodes[one], nodes[other] = nodes[other], nodes[one]
    elif choice == "reversed":
        nodes.reverse()
    elif choice == "many":
        nodes[one:one] = [nodes[one]] * r.choice([100, 3000])
    elif isinstance(nodes[one], dict):
        odd = ["", "torch.ops.", "torch.ops.aten.none.default", "_operator.mul", "_operator.getitem", "math.floor", "torch.ops.higher_order.cond"]
        nodes[one]["target"] = r.choice([*odd, *TARGETS, *TARGETS])
        choice = f"target {nodes[one]['target']}"
    return f"nodes: {choice}"


def edit_arguments(r: random.Random, root: object) -> str | None:
    """What a node is given: another kind, one more, one fewer, in another order."""
    place = choose(r, root, lambda value, path: path[-1] == "inputs" and "nodes" in path and isinstance(value, list) and value)
    if not place:
        return None
    inputs = place[0][place[1]]
    one = r.randrange(len(inputs))
    argument = r.choice(
        [{"as_int": r.choice(INTEGERS)}, {"as_float": r.choice(REALS)}, {"as_ints": [r.choice(INTEGERS) for _ in range(r.randrange(5))]},
         {"as_bool": True}, {"as_none": True}, {"as_string": r.choice(NAMES)}, {"as_tensors": []}, {"as_bools": [True]},
         {"as_floats": [r.choice(REALS)]}, {"as_scalar_type": r.randrange(-1, 40)}, {"as_complex": {"real": 1.0, "imag": "NaN"}}]
    )  # fmt: skip
    choice = r.choice(["kind", "kind", "fewer", "more", "swapped", "keyword"])
    if choice == "kind" and isinstance(inputs[one], dict):
        inputs[one]["arg"] = argument
    elif choice == "fewer":
        inputs.pop(one)
    elif choice == "more":
        inputs.insert(one, {"name": r.choice(["dim", "self", *NAMES]), "arg": argument, "kind": r.choice([1, 2])})
    elif choice == "swapped":
        r.shuffle(inputs)
    elif isinstance(inputs[one], dict):
        inputs[one]["name"] = r.choice(["dim", "self", "other", "out", *NAMES])
    return f"arguments: {choice} {json.dumps(argument)[:40]}"


def edit_depth(r: random.Random, root: object) -> str | None:
    place = choose(r, root, lambda value, path: True)
    if not place:
        return None
    depth = r.choice([30, 200, 240])
    value: object = place[0][place[1]]
    for _ in range(depth):
        value = [value] if r.randrange(2) else {"as_graph": value}
    place[0][place[1]] = value
    return f"{place[1]!r} is {depth} deep"


EDITS = [
    edit_integer, edit_layout, edit_layout, edit_rank, edit_dtype, edit_name, edit_name, edit_key, edit_value, edit_text, edit_expression,
    edit_range, edit_nodes, edit_nodes, edit_nodes, edit_arguments, edit_arguments, edit_arguments, edit_depth,
]  # fmt: skip
