//===- LoopBase.td - The loop dialect --------------------------------------===//
#ifndef GRAPHMILL_LOOP_BASE
#define GRAPHMILL_LOOP_BASE

include "fx/IR/FxAttrs.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loop_Dialect : Dialect {
  let name = "loop";
  let cppNamespace = "::graphmill::loop";
  let summary = "Loop nests over tensors, and how they are scheduled";
  let description = [{
    A `loop.kernel` is one compiled function: parallel axes around a body of scalar
    `arith`, `math` and `loop` ops. Inner `loop.reduce` and `loop.for` ops add axes.
    Axes are numbered from the outside: an affine map in a body has one dim for each
    enclosing axis and one symbol for each of the graph's.

    Kernels live in an `fx.graph`, as values on tensors, until memory is planned.
  }];
  let dependentDialects = ["::graphmill::fx::FxDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Loop_Op<string mnemonic, list<Trait> traits = []> : Op<Loop_Dialect, mnemonic, traits>;

class Loop_Enum<string name, string summary, list<string> words>
    : I32EnumAttr<name, summary,
        !foreach(i, !range(!size(words)),
                 I32EnumAttrCase<!toupper(!substr(words[i], 0, 1)) # !substr(words[i], 1), i, words[i]>)> {
  let cppNamespace = "::graphmill::loop";
  let genSpecializedAttr = 0;
}

def Loop_Reducer : Loop_Enum<"Reducer", "how elements combine",
    ["sum", "prod", "max", "min", "and", "or", "argmax", "argmin"]>;
def Loop_ReducerAttr : EnumAttr<Loop_Dialect, Loop_Reducer, "reducer">;
def Loop_ReducersAttr : TypedArrayAttrBase<Loop_ReducerAttr, "reducers">;

def Loop_Template : Loop_Enum<"Template", "a form that codegen has special code for",
    ["none", "contraction", "attention", "recurrent", "winograd"]>;
def Loop_TemplateAttr : EnumAttr<Loop_Dialect, Loop_Template, "template">;

def Loop_Combiner : Loop_Enum<"Combiner", "how a stored element meets what is there",
    ["set", "add", "mul", "max", "min"]>;
def Loop_CombinerAttr : EnumAttr<Loop_Dialect, Loop_Combiner, "combiner">;

#endif // GRAPHMILL_LOOP_BASE
