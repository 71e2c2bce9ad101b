#include "frontend/pt2/unittests/TestArchives.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace graphmill::pt2;

namespace {

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE((text).find(part), std::string::npos) << "in: " << (text)

constexpr llvm::StringLiteral kModel = "models/model.json";
constexpr llvm::StringLiteral kWeights =
    "data/weights/model_weights_config.json";

std::string modelError(llvm::StringRef name, llvm::StringRef from,
                       llvm::StringRef to) {
  return readBad(replaceIn(name, kModel, from, to));
}

std::string weightsError(llvm::StringRef name, llvm::StringRef from,
                         llvm::StringRef to) {
  return readBad(replaceIn(name, kWeights, from, to));
}

TEST(Malformed, ErrorsNameTheJsonPath) {
  EXPECT_EQ(modelError("conv_bn", "{\"as_none\": true}", "{\"as_int\": \"3\"}"),
            "models/model.json: "
            "graph_module.graph.nodes[0].inputs[2].arg.as_int: is a "
            "string, expected an integer");
  EXPECT_EQ(
      modelError("conv_bn", "{\"as_none\": true}", "{\"as_quaternion\": 1}"),
      "models/model.json: "
      "graph_module.graph.nodes[0].inputs[2].arg.as_quaternion: "
      "isn't a kind of argument that schema 8.20 has");
  EXPECT_EQ(modelError("conv_bn", "{\"as_none\": true}",
                       "{\"as_int\": 1, \"as_none\": true}"),
            "models/model.json: graph_module.graph.nodes[0].inputs[2].arg: has "
            "2 fields, "
            "expected exactly one");
  EXPECT_EQ(
      modelError("conv_bn", "\"target\"", "\"targets\""),
      "models/model.json: graph_module.graph.nodes[0]: has no field 'target'");
}

TEST(Malformed, WrongTypesAreErrors) {
  EXPECT_HAS(modelError("conv_bn", "\"inputs\": [", "\"inputs\": 3, \"x\": ["),
             "graph_module.graph.inputs: is an integer, expected a list");
  EXPECT_HAS(modelError("conv_bn", "\"dtype\": 7", "\"dtype\": 99"),
             "element type 99");
  EXPECT_HAS(modelError("conv_bn", "\"layout\": 7", "\"layout\": 8"),
             "layout: is 8");
  EXPECT_HAS(
      modelError("conv_bn", "\"as_float\": 0.1", "\"as_float\": \"big\""),
      "'big', expected a real number");
  EXPECT_HAS(
      modelError("conv_bn", "\"as_ints\": [1, 1]", "\"as_ints\": [1, 1.5]"),
      "as_ints[1]: is a real number");
  EXPECT_HAS(modelError("conv_bn", "{\"as_none\": true}",
                        "{\"as_int\": 18446744073709551615}"),
             "more than 64 bits");
  EXPECT_HAS(modelError("mlp_dynamic", "Symbol('s", "Symbol(('s"),
             "expr_str: symbolic");
  EXPECT_HAS(modelError("mlp_dynamic", "\"min_val\": 1", "\"min_val\": 33"),
             "is empty");
}

TEST(Malformed, BrokenJsonIsAnError) {
  EXPECT_HAS(modelError("conv_bn", "{", ""), "isn't valid JSON");
  EXPECT_HAS(readBad(editMember("conv_bn", kModel,
                                [](std::string &text) { text = ""; })),
             "isn't valid JSON");
  EXPECT_HAS(modelError("conv_bn", "{\"as_none\": true}",
                        std::string(5000, '[') + std::string(5000, ']')),
             "nested more than 256 deep");
  EXPECT_HAS(modelError("conv_bn", "\"conv2d\": {", "\"x\": {"),
             "is described twice");
}

TEST(Malformed, OtherVersionsAreRefusedByNumber) {
  EXPECT_HAS(modelError("conv_bn", "\"major\": 8", "\"major\": 9"),
             "has export schema 9.20, expected 8.x");
  EXPECT_HAS(modelError("conv_bn", "\"major\": 8", "\"major\": 7"),
             "torch >= 2.8");
  auto version = [](std::string &text) { text = "1"; };
  EXPECT_HAS(readBad(editMember("conv_bn", "archive_version", version)),
             "archive_version: is '1'");
  auto big = [](std::string &text) { text = "big"; };
  EXPECT_HAS(readBad(editMember("conv_bn", "byteorder", big)),
             "expected 'little'");
}

TEST(Malformed, OtherKindsOfArchiveAreNamed) {
  EXPECT_HAS(readBad(zipOf({{"serialized_exported_program.json", "{}"},
                            {"version", "8.1"}})),
             "layout of torch < 2.8");
  EXPECT_HAS(readBad(zipOf({{"m/constants.pkl", "x"}})), "TorchScript");
  EXPECT_HAS(readBad(zipOf({{"m/data.pkl", "x"}})), "pickle of torch.save");
  EXPECT_HAS(readBad(zipOf({{"m/other", "x"}})), "no member archive_format");
  EXPECT_HAS(readBad(zipOf({{"m/archive_format", "pt2"}})),
             "holds no exported program");
  EXPECT_HAS(readBad(zipOf({{"m/archive_format", "pt2"},
                            {"m/models/a.json", "{}"},
                            {"m/models/b.json", "{}"}})),
             "holds no model 'model'; it has a, b");
}

TEST(Malformed, PicklesAreRefusedByName) {
  std::string error =
      weightsError("conv_bn", "\"use_pickle\": false", "\"use_pickle\": true");
  EXPECT_HAS(error, "never loaded: 'conv.weight' (a tensor subclass)");
  EXPECT_HAS(readBad(editMember(
                 "conv_bn", "data/constants/model_constants_config.json",
                 [](std::string &text) {
                   text = R"({"config": {"obj": {"path_name": "custom_obj_0",
                                    "is_param": false, "use_pickle": true,
                                    "tensor_meta": null}}})";
                 })),
             "'obj' (an object that isn't a tensor)");
}

TEST(Malformed, WeightsOutOfBoundsAreErrors) {
  EXPECT_EQ(weightsError("strided", "{\"as_int\": 6}, {\"as_int\": 4}",
                         "{\"as_int\": 6}, {\"as_int\": 5}"),
            "data/weights/model_weights_config.json: columns: needs 30 "
            "elements of float32, "
            "but data/weights/weight_0 holds 24\n  help: the file is damaged; "
            "export the "
            "model again");
  EXPECT_HAS(weightsError("strided", "{\"as_int\": 6}",
                          "{\"as_int\": 9223372036854775807}"),
             "negative or overflow");
  EXPECT_HAS(weightsError("strided", "{\"as_int\": 6}", "{\"as_int\": -6}"),
             "negative or overflow");
  EXPECT_HAS(weightsError("strided", "{\"as_int\": 20}", "{\"as_int\": 21}"),
             "needs 25");
  EXPECT_HAS(weightsError("strided", "\"weight_0\"", "\"weight_7\""),
             "is missing");
  EXPECT_HAS(weightsError("strided", "\"layout\": 7", "\"layout\": 2"),
             "sparse");
  EXPECT_HAS(weightsError("strided", "{\"as_int\": 6}",
                          "{\"as_expr\": {\"expr_str\": \"s0\"}}"),
             "symbolic shape");
  auto clear = [](std::string &data) { data.clear(); };
  EXPECT_HAS(readBad(editMember("strided", "data/weights/weight_0", clear)),
             "fake tensors");
}

TEST(Malformed, SignaturesMustMatchTheGraphAndTheWeights) {
  EXPECT_HAS(weightsError("conv_bn", "\"conv.weight\"", "\"conv.w\""),
             "doesn't hold: parameter 'conv.weight'");
  EXPECT_HAS(modelError("conv_bn", "{\"user_output\":", "{\"output\":"),
             "output_specs[0].output: isn't a kind of output");
  EXPECT_HAS(
      modelError(
          "conv_bn",
          "\"inputs\": [{\"as_tensor\": {\"name\": \"p_conv_weight\"}}, ",
          "\"inputs\": ["),
      "describes 7 inputs and 1 outputs of a graph with 6 and 1");
}

/// Whatever the damage, the reader answers; it may answer that all is well.
void readAnything(llvm::StringRef bytes) {
  TempFile file(bytes);
  llvm::Expected<ExportedProgram> program = readArchive(file.getPath());
  if (!program) {
    EXPECT_FALSE(llvm::toString(program.takeError()).empty());
  }
}

std::string bytesOf(llvm::StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(example(name));
  return (*buffer)->getBuffer().str();
}

TEST(Malformed, TruncationAnywhereIsAnError) {
  std::string bytes = bytesOf("strided");
  for (size_t size = 0; size < bytes.size();
       size += size < bytes.size() - 200 ? 97 : 1) {
    EXPECT_NE(readBad(llvm::StringRef(bytes).take_front(size)), "");
  }
}

TEST(Malformed, RandomDamageNeverCrashes) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (llvm::StringRef name : {"strided", "mixed_dtypes", "cond"}) {
    std::string bytes = bytesOf(name);
    // Half of the damage goes to the zip directory, at the end.
    for (int round = 0; round < 300; ++round) {
      std::string copy = bytes;
      size_t from = round % 2 ? 0 : copy.size() * 3 / 4;
      for (int change = 0; change < 4; ++change) {
        copy[from + random() % (copy.size() - from)] = char(random());
      }
      readAnything(copy);
    }
  }
}

TEST(Malformed, RandomJsonDamageNeverCrashes) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const llvm::StringLiteral pieces[] = {
      "{",    "}", "[", "]", "\"", "null", "-1", "99", "1e300", "\"as_graph\"",
      "true", ",", ":"};
  for (llvm::StringRef member :
       {llvm::StringRef(kModel), llvm::StringRef(kWeights)}) {
    for (int round = 0; round < 300; ++round) {
      readAnything(editMember("strided", member, [&](std::string &text) {
        text.replace(random() % text.size(), random() % 6,
                     pieces[random() % std::size(pieces)]);
      }));
    }
  }
}

} // namespace
