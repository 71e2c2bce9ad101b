#include "codegen/host/Link.h"
#include "codegen/host/Checksum.h"
#include "codegen/host/EmbedWeights.h"
#include "codegen/host/MemoryFile.h"
#include "codegen/host/OutputPipe.h"
#include "codegen/host/RuntimeObjects.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/Path.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;
namespace graphmill::host {
namespace {

/// Only the public interface leaves the library, however kernels are declared.
constexpr const char *kVersionScript = "{ global: gm_*; local: *; };\n";

/// The command line of one link and the memory files it names.
class LinkCommand {
public:
  LinkCommand(const TargetSpec &target, StringRef soname, StringRef output) {
    arguments = {"ld.lld", "-shared", "-o", output.str(), "-soname",
                 soname.str(), "-m",
                 target.isAArch64() ? "aarch64linux" : "elf_x86_64",
                 // Calls inside the library need no indirection.
                 "-Bsymbolic", "-z", "now", "-z", "defs", "-z", "noexecstack",
                 "--gc-sections", "--hash-style=gnu", "--build-id=none",
                 // For few small objects threads cost more than they save.
                 "--threads=1", "--as-needed"};
  }

  /// `flag` ends with what joins it to its file; empty for a plain input.
  Error addFile(StringRef flag, StringRef name, ArrayRef<char> bytes) {
    Expected<MemoryFile> file = MemoryFile::create(name, bytes);
    if (!file) {
      return file.takeError();
    }
    arguments.push_back((flag + file->path()).str());
    names.push_back({file->path(), name.str()});
    files.push_back(std::move(*file));
    return Error::success();
  }

  /// All objects as one file: a process may have few files open at once, and a
  /// model may have a thousand kernels.
  Error addObjects(ArrayRef<ObjectFile> objects);

  Error run();

private:
  void restoreNames(std::string &messages) const;

  std::vector<std::string> arguments;
  std::vector<MemoryFile> files;
  std::vector<std::pair<std::string, std::string>> names;
};

Error LinkCommand::addObjects(ArrayRef<ObjectFile> objects) {
  std::vector<NewArchiveMember> members;
  for (const ObjectFile &object : objects) {
    members.emplace_back(MemoryBufferRef(
        StringRef(object.bytes.data(), object.bytes.size()), object.name));
  }
  Expected<std::unique_ptr<MemoryBuffer>> archive = writeArchiveToBuffer(
      members, SymtabWritingMode::NoSymtab, object::Archive::K_GNU,
      /*Deterministic=*/true, /*Thin=*/false);
  if (!archive) {
    return archive.takeError();
  }
  StringRef bytes = (*archive)->getBuffer();
  arguments.push_back("--whole-archive");
  Error error = addFile("", "kernels", ArrayRef(bytes.data(), bytes.size()));
  arguments.push_back("--no-whole-archive");
  return error;
}

/// Puts the names of memory files where lld has written their paths.
void LinkCommand::restoreNames(std::string &messages) const {
  for (const auto &[path, name] : names) {
    for (size_t at = messages.find(path); at != std::string::npos;
         at = messages.find(path, at + 1)) {
      size_t end = at + path.size();
      // fd/5 is no part of fd/51.
      if (end == messages.size() || !isDigit(messages[end])) {
        messages.replace(at, path.size(), name);
      }
    }
  }
}

Error LinkCommand::run() {
  static std::mutex oneAtATime;
  static bool isUsable = true;
  std::lock_guard<std::mutex> lock(oneAtATime);
  if (!isUsable) {
    return createStringError("the linker has crashed earlier in this process");
  }
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments) {
    pointers.push_back(argument.c_str());
  }
  std::string messages;
  raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(pointers, stream, stream, {{lld::Gnu, &lld::elf::link}});
  isUsable = result.canRunAgain;
  if (result.retCode == 0) {
    return Error::success();
  }
  restoreNames(messages);
  return createStringError("linking failed: " + StringRef(messages).rtrim());
}

} // namespace

Expected<PendingFile> linkLibrary(ArrayRef<ObjectFile> objects,
                                  const WeightImage *embedded,
                                  const TargetSpec &target,
                                  const LibraryOptions &options) {
  StringRef path = options.path;
  if (embedded && embedded->sizeBytes == 0) {
    embedded = nullptr;
  }
  Expected<PendingFile> output = PendingFile::create(path);
  if (!output) {
    return output.takeError();
  }
  mlir::Timer stages = options.timing;
  mlir::TimingScope timing(stages.nest("link"));
  OutputPipe linked;
  if (Error error = linked.open()) {
    return std::move(error);
  }
  LinkCommand command(target, sys::path::filename(path), linked.path());
  const RuntimeObjects &runtime = runtimeObjects(target);
  Error error =
      command.addFile("--version-script=", "exports",
                      ArrayRef(kVersionScript, strlen(kVersionScript)));
  auto add = [&](StringRef flag, StringRef name, ArrayRef<char> bytes) {
    if (!error) {
      error = command.addFile(flag, name, bytes);
    }
  };
  if (!error) {
    error = command.addObjects(objects);
  }
  add("", "runtime", runtime.object);
  add("", "libc.so.6", runtime.libcStub);
  add("", "libm.so.6", runtime.libmStub);
  if (embedded && !error) {
    Expected<ObjectFile> placeholder =
        makeWeightsObject(embedded->sizeBytes, target);
    if (!placeholder) {
      return placeholder.takeError();
    }
    add("", "weights", placeholder->bytes);
    add("--script=", "weights.ld",
        ArrayRef(kWeightsScript, strlen(kWeightsScript)));
  }
  if (!error) {
    error = command.run();
  }
  if (!error) {
    error = writeBytes(output->descriptor(), linked.take(), path);
  }
  timing.stop();
  if (!error && embedded) {
    mlir::TimingScope weights(stages.nest("weights"));
    error = appendWeights(output->descriptor(), *embedded, options.threads, path);
  }
  if (!error) {
    error = writeChecksum(output->descriptor(), path);
  }
  if (error) {
    return std::move(error);
  }
  return std::move(*output);
}

} // namespace graphmill::host
