//===- FxBase.td - The fx dialect ------------------------------------------===//
#ifndef GRAPHMILL_FX_BASE
#define GRAPHMILL_FX_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Fx_Dialect : Dialect {
  let name = "fx";
  let cppNamespace = "::graphmill::fx";
  let summary = "Graphs, their signature, their symbols and their tensors";
  let description = [{
    An `fx.graph` is a PyTorch graph with its signature: user inputs, the tensors
    it owns (parameters, buffers, constants) and what its outputs mean. Its ops
    come from the `aten` dialect and, after decomposition, from `prims`.

    A tensor's dims are affine expressions over the graph's symbols. A tensor
    with a symbolic dim holds all of them in its encoding:
    `tensor<?x768xf32, #fx.dims<[s0, 768]>>`.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Fx_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Fx_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class Fx_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fx_Dialect, mnemonic, traits>;

#endif // GRAPHMILL_FX_BASE
