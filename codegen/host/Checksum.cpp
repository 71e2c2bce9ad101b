#include "codegen/host/Checksum.h"
#include "codegen/host/FileBytes.h"
#include "llvm/IR/Constants.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <optional>

using namespace llvm;
namespace graphmill::host {
namespace {

using Elf = object::ELF64LEFile;

constexpr StringLiteral kOwner = "graphmill";
constexpr uint32_t kNoteType = 1;
constexpr uint64_t kHashBytes = 8, kSampleBytes = 4096;

/// Where the note's hash lies in the file.
Expected<std::optional<uint64_t>> findNote(const Elf &elf, StringRef library) {
  auto segments = elf.program_headers();
  if (!segments) {
    return segments.takeError();
  }
  for (const Elf::Elf_Phdr &segment : *segments) {
    if (segment.p_type != ELF::PT_NOTE) {
      continue;
    }
    Error error = Error::success();
    std::optional<uint64_t> place;
    for (const Elf::Elf_Note note : elf.notes(segment, error)) {
      ArrayRef<uint8_t> hash = note.getDesc(std::max<uint64_t>(segment.p_align, 4));
      if (note.getName() == kOwner && note.getType() == kNoteType && hash.size() == kHashBytes) {
        place = uint64_t(hash.data() - library.bytes_begin());
      }
    }
    if (error) {
      return std::move(error);
    }
    if (place) {
      return place;
    }
  }
  return std::nullopt;
}

class Hasher {
public:
  void add(StringRef bytes) { addNumber(xxh3_64bits(bytes)); }
  void addNumber(uint64_t number) { numbers.push_back(number); }
  uint64_t finish() const {
    return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(numbers.data()), numbers.size() * sizeof(uint64_t)));
  }

private:
  std::vector<uint64_t> numbers;
};

/// What of a segment's contents counts: all but the ELF and program headers, in which offsets change when a
/// library is stripped, and the hash itself.
void addContents(Hasher &hasher, StringRef library, uint64_t begin, uint64_t end, uint64_t headersEnd, uint64_t note) {
  begin = std::min(std::max(begin, headersEnd), end);
  if (note >= begin && note + kHashBytes <= end) {
    hasher.add(library.slice(begin, note));
    begin = note + kHashBytes;
  }
  hasher.add(library.slice(begin, end));
}

Expected<uint64_t> hashLibrary(const Elf &elf, StringRef library, uint64_t note) {
  auto segments = elf.program_headers();
  if (!segments) {
    return segments.takeError();
  }
  const Elf::Elf_Ehdr &header = elf.getHeader();
  Hasher hasher;
  hasher.add(StringRef(reinterpret_cast<const char *>(header.e_ident), ELF::EI_NIDENT));
  for (uint64_t field : {uint64_t(header.e_type), uint64_t(header.e_machine), uint64_t(header.e_version),
                         uint64_t(header.e_entry), uint64_t(header.e_flags), uint64_t(header.e_phnum)}) {
    hasher.addNumber(field);
  }
  uint64_t headersEnd = header.e_phoff + uint64_t(header.e_phnum) * header.e_phentsize;
  const Elf::Elf_Phdr *last = nullptr;
  for (const Elf::Elf_Phdr &segment : *segments) {
    last = segment.p_type == ELF::PT_LOAD ? &segment : last;
  }
  for (const Elf::Elf_Phdr &segment : *segments) {
    for (uint64_t field : {uint64_t(segment.p_type), uint64_t(segment.p_flags), uint64_t(segment.p_vaddr),
                           uint64_t(segment.p_filesz), uint64_t(segment.p_memsz), uint64_t(segment.p_align)}) {
      hasher.addNumber(field);
    }
    uint64_t begin = segment.p_offset, end = begin + segment.p_filesz;
    bool isWeights = &segment == last && segment.p_flags == ELF::PF_R;
    if (isWeights) {
      uint64_t sample = std::min(kSampleBytes, end - begin);
      hasher.add(library.substr(begin, sample));
      hasher.add(library.substr(end - sample, sample));
    } else if (segment.p_type == ELF::PT_LOAD || segment.p_type == ELF::PT_DYNAMIC) {
      // The loader finds the dynamic section by its address, others by its offset: both count.
      addContents(hasher, library, begin, end, headersEnd, note);
    }
  }
  return hasher.finish();
}

} // namespace

void emitChecksumNote(Module &module) {
  LLVMContext &context = module.getContext();
  auto number = [&](uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); };
  // The owner's name with its zero, padded to 4 bytes.
  SmallString<12> owner(kOwner);
  owner.resize(12);
  Constant *fields[] = {number(kOwner.size() + 1), number(kHashBytes), number(kNoteType),
                        ConstantDataArray::getString(context, owner, /*AddNull=*/false), number(0), number(0)};
  Constant *value = ConstantStruct::getAnon(fields);
  auto *note = new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage, value,
                                  "graphmillChecksum");
  note->setVisibility(GlobalValue::HiddenVisibility);
  note->setSection(".note.graphmill");
  note->setAlignment(Align(4));
}

Error writeChecksum(int file, StringRef path) {
  auto buffer = MemoryBuffer::getOpenFile(file, path, /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return createStringError(buffer.getError(), "can't read back '" + path + "': " + buffer.getError().message());
  }
  StringRef library = (*buffer)->getBuffer();
  Expected<Elf> elf = Elf::create(library);
  if (!elf) {
    return elf.takeError();
  }
  Expected<std::optional<uint64_t>> note = findNote(*elf, library);
  if (!note) {
    return note.takeError();
  }
  if (!*note) {
    return createStringError("'" + path + "' was linked without its checksum");
  }
  Expected<uint64_t> hash = hashLibrary(*elf, library, **note);
  if (!hash) {
    return hash.takeError();
  }
  char bytes[kHashBytes];
  support::endian::write64le(bytes, *hash);
  return writeBytesAt(file, **note, bytes, path);
}

Expected<ChecksumState> verifyChecksum(StringRef library) {
  Expected<Elf> elf = Elf::create(library);
  if (!elf) {
    return elf.takeError();
  }
  Expected<std::optional<uint64_t>> note = findNote(*elf, library);
  if (!note) {
    return note.takeError();
  }
  if (!*note) {
    return ChecksumState::Absent;
  }
  Expected<uint64_t> hash = hashLibrary(*elf, library, **note);
  if (!hash) {
    return hash.takeError();
  }
  return *hash == support::endian::read64le(library.data() + **note) ? ChecksumState::Right : ChecksumState::Wrong;
}

} // namespace graphmill::host
