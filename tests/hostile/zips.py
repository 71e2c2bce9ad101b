"""Zip files as a liar writes them: each field of each header can be set apart from the data."""

from __future__ import annotations

import dataclasses
import io
import struct
import zipfile
import zlib

STORED, DEFLATED = 0, 8


@dataclasses.dataclass
class Member:
    """One member; what is None is what a sound writer would put there."""

    name: bytes
    data: bytes
    method: int = STORED
    flags: int = 0
    crc: int | None = None
    packed_bytes: int | None = None
    unpacked_bytes: int | None = None
    local_name: bytes | None = None
    offset: int | None = None

    def headers(self, offset: int) -> tuple[bytes, bytes]:
        """The local header with what it holds, and the directory's entry."""
        packed = self.data
        if self.method == DEFLATED:
            deflate = zlib.compressobj(1, zlib.DEFLATED, -15)
            packed = deflate.compress(self.data) + deflate.flush()
        crc = zlib.crc32(self.data) if self.crc is None else self.crc
        packed_bytes = len(packed) if self.packed_bytes is None else self.packed_bytes
        unpacked_bytes = len(self.data) if self.unpacked_bytes is None else self.unpacked_bytes
        common = struct.pack("<HHHHHIII", 20, self.flags, self.method, 0, 33, crc, packed_bytes, unpacked_bytes)
        local_name = self.name if self.local_name is None else self.local_name
        local = b"PK\x03\x04" + common + struct.pack("<HH", len(local_name), 0) + local_name + packed
        place = offset if self.offset is None else self.offset
        entry = b"PK\x01\x02\x14\x00" + common + struct.pack("<HHHHHII", len(self.name), 0, 0, 0, 0, 0, place) + self.name
        return local, entry


def read_members(archive: bytes) -> list[Member]:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return [Member(info.filename.encode(), file.read(info), info.compress_type) for info in file.infolist()]


def write_zip(members: list[Member], count: int | None = None, comment: bytes = b"") -> bytes:
    """The archive; `count` is what the end record claims."""
    locals_, entries, offset = [], [], 0
    for member in members:
        local, entry = member.headers(offset)
        locals_.append(local)
        entries.append(entry)
        offset += len(local)
    directory = b"".join(entries)
    count = len(members) if count is None else count
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count, count, len(directory), offset, len(comment))
    return b"".join(locals_) + directory + end + comment
