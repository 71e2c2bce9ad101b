//===- main.cpp - What graphmill makes of its own op records ---------------===//
#include "tools/graphmill-tblgen/EmitOpTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/Record.h"

using namespace graphmill::tblgen;

enum class Action { OpTable, OpReference, GraphOps };
static llvm::cl::opt<Action>
    action(llvm::cl::desc("What to make:"), llvm::cl::Required,
           llvm::cl::values(clEnumValN(Action::OpTable, "gen-op-table", "the importer's table"),
                            clEnumValN(Action::GraphOps, "gen-graph-ops", "methods of the graph-building API"),
                            clEnumValN(Action::OpReference, "gen-op-reference", "docs/ops.md")));

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "tables and pages from op records\n");
  return llvm::TableGenMain(argv[0], [](llvm::raw_ostream &os, const llvm::RecordKeeper &records) {
    std::vector<OpRecord> ops = readOpRecords(records);
    auto *emit = action == Action::OpTable ? emitOpTable : action == Action::GraphOps ? emitGraphOps : emitOpReference;
    emit(ops, os);
    return false;
  });
}
