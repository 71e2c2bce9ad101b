#include "tools/graphmill/Command.h"

int main(int argc, char **argv) {
  return graphmill::tools::runTool(argc, argv);
}
