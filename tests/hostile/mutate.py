"""An archive and a seed → the archive, damaged in one to three ways, always the same ones."""

from __future__ import annotations

import json
import random

from json_edits import EDITS, NAMES
from zips import DEFLATED, Member, read_members, write_zip

BOMB_BYTES = 80 << 20
SIZES = [0, 1, 2**31, 2**32 - 1, 2**32 - 2]


def flip(r: random.Random, data: bytes) -> bytes:
    copy = bytearray(data)
    for _ in range(r.choice([1, 1, 2, 8, 64])):
        # Every second time near the end, where the directory is.
        first = len(copy) * 3 // 4 if r.randrange(2) else 0
        copy[r.randrange(first, len(copy))] ^= 1 << r.randrange(8)
    return bytes(copy)


def cut(r: random.Random, data: bytes) -> bytes:
    at, end = sorted((r.randrange(len(data)), r.randrange(len(data))))
    return r.choice([data[:end], data[at:], data[:at] + data[end:], data[:end] + data[at:], data[:at] + bytes(end - at) + data[end:]])


def mutate_file(r: random.Random, data: bytes) -> tuple[bytes, str]:
    kind = r.choice(["flip", "flip", "cut", "append"])
    if kind == "append":
        return data + r.choice([b"x", data, bytes(1 << 20), b"PK\x05\x06" + bytes(18), r.randbytes(100)]), kind
    return (flip if kind == "flip" else cut)(r, data), kind


def rename(r: random.Random, member: Member) -> str:
    folder = member.name.split(b"/")[0]
    rest = member.name[len(folder) :]
    member.name = r.choice(
        [b"../" + member.name, b"/" + member.name, folder + b"/.." + rest, folder + b"/." + rest, folder + b"\\..\\x", member.name + b"\x00",
         folder + b"/\x1b[2J\n" + rest, b"", b"/", b"x" * 65535, b"other" + rest, folder + rest.replace(b"/data", b"//data"), b"\xff\xfe" + rest]
    )  # fmt: skip
    return f"named {member.name[:40]!r}"


def lie(r: random.Random, member: Member) -> str:
    """A header says what isn't so."""
    field = r.choice(["method", "flags", "crc", "packed_bytes", "unpacked_bytes", "local_name", "offset"])
    values = {
        "method": [1, 8, 9, 14, 99, 65535],
        "flags": [1, 8, 0x40, 0x800, 0x2000, 65535],
        "crc": [0, 1],
        "packed_bytes": [*SIZES, len(member.data) + 1],
        "unpacked_bytes": [*SIZES, len(member.data) + 1],
        "local_name": [b"", b"x" * 200, b"../x"],
        "offset": [*SIZES, 7],
    }
    setattr(member, field, r.choice(values[field]))
    return f"{field} is {getattr(member, field)!r:.30}"


def mutate_members(r: random.Random, members: list[Member]) -> tuple[bytes, str]:
    one, other = r.randrange(len(members)), r.randrange(len(members))
    member = members[one]
    kind = r.choice(["removed", "renamed", "renamed", "twice", "lie", "lie", "lie", "bomb", "swapped", "data", "count", "packed", "many"])
    what = f"{kind} {member.name.decode(errors='replace')}"
    count = None
    if kind == "removed":
        members.pop(one)
    elif kind == "renamed":
        what += " " + rename(r, member)
    elif kind == "twice":
        members.insert(other, Member(member.name, r.choice([member.data, b"{}"])))
    elif kind == "lie":
        what += " " + lie(r, member)
    elif kind == "bomb":
        # Some are below what is refused at sight, so that their contents are read.
        size = r.choice([BOMB_BYTES, 60 << 20])
        member.method, member.data = DEFLATED, r.choice([bytes(size), b" " * size, b"[" * size])
    elif kind == "swapped":
        member.data, members[other].data = members[other].data, member.data
    elif kind == "data" and member.data:
        member.data = r.choice([b"", flip(r, member.data), cut(r, member.data), b"[" * 100000, b'{"a":' * 100000, b"\xff" * 100])
    elif kind == "count":
        count = r.choice([0, len(members) - 1, len(members) + 1, 65535])
    elif kind == "packed":
        member.method = DEFLATED
    elif kind == "many":
        members.extend(Member(b"%s/extra/%d" % (member.name.split(b"/")[0], i), b"") for i in range(r.choice([100, 20000])))
    return write_zip(members, count, r.choice([b"", b"", b"PK\x05\x06", b"x" * 65535])), what


def json_text(r: random.Random, root: object) -> bytes:
    """Some of what JSON allows and few writers do: names given twice, odd numbers and escapes."""
    text = json.dumps(root)
    if r.randrange(12) == 0:
        at = text.find("{", r.randrange(len(text)))
        if at >= 0:
            text = text[: at + 1] + r.choice(['"name": "x", ', '"as_int": 3, ', '"sizes": [], ', '"a": 1e999, ', '"\\ud800": 0, ']) + text[at + 1 :]
    return text.encode("utf-8", "surrogatepass")


def mutate_json(r: random.Random, members: list[Member]) -> str:
    texts = [member for member in members if member.name.endswith(b".json")]
    models = [member for member in texts if b"/models/" in member.name]
    if not texts:
        return "no JSON"
    member = r.choice(models if models and r.randrange(4) else texts)
    root = json.loads(member.data)
    wanted, done = r.choice([1, 1, 1, 2, 3]), []
    for edit in r.sample(EDITS, len(EDITS)):
        if len(done) < wanted and (what := edit(r, root)):
            done.append(what)
    member.data = json_text(r, root)
    return "; ".join(done)


def mutate(archive: bytes, seed: int) -> tuple[bytes, str]:
    """The damaged archive, and what was done to it."""
    r = random.Random(seed)
    kind = r.choice(["file", "members", "json", "json", "json", "json", "json"])
    if kind == "file":
        return mutate_file(r, archive)
    members = read_members(archive)
    if kind == "members":
        return mutate_members(r, members)
    what = mutate_json(r, members)
    if r.randrange(40) == 0:
        name = r.choice(NAMES).encode()
        members[r.randrange(len(members))].name += b"/" + name
        what += f"; a member's name ends in {name[:40]!r}"
    return write_zip(members), what
