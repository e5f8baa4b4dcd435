# Makes the sources that carry stdlib/ inside the program: an assembler file that includes the texts and two tables.
# Run with: cmake -DSTDLIB=dir -DOUTPUT=dir -P EmbedStdlib.cmake
cmake_policy(SET CMP0007 NEW)
file(GLOB_RECURSE files RELATIVE ${STDLIB} ${STDLIB}/*.npx)
list(SORT files)

set(assembly "  .section .rodata\n")
set(declarations "")
set(rows "")
set(names "")
set(number 0)
foreach(file IN LISTS files)
  string(APPEND assembly
    "  .global strider_file_${number}\nstrider_file_${number}:\n  .incbin \"${STDLIB}/${file}\"\n"
    "  .global strider_file_${number}_end\nstrider_file_${number}_end:\n  .byte 0\n")
  string(APPEND declarations "extern const char strider_file_${number}[], strider_file_${number}_end[];\n")
  string(APPEND rows
    "      {\"${file}\", {strider_file_${number}, static_cast<std::size_t>(strider_file_${number}_end - strider_file_${number})}},\n")
  if(file MATCHES "^numpy/" AND NOT file MATCHES "__init__")
    file(READ ${STDLIB}/${file} text)
    string(REPLACE ";" " " text "${text}")
    get_filename_component(folder ${file} DIRECTORY)
    string(REGEX REPLACE "/_[^/]*" "" folder ${folder})  # a room is no namespace
    string(REPLACE "/" "." package ${folder})
    if(text MATCHES "__all__ *= *[[(]([^])]*)[])]")
      set(list "${CMAKE_MATCH_1}")
      string(REGEX MATCHALL "['\"][A-Za-z0-9_]+['\"]" quoted "${list}")
      foreach(name IN LISTS quoted)
        string(REGEX REPLACE "['\"]" "" name ${name})
        string(APPEND names "    {\"${package}\", \"${name}\", \"${file}\"},\n")
      endforeach()
    endif()
  endif()
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND assembly "  .section .note.GNU-stack,\"\",@progbits\n")

file(CONFIGURE OUTPUT ${OUTPUT}/stdlib_texts.S CONTENT "${assembly}" @ONLY)
file(WRITE ${OUTPUT}/stdlib_tables.cpp
"// Generated from stdlib/ by cmake/EmbedStdlib.cmake.
#include <cstddef>

#include \"interpreter/builtins/embedded.h\"

extern \"C\" {
${declarations}}

namespace strider::lang {

std::span<const EmbeddedFile> embedded_files() {
  static const EmbeddedFile kFiles[] = {
${rows}  };
  return kFiles;
}

static constexpr EmbeddedName kNames[] = {
${names}};

std::span<const EmbeddedName> embedded_names() { return kNames; }

}  // namespace strider::lang
")
