// Nothing: this library is there for its precompiled headers (Compile.cmake), and needs a file.
