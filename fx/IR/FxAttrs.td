//===- FxAttrs.td - Symbols and dims --------------------------------===//
#ifndef GRAPHMILL_FX_ATTRS
#define GRAPHMILL_FX_ATTRS

include "fx/IR/FxBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

def Fx_DimsAttr : Fx_Attr<"Dims", "dims", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "A list of sizes, each an affine expression over the symbols";
  let description = [{
    The encoding of a tensor with a symbolic dim, and the value of a `SymInt[]`
    argument: `#fx.dims<[s0, s1 * 2, 768]>`. Expressions are kept simplified, so
    that equal lists are one attribute.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::AffineExpr">:$exprs);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// All expressions as numbers, or nothing if one is symbolic.
    std::optional<llvm::SmallVector<int64_t>> getStatic() const;
  }];
}

def Fx_DimAttr : Fx_Attr<"Dim", "dim"> {
  let summary = "One size: the value of a `SymInt` argument";
  let parameters = (ins "::mlir::AffineExpr":$expr);
  let hasCustomAssemblyFormat = 1;
}

def Fx_SymbolAttr : Fx_Attr<"Symbol", "symbol"> {
  let summary = "A size known at run time, with its range";
  let description = [{
    `#fx.symbol<"batch", min = 1, max = 64>`. Position in the graph's list is
    the symbol's number: the first is `s0`.
  }];
  let parameters = (ins StringRefParameter<>:$name,
                        DefaultValuedParameter<"int64_t", "0">:$min,
                        DefaultValuedParameter<"int64_t", "INT64_MAX">:$max,
                        DefaultValuedParameter<"int64_t", "1">:$divisor);
  let assemblyFormat = "`<` $name (`,` struct($min, $max, $divisor)^)? `>`";
}

def Fx_NumberAttr : Fx_Attr<"Number", "number"> {
  let summary = "Encoding of a 0-d tensor that stands for a Python number";
  let description = [{
    Such a tensor decides the result's dtype only when no tensor of its category
    (bool, integer, float, complex) takes part, by PyTorch's promotion rules.
  }];
  let parameters = (ins);
}

#endif // GRAPHMILL_FX_ATTRS
