#include "fx/Eval/Call.h"

using namespace mlir;

namespace graphmill::eval {

static Results broadcast(const Call &call, prims::BroadcastOp op) {
  const HostTensor &x = call.in[0];
  Shape strides(call.shapes[0].size(), 0);
  for (auto [i, dim] : llvm::enumerate(op.getDims())) {
    if (x.shape[i] != 1) {
      if (x.shape[i] != call.shapes[0][dim]) {
        return call.error("size " + Twine(x.shape[i]) + " against " + Twine(call.shapes[0][dim]));
      }
      strides[dim] = x.strides[i];
    }
  }
  return single(x.view(call.shapes[0], strides));
}

static Results reshape(const Call &call) {
  const Shape &shape = call.shapes[0];
  if (count(shape) != call.in[0].size()) {
    return call.error("operand and result differ in size");
  }
  return single(call.in[0].contiguous().view(shape, rowMajorStrides(shape)));
}

static Results slice(const Call &call, prims::SliceOp op) {
  const HostTensor &x = call.in[0];
  llvm::Expected<Shape> starts = call.sizes(op.getStarts().getExprs());
  if (!starts) {
    return starts.takeError();
  }
  Shape strides;
  int64_t offset = 0;
  bool empty = count(call.shapes[0]) == 0;
  for (int64_t i = 0; i < x.rank(); ++i) {
    int64_t start = (*starts)[i], step = op.getSteps()[i], n = call.shapes[0][i];
    if (!empty && (start < 0 || start + (n - 1) * step >= x.shape[i])) {
      return call.error("dim " + Twine(i) + " reads beyond size " + Twine(x.shape[i]));
    }
    offset += empty ? 0 : start * x.strides[i];
    strides.push_back(x.strides[i] * step);
  }
  return single(x.view(call.shapes[0], strides, offset));
}

/// Copies the elements of `from` into a box of `to` that begins at `start`; what lies
/// outside of `to` is left out.
static void place(HostTensor &to, const HostTensor &from, ArrayRef<int64_t> start) {
  if (from.size() == 0 || to.size() == 0) {
    return;
  }
  int64_t width = to.width();
  Shape index(from.rank(), 0);
  do {
    int64_t source = 0, target = 0;
    bool inside = true;
    for (int64_t i = 0; i < from.rank(); ++i) {
      int64_t at = start[i] + index[i];
      inside &= at >= 0 && at < to.shape[i];
      source += index[i] * from.strides[i];
      target += at * to.strides[i];
    }
    if (inside) {
      std::memcpy(to.mutableData() + target * width, from.data + source * width, width);
    }
  } while (advance(index, from.shape));
}

static Results pad(const Call &call, prims::PadOp op) {
  llvm::Expected<Shape> low = call.sizes(op.getLow().getExprs());
  if (!low) {
    return low.takeError();
  }
  if (call.in[0].rank() != static_cast<int64_t>(call.shapes[0].size()) || low->size() != call.shapes[0].size() ||
      call.in[1].rank() != 0) {
    return call.error("ranks differ");
  }
  HostTensor fill = call.in[1].view(call.shapes[0], Shape(call.shapes[0].size(), 0));
  HostTensor result = call.allocate();
  place(result, fill, Shape(call.shapes[0].size(), 0));
  place(result, call.in[0], *low);
  return single(result);
}

static Results concatenate(const Call &call, prims::ConcatenateOp op) {
  HostTensor result = call.allocate();
  Shape start(result.rank(), 0);
  int64_t dim = op.getDim();
  if (dim < 0 || dim >= result.rank()) {
    return call.error("dim " + Twine(dim) + " of rank " + Twine(result.rank()));
  }
  for (const HostTensor &x : call.in) {
    if (x.rank() != result.rank()) {
      return call.error("ranks differ");
    }
    for (int64_t i = 0; i < x.rank(); ++i) {
      if (i != dim && x.shape[i] != result.shape[i]) {
        return call.error("sizes of dim " + Twine(i) + " differ");
      }
    }
    place(result, x, start);
    start[dim] += x.shape[dim];
  }
  return start[dim] == result.shape[dim] ? single(result) : Results(call.error("sizes don't add up"));
}

static Results reverse(const Call &call, prims::ReverseOp op) {
  const HostTensor &x = call.in[0];
  Shape strides = x.strides;
  int64_t offset = 0;
  for (int64_t dim : op.getDims()) {
    offset += std::max<int64_t>(x.shape[dim] - 1, 0) * strides[dim];
    strides[dim] = -strides[dim];
  }
  return single(x.view(x.shape, strides, offset));
}

static Results asStrided(const Call &call, prims::AsStridedOp op) {
  HostTensor x = call.in[0].contiguous();
  llvm::Expected<Shape> strides = call.sizes(op.getStrides().getExprs());
  if (!strides) {
    return strides.takeError();
  }
  llvm::Expected<Shape> offset = call.sizes(op.getOffset().getExpr());
  if (!offset) {
    return offset.takeError();
  }
  int64_t first = offset->front(), last = first;
  for (auto [size, stride] : llvm::zip(call.shapes[0], *strides)) {
    (stride < 0 ? first : last) += (size - 1) * stride;
  }
  if (count(call.shapes[0]) > 0 && (first < 0 || last >= x.size())) {
    return call.error("reads beyond the operand");
  }
  return single(x.view(call.shapes[0], *strides, offset->front()));
}

static Results wholeNumbers(const Call &call, ArrayRef<int64_t> values) {
  HostTensor result = call.allocate();
  storeAll<int64_t>(result, values);
  return single(result);
}

/// The same bytes, the last dim being a number's two parts.
static Results viewParts(const Call &call) {
  HostTensor result = call.in[0].contiguous();
  result.element = getElement(call.op->getResult(0));
  result.shape = call.shapes[0];
  result.strides = rowMajorStrides(call.shapes[0]);
  return single(result);
}

Results evaluateShape(const Call &call) {
  return llvm::TypeSwitch<Operation *, Results>(call.op)
      .Case([&](prims::ConstantOp op) -> Results {
        llvm::Expected<HostTensor> value = HostTensor::of(op.getValue());
        return value ? single(*value) : Results(value.takeError());
      })
      .Case([&](prims::SizeOp op) -> Results {
        llvm::Expected<Shape> value = call.sizes(op.getValue().getExpr());
        return value ? wholeNumbers(call, *value) : Results(value.takeError());
      })
      .Case([&](prims::IotaOp) {
        return wholeNumbers(call, llvm::to_vector(llvm::seq<int64_t>(0, call.shapes[0][0])));
      })
      .Case([&](prims::BroadcastOp op) { return broadcast(call, op); })
      .Case([&](prims::ReshapeOp) { return reshape(call); })
      .Case([&](prims::TransposeOp op) { return single(call.in[0].transpose(op.getPerm())); })
      .Case([&](prims::SliceOp op) { return slice(call, op); })
      .Case([&](prims::PadOp op) { return pad(call, op); })
      .Case([&](prims::ConcatenateOp op) { return concatenate(call, op); })
      .Case([&](prims::ReverseOp op) { return reverse(call, op); })
      .Case<prims::ViewAsRealOp, prims::ViewAsComplexOp>([&](auto) { return viewParts(call); })
      .Case([&](prims::AsStridedOp op) { return asStrided(call, op); })
      .Default([&](Operation *) { return call.error("not a shape op"); });
}

} // namespace graphmill::eval
