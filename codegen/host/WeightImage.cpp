#include "codegen/host/WeightImage.h"
#include "codegen/host/FileBytes.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <cerrno>
#include <fcntl.h>
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

namespace {

/// Makes the bytes of weights on several threads and writes them. A file takes the bytes of one
/// thread at a time: while it does, the others make more instead of waiting.
class WeightWriter {
public:
  WeightWriter(int file, uint64_t start, llvm::StringRef path) : file(file), start(start), path(path) {}

  llvm::Error write(const WeightImage &image, unsigned threads);

private:
  struct Chunk {
    const WeightImage::Part *part;
    uint64_t begin, end;
    llvm::SmallVector<char, 0> made;
    llvm::ArrayRef<char> bytes() const {
      return part->weight->fill ? llvm::ArrayRef<char>(made) : part->weight->bytes.slice(begin, end - begin);
    }
  };

  void work();
  void writeWaiting();
  size_t addWaiting(Chunk chunk); ///< how many wait now
  std::optional<Chunk> takeWaiting();
  llvm::SmallVector<char, 0> takeSpare();

  int file;
  uint64_t start;
  llvm::StringRef path;
  std::vector<Chunk> chunks;
  std::atomic<size_t> next = 0;
  std::mutex writing, listing;
  std::vector<Chunk> waiting;                         ///< made, not written; under `listing`
  std::vector<llvm::SmallVector<char, 0>> spare;      ///< memory to make chunks in; under `listing`
  llvm::Error failure = llvm::Error::success(); ///< under `writing`
};

size_t WeightWriter::addWaiting(Chunk chunk) {
  std::lock_guard lock(listing);
  waiting.push_back(std::move(chunk));
  return waiting.size();
}

std::optional<WeightWriter::Chunk> WeightWriter::takeWaiting() {
  std::lock_guard lock(listing);
  if (waiting.empty()) {
    return std::nullopt;
  }
  Chunk chunk = std::move(waiting.back());
  waiting.pop_back();
  return chunk;
}

void WeightWriter::writeWaiting() {
  while (std::optional<Chunk> chunk = takeWaiting()) {
    uint64_t offset = start + chunk->part->offsetBytes + chunk->begin;
    if (llvm::Error error = writeBytesAt(file, offset, chunk->bytes(), path)) {
      failure = llvm::joinErrors(std::move(failure), std::move(error));
      next = chunks.size();
      return;
    }
    std::lock_guard lock(listing);
    spare.push_back(std::move(chunk->made));
  }
}

llvm::SmallVector<char, 0> WeightWriter::takeSpare() {
  std::lock_guard lock(listing);
  llvm::SmallVector<char, 0> memory;
  if (!spare.empty()) {
    memory = std::move(spare.back());
    spare.pop_back();
  }
  return memory;
}

void WeightWriter::work() {
  // Few, so that they stay in the caches.
  constexpr size_t kMostWaiting = 4;
  for (size_t i; (i = next++) < chunks.size();) {
    Chunk chunk = std::move(chunks[i]);
    if (chunk.part->weight->fill) {
      chunk.made = takeSpare();
      chunk.made.resize_for_overwrite(chunk.end - chunk.begin);
      chunk.part->weight->fill(chunk.begin, chunk.made);
    }
    std::unique_lock lock(writing, std::try_to_lock);
    if (addWaiting(std::move(chunk)) >= kMostWaiting && !lock) {
      lock.lock();
    }
    if (lock) {
      writeWaiting();
    }
  }
}

llvm::Error WeightWriter::write(const WeightImage &image, unsigned threads) {
  for (const WeightImage::Part &part : image.parts) {
    uint64_t size = part.weight->sizeBytes();
    for (uint64_t begin = 0; begin < size; begin += kChunkBytes) {
      chunks.push_back({&part, begin, std::min(begin + kChunkBytes, size), {}});
    }
  }
  {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    for (unsigned i = 0; i < threads; ++i) {
      pool.async([this] { work(); });
    }
    pool.wait();
  }
  if (!failure) {
    writeWaiting();
  }
  return std::move(failure);
}

} // namespace

llvm::Error writeWeights(int file, uint64_t start, const WeightImage &image,
                         unsigned threads, llvm::StringRef path) {
  // With the room reserved, a full disk says so now, and each write has less to do.
  if (image.sizeBytes > 0 && fallocate(file, 0, off_t(start), off_t(image.sizeBytes)) != 0 && (errno == ENOSPC || errno == EFBIG)) {
    std::error_code code(errno, std::generic_category());
    return llvm::createStringError(code, "can't write '" + path + "': " + code.message());
  }
  return WeightWriter(file, start, path).write(image, threads);
}

} // namespace graphmill::host
