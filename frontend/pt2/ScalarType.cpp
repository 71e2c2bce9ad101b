#include "frontend/pt2/ScalarType.h"
#include "llvm/ADT/STLExtras.h"

namespace graphmill::pt2 {
namespace {

struct ScalarTypeInfo {
  ScalarType type;
  llvm::StringLiteral name;
  uint64_t bytes;
};
constexpr ScalarTypeInfo kScalarTypes[] = {
    {ScalarType::UInt8, "uint8", 1},
    {ScalarType::Int8, "int8", 1},
    {ScalarType::Int16, "int16", 2},
    {ScalarType::Int32, "int32", 4},
    {ScalarType::Int64, "int64", 8},
    {ScalarType::Float16, "float16", 2},
    {ScalarType::Float32, "float32", 4},
    {ScalarType::Float64, "float64", 8},
    {ScalarType::Complex32, "complex32", 4},
    {ScalarType::Complex64, "complex64", 8},
    {ScalarType::Complex128, "complex128", 16},
    {ScalarType::Bool, "bool", 1},
    {ScalarType::BFloat16, "bfloat16", 2},
    {ScalarType::UInt16, "uint16", 2},
    {ScalarType::Float8E4M3FN, "float8_e4m3fn", 1},
    {ScalarType::Float8E5M2, "float8_e5m2", 1},
    {ScalarType::Float8E4M3FNUZ, "float8_e4m3fnuz", 1},
    {ScalarType::Float8E5M2FNUZ, "float8_e5m2fnuz", 1},
    {ScalarType::Float8E8M0FNU, "float8_e8m0fnu", 1},
    {ScalarType::UInt32, "uint32", 4},
    {ScalarType::UInt64, "uint64", 8},
};

const ScalarTypeInfo *find(int64_t number) {
  const ScalarTypeInfo *info =
      llvm::find_if(kScalarTypes, [&](const ScalarTypeInfo &i) {
        return int64_t(i.type) == number;
      });
  return info == std::end(kScalarTypes) ? nullptr : info;
}

} // namespace

std::optional<ScalarType> scalarTypeFromNumber(int64_t number) {
  const ScalarTypeInfo *info = find(number);
  return info ? std::optional(info->type) : std::nullopt;
}

llvm::StringRef scalarTypeName(ScalarType type) {
  const ScalarTypeInfo *info = find(int64_t(type));
  return info ? llvm::StringRef(info->name) : "unknown";
}

uint64_t elementBytes(ScalarType type) {
  const ScalarTypeInfo *info = find(int64_t(type));
  return info ? info->bytes : 0;
}

} // namespace graphmill::pt2
