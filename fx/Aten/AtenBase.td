//===- AtenBase.td - How an ATen op is recorded ----------------------------===//
#ifndef GRAPHMILL_ATEN_BASE
#define GRAPHMILL_ATEN_BASE

include "fx/IR/FxAttrs.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Aten_Dialect : Dialect {
  let name = "aten";
  let cppNamespace = "::graphmill::aten";
  let summary = "PyTorch's ops under their own names, with their own semantics";
  let description = [{
    Arguments have ATen's names and defaults; overloads that differ only in
    taking a Python number for a tensor, or in working in place, are one op.
  }];
  let dependentDialects = ["::graphmill::fx::FxDialect"];
}

//===----------------------------------------------------------------------===//
// Argument kinds, named as in ATen's schemas. The importer chooses by them.
//===----------------------------------------------------------------------===//

def Tensor : Type<And<[CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
                       CPred<"::graphmill::isElement(::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())">]>,
                  "tensor or number of a dtype of PyTorch",
                  "::mlir::RankedTensorType">;
def OptTensor : Optional<Tensor>;
def Tensors : Variadic<Tensor>;
/// `Tensor?[]`: the tensors that are there. A `Places` argument, called NAME_dims, says
/// which entries of the list they are.
def OptTensors : Variadic<Tensor>;
def Places : DefaultValuedAttr<DenseI64ArrayAttr, "{}">;

def ScalarAttr : Attr<CPred<"::llvm::isa<::mlir::IntegerAttr, ::mlir::FloatAttr, ::graphmill::fx::DimAttr>($_self)">,
                      "number"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
  let constBuilderCall = "$0";
}
class Scalar<string value> : DefaultValuedAttr<ScalarAttr, value>;
class Int<string value> : DefaultValuedAttr<I64Attr, value>;
class Float<string value> : DefaultValuedAttr<F64Attr, value>;
class Bool<string value> : DefaultValuedAttr<BoolAttr, value>;
class Str<string value> : DefaultValuedStrAttr<StrAttr, value>;
class Ints<string value> : DefaultValuedAttr<DenseI64ArrayAttr, value>;
def OptScalar : OptionalAttr<ScalarAttr>;
def OptInt : OptionalAttr<I64Attr>;
def OptFloat : OptionalAttr<F64Attr>;
def OptBool : OptionalAttr<BoolAttr>;
def OptStr : OptionalAttr<StrAttr>;
def OptInts : OptionalAttr<DenseI64ArrayAttr>;
def OptFloats : OptionalAttr<DenseF64ArrayAttr>;
defvar SymInt = Fx_DimAttr;
defvar SymInts = Fx_DimsAttr;
def OptSymInt : OptionalAttr<Fx_DimAttr>;
def OptSymInts : OptionalAttr<Fx_DimsAttr>;
def OptDtype : OptionalAttr<TypeAttr>;
defvar Dtype = TypeAttr;

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

class Aten_AnyOp<string mnemonic, list<Trait> traits = []> : Op<Aten_Dialect, mnemonic, traits> {
  /// Overloads that this op stands for, in-place ones (`name_`) and `out` ones included:
  /// the importer writes those as the op and a `copy_`. A number may stand where the op
  /// takes a tensor. `name(theirs=ours, theirs=, ours:=value)` says that the overload has
  /// another name for an argument, has one that doesn't matter, means a value by its name.
  list<string> overloads = [mnemonic # ".default"];
}

class Aten_Op<string mnemonic, list<Trait> traits = []>
    : Aten_AnyOp<mnemonic, [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>] # traits> {
  /// A C++ expression, in namespace graphmill::aten::rules, that gives the result
  /// types: `r` is the rule's context, `op` the op's adaptor.
  string rule = ?;

  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange a, ::mlir::TypeRange b);
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> loc,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      using namespace ::graphmill::aten::rules;
      Adaptor op(operands, attributes, properties, regions);
      Rule r{context, loc, getOperationName(), types};
      return }] # rule # [{;
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange a, ::mlir::TypeRange b) {
      return ::graphmill::aten::rules::compatible(a, b);
    }
  }];
}

/// One tensor in, one out.
class Aten_Unary<string mnemonic, string resultRule, dag extra = (ins)> : Aten_Op<mnemonic> {
  let arguments = !con((ins Tensor:$self), extra);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$self attr-dict `:` functional-type(operands, results)";
  let overloads = [mnemonic # ".default", mnemonic # "_.default"];
  let rule = resultRule;
}
/// Integers and bools become the default float dtype: exp, sqrt, sigmoid, …
class Aten_UnaryFloat<string mnemonic> : Aten_Unary<mnemonic, "floating(r, {op.getSelf()})">;
/// The dtype stays: abs, neg, relu, …
class Aten_UnarySame<string mnemonic, dag extra = (ins)>
    : Aten_Unary<mnemonic, "pointwise(r, {op.getSelf()})", extra>;
/// bool comes out: isnan, logical_not, …
class Aten_UnaryBool<string mnemonic> : Aten_Unary<mnemonic, "predicate(r, {op.getSelf()})">;

/// Two broadcast and promoted tensors in, one out.
class Aten_Binary<string mnemonic, string resultRule> : Aten_Op<mnemonic> {
  let arguments = (ins Tensor:$self, Tensor:$other);
  let results = (outs Tensor:$result);
  let assemblyFormat = "$self `,` $other attr-dict `:` functional-type(operands, results)";
  let overloads = [mnemonic # ".Tensor", mnemonic # "_.Tensor", mnemonic # ".Scalar", mnemonic # "_.Scalar"];
  let rule = resultRule;
}
class Aten_BinarySame<string mnemonic> : Aten_Binary<mnemonic, "pointwise(r, {op.getSelf(), op.getOther()})">;
class Aten_BinaryFloat<string mnemonic> : Aten_Binary<mnemonic, "floating(r, {op.getSelf(), op.getOther()})">;
class Aten_BinaryBool<string mnemonic> : Aten_Binary<mnemonic, "predicate(r, {op.getSelf(), op.getOther()})">;

/// An op printed in the generic way for several operands and attributes.
class Aten_General<string mnemonic, dag args, dag outs, string resultRule,
                   list<string> names = [mnemonic # ".default"], list<Trait> traits = []>
    : Aten_Op<mnemonic, traits> {
  let arguments = args;
  let results = outs;
  let overloads = names;
  let rule = resultRule;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
defvar OneResult = (outs Tensor:$result);
defvar ManyResults = (outs Variadic<Tensor>:$outputs);
defvar Zero = "$_builder.getI64IntegerAttr(0)";
defvar One = "$_builder.getI64IntegerAttr(1)";

#endif // GRAPHMILL_ATEN_BASE
