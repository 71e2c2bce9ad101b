//===- Functions.h - Functions that C's library lacks ----------------------===//
#pragma once

namespace graphmill::eval {

// In float64, to a few units in the last place.
double digamma(double x);
double erfinv(double x);
double besselI0(double x);

} // namespace graphmill::eval
