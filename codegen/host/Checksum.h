//===- Checksum.h - Whether a library is as it was written -----------------===//
//
// A library carries a note with a hash of what the loader maps: code, tables, relocations, and where
// each segment goes; of the weights, which may be gigabytes, the first and the last page. A damaged
// library can so be told before it is loaded, when it is too late. Section headers and symbols, which
// `strip` takes away, aren't part of it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace graphmill::host {

/// Defines the note, with a hash of zeros.
void emitChecksumNote(llvm::Module &module);

/// Puts the hash of the library in `file`, which is complete, into its note.
llvm::Error writeChecksum(int file, llvm::StringRef path);

enum class ChecksumState { Right, Wrong, Absent };

/// Of a library whose headers say nothing that isn't in its bytes: LLVM has made an ELFFile of them, and
/// each segment is inside.
llvm::Expected<ChecksumState> verifyChecksum(llvm::StringRef library);

} // namespace graphmill::host
