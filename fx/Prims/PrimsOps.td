//===- PrimsOps.td - All primitive ops -------------------------------------===//
include "fx/Prims/PrimsPointwise.td"
include "fx/Prims/PrimsShape.td"
include "fx/Prims/PrimsReduction.td"
include "fx/Prims/PrimsIndexing.td"
include "fx/Prims/PrimsStructured.td"
