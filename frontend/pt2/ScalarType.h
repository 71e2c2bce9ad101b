#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace graphmill::pt2 {

/// The element types, by the numbers torch's export schema gives them (its own,
/// not c10's).
enum class ScalarType : uint8_t {
  UInt8 = 1,
  Int8 = 2,
  Int16 = 3,
  Int32 = 4,
  Int64 = 5,
  Float16 = 6,
  Float32 = 7,
  Float64 = 8,
  Complex32 = 9,
  Complex64 = 10,
  Complex128 = 11,
  Bool = 12,
  BFloat16 = 13,
  UInt16 = 28,
  Float8E4M3FN = 29,
  Float8E5M2 = 30,
  Float8E4M3FNUZ = 31,
  Float8E5M2FNUZ = 32,
  Float8E8M0FNU = 33,
  UInt32 = 34,
  UInt64 = 35,
};

/// None for a number the schema doesn't define (0, "unknown", included).
std::optional<ScalarType> scalarTypeFromNumber(int64_t number);

/// As PyTorch spells it: "float32", "float8_e4m3fn".
llvm::StringRef scalarTypeName(ScalarType type);

uint64_t elementBytes(ScalarType type);

} // namespace graphmill::pt2
