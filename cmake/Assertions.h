// Included first where our asserts are on and those of LLVM's libraries are off: a pass's statistics
// have to be what the libraries take them for.
#pragma once
#ifndef NDEBUG
#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
#include <cassert>
#endif
