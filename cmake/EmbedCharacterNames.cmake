# Run by cmake -P with UNICODE (the folder of Unicode's data) and OUTPUT (a folder): lines "code;NAME"
# of all characters with names of their own, and of all other names, lines "code;decomposition" and
# lines "code;digit|number", as texts of one object.
function(embed source condition field name)
  execute_process(
    COMMAND awk -F ";" "${condition} { print $1 \";\" ${field} }" "${UNICODE}/${source}"
    OUTPUT_FILE "${OUTPUT}/${name}.txt" COMMAND_ERROR_IS_FATAL ANY)
  file(APPEND "${OUTPUT}/character_names.S" "
  .globl strider_${name}
  .globl strider_${name}_end
strider_${name}:
  .incbin \"${OUTPUT}/${name}.txt\"
strider_${name}_end:
")
endfunction()

file(WRITE "${OUTPUT}/character_names.S"
  ".section .note.GNU-stack, \"\", @progbits\n.section .rodata\n")
embed(UnicodeData.txt "$2 !~ /^</" "$2" character_names)
embed(NameAliases.txt "NF == 3 && $1 !~ /^#/" "$2" character_aliases)
embed(UnicodeData.txt "length($6)" "$6" character_decompositions)
embed(UnicodeData.txt "length($9)" "$8 \"|\" $9" character_numbers)
