#include "codegen/host/unittests/TinyLibrary.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <dlfcn.h>

namespace graphmill::host {

ScratchFolder::ScratchFolder() {
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("graphmill-test", path));
}

ScratchFolder::~ScratchFolder() { llvm::sys::fs::remove_directories(path); }

std::string ScratchFolder::file(llvm::StringRef name) const {
  llvm::SmallString<128> full(path);
  llvm::sys::path::append(full, name);
  return full.str().str();
}

std::vector<std::string> ScratchFolder::list() const {
  std::vector<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator i(path, code), end; i != end;
       i.increment(code)) {
    names.push_back(llvm::sys::path::filename(i->path()).str());
  }
  llvm::sort(names);
  return names;
}

ObjectFile compileText(llvm::StringRef assembly, const TargetSpec &target) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(assembly, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  CompileOptions options;
  options.verify = true;
  return llvm::cantFail(compileModule(*module, target, options));
}

const char *const kScaleKernel = R"(
define void @scale(ptr %buffers, ptr %symbols, i64 %begin, i64 %end, ptr %scratch) {
entry:
  %x = load ptr, ptr %buffers
  %slot.w = getelementptr ptr, ptr %buffers, i64 1
  %w = load ptr, ptr %slot.w
  %slot.y = getelementptr ptr, ptr %buffers, i64 2
  %y = load ptr, ptr %slot.y
  %n = load i64, ptr %symbols
  %first = mul i64 %begin, 16
  %last.padded = mul i64 %end, 16
  %last = call i64 @llvm.smin.i64(i64 %last.padded, i64 %n)
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %at.x = getelementptr float, ptr %x, i64 %i
  %value = load float, ptr %at.x
  %k = and i64 %i, 3
  %at.w = getelementptr float, ptr %w, i64 %k
  %bias = load float, ptr %at.w
  %twice = fmul float %value, 2.0
  %sum = fadd float %twice, %bias
  store float %sum, ptr %scratch
  %at.y = getelementptr float, ptr %y, i64 %i
  store float %sum, ptr %at.y
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %last
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare i64 @llvm.smin.i64(i64, i64)
)";

ScalePlan::ScalePlan() {
  mlir::AffineExpr n = mlir::getAffineSymbolExpr(0, &context);
  auto constant = [&](int64_t value) {
    return mlir::getAffineConstantExpr(value, &context);
  };
  plan.modelName = "scale";
  plan.symbols = {{"batch", 1, 64000}};
  plan.inputs = {{"x", Dtype::F32, {n}}};
  plan.outputs = {{"y", Dtype::F32, {n}}};
  plan.weights = {{"w",
                   {reinterpret_cast<const char *>(weights.data()),
                    weights.size() * sizeof(float)}}};
  plan.buffers = {{Buffer::Kind::Input, 0, constant(0)},
                  {Buffer::Kind::Weight, 0, constant(0)},
                  {Buffer::Kind::Arena, 0, constant(64)},
                  {Buffer::Kind::Output, 0, constant(0)}};
  mlir::AffineExpr tiles = n.ceilDiv(16);
  for (unsigned i = 0; i < 2; ++i) {
    Step step;
    step.kernel = "scale";
    step.buffers = i == 0 ? std::vector<unsigned>{0, 1, 2}
                          : std::vector<unsigned>{2, 1, 3};
    step.grid = tiles;
    step.phases = getAffineConstantExpr(1, tiles.getContext());
    step.scratchBytes = constant(4);
    step.name = "scale_" + std::to_string(i);
    step.location = "model.py:" + std::to_string(10 + i);
    step.flops = n * 2;
    step.bytesMoved = n * 8;
    plan.steps.push_back(step);
  }
  plan.arenaBytes = n * 4 + 64;
}

Loaded::Loaded(const std::string &path)
    : handle(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  EXPECT_TRUE(handle) << dlerror();
  if (handle) {
    auto get = reinterpret_cast<const gm_api *(*)(uint32_t)>(
        dlsym(handle, "gm_get_api"));
    EXPECT_TRUE(get);
    api = get ? get(GM_ABI_VERSION) : nullptr;
    EXPECT_TRUE(api);
  }
}

Loaded::~Loaded() {
  if (handle) {
    dlclose(handle);
  }
}

void *Loaded::symbol(const char *name) const { return dlsym(handle, name); }

std::string textOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

void expectNoError(llvm::Error error) {
  if (error) {
    ADD_FAILURE() << textOf(std::move(error));
  }
}

} // namespace graphmill::host
