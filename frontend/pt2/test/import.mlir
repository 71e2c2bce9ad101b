// RUN: graphmill-opt %S/../unittests/data/mutation.pt2 --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: not graphmill-opt %S/../unittests/data/cond.pt2 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: fx.tensor buffer @steps
// CHECK: inputs ["x"]
// CHECK: aten.add {{.*}} loc("{{[^"]+}}"({{.*}}.py":
// CHECK: aten.copy_
// REFUSED: the model uses 1 op that graphmill doesn't support (1 nodes):
// REFUSED-NEXT: higher_order.cond (1x, first at
