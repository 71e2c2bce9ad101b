// Philox 4x32-10 by its definition, on one counter after the other.
#include "fx/Eval/Call.h"
#include <array>

using namespace mlir;

namespace graphmill::eval {

using Words = std::array<uint32_t, 4>;

static Words philox(Words counter, uint64_t seed) {
  uint32_t key[] = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * counter[0], b = uint64_t(0xCD9E8D57) * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Results evaluateRandom(const Call &call) {
  auto op = cast<prims::RandomOp>(call.op);
  if (!call.random) {
    return call.error("has no value without a seed");
  }
  HostTensor result = call.allocate();
  bool isDouble = result.dtype() == Dtype::F64;
  if (!isDouble && result.dtype() != Dtype::F32 && result.dtype() != Dtype::I64) {
    return call.dtypeError();
  }
  uint64_t run = call.random->run;
  for (int64_t i = 0; i < result.size(); ++i) {
    // The place's upper half shares a word with the stream.
    uint32_t middle = static_cast<uint32_t>((i >> 32) << 16) + static_cast<uint32_t>(op.getStream());
    Words w = philox({static_cast<uint32_t>(i), middle, static_cast<uint32_t>(run), static_cast<uint32_t>(run >> 32)}, call.random->seed);
    if (op.getDistribution() == prims::Distribution::Bits) {
      result.mutableElements<int64_t>()[i] = static_cast<int64_t>((uint64_t(w[0]) << 32 | w[1]) & INT64_MAX);
      continue;
    }
    auto mantissa = [&](uint32_t high, uint32_t low) { return isDouble ? uint64_t(high) << 21 | low >> 11 : high >> 8; };
    double unit = isDouble ? 0x1p-53 : 0x1p-24, value = static_cast<double>(mantissa(w[0], w[1])) * unit;
    if (op.getDistribution() == prims::Distribution::Normal) {
      double angle = static_cast<double>(isDouble ? mantissa(w[2], w[3]) : mantissa(w[1], 0)) * unit;
      value = std::sqrt(-2.0 * std::log(value + unit)) * std::cos(2 * M_PI * angle);
    }
    if (isDouble) {
      result.mutableElements<double>()[i] = value;
    } else {
      result.mutableElements<float>()[i] = static_cast<float>(value);
    }
  }
  return single(result);
}

} // namespace graphmill::eval
