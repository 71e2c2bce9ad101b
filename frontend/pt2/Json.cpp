#include "frontend/pt2/Json.h"
#include "frontend/pt2/ReadError.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <limits>

namespace graphmill::pt2 {
namespace {

/// A graph inside a graph takes 7 levels; no exporter nests 30 of them.
constexpr size_t kMaxDepth = 256;

llvm::StringRef kindOf(simdjson::dom::element value) {
  switch (value.type()) {
  case simdjson::dom::element_type::ARRAY:
    return "a list";
  case simdjson::dom::element_type::OBJECT:
    return "an object";
  case simdjson::dom::element_type::INT64:
  case simdjson::dom::element_type::UINT64:
    return "an integer";
  case simdjson::dom::element_type::DOUBLE:
    return "a real number";
  case simdjson::dom::element_type::STRING:
    return "a string";
  case simdjson::dom::element_type::BOOL:
    return "a boolean";
  case simdjson::dom::element_type::NULL_VALUE:
    return "null";
  }
  return "something else";
}

llvm::StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}

} // namespace

llvm::Expected<std::unique_ptr<JsonDocument>>
JsonDocument::parse(llvm::StringRef text, llvm::StringRef file,
                    llvm::StringRef member) {
  std::unique_ptr<JsonDocument> document(new JsonDocument(file, member));
  simdjson::error_code error =
      document->parser.allocate(text.size(), kMaxDepth);
  if (!error) {
    error = document->parser.parse(text.data(), text.size()).get(document->top);
  }
  if (error == simdjson::DEPTH_ERROR) {
    return readError(file, member,
                     "is nested more than " + llvm::Twine(kMaxDepth) + " deep");
  }
  if (error) {
    return readError(file, member,
                     llvm::Twine("isn't valid JSON: ") +
                         simdjson::error_message(error),
                     "the file is damaged; export the model again with "
                     "torch.export.save");
  }
  return document;
}

JsonValue JsonDocument::root() { return JsonValue(this, top, nullptr); }

void JsonDocument::fail(const Step *at, const llvm::Twine &what) {
  if (!failure.empty()) {
    return;
  }
  failure = what.str();
  std::vector<const Step *> path;
  for (; at; at = at->parent) {
    path.push_back(at);
  }
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    if ((*it)->name.data()) {
      failedPath += (failedPath.empty() ? "" : ".") + (*it)->name.str();
    } else {
      failedPath += "[" + std::to_string((*it)->index) + "]";
    }
  }
}

llvm::Error JsonDocument::takeError() {
  if (failure.empty()) {
    return llvm::Error::success();
  }
  return readError(
      file, failedPath.empty() ? member : member + ": " + failedPath, failure);
}

JsonValue JsonValue::child(simdjson::dom::element value, llvm::StringRef name,
                           size_t index) const {
  auto *place = document->steps.Allocate<JsonDocument::Step>();
  return JsonValue(document, value,
                   new (place) JsonDocument::Step{step, name, index});
}

template <typename T>
std::optional<T> JsonValue::as(llvm::StringRef expected) const {
  if (!value || !document->failure.empty()) {
    return std::nullopt;
  }
  T result;
  if (value->get(result)) {
    fail("is " + kindOf(*value) + ", expected " + expected);
    return std::nullopt;
  }
  return result;
}

JsonValue JsonValue::operator[](llvm::StringRef key) const {
  if (auto object = as<simdjson::dom::object>("an object")) {
    for (simdjson::dom::key_value_pair field : *object) {
      if (ref(field.key) == key) {
        return child(field.value, ref(field.key), 0);
      }
    }
    fail("has no field '" + key + "'");
  }
  return hole();
}

std::optional<JsonValue> JsonValue::find(llvm::StringRef key) const {
  if (auto object = as<simdjson::dom::object>("an object")) {
    for (simdjson::dom::key_value_pair field : *object) {
      if (ref(field.key) == key && !field.value.is_null()) {
        return child(field.value, ref(field.key), 0);
      }
    }
  }
  return std::nullopt;
}

std::pair<llvm::StringRef, JsonValue> JsonValue::onlyField() const {
  if (auto object = as<simdjson::dom::object>("an object")) {
    if (object->size() == 1) {
      simdjson::dom::key_value_pair field = *object->begin();
      return {ref(field.key), child(field.value, ref(field.key), 0)};
    }
    fail("has " + llvm::Twine(object->size()) +
         " fields, expected exactly one");
  }
  return {"", hole()};
}

void JsonValue::forEachElement(
    llvm::function_ref<void(JsonValue)> visit) const {
  if (auto array = as<simdjson::dom::array>("a list")) {
    size_t index = 0;
    for (simdjson::dom::element element : *array) {
      visit(child(element, {}, index++));
    }
  }
}

void JsonValue::forEachField(
    llvm::function_ref<void(llvm::StringRef, JsonValue)> visit) const {
  if (auto object = as<simdjson::dom::object>("an object")) {
    for (simdjson::dom::key_value_pair field : *object) {
      visit(ref(field.key), child(field.value, ref(field.key), 0));
    }
  }
}

std::string JsonValue::text() const {
  return std::string(
      as<std::string_view>("a string").value_or(std::string_view()));
}

int64_t JsonValue::integer() const {
  if (value && value->is_uint64() && !value->is_int64()) {
    fail("is an integer of more than 64 bits with sign");
  }
  return as<int64_t>("an integer").value_or(0);
}

double JsonValue::real() const {
  std::string_view word;
  if (value && !value->get(word)) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kUnknown = -1;
    double number = llvm::StringSwitch<double>(ref(word))
                        .Case("Infinity", kInfinity)
                        .Case("-Infinity", -kInfinity)
                        .Case("NaN", std::numeric_limits<double>::quiet_NaN())
                        .Default(kUnknown);
    if (number == kUnknown) {
      fail("is the string '" + ref(word) + "', expected a real number");
    }
    return number;
  }
  return as<double>("a real number").value_or(0);
}

bool JsonValue::boolean() const {
  return as<bool>("a boolean").value_or(false);
}

bool JsonValue::isNull() const { return !value || value->is_null(); }

bool JsonValue::isText() const { return value && value->is_string(); }

} // namespace graphmill::pt2
