//===- PrimsBase.td - Families of primitive ops ----------------------------===//
#ifndef GRAPHMILL_PRIMS_BASE
#define GRAPHMILL_PRIMS_BASE

include "fx/IR/FxAttrs.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Prims_Dialect : Dialect {
  let name = "prims";
  let cppNamespace = "::graphmill::prims";
  let summary = "The primitive ops that every ATen op decomposes to";
  let description = [{
    No promotion, no broadcasting, no defaults: operands have one dtype and one
    shape, every conversion and broadcast is an op. What an op computes is what
    the reference evaluator in `fx/Eval` does. All ops are pure.
  }];
  let dependentDialects = ["::graphmill::fx::FxDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Tensor : Type<CPred<"::llvm::isa<::mlir::RankedTensorType>($_self) && !::graphmill::isNumber($_self) && "
                        "::graphmill::isElement(::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())">,
                  "tensor of a dtype of PyTorch", "::mlir::RankedTensorType">;
class TensorWith<string condition, string summary>
    : Type<And<[Tensor.predicate, CPred<condition>]>, summary, "::mlir::RankedTensorType">;
def FloatTensor : TensorWith<"::llvm::isa<::mlir::FloatType>(::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())",
                             "tensor of floats">;
def IntegerTensor : TensorWith<"::llvm::isa<::mlir::IntegerType>(::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())",
                               "tensor of integers or bools">;
def BoolTensor : TensorWith<"::llvm::cast<::mlir::RankedTensorType>($_self).getElementType().isInteger(1)", "tensor of bools">;

class Prims_Op<string mnemonic, list<Trait> traits = []>
    : Op<Prims_Dialect, mnemonic, [Pure] # traits>;

/// `dim` is a dim of the first operand: dim.c1.
def DimOfOperand : NativeOpTrait<"DimOfOperand"> {
  let cppNamespace = "::graphmill::prims";
}

/// result[i] = f(operand[i])
class Prims_Unary<string mnemonic, Type type = Tensor> : Prims_Op<mnemonic, [Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

/// result[i] = f(lhs[i], rhs[i])
class Prims_Binary<string mnemonic, Type type = Tensor> : Prims_Op<mnemonic, [Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

/// An op of one tensor whose result has a type of its own.
class Prims_Reshaping<string mnemonic, dag extra = (ins)> : Prims_Op<mnemonic> {
  let arguments = !con((ins Tensor:$operand), extra);
  let results = (outs Tensor:$result);
}

class Prims_Enum<string name, string summary, list<string> words>
    : I32EnumAttr<name, summary,
        !foreach(i, !range(!size(words)), I32EnumAttrCase<!toupper(!substr(words[i], 0, 1)) # !substr(words[i], 1), i, words[i]>)> {
  let cppNamespace = "::graphmill::prims";
  let genSpecializedAttr = 0;
}

#endif // GRAPHMILL_PRIMS_BASE
