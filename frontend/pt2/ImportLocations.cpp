#include "frontend/pt2/ImportLocations.h"
#include "fx/Support/Printable.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace graphmill::pt2 {
namespace {

struct Frame {
  StringRef file;
  unsigned line;
};

/// `File "model.py", line 41, in forward`
std::optional<Frame> parseFrame(StringRef text) {
  text = text.trim();
  if (!text.consume_front("File \"")) {
    return std::nullopt;
  }
  auto [file, rest] = text.split("\", line ");
  unsigned line;
  if (rest.consumeInteger(10, line)) {
    return std::nullopt;
  }
  return Frame{file, line};
}

/// "layer1.0.conv1" of "key,path,type;…", the innermost module last; "" of the model itself.
StringRef parseModulePath(StringRef stack) {
  StringRef innermost = stack.substr(stack.rfind(';') + 1);
  return innermost.split(',').second.split(',').first;
}

bool isInTorch(StringRef file) { return file.starts_with("torch/") || file.contains("/site-packages/torch/"); }

} // namespace

Location importLocation(MLIRContext *context, const Node &node) {
  SmallVector<Frame> frames, all;
  SmallVector<StringRef> lines;
  StringRef(node.stackTrace).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    if (std::optional<Frame> frame = parseFrame(line)) {
      all.push_back(*frame);
      if (!isInTorch(frame->file)) {
        frames.push_back(*frame);
      }
    }
  }
  if (frames.empty()) {
    frames = all;
  }
  LocationAttr stack;
  for (const Frame &frame : frames) { // outermost first
    auto here = FileLineColLoc::get(context, printable(frame.file), frame.line, 0);
    stack = stack ? LocationAttr(CallSiteLoc::get(Location(here), Location(stack))) : LocationAttr(here);
  }
  if (StringRef path = parseModulePath(node.moduleStack); !path.empty()) {
    Location inner = stack ? Location(stack) : Location(UnknownLoc::get(context));
    stack = FusedLoc::get({inner}, StringAttr::get(context, printable(path)), context);
  }
  StringRef name = node.name.empty() ? StringRef(node.target) : StringRef(node.name);
  auto named = StringAttr::get(context, printable(name));
  return stack ? NameLoc::get(named, Location(stack)) : NameLoc::get(named);
}

std::string describeLocation(Location location) {
  if (auto file = location->findInstanceOf<FileLineColLoc>()) {
    return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
  }
  auto named = location->findInstanceOf<NameLoc>();
  return named ? ("node '" + named.getName().getValue() + "'").str() : "";
}

} // namespace graphmill::pt2
