#include "frontend/pt2/Weights.h"
#include "frontend/pt2/Archive.h"
#include "frontend/pt2/Decode.h"
#include "frontend/pt2/ReadError.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace graphmill::pt2 {
namespace {

/// One entry of a payload config.
struct Payload {
  std::string name, path;
  bool isParameter = false, usesPickle = false;
  /// Absent for objects that aren't tensors.
  std::optional<TensorMeta> meta;
};

Payload decodePayload(llvm::StringRef name, JsonValue json) {
  Payload payload{name.str(), json["path_name"].text(),
                  json["is_param"].boolean(), json["use_pickle"].boolean(),
                  std::nullopt};
  if (std::optional<JsonValue> meta = json.find("tensor_meta")) {
    payload.meta = decodeTensorMeta(*meta);
  }
  return payload;
}

/// Elements from the storage's start to just past the last one used; none if
/// that overflows or something is negative.
std::optional<int64_t> elementsSpanned(const StoredTensor &tensor) {
  if (tensor.offsetElems < 0) {
    return std::nullopt;
  }
  int64_t last = tensor.offsetElems;
  bool isEmpty = false;
  for (size_t i = 0; i < tensor.sizes.size(); ++i) {
    int64_t size = tensor.sizes[i], stride = tensor.strideElems[i];
    if (size < 0 || stride < 0) {
      return std::nullopt;
    }
    isEmpty |= size == 0;
    std::optional<int64_t> step =
        llvm::checkedMul<int64_t>(std::max<int64_t>(size - 1, 0), stride);
    std::optional<int64_t> sum =
        step ? llvm::checkedAdd<int64_t>(last, *step) : std::nullopt;
    if (!sum) {
      return std::nullopt;
    }
    last = *sum;
  }
  return isEmpty ? 0 : llvm::checkedAdd<int64_t>(last, 1);
}

/// The number of elements must fit too: strides of 0 make huge tensors of few
/// bytes.
bool countOverflows(llvm::ArrayRef<int64_t> sizes) {
  std::optional<int64_t> count = 1;
  for (int64_t size : sizes) {
    count = count
                ? llvm::checkedMul<int64_t>(*count, std::max<int64_t>(size, 1))
                : count;
  }
  return !count;
}

class TableReader {
public:
  TableReader(Archive &archive, llvm::StringRef config, llvm::StringRef folder)
      : archive(archive), config(config), folder(folder) {}

  llvm::Expected<std::vector<StoredTensor>> read();

private:
  llvm::Expected<std::vector<Payload>> readConfig();
  llvm::Error refusePickles(llvm::ArrayRef<Payload> payloads) const;
  llvm::Expected<StoredTensor> readTensor(const Payload &payload);
  llvm::Error checkBounds(const StoredTensor &tensor) const;
  llvm::Error bad(llvm::StringRef name, const llvm::Twine &what,
                  const llvm::Twine &help = "") const {
    return readError(archive.getPath(), (config + ": " + name).str(), what,
                     help);
  }

  Archive &archive;
  llvm::StringRef config, folder;
};

llvm::Expected<std::vector<Payload>> TableReader::readConfig() {
  llvm::Expected<llvm::StringRef> text = archive.readText(config);
  if (!text) {
    return text.takeError();
  }
  auto document = JsonDocument::parse(*text, archive.getPath(), config);
  if (!document) {
    return document.takeError();
  }
  std::vector<Payload> payloads;
  (*document)->root()["config"].forEachField(
      [&](llvm::StringRef name, JsonValue json) {
        payloads.push_back(decodePayload(name, json));
      });
  if (llvm::Error error = (*document)->takeError()) {
    return error;
  }
  return payloads;
}

llvm::Error TableReader::refusePickles(llvm::ArrayRef<Payload> payloads) const {
  std::string names;
  for (const Payload &payload : payloads) {
    if (payload.usesPickle || !payload.meta) {
      names += (names.empty() ? "'" : ", '") + payload.name + "' (" +
               (payload.meta ? "a tensor subclass"
                             : "an object that isn't a tensor") +
               ")";
    }
  }
  if (names.empty()) {
    return llvm::Error::success();
  }
  return readError(
      archive.getPath(), config,
      "these are saved as Python pickles, which are never loaded: " + names,
      "make them plain torch.Tensors before torch.export.export, and pass "
      "objects' contents as tensors");
}

llvm::Error TableReader::checkBounds(const StoredTensor &tensor) const {
  std::optional<int64_t> spanned = elementsSpanned(tensor);
  uint64_t available = tensor.storage.size() / elementBytes(tensor.dtype);
  if (!spanned || countOverflows(tensor.sizes)) {
    return bad(tensor.name, "its sizes and strides are negative or overflow");
  }
  if (uint64_t(*spanned) <= available) {
    return llvm::Error::success();
  }
  return bad(tensor.name,
             "needs " + llvm::Twine(*spanned) + " elements of " +
                 scalarTypeName(tensor.dtype) + ", but " + folder +
                 tensor.payload + " holds " + llvm::Twine(available),
             tensor.storage.empty()
                 ? "the model was exported with fake tensors; export it with "
                   "real weights"
                 : "the file is damaged; export the model again");
}

llvm::Expected<StoredTensor> TableReader::readTensor(const Payload &payload) {
  const TensorMeta &meta = *payload.meta;
  StoredTensor tensor;
  tensor.name = payload.name;
  tensor.dtype = meta.dtype;
  tensor.isParameter = payload.isParameter;
  tensor.requiresGrad = meta.requiresGrad;
  tensor.payload = payload.path;
  if (meta.layout != Layout::Strided) {
    return bad(payload.name,
               "is a sparse or opaque tensor, expected a strided one",
               "call .to_dense() on it before exporting");
  }
  bool isSymbolic = meta.storageOffset.expr != nullptr;
  for (size_t i = 0; i < meta.sizes.size(); ++i) {
    isSymbolic |= meta.sizes[i].expr || meta.strides[i].expr;
    tensor.sizes.push_back(meta.sizes[i].constant);
    tensor.strideElems.push_back(meta.strides[i].constant);
  }
  tensor.offsetElems = meta.storageOffset.constant;
  if (isSymbolic) {
    return bad(payload.name, "has a symbolic shape, expected fixed sizes");
  }
  llvm::Expected<llvm::ArrayRef<uint8_t>> storage =
      archive.read((folder + payload.path).str());
  if (!storage) {
    return storage.takeError();
  }
  tensor.storage = *storage;
  if (llvm::Error error = checkBounds(tensor)) {
    return error;
  }
  return tensor;
}

llvm::Expected<std::vector<StoredTensor>> TableReader::read() {
  llvm::Expected<std::vector<Payload>> payloads = readConfig();
  if (!payloads) {
    return payloads.takeError();
  }
  if (llvm::Error error = refusePickles(*payloads)) {
    return error;
  }
  std::vector<StoredTensor> tensors;
  for (const Payload &payload : *payloads) {
    llvm::Expected<StoredTensor> tensor = readTensor(payload);
    if (!tensor) {
      return tensor.takeError();
    }
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

} // namespace

uint64_t StoredTensor::numElements() const {
  uint64_t count = 1;
  for (int64_t size : sizes) {
    count *= uint64_t(size);
  }
  return count;
}

bool StoredTensor::isContiguous() const {
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    // A dim of one element is never stepped over, so its stride is arbitrary.
    if (sizes[i] != 1 && strideElems[i] != expected) {
      return numElements() == 0;
    }
    expected *= sizes[i];
  }
  return true;
}

const StoredTensor *WeightTable::find(llvm::StringRef name) const {
  auto found = index.find(name);
  return found == index.end() ? nullptr : &list[found->second];
}

llvm::Expected<WeightTable> WeightTable::read(Archive &archive,
                                              llvm::StringRef config,
                                              llvm::StringRef folder) {
  llvm::Expected<std::vector<StoredTensor>> tensors =
      TableReader(archive, config, folder).read();
  if (!tensors) {
    return tensors.takeError();
  }
  WeightTable table;
  table.list = std::move(*tensors);
  for (size_t i = 0; i < table.list.size(); ++i) {
    if (!table.index.try_emplace(table.list[i].name, i).second) {
      return readError(archive.getPath(), config,
                       "'" + llvm::Twine(table.list[i].name) +
                           "' is listed twice");
    }
  }
  return table;
}

} // namespace graphmill::pt2
