#include "codegen/host/RuntimeObjects.h"
#include "codegen/host/EmbedFile.h"

// GRAPHMILL_RUNTIME_DIR is where the build puts them.
#define EMBED(symbol, file) GRAPHMILL_EMBED_FILE(symbol, GRAPHMILL_RUNTIME_DIR "/" file)

EMBED(gmRuntimeX86, "runtime-x86_64.o")
EMBED(gmLibcX86, "libc-x86_64.so")
EMBED(gmLibmX86, "libm-x86_64.so")
EMBED(gmRuntimeAArch64, "runtime-aarch64.o")
EMBED(gmLibcAArch64, "libc-aarch64.so")
EMBED(gmLibmAArch64, "libm-aarch64.so")

namespace graphmill::host {

static llvm::ArrayRef<char> bytesBetween(const char *begin, const char *end) {
  return {begin, size_t(end - begin)};
}

const RuntimeObjects &runtimeObjects(const TargetSpec &target) {
  static const RuntimeObjects x86 = {
      bytesBetween(gmRuntimeX86, gmRuntimeX86End),
      bytesBetween(gmLibcX86, gmLibcX86End),
      bytesBetween(gmLibmX86, gmLibmX86End)};
  static const RuntimeObjects aarch64 = {
      bytesBetween(gmRuntimeAArch64, gmRuntimeAArch64End),
      bytesBetween(gmLibcAArch64, gmLibcAArch64End),
      bytesBetween(gmLibmAArch64, gmLibmAArch64End)};
  return target.isAArch64() ? aarch64 : x86;
}

} // namespace graphmill::host
