//===- ReportPage.cpp - The report's data in its page ----------------------===//
#include "codegen/host/EmbedFile.h"
#include "codegen/host/FileBytes.h"
#include "tools/graphmill/Report.h"

// GRAPHMILL_REPORT_DIR is the folder of the page's parts.
GRAPHMILL_EMBED_FILE(gmReportPage, GRAPHMILL_REPORT_DIR "/page.html")
GRAPHMILL_EMBED_FILE(gmReportStyle, GRAPHMILL_REPORT_DIR "/style.css")
GRAPHMILL_EMBED_FILE(gmReportScript, GRAPHMILL_REPORT_DIR "/page.js")
GRAPHMILL_EMBED_FILE(gmReportDrawings, GRAPHMILL_REPORT_DIR "/drawings.js")

using namespace llvm;
namespace graphmill::tools {

/// JSON in which no "</script>" or "<!--" can be: a `<` is only ever in strings.
static std::string embeddable(const json::Object &data) {
  std::string text, safe;
  raw_string_ostream(text) << json::Value(json::Object(data));
  for (char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

Error Report::write(StringRef path) const {
  auto part = [](const char *begin, const char *end) { return StringRef(begin, end - begin); };
  StringRef page = part(gmReportPage, gmReportPageEnd);
  std::string text, json = embeddable(all);
  // Each mark is there once; what takes its place isn't searched again.
  for (auto [mark, contents] : {std::pair<StringRef, StringRef>{"@STYLE@", part(gmReportStyle, gmReportStyleEnd)},
                                {"@DATA@", json},
                                {"@DRAWINGS@", part(gmReportDrawings, gmReportDrawingsEnd)},
                                {"@SCRIPT@", part(gmReportScript, gmReportScriptEnd)}}) {
    auto [before, after] = page.split(mark);
    text += before;
    text += contents;
    page = after;
  }
  text += page;
  Expected<host::PendingFile> file = host::PendingFile::create(path);
  if (!file) {
    return file.takeError();
  }
  if (Error error = host::writeBytes(file->descriptor(), ArrayRef(text.data(), text.size()), path)) {
    return error;
  }
  return file->commit(/*executable=*/false);
}

} // namespace graphmill::tools
