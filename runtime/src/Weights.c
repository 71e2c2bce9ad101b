// Finds the weights. A weights file is a .safetensors file that graphmill wrote
// together with the library: eight bytes of header length, the header in JSON,
// the data. The header holds a hash of the data, and the library a hash of the
// header, so that comparing one short hash tells a file of another training
// apart without reading gigabytes.
#include "Weights.h"
#include "ErrorText.h"
#include "Libc.h"

enum { kLengthBytes = 8, kMaxPathBytes = 4096 };

/// FNV-1a, 64 bits; hashHeader() in codegen/host/WeightsFile.cpp is its twin.
static uint64_t hashHeader(const unsigned char *bytes, uint64_t count) {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint64_t i = 0; i < count; ++i) {
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  }
  return hash;
}

/// The plan's file in the folder of the library that this code is part of.
static gm_status findBesideLibrary(const Plan *plan, char *path) {
  DlInfo library;
  if (!dladdr(plan, &library) || !library.path) {
    return failWith(GM_IO_ERROR,
                    "can't tell where this library is, to find '%s' beside it; "
                    "name the file in gm_options.weights_file",
                    plan->weightsFile);
  }
  size_t folder = strlen(library.path);
  while (folder && library.path[folder - 1] != '/') {
    --folder;
  }
  int length = snprintf(path, kMaxPathBytes, "%.*s%s", (int)folder,
                        library.path, plan->weightsFile);
  if (length < 0 || length >= kMaxPathBytes) {
    return failWith(GM_IO_ERROR, "the path of weights file '%s' is too long",
                    plan->weightsFile);
  }
  return GM_OK;
}

static gm_status mapFile(Weights *weights, const char *path) {
  int file = open(path, kOpenReadCloexec);
  if (file < 0) {
    return failWith(GM_IO_ERROR, "can't open weights file '%s'", path);
  }
  int64_t size = lseek(file, 0, kSeekEnd);
  if (size <= kLengthBytes) {
    close(file);
    return failWith(GM_IO_ERROR,
                    "weights file '%s' is cut short or isn't a file", path);
  }
  void *mapping = mmap(NULL, (size_t)size, kProtRead, kMapPrivate, file, 0);
  close(file);
  if ((intptr_t)mapping == -1) {
    return failWith(GM_IO_ERROR,
                    "can't map the %lld bytes of weights file '%s'",
                    (long long)size, path);
  }
  weights->mapping = mapping;
  weights->mappingBytes = (size_t)size;
  return GM_OK;
}

static gm_status checkFile(Weights *weights, const Plan *plan,
                           const char *path) {
  const unsigned char *bytes = weights->mapping;
  uint64_t headerBytes = 0;
  for (int i = kLengthBytes - 1; i >= 0; --i) {
    headerBytes = headerBytes << 8 | bytes[i];
  }
  uint64_t rest = weights->mappingBytes - kLengthBytes;
  if (headerBytes != plan->weightsHeaderBytes || headerBytes > rest ||
      hashHeader(bytes + kLengthBytes, headerBytes) !=
          plan->weightsHeaderHash) {
    return failWith(GM_IO_ERROR,
                    "weights file '%s' isn't the one that was written with "
                    "this library ('%s')",
                    path, plan->modelName);
  }
  if (rest - headerBytes != plan->weightsDataBytes) {
    return failWith(GM_IO_ERROR,
                    "weights file '%s' holds %llu bytes of data, must be %llu",
                    path, (unsigned long long)(rest - headerBytes),
                    (unsigned long long)plan->weightsDataBytes);
  }
  weights->bytes = (const char *)bytes + kLengthBytes + headerBytes;
  return GM_OK;
}

gm_status openWeights(Weights *weights, const Plan *plan, const char *path) {
  *weights = (Weights){.bytes = plan->weightsBase};
  if (!plan->weightsFile) {
    return path ? failWith(GM_INVALID_ARGUMENT,
                           "gm_options.weights_file is '%s', but '%s' holds "
                           "its weights itself",
                           path, plan->modelName)
                : GM_OK;
  }
  char found[kMaxPathBytes];
  if (!path) {
    gm_status status = findBesideLibrary(plan, found);
    if (status != GM_OK) {
      return status;
    }
    path = found;
  }
  gm_status status = mapFile(weights, path);
  if (status == GM_OK) {
    status = checkFile(weights, plan, path);
  }
  if (status != GM_OK) {
    closeWeights(weights);
  }
  return status;
}

void closeWeights(Weights *weights) {
  if (weights->mapping) {
    munmap(weights->mapping, weights->mappingBytes);
  }
  *weights = (Weights){0};
}
