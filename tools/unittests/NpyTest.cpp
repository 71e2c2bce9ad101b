#include "tools/Npy.h"
#include "codegen/host/unittests/TinyLibrary.h"
#include <random>

namespace graphmill::tools {
namespace {

using host::textOf;

std::string makeFile(llvm::StringRef header, llvm::StringRef data,
                     char major = 1) {
  std::string file = "\x93NUMPY";
  file += {major, 0};
  uint32_t length = uint32_t(header.size());
  file.append(reinterpret_cast<const char *>(&length), major == 1 ? 2 : 4);
  return file + header.str() + data.str();
}

llvm::Expected<NpyArray> parse(llvm::StringRef file) {
  return parseNpy(llvm::MemoryBuffer::getMemBufferCopy(file), "a.npy");
}

template <typename T> std::vector<T> valuesOf(const NpyArray &array) {
  std::vector<T> values(array.bytes().size() / sizeof(T));
  memcpy(values.data(), array.bytes().data(), array.bytes().size());
  return values;
}

TEST(Npy, readsEachVersion) {
  for (char major : {1, 2, 3}) {
    auto array = parse(makeFile("{'descr': '<i2', 'fortran_order': False, "
                                "'shape': (3,), }   \n",
                                llvm::StringRef("\1\0\2\0\3\0", 6), major));
    ASSERT_TRUE(bool(array)) << textOf(array.takeError());
    EXPECT_EQ(array->dtype, GM_I16);
    EXPECT_EQ(valuesOf<int16_t>(*array), (std::vector<int16_t>{1, 2, 3}));
  }
}

TEST(Npy, readsColumnMajorAndBigEndian) {
  auto array = parse(makeFile(
      "{\"shape\": (2, 3), \"fortran_order\": True, \"descr\": \">i2\"}",
      llvm::StringRef("\0\1\0\2\0\3\0\4\0\5\0\6", 12)));
  ASSERT_TRUE(bool(array)) << textOf(array.takeError());
  EXPECT_EQ(valuesOf<int16_t>(*array),
            (std::vector<int16_t>{1, 3, 5, 2, 4, 6}));
}

TEST(Npy, readsScalarsEmptyArraysAndBfloat16) {
  auto scalar = parse(
      makeFile("{'descr': '|b1', 'fortran_order': False, 'shape': ()}", "\1"));
  ASSERT_TRUE(bool(scalar));
  EXPECT_EQ(scalar->dtype, GM_BOOL);
  EXPECT_TRUE(scalar->shape.empty());
  auto empty = parse(
      makeFile("{'descr': '<V2', 'fortran_order': True, 'shape': (0, 5)}", ""));
  ASSERT_TRUE(bool(empty));
  EXPECT_EQ(empty->dtype, GM_BF16);
  EXPECT_EQ(empty->bytes().size(), 0u);
}

TEST(Npy, writesWhatItReads) {
  host::ScratchFolder folder;
  for (gm_dtype dtype = GM_F32; dtype <= GM_BOOL; ++dtype) {
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {7}, {2, 3, 4}, {0}}) {
      size_t size = dtypeBytes(dtype);
      for (int64_t dim : shape) {
        size *= size_t(dim);
      }
      std::vector<char> bytes(size);
      for (size_t i = 0; i < size; ++i) {
        bytes[i] = char(i * 7 + 1);
      }
      std::string path = folder.file("x.npy");
      host::expectNoError(writeNpy(path, dtype, shape, bytes));
      auto array = readNpy(path);
      ASSERT_TRUE(bool(array)) << textOf(array.takeError());
      EXPECT_EQ(array->dtype, dtype);
      EXPECT_EQ(std::vector<int64_t>(array->shape.begin(), array->shape.end()),
                shape);
      EXPECT_TRUE(array->bytes() == llvm::ArrayRef(bytes));
    }
  }
  EXPECT_EQ(folder.list(), std::vector<std::string>{"x.npy"});
}

TEST(Npy, saysWhyAFileIsRefused) {
  auto why = [](llvm::StringRef file) {
    auto array = parse(file);
    return array ? "accepted" : textOf(array.takeError());
  };
  const std::string start = "'a.npy' can't be read as a .npy array: ";
  EXPECT_EQ(why(""), start + "it doesn't start with \\x93NUMPY");
  EXPECT_EQ(why("\x93NUMPY\1"), start + "it is cut short");
  EXPECT_EQ(why(makeFile("{}", "", 9)),
            start + "it has version 9 of the format, not 1 to 3");
  EXPECT_EQ(why(makeFile("{'descr': '<f4', 'fortran_order': False, 'shape': "
                         "(3,)}",
                         "abcd")),
            start + "its shape needs 12 bytes, there are 4");
  EXPECT_EQ(why(makeFile("{'descr': '<V8', 'fortran_order': False, 'shape': "
                         "(1,)}",
                         "abcdabcd")),
            start + "its elements are '<V8', which no model takes or gives; "
                    "convert it first");
  EXPECT_EQ(why(makeFile("{'descr': '<f4', 'fortran_order': False, 'shape': "
                         "(4611686018427387904, 4)}",
                         "")),
            start + "its shape is too large");
  const std::string noDictionary =
      start + "its header isn't a dictionary of a simple 'descr', "
              "'fortran_order' and 'shape'";
  for (const char *header :
       {"", "{", "{'descr': '<f4'}", "{'descr': [('a', '<f4')]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': "
        "(99999999999999999999,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4, 'fortran_order': False, 'shape': ()}"}) {
    EXPECT_EQ(why(makeFile(header, "abcd")), noDictionary) << header;
  }
}

/// Whatever a file holds, reading it ends in an array or an error.
TEST(Npy, survivesChangedBytes) {
  std::string good = makeFile("{'descr': '<f4', 'fortran_order': True, "
                              "'shape': (2, 3), }\n",
                              std::string(24, 'x'));
  std::mt19937 random(20240229);
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (unsigned change = 0; change <= random() % 3; ++change) {
      bad[random() % bad.size()] = char(random());
    }
    bad.resize(random() % 4 ? bad.size() : random() % bad.size());
    auto array = parse(bad);
    if (!array) {
      llvm::consumeError(array.takeError());
    }
  }
}

} // namespace
} // namespace graphmill::tools
