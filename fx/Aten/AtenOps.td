//===- AtenOps.td - All ATen ops -------------------------------------------===//
include "fx/Aten/AtenPointwise.td"
include "fx/Aten/AtenShape.td"
include "fx/Aten/AtenNorm.td"
include "fx/Aten/AtenStructured.td"
