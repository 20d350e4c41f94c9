# tfpm_embed(TARGET NAME VARIABLE FILES...): compiles text files into TARGET, so that the binary needs nothing beside it.
# The target gets <embedded/NAME.h> with `std::span<const tfpm::EmbeddedFile> embedded_NAME();`, sorted by file name.
set(TFPM_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
function(tfpm_embed target name)
  set(files ${ARGN})
  list(SORT files)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  set(list_file ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.list)
  string(REPLACE ";" "\n" lines "${files}")
  file(GENERATE OUTPUT ${list_file} CONTENT "${lines}\n")
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DLIST=${list_file} -DOUT=${out} -DNAME=${name} -P ${TFPM_EMBED_SCRIPT}
    DEPENDS ${files} ${list_file} ${TFPM_EMBED_SCRIPT}
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
