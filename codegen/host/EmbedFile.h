//===- EmbedFile.h - Files that the program carries ------------------------===//
#pragma once

/// Defines `symbol` and `symbol##End` around a file's bytes. The assembler includes the file
/// whole: no compiler has to read it as text. `path` is a literal, absolute.
#define GRAPHMILL_EMBED_FILE(symbol, path)                                                 \
  asm(".section .rodata." #symbol ",\"a\",@progbits\n"                                     \
      ".balign 16\n" #symbol ":\n"                                                         \
      ".incbin \"" path "\"\n" #symbol "End:\n"                                            \
      ".text\n");                                                                          \
  extern "C" const char symbol[] __attribute__((visibility("hidden")));                    \
  extern "C" const char symbol##End[] __attribute__((visibility("hidden")));
