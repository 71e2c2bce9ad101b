#include "codegen/cpu/KernelCache.h"
#include "codegen/host/FileBytes.h"
#include "codegen/host/Version.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/xxhash.h"
#include <link.h>

using namespace llvm;

namespace graphmill::cpu {

/// The build ID that the linker gave the program (or library) this code is in: another
/// compiler makes other code of the same kernel.
static std::string buildId() {
  std::string id;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        auto here = reinterpret_cast<uintptr_t>(&buildId);
        bool isOurs = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
          isOurs |= info->dlpi_phdr[i].p_type == PT_LOAD && here >= start && here < start + info->dlpi_phdr[i].p_memsz;
        }
        for (int i = 0; isOurs && i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type == PT_NOTE) {
            // All notes: the build ID is among them, the others are as constant.
            *static_cast<std::string *>(data) += StringRef(
                reinterpret_cast<const char *>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), info->dlpi_phdr[i].p_memsz);
          }
        }
        return isOurs ? 1 : 0;
      },
      &id);
  return id;
}

KernelCache KernelCache::open() {
  KernelCache cache;
  cache.compiler = buildId();
  if (auto chosen = sys::Process::GetEnv("GRAPHMILL_CACHE")) {
    cache.folder = *chosen == "off" ? "" : *chosen;
    return cache;
  }
  SmallString<128> path;
  if (sys::path::cache_directory(path)) {
    sys::path::append(path, "graphmill");
    cache.folder = path.str().str();
  }
  return cache;
}

std::string KernelCache::keyOf(StringRef kernelText, const host::TargetSpec &target) const {
  SHA256 hash;
  for (StringRef part : {StringRef(host::kCompilerVersion), StringRef(compiler), StringRef(target.triple), StringRef(target.cpu),
                         StringRef(target.features), kernelText}) {
    hash.update(part);
    hash.update(StringRef("\0", 1));
  }
  return toHex(hash.final(), /*LowerCase=*/true);
}

static std::string checksum(StringRef bytes) { return utohexstr(xxh3_64bits(bytes), /*LowerCase=*/true, /*Width=*/16); }

/// Lines: the checksum of what follows; affine_map<()[s0, …] -> (grid, scratch, phases)>; then
/// the object. What a full disk or another program has spoilt counts as absent.
std::optional<KernelCache::Entry> KernelCache::find(StringRef key, mlir::MLIRContext *context) const {
  if (folder.empty()) {
    return std::nullopt;
  }
  SmallString<128> path(folder);
  sys::path::append(path, key);
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return std::nullopt;
  }
  auto [sum, checked] = (*buffer)->getBuffer().split('\n');
  if (sum != checksum(checked)) {
    return std::nullopt;
  }
  auto [header, object] = checked.split('\n');
  auto map = dyn_cast_or_null<mlir::AffineMapAttr>(mlir::parseAttribute(header, context));
  if (!map || map.getValue().getNumResults() != 3 || !object.starts_with("\177ELF")) {
    return std::nullopt;
  }
  Entry entry;
  entry.emitted = {map.getValue().getResult(0), map.getValue().getResult(1), map.getValue().getResult(2)};
  entry.object.name = key.take_front(12).str();
  entry.object.bytes.assign(object.begin(), object.end());
  return entry;
}

void KernelCache::insert(StringRef key, const Entry &entry) const {
  if (folder.empty() || sys::fs::create_directories(folder)) {
    return;
  }
  SmallString<128> path(folder);
  sys::path::append(path, key);
  mlir::AffineExpr sizes[] = {entry.emitted.grid, entry.emitted.scratchBytes, entry.emitted.phases};
  unsigned symbols = 0;
  for (mlir::AffineExpr size : sizes) {
    symbols = std::max(symbols, countSymbols(size));
  }
  auto map = mlir::AffineMap::get(0, symbols, sizes, entry.emitted.grid.getContext());
  std::string checked;
  raw_string_ostream(checked) << mlir::AffineMapAttr::get(map) << '\n'
                              << StringRef(entry.object.bytes.data(), entry.object.bytes.size());
  std::string text = checksum(checked) + "\n" + checked;
  // What can't be kept is made again the next time.
  Expected<host::PendingFile> file = host::PendingFile::create(path);
  Error error = file ? host::writeBytes(file->descriptor(), ArrayRef(text.data(), text.size()), path) : file.takeError();
  if (!error) {
    error = file->commit(/*executable=*/false);
  }
  consumeError(std::move(error));
}

} // namespace graphmill::cpu
