//===- CheckOps.td - Tests of numbers as IR --------------------------------===//
#ifndef GRAPHMILL_CHECK_OPS
#define GRAPHMILL_CHECK_OPS

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::graphmill::check";
  let summary = "Ops on literal inputs, and what they must give";
  let description = [{
    ```mlir
    // RUN: graphmill-opt --verify-numerics %s
    // RUN: graphmill-opt --verify-numerics=backend=cpu %s
    check.test @relu_keeps_nan {
      %x = check.input dense<[-1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
      %y = aten.relu %x : …
      check.close %y, dense<[0.0, 0x7FC00000, 2.0]> : tensor<3xf32> ulp 0
    }
    ```
    The same file runs on the evaluator and on compiled code.
  }];
}

class Check_Op<string mnemonic, list<Trait> traits = []> : Op<Check_Dialect, mnemonic, traits>;

def Check_TestOp : Check_Op<"test", [SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "One test; its name says the point";
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<ArrayAttr>:$symbols);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name (`symbols` $symbols^)? attr-dict-with-keyword $body";
}
def Check_InputOp : Check_Op<"input", [HasParent<"TestOp">]> {
  let summary = "A value that the compiler doesn't know";
  let description = [{
    With `as`, the type that the graph sees: `dense<[1, 2]> : tensor<2xi64> as
    tensor<?xi64, #fx.dims<[s0]>>`.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
}
def Check_CloseOp : Check_Op<"close", [HasParent<"TestOp">]> {
  let summary = "The value must be this, give or take";
  let description = [{
    An element passes if it is at most `ulp` steps of its format away, or at most `abs`.
    NaN passes against NaN. With `ulp 0` and no `abs`, zeros must have the same sign.
  }];
  let arguments = (ins AnyRankedTensor:$value, ElementsAttr:$expected,
                       DefaultValuedAttr<I64Attr, "0">:$ulp,
                       DefaultValuedAttr<F64Attr, "0.0">:$abs);
  let hasCustomAssemblyFormat = 1;
}

#endif // GRAPHMILL_CHECK_OPS
