#pragma once
#include "frontend/pt2/ScalarType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace graphmill::pt2 {

class Archive;

/// A parameter, buffer or constant whose bytes the archive holds. Element
/// [i, j, ...] is at offsetElems + i * strideElems[0] + j * strideElems[1] +
/// ... of `storage`; the reader has checked that all of them lie in it.
struct StoredTensor {
  std::string name;
  ScalarType dtype = ScalarType::Float32;
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<int64_t, 4> strideElems;
  int64_t offsetElems = 0;
  bool isParameter = false;
  bool requiresGrad = false;
  /// The member that holds the storage, "weight_3". Tensors that share storage
  /// (tied parameters, slices) name the same one and have the same span.
  std::string payload;
  /// The whole storage, little-endian, in the mapped file: aligned to 64 bytes
  /// in archives that torch wrote, not at all in others.
  llvm::ArrayRef<uint8_t> storage;

  uint64_t numElements() const;
  /// Row-major without gaps; the offset may be anything.
  bool isContiguous() const;
};

/// The tensors of one payload config, in its order.
class WeightTable {
public:
  const StoredTensor *find(llvm::StringRef name) const;
  llvm::ArrayRef<StoredTensor> tensors() const { return list; }

  /// Reads `config` ("data/weights/model_weights_config.json") and finds the
  /// spans of its payloads in `folder`. Nothing is ever unpickled: payloads
  /// that would need it (tensor subclasses, script objects) are refused, all in
  /// one message.
  static llvm::Expected<WeightTable>
  read(Archive &archive, llvm::StringRef config, llvm::StringRef folder);

private:
  std::vector<StoredTensor> list;
  llvm::StringMap<size_t> index;
};

} // namespace graphmill::pt2
