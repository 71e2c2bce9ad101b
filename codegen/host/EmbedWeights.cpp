#include "codegen/host/EmbedWeights.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <unistd.h>

using namespace llvm;
namespace graphmill::host {

static constexpr StringRef kSectionName = ".gm_weights";

// The address space after .bss is the only place where a large section can't
// push code and data out of each other's reach. makeWeightsObject() makes sure
// that there is a .bss.
const char *const kWeightsScript =
    "SECTIONS {\n"
    "  .gm_weights : ALIGN(CONSTANT(MAXPAGESIZE)) {\n"
    "    *(.gm_weights)\n"
    "  }\n"
    "}\n"
    "INSERT AFTER .bss;\n";

Expected<ObjectFile> makeWeightsObject(uint64_t sizeBytes,
                                       const TargetSpec &target) {
  LLVMContext context;
  Module module("weights", context);
  std::string assembly;
  raw_string_ostream(assembly)
      << ".section .bss.anchor,\"awR\",@nobits\n.zero 1\n"
      << ".section " << kSectionName << ",\"aR\",@nobits\n"
      << ".globl " << kWeightsSymbol << "\n.hidden " << kWeightsSymbol << "\n"
      << kWeightsSymbol << ":\n.zero " << sizeBytes << "\n";
  module.setModuleInlineAsm(assembly);
  return compileModule(module, target);
}

namespace {

/// Reads and writes the headers of a little-endian 64-bit ELF file, which is
/// what lld has just written, so nothing is doubted but the disk.
class ElfPatcher {
public:
  ElfPatcher(int file, StringRef path) : file(file), path(path) {}

  template <typename T> Error read(T &record, uint64_t offset) {
    return check(pread(file, &record, sizeof(T), off_t(offset)) ==
                 ssize_t(sizeof(T)));
  }
  template <typename T> Error write(const T &record, uint64_t offset) {
    return check(pwrite(file, &record, sizeof(T), off_t(offset)) ==
                 ssize_t(sizeof(T)));
  }

  /// Gives the last loadable segment contents at `offset`.
  Error patchSegment(const ELF::Elf64_Ehdr &header, uint64_t offset);

  /// Does the same to the section that makes up that segment.
  Error patchSection(const ELF::Elf64_Ehdr &header, uint64_t offset);

  Error check(bool ok) {
    return ok ? Error::success()
              : createStringError("can't write the weights into '" + path +
                                  "'");
  }

  ELF::Elf64_Phdr segment = {};

private:
  int file;
  StringRef path;
};

Error ElfPatcher::patchSegment(const ELF::Elf64_Ehdr &header, uint64_t offset) {
  uint64_t found = 0;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ELF::Elf64_Phdr candidate;
    uint64_t at = header.e_phoff + uint64_t(i) * header.e_phentsize;
    if (Error error = read(candidate, at)) {
      return error;
    }
    if (candidate.p_type == ELF::PT_LOAD && candidate.p_flags == ELF::PF_R &&
        candidate.p_filesz == 0) {
      segment = candidate;
      found = at;
    }
  }
  if (Error error = check(found != 0)) {
    return error;
  }
  segment.p_offset = offset;
  segment.p_filesz = segment.p_memsz;
  return write(segment, found);
}

Error ElfPatcher::patchSection(const ELF::Elf64_Ehdr &header, uint64_t offset) {
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    ELF::Elf64_Shdr section;
    uint64_t at = header.e_shoff + uint64_t(i) * header.e_shentsize;
    if (Error error = read(section, at)) {
      return error;
    }
    if (section.sh_type == ELF::SHT_NOBITS &&
        section.sh_addr == segment.p_vaddr) {
      section.sh_type = ELF::SHT_PROGBITS;
      section.sh_offset = offset;
      return write(section, at);
    }
  }
  return check(false);
}

} // namespace

Error appendWeights(int file, const WeightImage &weights, unsigned threads,
                    StringRef path) {
  ElfPatcher patcher(file, path);
  ELF::Elf64_Ehdr header;
  off_t end = lseek(file, 0, SEEK_END);
  if (Error error = patcher.check(end > 0)) {
    return error;
  }
  if (Error error = patcher.read(header, 0)) {
    return error;
  }
  // 64 KiB: the largest page of both targets, so that one rule fits all
  // kernels.
  uint64_t start = alignTo(uint64_t(end), 65536);
  if (Error error = patcher.patchSegment(header, start)) {
    return error;
  }
  if (Error error = patcher.patchSection(header, start)) {
    return error;
  }
  if (Error error = writeWeights(file, start, weights, threads, path)) {
    return error;
  }
  return patcher.check(ftruncate(file, off_t(start + weights.sizeBytes)) == 0);
}

} // namespace graphmill::host
