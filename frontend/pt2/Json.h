#pragma once
// The library may throw elsewhere; here its errors are values.
#define SIMDJSON_EXCEPTIONS 0
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <type_traits>
#include <vector>

namespace graphmill::pt2 {

class JsonValue;

/// A parsed JSON text that remembers the first thing its readers found wrong,
/// with the path to it. So code that reads a schema is written straight down,
/// without a check a field, and asks once, at the end: after a mistake every
/// read gives an empty value.
class JsonDocument {
public:
  /// `file` and `member` head every message. Text nested deeper than 256 is
  /// refused: readers recurse.
  static llvm::Expected<std::unique_ptr<JsonDocument>>
  parse(llvm::StringRef text, llvm::StringRef file, llvm::StringRef member);

  JsonValue root();

  /// The first mistake, or success. Must be asked before what was read is used.
  llvm::Error takeError();

private:
  friend class JsonValue;
  /// One step of a path: a field's name, or (name null) an element's index.
  struct Step {
    const Step *parent;
    llvm::StringRef name;
    size_t index;
  };

  JsonDocument(llvm::StringRef file, llvm::StringRef member)
      : file(file), member(member) {}
  void fail(const Step *at, const llvm::Twine &what);

  std::string file, member;
  simdjson::dom::parser parser;
  simdjson::dom::element top;
  llvm::BumpPtrAllocator steps;
  std::string failedPath, failure;
};

/// One value in a JsonDocument, which it must not outlive. It may be a hole,
/// after a mistake: then it reads as null, 0, "", false or no elements.
class JsonValue {
public:
  /// A field that must be there.
  JsonValue operator[](llvm::StringRef key) const;
  /// A field that may be missing or null.
  std::optional<JsonValue> find(llvm::StringRef key) const;
  /// The one field of a union, `{"as_int": 3}`, and its name.
  std::pair<llvm::StringRef, JsonValue> onlyField() const;

  void forEachElement(llvm::function_ref<void(JsonValue)> visit) const;
  void forEachField(
      llvm::function_ref<void(llvm::StringRef, JsonValue)> visit) const;

  std::string text() const;
  int64_t integer() const;
  /// Also accepts the strings "Infinity", "-Infinity" and "NaN", as torch
  /// writes them.
  double real() const;
  bool boolean() const;
  bool isNull() const;
  bool isText() const;

  /// What `decode` makes of each element.
  template <typename Decode> auto list(Decode decode) const {
    std::vector<std::invoke_result_t<Decode, JsonValue>> out;
    forEachElement([&](JsonValue element) { out.push_back(decode(element)); });
    return out;
  }

  /// Records that this value isn't what it should be.
  void fail(const llvm::Twine &what) const { document->fail(step, what); }

private:
  friend class JsonDocument;
  JsonValue(JsonDocument *document, std::optional<simdjson::dom::element> value,
            const JsonDocument::Step *step)
      : document(document), value(value), step(step) {}
  JsonValue child(simdjson::dom::element value, llvm::StringRef name,
                  size_t index) const;
  JsonValue hole() const { return JsonValue(document, std::nullopt, step); }
  /// The value as `T`, if it is one; otherwise a mistake is recorded.
  template <typename T> std::optional<T> as(llvm::StringRef expected) const;

  JsonDocument *document;
  std::optional<simdjson::dom::element> value;
  const JsonDocument::Step *step;
};

} // namespace graphmill::pt2
