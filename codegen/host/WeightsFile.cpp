#include "codegen/host/WeightsFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <unistd.h>

using namespace llvm;
namespace graphmill::host {
namespace {

constexpr size_t kLengthBytes = 8, kDataAlignment = 4096;

/// FNV-1a, 64 bits; the runtime's Weights.c holds its twin.
uint64_t hashHeader(StringRef header) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : header) {
    hash = (hash ^ byte) * 0x100000001b3;
  }
  return hash;
}

/// A hash of each weight's hash, name and place: short to state, and different
/// when anything is.
std::string hashContents(const WeightImage &weights) {
  uint64_t hash = 0;
  for (const WeightImage::Part &part : weights.parts) {
    ArrayRef<char> bytes = part.weight->bytes;
    uint64_t words[] = {
        hash,
        xxh3_64bits(
            {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}),
        part.offsetBytes, xxh3_64bits(part.weight->layout)};
    hash =
        xxh3_64bits({reinterpret_cast<const uint8_t *>(words), sizeof(words)});
  }
  return utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

class HeaderWriter {
public:
  explicit HeaderWriter(const WeightImage &weights) : weights(weights) {}

  std::string write();

private:
  void tensor(json::OStream &json, StringRef name, uint64_t begin,
              uint64_t end) {
    json.attributeObject(name, [&] {
      json.attribute("dtype", "U8");
      json.attributeArray("shape", [&] { json.value(int64_t(end - begin)); });
      json.attributeArray("data_offsets", [&] {
        json.value(int64_t(begin));
        json.value(int64_t(end));
      });
    });
  }

  const WeightImage &weights;
};

std::string HeaderWriter::write() {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream json(stream);
  json.object([&] {
    json.attributeObject("__metadata__", [&] {
      json.attribute("format", "graphmill");
      json.attribute("contents", hashContents(weights));
    });
    uint64_t end = 0;
    unsigned numGaps = 0;
    for (auto [i, part] : enumerate(weights.parts)) {
      if (part.offsetBytes != end) {
        tensor(json, "__gap__." + std::to_string(numGaps++), end,
               part.offsetBytes);
      }
      end = part.offsetBytes + part.weight->sizeBytes();
      tensor(json, std::to_string(i) + "." + part.weight->name,
             part.offsetBytes, end);
    }
  });
  // Spaces at the end belong to the format.
  text.resize(
      alignTo(kLengthBytes + text.size(), kDataAlignment) - kLengthBytes, ' ');
  return text;
}

} // namespace

Expected<PendingWeightsFile> writeWeightsFile(const WeightImage &weights,
                                              StringRef fileName,
                                              StringRef libraryPath,
                                              unsigned threads) {
  if (fileName.contains('/')) {
    return createStringError(
        "weights file '" + fileName +
        "' lies beside the library: give a name without a folder");
  }
  if (fileName == sys::path::filename(libraryPath)) {
    return createStringError("the library and its weights file have one name, '" + fileName + "'");
  }
  SmallString<256> path(sys::path::parent_path(libraryPath));
  sys::path::append(path, fileName);
  Expected<PendingFile> file = PendingFile::create(path);
  if (!file) {
    return file.takeError();
  }
  std::string header = HeaderWriter(weights).write();
  char length[kLengthBytes];
  support::endian::write64le(length, header.size());
  Error error = writeBytes(file->descriptor(), length, path);
  if (!error) {
    error = writeBytes(file->descriptor(),
                       ArrayRef(header.data(), header.size()), path);
  }
  // Gaps are zeros: the file has its length before it has its contents.
  uint64_t start = kLengthBytes + header.size();
  if (!error && ftruncate(file->descriptor(), off_t(start + weights.sizeBytes)) != 0) {
    error = createStringError("can't write '" + path.str() + "'");
  }
  if (!error) {
    error = writeWeights(file->descriptor(), start, weights, threads, path);
  }
  if (error) {
    return std::move(error);
  }
  return PendingWeightsFile{
      std::move(*file), {fileName.str(), header.size(), hashHeader(header)}};
}

} // namespace graphmill::host
