#include "tools/Npy.h"
#include "codegen/host/FileBytes.h"
#include "tools/InputFile.h"
#include "tools/NpyHeader.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
namespace graphmill::tools {
namespace {

struct DtypeRow {
  gm_dtype dtype;
  StringRef name;
  StringRef descr; ///< without the byte order
  size_t bytes;
};

constexpr DtypeRow kDtypes[] = {
    {GM_F32, "float32", "f4", 4}, {GM_F64, "float64", "f8", 8},
    {GM_F16, "float16", "f2", 2}, {GM_BF16, "bfloat16", "V2", 2},
    {GM_I8, "int8", "i1", 1},     {GM_I16, "int16", "i2", 2},
    {GM_I32, "int32", "i4", 4},   {GM_I64, "int64", "i8", 8},
    {GM_U8, "uint8", "u1", 1},    {GM_BOOL, "bool", "b1", 1},
    {GM_C64, "complex64", "c8", 8}, {GM_C128, "complex128", "c16", 16},
};

const DtypeRow *findDtype(gm_dtype dtype) {
  const DtypeRow *row = find_if(
      kDtypes, [&](const DtypeRow &entry) { return entry.dtype == dtype; });
  return row == std::end(kDtypes) ? nullptr : row;
}

constexpr StringLiteral kMagic = "\x93NUMPY";

} // namespace

size_t dtypeBytes(gm_dtype dtype) {
  const DtypeRow *row = findDtype(dtype);
  return row ? row->bytes : 0;
}

StringRef dtypeName(gm_dtype dtype) {
  const DtypeRow *row = findDtype(dtype);
  return row ? row->name : "an unknown dtype";
}

gm_tensor NpyArray::tensor() const {
  // gm_run only reads inputs.
  return {const_cast<char *>(contents.data()), dtype, int32_t(shape.size()),
          shape.data(), nullptr};
}

/// Takes one file apart, step by step.
class NpyReader {
public:
  NpyReader(std::unique_ptr<MemoryBuffer> file, StringRef name)
      : file(std::move(file)), name(name) {}

  Expected<NpyArray> read();

private:
  Error fail(const Twine &why) const {
    return createStringError("'" + name +
                             "' can't be read as a .npy array: " + why);
  }
  Expected<StringRef> splitHeader();
  Error readDtype(StringRef descr);
  Error takeData(StringRef data, const NpyHeader &header);
  void reorder(StringRef data, bool fortranOrder);

  std::unique_ptr<MemoryBuffer> file;
  StringRef name;
  NpyArray array;
  size_t dataOffset = 0;
  bool swapBytes = false;
};

Expected<StringRef> NpyReader::splitHeader() {
  StringRef bytes = file->getBuffer();
  if (!bytes.starts_with(kMagic)) {
    return fail("it doesn't start with \\x93NUMPY");
  }
  if (bytes.size() < 12) {
    return fail("it is cut short");
  }
  unsigned major = uint8_t(bytes[6]);
  if (major < 1 || major > 3) {
    return fail("it has version " + Twine(major) +
                " of the format, not 1 to 3");
  }
  size_t start = major == 1 ? 10 : 12;
  uint64_t length = major == 1 ? support::endian::read16le(bytes.data() + 8)
                               : support::endian::read32le(bytes.data() + 8);
  if (length > bytes.size() - start) {
    return fail("it is cut short within its header");
  }
  dataOffset = start + length;
  return bytes.substr(start, length);
}

Error NpyReader::readDtype(StringRef descr) {
  StringRef kind = descr;
  char order = kind.empty() ? '\0' : kind.front();
  if (StringRef("<>|=").contains(order)) {
    kind = kind.drop_front();
  }
  if (kind == "bfloat16") {
    kind = "V2";
  }
  for (const DtypeRow &row : kDtypes) {
    if (row.descr == kind) {
      array.dtype = row.dtype;
      swapBytes = order == '>' && row.bytes > 1;
      return Error::success();
    }
  }
  return fail("its elements are '" + descr +
              "', which no model takes or gives; convert it first");
}

/// Copies elements one by one, each to its place in row-major order.
void NpyReader::reorder(StringRef data, bool fortranOrder) {
  size_t bytes = dtypeBytes(array.dtype), count = data.size() / bytes;
  array.converted.resize(data.size());
  SmallVector<int64_t> index(array.shape.size(), 0);
  for (size_t to = 0; to < count; ++to) {
    size_t from = to;
    if (fortranOrder) {
      from = 0;
      for (size_t d = index.size(); d-- > 0;) {
        from = from * size_t(array.shape[d]) + size_t(index[d]);
      }
      for (size_t d = index.size(); d-- > 0 && ++index[d] == array.shape[d];) {
        index[d] = 0;
      }
    }
    char *element = &array.converted[to * bytes];
    std::copy_n(data.data() + from * bytes, bytes, element);
    if (swapBytes) {
      std::reverse(element, element + bytes);
    }
  }
  array.contents = array.converted;
}

Error NpyReader::takeData(StringRef data, const NpyHeader &header) {
  uint64_t size = dtypeBytes(array.dtype);
  for (int64_t dim : array.shape) {
    if (dim != 0 && size > uint64_t(INT64_MAX) / uint64_t(dim)) {
      return fail("its shape is too large");
    }
    size *= uint64_t(dim);
  }
  if (size > data.size()) {
    return fail("its shape needs " + Twine(size) + " bytes, there are " +
                Twine(data.size()));
  }
  data = data.take_front(size);
  bool rearrange = header.fortranOrder && array.shape.size() > 1;
  if (rearrange || swapBytes) {
    reorder(data, rearrange);
  } else {
    array.contents = ArrayRef(data.data(), data.size());
    array.mapped = std::move(file);
  }
  return Error::success();
}

Expected<NpyArray> NpyReader::read() {
  Expected<StringRef> text = splitHeader();
  if (!text) {
    return text.takeError();
  }
  Expected<NpyHeader> header = parseNpyHeader(*text);
  if (!header) {
    return fail(toString(header.takeError()));
  }
  array.shape = header->shape;
  if (Error error = readDtype(header->descr)) {
    return std::move(error);
  }
  if (Error error =
          takeData(file->getBuffer().drop_front(dataOffset), *header)) {
    return std::move(error);
  }
  return std::move(array);
}

Expected<NpyArray> parseNpy(std::unique_ptr<MemoryBuffer> file,
                            StringRef name) {
  return NpyReader(std::move(file), name).read();
}

Expected<NpyArray> readNpy(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readFile(path);
  if (!file) {
    return file.takeError();
  }
  return parseNpy(std::move(*file), path);
}

Error writeNpy(StringRef path, gm_dtype dtype, ArrayRef<int64_t> shape,
               ArrayRef<char> bytes) {
  const DtypeRow *row = findDtype(dtype);
  std::string header =
      "{'descr': '" + std::string(row->bytes == 1 ? "|" : "<") +
      row->descr.str() + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : shape) {
    header += std::to_string(dim) + ",";
  }
  header += "), }";
  // NumPy pads with spaces so that the data starts at a multiple of 64.
  size_t prefix = kMagic.size() + 4;
  header.resize(alignTo(prefix + header.size() + 1, 64) - prefix - 1, ' ');
  header += '\n';
  std::string start = kMagic.str() + std::string("\x01\x00", 2);
  start += char(header.size() & 0xff);
  start += char(header.size() >> 8);
  start += header;

  Expected<host::PendingFile> file = host::PendingFile::create(path);
  if (!file) {
    return file.takeError();
  }
  if (Error error = host::writeBytes(
          file->descriptor(), ArrayRef(start.data(), start.size()), path)) {
    return error;
  }
  if (Error error = host::writeBytes(file->descriptor(), bytes, path)) {
    return error;
  }
  return file->commit(/*executable=*/false);
}

} // namespace graphmill::tools
