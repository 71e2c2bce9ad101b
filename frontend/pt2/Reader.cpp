#include "frontend/pt2/Reader.h"
#include "frontend/pt2/Archive.h"
#include "frontend/pt2/Decode.h"
#include "frontend/pt2/ReadError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace graphmill::pt2 {
namespace {

/// torch 2.13 writes 8.20. Minor versions only add fields, so newer ones are
/// read for what is known; majors break.
constexpr int64_t kSchemaMajor = 8;
constexpr int64_t kMaxArchiveVersion = 0;
constexpr llvm::StringLiteral kExportAgain =
    "load and save it with torch >= 2.8: "
    "torch.export.save(torch.export.load(\"OLD.pt2\"), \"NEW.pt2\")";

class Reader {
public:
  Reader(Archive &archive) : archive(archive) {}

  llvm::Error checkFormat();
  llvm::Expected<std::string> chooseModel(llvm::StringRef wanted);
  llvm::Expected<ExportedProgram> readProgram(llvm::StringRef model);

private:
  llvm::Error bad(llvm::StringRef where, const llvm::Twine &what,
                  const llvm::Twine &help = "") const {
    return readError(archive.getPath(), where, what, help);
  }
  llvm::Error explainForeignZip() const;
  llvm::Error expectText(llvm::StringRef member, llvm::StringRef expected,
                         llvm::StringRef meaning);
  llvm::Error checkArchiveVersion();
  llvm::Error checkSchemaVersion(JsonValue root) const;
  llvm::Error checkSignature(const ExportedProgram &program) const;

  Archive &archive;
};

/// PyTorch saves other things in zip files too; say which one this is.
llvm::Error Reader::explainForeignZip() const {
  if (archive.contains("serialized_exported_program.json") ||
      archive.contains("serialized_state_dict.pt")) {
    return bad(
        "",
        "is an exported program in the layout of torch < 2.8, with pickled "
        "weights, which are never loaded",
        kExportAgain);
  }
  if (archive.contains("constants.pkl")) {
    return bad("",
               "is a TorchScript archive, expected one of torch.export.save",
               "export the module with torch.export.export");
  }
  if (archive.contains("data.pkl")) {
    return bad(
        "",
        "is a pickle of torch.save, expected an archive of torch.export.save",
        "load it into its module and export that with torch.export.export");
  }
  return bad(
      "",
      "isn't an archive of torch.export.save: it has no member archive_format",
      "export the module with torch.export.export and torch.export.save");
}

llvm::Error Reader::expectText(llvm::StringRef member, llvm::StringRef expected,
                               llvm::StringRef meaning) {
  llvm::Expected<llvm::StringRef> text = archive.readText(member);
  if (!text) {
    return text.takeError();
  }
  if (text->trim() != expected) {
    return bad(member, "is '" + text->take_front(20) + "', expected '" +
                           expected + "' (" + meaning + ")");
  }
  return llvm::Error::success();
}

llvm::Error Reader::checkArchiveVersion() {
  if (!archive.contains("archive_version")) {
    return llvm::Error::success(); // As torch does: what has none is version 0.
  }
  llvm::Expected<llvm::StringRef> text = archive.readText("archive_version");
  if (!text) {
    return text.takeError();
  }
  int64_t version = 0;
  if (text->trim().getAsInteger(10, version) || version < 0 ||
      version > kMaxArchiveVersion) {
    return bad("archive_version",
               "is '" + text->take_front(20) + "', versions up to " +
                   llvm::Twine(kMaxArchiveVersion) + " are understood",
               "export with torch 2.8 to 2.13, or use a newer graphmill");
  }
  return llvm::Error::success();
}

llvm::Error Reader::checkFormat() {
  if (!archive.contains("archive_format")) {
    return explainForeignZip();
  }
  if (llvm::Error error =
          expectText("archive_format", "pt2", "an exported program")) {
    return error;
  }
  if (archive.contains("byteorder")) {
    if (llvm::Error error = expectText("byteorder", "little",
                                       "the byte order of the weights")) {
      return error;
    }
  }
  return checkArchiveVersion();
}

llvm::Expected<std::string> Reader::chooseModel(llvm::StringRef wanted) {
  std::vector<std::string> models;
  for (llvm::StringRef member : archive.getMembers()) {
    if (member.consume_front("models/") && member.consume_back(".json")) {
      models.push_back(member.str());
    }
  }
  if (models.empty()) {
    return bad(
        "", "holds no exported program (no member models/*.json)",
        "a package of AOTInductor's compiled code alone can't be compiled "
        "again; save the exported program with torch.export.save");
  }
  if (wanted.empty() && models.size() == 1) {
    return models.front();
  }
  llvm::StringRef name = wanted.empty() ? "model" : wanted;
  if (!llvm::is_contained(models, name)) {
    return bad("", "holds no model '" + name + "'; it has " +
                       llvm::join(models, ", "));
  }
  return name.str();
}

llvm::Error Reader::checkSchemaVersion(JsonValue root) const {
  int64_t major = root["schema_version"]["major"].integer();
  int64_t minor = root["schema_version"]["minor"].integer();
  if (major == kSchemaMajor) {
    return llvm::Error::success();
  }
  std::string what = "has export schema " + std::to_string(major) + "." +
                     std::to_string(minor) + ", expected " +
                     std::to_string(kSchemaMajor) + ".x";
  return bad("", what,
             major < kSchemaMajor
                 ? llvm::StringRef(kExportAgain)
                 : "export with torch 2.13 or use a newer graphmill");
}

/// Every input that should have bytes has them, and the signature describes the
/// graph's inputs and outputs one for one.
llvm::Error Reader::checkSignature(const ExportedProgram &program) const {
  const GraphSignature &signature = program.signature;
  if (signature.inputs.size() != program.graph.inputs.size() ||
      signature.outputs.size() != program.graph.outputs.size()) {
    return bad("graph_module.signature",
               "describes " + llvm::Twine(signature.inputs.size()) +
                   " inputs and " + llvm::Twine(signature.outputs.size()) +
                   " outputs of a graph with " +
                   llvm::Twine(program.graph.inputs.size()) + " and " +
                   llvm::Twine(program.graph.outputs.size()));
  }
  std::vector<std::string> missing;
  for (const InputSpec &input : signature.inputs) {
    if (program.findStoredTensor(input)) {
      continue;
    }
    if (auto *parameter = std::get_if<ParameterInput>(&input)) {
      missing.push_back("parameter '" + parameter->parameterName + "'");
    } else if (auto *buffer = std::get_if<BufferInput>(&input)) {
      missing.push_back("buffer '" + buffer->bufferName + "'");
    } else if (auto *constant = std::get_if<TensorConstantInput>(&input)) {
      missing.push_back("constant '" + constant->constantName + "'");
    }
  }
  if (!missing.empty()) {
    return bad("",
               "the graph uses tensors that the archive doesn't hold: " +
                   llvm::join(missing, ", "),
               "export the model again with torch.export.save");
  }
  return llvm::Error::success();
}

llvm::Expected<ExportedProgram> Reader::readProgram(llvm::StringRef model) {
  std::string member = ("models/" + model + ".json").str();
  llvm::Expected<llvm::StringRef> text = archive.readText(member);
  if (!text) {
    return text.takeError();
  }
  auto document = JsonDocument::parse(*text, archive.getPath(), member);
  if (!document) {
    return document.takeError();
  }
  // The version comes first: fields of another schema would only confuse.
  JsonValue root = (*document)->root();
  llvm::Error versionError = checkSchemaVersion(root);
  ExportedProgram program;
  if (!versionError) {
    program = decodeExportedProgram(root);
  }
  if (llvm::Error error = (*document)->takeError()) {
    llvm::consumeError(std::move(versionError));
    return error;
  }
  if (versionError) {
    return versionError;
  }

  for (auto [table, kind] :
       {std::pair(&program.weights, llvm::StringRef("weights")),
        std::pair(&program.constants, llvm::StringRef("constants"))}) {
    std::string folder = ("data/" + kind + "/").str();
    std::string legacy = folder + model.str() + ".pt";
    if (archive.contains(legacy)) {
      return bad(legacy, "is a pickle, which is never loaded", kExportAgain);
    }
    std::string config = (folder + model + "_" + kind + "_config.json").str();
    llvm::Expected<WeightTable> read =
        WeightTable::read(archive, config, folder);
    if (!read) {
      return read.takeError();
    }
    *table = std::move(*read);
  }
  program.modelName = model.str();
  if (llvm::Error error = checkSignature(program)) {
    return error;
  }
  return program;
}

} // namespace

const StoredTensor *
ExportedProgram::findStoredTensor(const InputSpec &input) const {
  if (auto *parameter = std::get_if<ParameterInput>(&input)) {
    return weights.find(parameter->parameterName);
  }
  if (auto *buffer = std::get_if<BufferInput>(&input)) {
    return (buffer->isPersistent ? weights : constants)
        .find(buffer->bufferName);
  }
  if (auto *constant = std::get_if<TensorConstantInput>(&input)) {
    return constants.find(constant->constantName);
  }
  return nullptr;
}

llvm::Expected<ExportedProgram> readArchive(llvm::StringRef path,
                                            llvm::StringRef model) {
  llvm::Expected<std::unique_ptr<Archive>> archive = Archive::open(path);
  if (!archive) {
    return archive.takeError();
  }
  Reader reader(**archive);
  if (llvm::Error error = reader.checkFormat()) {
    return error;
  }
  llvm::Expected<std::string> name = reader.chooseModel(model);
  if (!name) {
    return name.takeError();
  }
  llvm::Expected<ExportedProgram> program = reader.readProgram(*name);
  if (program) {
    program->archive = std::move(*archive);
  }
  return program;
}

} // namespace graphmill::pt2
