#include "codegen/host/WeightImage.h"
#include "codegen/host/FileBytes.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <map>
#include <mutex>

namespace graphmill::host {

WeightImage layOutWeights(const Plan &plan) {
  WeightImage image;
  // Tied parameters refer to the same mapped bytes.
  std::map<std::tuple<const char *, size_t, llvm::StringRef>, uint64_t> known;
  for (const Weight &weight : plan.weights) {
    auto [entry, isNew] =
        known.try_emplace({weight.bytes.data(), weight.bytes.size(), weight.layout}, 0);
    if (isNew) {
      image.sizeBytes = llvm::alignTo(image.sizeBytes, weight.alignment);
      entry->second = image.sizeBytes;
      image.parts.push_back({image.sizeBytes, &weight});
      image.sizeBytes += weight.sizeBytes();
    }
    image.offsetsBytes.push_back(entry->second);
  }
  return image;
}

// 1 MiB: a core's L2 cache holds what is made until it is written.
static constexpr uint64_t kChunkBytes = 1 << 20;

llvm::Error writeWeights(int file, uint64_t start, const WeightImage &image,
                         unsigned threads, llvm::StringRef path) {
  struct Chunk {
    const WeightImage::Part *part;
    uint64_t begin, end;
  };
  std::vector<Chunk> chunks;
  for (const WeightImage::Part &part : image.parts) {
    uint64_t size = part.weight->sizeBytes();
    for (uint64_t begin = 0; begin < size; begin += kChunkBytes) {
      chunks.push_back({&part, begin, std::min(begin + kChunkBytes, size)});
    }
  }
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  llvm::Error failure = llvm::Error::success();
  auto work = [&] {
    std::vector<char> made;
    for (size_t i; (i = next++) < chunks.size();) {
      const Chunk &chunk = chunks[i];
      const Weight &weight = *chunk.part->weight;
      llvm::ArrayRef<char> bytes;
      if (weight.fill) {
        made.resize(chunk.end - chunk.begin);
        weight.fill(chunk.begin, made);
        bytes = made;
      } else {
        bytes = weight.bytes.slice(chunk.begin, chunk.end - chunk.begin);
      }
      if (llvm::Error error = writeBytesAt(
              file, start + chunk.part->offsetBytes + chunk.begin, bytes, path)) {
        std::lock_guard lock(mutex);
        failure = llvm::joinErrors(std::move(failure), std::move(error));
        next = chunks.size();
      }
    }
  };
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  for (unsigned i = 0; i < threads; ++i) {
    pool.async(work);
  }
  pool.wait();
  return failure;
}

} // namespace graphmill::host
