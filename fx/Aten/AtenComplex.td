//===- AtenComplex.td - Complex numbers and Fourier transforms -------------===//
#ifndef GRAPHMILL_ATEN_COMPLEX
#define GRAPHMILL_ATEN_COMPLEX

include "fx/Aten/AtenBase.td"

// `--aten-split-complex` makes pairs of real tensors of all complex ones: it is where these
// ops, and the others when they are given complex numbers, are decomposed.

def Aten_ViewAsRealOp : Aten_General<"view_as_real", (ins Tensor:$self), OneResult, "viewAsReal(r, op.getSelf())",
    ["view_as_real.default", "view_as_real_copy.default"]> {
  let summary = "Real and imaginary parts along a new last dim";
}
def Aten_ViewAsComplexOp : Aten_General<"view_as_complex", (ins Tensor:$self), OneResult, "viewAsComplex(r, op.getSelf())",
    ["view_as_complex.default", "view_as_complex_copy.default"]> {
  let summary = "Complex numbers from pairs along the last dim";
  let description = [{ view_as_complex.c1: the last dim has size 2. }];
}
def Aten_RealOp : Aten_Unary<"real", "realPart(r, op.getSelf())"> {
  let summary = "The real part";
  let overloads = ["real.default"];
}
def Aten_ImagOp : Aten_Unary<"imag", "realPart(r, op.getSelf())"> {
  let summary = "The imaginary part";
  let overloads = ["imag.default"];
}
def Aten_AngleOp : Aten_Unary<"angle", "angle(r, op.getSelf())"> {
  let summary = "The angle with the positive real axis; for real numbers 0 or pi";
  let overloads = ["angle.default"];
}
def Aten_ConjOp : Aten_Unary<"conj", "pointwise(r, {op.getSelf()})"> {
  let summary = "The imaginary part negated";
  let overloads = ["_conj.default", "conj.default", "conj_physical.default", "conj_physical_.default", "_conj_physical.default"];
}
def Aten_AdjointOp : Aten_Unary<"adjoint", "transpose(r, op.getSelf(), -2, -1)"> {
  let summary = "The last two dims swapped, and conj";
  let overloads = ["adjoint.default", "mH.default"];
}
def Aten_VdotOp : Aten_General<"vdot", (ins Tensor:$self, Tensor:$other), OneResult, "matmul(r, op.getSelf(), op.getOther())"> {
  let summary = "Sum of conj(self) * other";
}
def Aten_ComplexOp : Aten_General<"complex", (ins Tensor:$real, Tensor:$imag), OneResult, "complexOf(r, op.getReal(), op.getImag())"> {
  let summary = "real + i * imag";
}
def Aten_PolarOp : Aten_General<"polar", (ins Tensor:$abs, Tensor:$angle), OneResult, "complexOf(r, op.getAbs(), op.getAngle())"> {
  let summary = "abs * exp(i * angle)";
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

def Aten_FftC2cOp : Aten_General<"_fft_c2c", (ins Tensor:$self, Ints<"{}">:$dim, Int<"0">:$normalization, Bool<"true">:$forward), OneResult,
    "pointwise(r, {op.getSelf()})"> {
  let summary = "Fourier transform over `dim`; normalization 1 divides by the root of the size, 2 by the size";
}
def Aten_FftR2cOp : Aten_General<"_fft_r2c", (ins Tensor:$self, Ints<"{}">:$dim, Int<"0">:$normalization, Bool<"true">:$onesided), OneResult,
    "fftR2c(r, op.getSelf(), op.getDim(), op.getOnesided())"> {
  let summary = "Fourier transform of real numbers; `onesided`: of the last of `dim`, what the rest follows from";
}
def Aten_FftC2rOp : Aten_General<"_fft_c2r", (ins Tensor:$self, Ints<"{}">:$dim, Int<"0">:$normalization, SymInt:$last_dim_size), OneResult,
    "fftC2r(r, op.getSelf(), op.getDim(), op.getLastDimSize().getExpr())"> {
  let summary = "Inverse Fourier transform that gives real numbers";
}
// What `torch.fft` is exported as: n resizes first, `norm` is "backward", "ortho" or "forward".
foreach name = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"] in {
  def Aten_Fourier # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<"fft_" # name, (ins Tensor:$self, OptSymInt:$n, Int<"-1">:$dim, OptStr:$norm), OneResult,
      "fourierLine(r, op.getSelf(), op.getN(), op.getDim(), \"" # name # "\")"> {
    let summary = "torch.fft." # name;
  }
}
foreach name = ["fft", "ifft", "rfft", "irfft"] in {
  def Aten_FourierBox # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<"fft_" # name # "n",
      (ins Tensor:$self, OptSymInts:$s, OptInts:$dim, OptStr:$norm, Bool<"false">:$plane), OneResult,
      "fourierBox(r, op.getSelf(), op.getS(), op.getDim(), op.getPlane(), \"" # name # "\")",
      ["fft_" # name # "n.default", "fft_" # name # "2.default(plane:=true)"]> {
    let summary = "torch.fft." # name # "n; `plane`: over the last two dims unless `dim` says otherwise";
  }
}
foreach name = ["fftshift", "ifftshift"] in {
  def Aten_Fourier # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<"fft_" # name, (ins Tensor:$self, OptInts:$dim), OneResult, "pointwise(r, {op.getSelf()})"> {
    let summary = "Frequency 0 moved " # !if(!eq(name, "fftshift"), "to the middle", "back to the front");
  }
}
foreach name = ["fftfreq", "rfftfreq"] in {
  def Aten_Fourier # !toupper(!substr(name, 0, 1)) # !substr(name, 1) # Op : Aten_General<"fft_" # name, (ins Int<"1">:$n, Float<"1.0">:$d, OptDtype:$dtype), OneResult,
      "fourierFrequencies(r, op.getN(), op.getDtype(), \"" # name # "\")"> {
    let summary = "The frequencies of a transform's elements";
  }
}
def Aten_StftOp : Aten_General<"stft",
    (ins Tensor:$self, Int<"0">:$n_fft, OptInt:$hop_length, OptInt:$win_length, OptTensor:$window, Bool<"false">:$center,
         Str<"reflect">:$pad_mode, Bool<"false">:$normalized, OptBool:$onesided, OptBool:$return_complex),
    OneResult, "stft(r, {op.getSelf(), static_cast<int64_t>(op.getNFft()), op.getHopLength(), op.getOnesided(), op.getReturnComplex(), op.getCenter()})",
    ["stft.default(align_to_window=)", "stft.center(align_to_window=)"]> {
  let summary = "Fourier transforms of windows that slide over the last dim";
}
def Aten_IstftOp : Aten_General<"istft",
    (ins Tensor:$self, Int<"0">:$n_fft, OptInt:$hop_length, OptInt:$win_length, OptTensor:$window, Bool<"true">:$center,
         Bool<"false">:$normalized, OptBool:$onesided, OptInt:$length, Bool<"false">:$return_complex),
    OneResult, "istft(r, op.getSelf(), op.getNFft(), op.getHopLength(), op.getCenter(), op.getLength(), op.getReturnComplex())"> {
  let summary = "The signal that has this stft: windows added up where they overlap";
}

#endif // GRAPHMILL_ATEN_COMPLEX
