#include "frontend/pt2/unittests/TestArchives.h"
#include "llvm/Support/Endian.h"

using namespace graphmill::pt2;

namespace {

template <typename T, typename Variant> const T &as(const Variant &variant) {
  const T *value = std::get_if<T>(&variant);
  EXPECT_NE(value, nullptr) << "holds alternative " << variant.index();
  static const T kNone{};
  return value ? *value : kNone;
}

const Node &nodeOf(const ExportedProgram &program, llvm::StringRef target) {
  for (const Node &node : program.graph.nodes) {
    if (node.target == target) {
      return node;
    }
  }
  ADD_FAILURE() << "no node " << target.str();
  static const Node kNone;
  return kNone;
}

float floatAt(const StoredTensor &tensor, size_t index) {
  return llvm::bit_cast<float>(
      llvm::support::endian::read32le(tensor.storage.data() + 4 * index));
}

TEST(Reader, ReadsVersionsNodesAndLocations) {
  ExportedProgram program = readGood(example("mlp_dynamic"));
  EXPECT_EQ(program.modelName, "model");
  EXPECT_EQ(program.schemaMajor, 8);
  EXPECT_EQ(program.torchVersion.substr(0, 4), "2.13");
  EXPECT_EQ(program.opsetVersions.front().first, "aten");
  const Node &linear = nodeOf(program, "torch.ops.aten.linear.default");
  EXPECT_EQ(linear.name, "linear");
  ASSERT_EQ(linear.inputs.size(), 3u);
  EXPECT_EQ(linear.inputs[1].name, "weight");
  EXPECT_EQ(linear.inputs[1].kind, ArgumentKind::Positional);
  EXPECT_EQ(as<TensorArg>(linear.inputs[1].arg.value).name, "p_hidden_weight");
  EXPECT_EQ(as<TensorArg>(linear.outputs[0].value).name, "linear");
  EXPECT_NE(linear.stackTrace.find("make_test_archives.py\", line"),
            std::string::npos);
  EXPECT_NE(linear.moduleStack.find("hidden,torch.nn.modules.linear.Linear"),
            std::string::npos);
}

TEST(Reader, ReadsSymbolicSizesRangesAndScalars) {
  ExportedProgram program = readGood(example("mlp_dynamic"));
  ASSERT_EQ(program.rangeConstraints.size(), 1u);
  EXPECT_EQ(program.rangeConstraints[0].second.min, 1);
  EXPECT_EQ(program.rangeConstraints[0].second.max, 32);
  std::string batch = program.rangeConstraints[0].first;
  const TensorMeta &cat = program.graph.tensorValues.at("cat");
  ASSERT_TRUE(cat.sizes[0].expr);
  EXPECT_EQ(cat.sizes[0].expr->str(), "Mul(2, " + batch + ")");
  EXPECT_EQ(cat.sizes[0].hint, 8);
  EXPECT_FALSE(cat.sizes[1].expr);
  EXPECT_EQ(cat.sizes[1].constant, 2);
  const Node &halve = nodeOf(program, "_operator.floordiv");
  EXPECT_EQ(as<std::string>(as<SymIntArg>(halve.inputs[0].arg.value).value),
            "sym_size_int_1");
  EXPECT_EQ(program.graph.symIntValues.at("floordiv").expr->str(),
            "FloorDiv(" + batch + ", 2)");
  EXPECT_TRUE(as<UserOutput>(program.signature.outputs[1]).arg.is<SymIntArg>());
}

TEST(Reader, FindsParametersAndBuffersOfTheSignature) {
  ExportedProgram program = readGood(example("conv_bn"));
  auto &weight = as<ParameterInput>(program.signature.inputs[0]);
  EXPECT_EQ(weight.parameterName, "conv.weight");
  const StoredTensor *stored =
      program.findStoredTensor(program.signature.inputs[0]);
  ASSERT_TRUE(stored);
  EXPECT_TRUE(stored->isParameter);
  EXPECT_EQ(stored->sizes, (llvm::SmallVector<int64_t, 4>{2, 1, 3, 3}));
  EXPECT_EQ(floatAt(*stored, 17), 17 / 16.f);
  auto &tracked = as<BufferInput>(program.signature.inputs[5]);
  EXPECT_EQ(tracked.bufferName, "bn.num_batches_tracked");
  EXPECT_TRUE(tracked.isPersistent);
  EXPECT_EQ(program.weights.find("bn.num_batches_tracked")->dtype,
            ScalarType::Int64);
  EXPECT_EQ(program.findStoredTensor(program.signature.inputs[6]), nullptr);
}

TEST(Reader, TiedParametersShareOneSpan) {
  ExportedProgram program = readGood(example("tied_weights"));
  const StoredTensor *embed = program.weights.find("embed.weight");
  const StoredTensor *head = program.weights.find("head.weight");
  ASSERT_TRUE(embed && head);
  EXPECT_EQ(embed->payload, head->payload);
  EXPECT_EQ(embed->storage.data(), head->storage.data());
}

TEST(Reader, ReadsStridesAndOffsetsIntoOneStorage) {
  ExportedProgram program = readGood(example("strided"));
  const StoredTensor *columns = program.weights.find("columns");
  const StoredTensor *tail = program.weights.find("tail");
  ASSERT_TRUE(columns && tail);
  EXPECT_EQ(columns->strideElems, (llvm::SmallVector<int64_t, 4>{1, 6}));
  EXPECT_FALSE(columns->isContiguous());
  EXPECT_EQ(tail->offsetElems, 20);
  EXPECT_TRUE(tail->isContiguous());
  EXPECT_EQ(columns->storage.data(), tail->storage.data());
  EXPECT_EQ(floatAt(*tail, tail->offsetElems), 20);
}

TEST(Reader, ReadsNestedSpecsAndConstantInputs) {
  ExportedProgram program = readGood(example("nested_io"));
  const ModuleCallEntry &whole = program.moduleCallGraph.front();
  ASSERT_TRUE(whole.path.empty() && whole.signature);
  EXPECT_NE(whole.signature->inSpec.find(R"("[\"pair\"]")"), std::string::npos);
  EXPECT_EQ(whole.signature->forwardArgNames,
            (std::vector<std::string>{"batch", "scale", "mode", "bias"}));
  EXPECT_EQ(as<double>(as<ConstantInput>(program.signature.inputs[2]).value),
            0.5);
  EXPECT_EQ(
      as<std::string>(as<ConstantInput>(program.signature.inputs[3]).value),
      "add");
  EXPECT_TRUE(std::holds_alternative<NoneArg>(
      as<ConstantInput>(program.signature.inputs[4]).value));
  EXPECT_TRUE(as<UserOutput>(program.signature.outputs[3]).arg.is<NoneArg>());
}

TEST(Reader, ReadsMutationsAndNonPersistentBuffers) {
  ExportedProgram program = readGood(example("mutation_functional"));
  EXPECT_FALSE(as<BufferInput>(program.signature.inputs[1]).isPersistent);
  EXPECT_EQ(program.findStoredTensor(program.signature.inputs[1]),
            program.constants.find("last"));
  auto &outputs = program.signature.outputs;
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_EQ(as<BufferMutation>(outputs[0]).bufferName, "steps");
  EXPECT_EQ(as<BufferMutation>(outputs[1]).bufferName, "last");
  EXPECT_EQ(as<UserInputMutation>(outputs[2]).inputName, "x");
  ExportedProgram inPlace = readGood(example("mutation"));
  EXPECT_EQ(inPlace.graph.nodes[0].target, "torch.ops.aten.add_.Tensor");
}

TEST(Reader, ReadsTensorConstants) {
  ExportedProgram program = readGood(example("tensor_constant"));
  EXPECT_EQ(as<TensorConstantInput>(program.signature.inputs[0]).constantName,
            "lifted_tensor_0");
  const StoredTensor *stored =
      program.findStoredTensor(program.signature.inputs[0]);
  ASSERT_TRUE(stored);
  EXPECT_EQ(floatAt(*stored, 2), 3.f);
}

TEST(Reader, ReadsEveryElementType) {
  ExportedProgram program = readGood(example("mixed_dtypes"));
  EXPECT_EQ(program.weights.tensors().size(), 21u);
  for (const StoredTensor &tensor : program.weights.tensors()) {
    EXPECT_EQ("as_" + scalarTypeName(tensor.dtype).str(), tensor.name);
    EXPECT_EQ(tensor.storage.size(), 3 * elementBytes(tensor.dtype))
        << tensor.name;
  }
}

TEST(Reader, ReadsSubgraphs) {
  ExportedProgram program = readGood(example("cond"));
  const Node &cond = nodeOf(program, "torch.ops.higher_order.cond");
  ASSERT_EQ(cond.inputs.size(), 4u);
  const GraphArg &ifTrue = as<GraphArg>(cond.inputs[1].arg.value);
  ASSERT_TRUE(ifTrue.graph);
  EXPECT_EQ(ifTrue.graph->nodes[0].target, "torch.ops.aten.add.Tensor");
  EXPECT_EQ(as<GraphArg>(cond.inputs[2].arg.value).graph->nodes[0].target,
            "torch.ops.aten.mul.Tensor");
  EXPECT_EQ(as<std::vector<TensorArg>>(cond.inputs[3].arg.value)[0].name, "x");
}

/// A node argument in JSON and what it must be read as.
Argument readArgument(llvm::StringRef json) {
  TempFile file(
      replaceIn("conv_bn", "models/model.json", "{\"as_none\": true}", json));
  ExportedProgram program = readGood(file.getPath());
  return nodeOf(program, "torch.ops.aten.conv2d.default").inputs[2].arg;
}

TEST(Reader, ReadsEveryKindOfArgument) {
  EXPECT_EQ(as<int64_t>(readArgument(R"({"as_int": -7})").value), -7);
  EXPECT_EQ(as<double>(readArgument(R"({"as_float": "-Infinity"})").value),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(as<double>(readArgument(R"({"as_float": 3})").value), 3);
  EXPECT_EQ(as<std::vector<double>>(
                readArgument(R"({"as_floats": [1.5, 2]})").value)[1],
            2);
  EXPECT_EQ(as<std::string>(readArgument(R"({"as_string": "tanh"})").value),
            "tanh");
  EXPECT_EQ(as<std::vector<std::string>>(
                readArgument(R"({"as_strings": ["a"]})").value)[0],
            "a");
  auto ints =
      readArgument(R"({"as_sym_ints": [{"as_int": 1}, {"as_name": "n"}]})");
  EXPECT_EQ(as<int64_t>(as<std::vector<SymIntArg>>(ints.value)[0].value), 1);
  EXPECT_EQ(as<std::string>(as<std::vector<SymIntArg>>(ints.value)[1].value),
            "n");
  EXPECT_EQ(
      as<double>(
          as<SymFloatArg>(
              readArgument(R"({"as_sym_float": {"as_float": 0.5}})").value)
              .value),
      0.5);
  EXPECT_TRUE(
      readArgument(R"({"as_sym_floats": []})").is<std::vector<SymFloatArg>>());
  EXPECT_EQ(
      as<bool>(as<SymBoolArg>(
                   readArgument(R"({"as_sym_bool": {"as_bool": true}})").value)
                   .value),
      true);
  EXPECT_TRUE(
      readArgument(R"({"as_sym_bools": []})").is<std::vector<SymBoolArg>>());
  EXPECT_TRUE(as<std::vector<bool>>(
      readArgument(R"({"as_bools": [false, true]})").value)[1]);
  EXPECT_EQ(as<ScalarType>(readArgument(R"({"as_scalar_type": 13})").value),
            ScalarType::BFloat16);
  EXPECT_EQ(as<MemoryFormat>(readArgument(R"({"as_memory_format": 2})").value),
            MemoryFormat::ChannelsLast);
  EXPECT_EQ(as<Layout>(readArgument(R"({"as_layout": 7})").value),
            Layout::Strided);
  auto device = readArgument(R"({"as_device": {"type": "cuda", "index": 1}})");
  EXPECT_EQ(as<DeviceArg>(device.value).index, 1);
  EXPECT_EQ(as<OptionalTensorArg>(
                readArgument(
                    R"({"as_optional_tensor": {"as_tensor": {"name": "x"}}})")
                    .value)
                .tensor->name,
            "x");
  auto optional = readArgument(
      R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "x"}}]})");
  EXPECT_FALSE(as<std::vector<OptionalTensorArg>>(optional.value)[0].tensor);
  EXPECT_EQ(
      as<CustomObjectArg>(
          readArgument(R"({"as_custom_obj": {"name": "o", "class_fqn": "C"}})")
              .value)
          .className,
      "C");
  EXPECT_EQ(as<OperatorArg>(
                readArgument(R"({"as_operator": "torch.ops.aten.add"})").value)
                .target,
            "torch.ops.aten.add");
  EXPECT_EQ(
      as<std::complex<double>>(
          readArgument(R"({"as_complex": {"real": 1.0, "imag": -2.0}})").value),
      std::complex<double>(1, -2));
  EXPECT_EQ(as<std::vector<std::vector<TensorArg>>>(
                readArgument(R"({"as_nested_tensors": [[{"name": "x"}], []]})")
                    .value)[0][0]
                .name,
            "x");
  EXPECT_EQ(as<std::vector<std::vector<int64_t>>>(
                readArgument(R"({"as_int_lists": [[1, 2], [3]]})").value)[1][0],
            3);
  EXPECT_EQ(as<std::vector<std::vector<double>>>(
                readArgument(R"({"as_float_lists": [[0.5]]})").value)[0][0],
            0.5);
  auto dict =
      readArgument(R"({"as_string_to_argument": {"k": {"as_int": 4}}})");
  EXPECT_EQ(as<DictArg>(dict.value).entries[0].key, "k");
  EXPECT_EQ(as<int64_t>(as<DictArg>(dict.value).entries[0].value.value), 4);
}

TEST(Reader, OlderMinorVersionsMayLackFields) {
  std::string bytes =
      editMember("conv_bn", "models/model.json", [](std::string &text) {
        auto drop = [&](llvm::StringRef part) {
          size_t at = text.find(part);
          ASSERT_NE(at, std::string::npos) << part.str();
          text.erase(at, part.size());
        };
        drop(", \"is_hop_single_tensor_return\": null, \"name\": \"conv2d\"");
        drop(", \"kind\": 1");
        drop(", \"sym_float_values\": {}");
        drop(", \"custom_obj_values\": {}");
        drop(", \"guards_code\": []");
        drop(", \"torch_version\": \"2.13.0+cpu\"");
        text.replace(text.find("\"minor\": 20"), 11, "\"minor\": 1");
      });
  TempFile file(bytes);
  ExportedProgram program = readGood(file.getPath());
  EXPECT_EQ(program.schemaMinor, 1);
  EXPECT_EQ(program.torchVersion, "<=2.4");
  EXPECT_EQ(program.graph.nodes[0].name, "");
  EXPECT_EQ(program.graph.nodes[0].inputs[0].kind, ArgumentKind::Unknown);
}

TEST(Reader, NewerMinorVersionsMayHaveMoreFields) {
  TempFile file(replaceIn("conv_bn", "models/model.json", "\"minor\": 20",
                          "\"minor\": 99, \"patch\": 3"));
  EXPECT_EQ(readGood(file.getPath()).schemaMinor, 99);
}

TEST(Reader, InfiniteBoundsAreAbsent) {
  TempFile file(replaceIn("mlp_dynamic", "models/model.json", "\"max_val\": 32",
                          "\"max_val\": null"));
  EXPECT_EQ(readGood(file.getPath()).rangeConstraints[0].second.max,
            std::nullopt);
}

TEST(Reader, SpansOutliveEverythingButTheProgram) {
  std::shared_ptr<Archive> kept;
  const StoredTensor *stored = nullptr;
  ExportedProgram program = readGood(example("conv_bn"));
  ExportedProgram moved = std::move(program);
  kept = moved.archive;
  stored = moved.weights.find("conv.weight");
  EXPECT_EQ(floatAt(*stored, 1), 1 / 16.f);
}

} // namespace
