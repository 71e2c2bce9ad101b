#include "tools/graphmill/LoadedLibrary.h"
#include "codegen/host/Checksum.h"
#include "tools/InputFile.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <dlfcn.h>

using namespace llvm;
namespace graphmill::tools {
namespace {

Error reject(StringRef path, const Twine &why) {
  return createStringError("'" + path + "' is not a graphmill library: " + why);
}

StringRef machineName(unsigned machine) {
  return machine == ELF::EM_X86_64    ? "x86_64"
         : machine == ELF::EM_AARCH64 ? "aarch64"
                                      : "another processor";
}

/// The loader maps what the headers say, whatever the file's size, and runs what is there: reading
/// beyond its end, or damaged code, would kill the process.
Error checkElf(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readFile(path);
  if (!file) {
    return file.takeError();
  }
  StringRef bytes = (*file)->getBuffer();
  if (!bytes.starts_with(StringRef(ELF::ElfMagic, 4))) {
    return reject(path, "it is no ELF file; `graphmill compile` makes libraries of models");
  }
  if (bytes.size() < sizeof(ELF::Elf64_Ehdr) ||
      bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB) {
    return reject(path, "it is no 64-bit little-endian ELF file");
  }
  Expected<object::ELF64LEFile> elf = object::ELF64LEFile::create(bytes);
  if (!elf) {
    return reject(path, toString(elf.takeError()));
  }
  if (elf->getHeader().e_type != ELF::ET_DYN) {
    return reject(path, "it is an ELF file, but no shared library");
  }
  unsigned host = Triple(sys::getProcessTriple()).isAArch64()
                      ? unsigned(ELF::EM_AARCH64)
                      : unsigned(ELF::EM_X86_64);
  if (elf->getHeader().e_machine != host) {
    return createStringError("'" + path + "' is for " +
                             machineName(elf->getHeader().e_machine) +
                             ", this machine is " + machineName(host));
  }
  auto segments = elf->program_headers();
  if (!segments) {
    return reject(path, toString(segments.takeError()));
  }
  for (const auto &segment : *segments) {
    if (segment.p_offset > bytes.size() ||
        segment.p_filesz > bytes.size() - segment.p_offset) {
      return reject(path, "it is cut short");
    }
  }
  Expected<host::ChecksumState> state = host::verifyChecksum(bytes);
  if (!state) {
    return reject(path, toString(state.takeError()));
  }
  switch (*state) {
  case host::ChecksumState::Right: return Error::success();
  case host::ChecksumState::Absent: return reject(path, "it has no checksum of graphmill's");
  case host::ChecksumState::Wrong: break;
  }
  return createStringError("'" + path + "' is damaged: its checksum is wrong; compile the model again");
}

} // namespace

void LoadedLibrary::Close::operator()(void *handle) const { dlclose(handle); }

Expected<LoadedLibrary> LoadedLibrary::open(StringRef path) {
  if (Error error = checkElf(path)) {
    return std::move(error);
  }
  // A path without a slash would be searched for among the system's libraries.
  SmallString<256> absolute(path);
  if (std::error_code code = sys::fs::make_absolute(absolute)) {
    return createStringError(code, "can't tell where '" + path + "' is");
  }
  LoadedLibrary library;
  library.handle.reset(dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library.handle) {
    return createStringError("can't load '" + path + "': " + dlerror());
  }
  auto getApi = reinterpret_cast<const gm_api *(*)(uint32_t)>(
      dlsym(library.handle.get(), "gm_get_api"));
  auto getVersion = reinterpret_cast<uint32_t (*)()>(
      dlsym(library.handle.get(), "gm_abi_version"));
  if (!getApi || !getVersion) {
    return reject(path, "it doesn't export gm_get_api and gm_abi_version");
  }
  library.table = getApi(GM_ABI_VERSION);
  if (!library.table || library.table->struct_size < offsetof(gm_api, context_seed)) {
    return createStringError(
        "'" + path + "' has version " + Twine(getVersion()) +
        " of the interface, this graphmill speaks " + Twine(GM_ABI_VERSION));
  }
  library.libraryInfo.struct_size = sizeof(gm_library_info);
  if (library.table->get_library_info(&library.libraryInfo) != GM_OK) {
    return library.lastError();
  }
  return std::move(library);
}

Error LoadedLibrary::lastError() const {
  return createStringError(Twine(table->error_text()));
}

/// Calls `get` for each index; it can't fail for those below the count.
template <typename Info>
static std::vector<Info> collect(uint32_t count,
                                 gm_status (*get)(uint32_t, Info *)) {
  std::vector<Info> infos(count);
  for (uint32_t i = 0; i < count; ++i) {
    get(i, &infos[i]);
  }
  return infos;
}

std::vector<gm_tensor_info> LoadedLibrary::inputs() const {
  return collect(libraryInfo.num_inputs, table->get_input_info);
}

std::vector<gm_tensor_info> LoadedLibrary::outputs() const {
  return collect(libraryInfo.num_outputs, table->get_output_info);
}

std::vector<gm_symbol_info> LoadedLibrary::symbols() const {
  return collect(libraryInfo.num_symbols, table->get_symbol_info);
}

Expected<Context> Context::create(const LoadedLibrary &library, int threads,
                                  bool profile) {
  gm_options options = {};
  options.struct_size = sizeof(options);
  options.threads = threads;
  options.profile = profile;
  gm_context *context = nullptr;
  if (library.api().context_create(&options, &context) != GM_OK) {
    return library.lastError();
  }
  return Context(library, context);
}

Error Context::seed(uint64_t value) {
  const gm_api &api = library->api();
  // Libraries of older compilers draw none.
  bool hasSeed = api.struct_size > offsetof(gm_api, context_seed);
  if (hasSeed && api.context_seed(context.get(), value) != GM_OK) {
    return library->lastError();
  }
  return Error::success();
}

Expected<std::vector<gm_tensor>> Context::run(ArrayRef<gm_tensor> inputs) {
  std::vector<gm_tensor> outputs(library->info().num_outputs);
  if (library->api().run(context.get(), inputs.data(), inputs.size(),
                         outputs.data(), outputs.size()) != GM_OK) {
    return library->lastError();
  }
  return outputs;
}

ArrayRef<int64_t> shapeOf(const gm_tensor &tensor) { return ArrayRef(tensor.shape, size_t(tensor.rank)); }

ArrayRef<char> bytesOf(const gm_tensor &tensor) {
  size_t bytes = dtypeBytes(tensor.dtype);
  for (int64_t dim : shapeOf(tensor)) {
    bytes *= size_t(dim);
  }
  return ArrayRef(static_cast<const char *>(tensor.data), bytes);
}

std::string describe(const gm_tensor_info &tensor) {
  std::string text = dtypeName(tensor.dtype).str() + " [";
  for (int32_t d = 0; d < tensor.rank; ++d) {
    text += (d ? ", " : "") + std::string(tensor.dim_text[d]);
  }
  return text + "]";
}

Expected<InputFiles> InputFiles::read(ArrayRef<std::string> paths) {
  InputFiles files;
  for (const std::string &path : paths) {
    Expected<NpyArray> array = readNpy(path);
    if (!array) {
      return array.takeError();
    }
    files.arrays.push_back(std::move(*array));
  }
  for (const NpyArray &array : files.arrays) {
    files.views.push_back(array.tensor());
  }
  return std::move(files);
}

} // namespace graphmill::tools
