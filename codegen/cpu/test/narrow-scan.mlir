// RUN: graphmill-opt --verify-numerics %s
// RUN: graphmill-opt --verify-numerics=backend=cpu %s
//
// What is combined so far isn't rounded to the elements' narrower type.

check.test @f16 {
  %x = check.input dense<[2048.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xf16>
  %sum = prims.scan sum %x dim = 0 : tensor<5xf16>
  check.close %sum, dense<[2048.0, 2048.0, 2050.0, 2052.0, 2052.0]> : tensor<5xf16>
}

check.test @bf16 {
  %x = check.input dense<[[256.0], [1.0], [1.0], [1.0], [1.0]]> : tensor<5x1xbf16>
  %sum = prims.scan sum %x dim = 0 : tensor<5x1xbf16>
  check.close %sum, dense<[[256.0], [256.0], [258.0], [260.0], [260.0]]> : tensor<5x1xbf16>
}
