// Nothing: a library needs a file, and this one is there for its precompiled headers (Compile.cmake).
