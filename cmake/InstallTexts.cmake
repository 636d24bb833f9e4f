# The man page and the shells' completions. The program prints them itself after each build, so that they are
# never out of date.
set(hebb_texts "${PROJECT_BINARY_DIR}/texts")
file(MAKE_DIRECTORY "${hebb_texts}")

function(hebb_text file)
  add_custom_command(OUTPUT "${hebb_texts}/${file}"
                     COMMAND hebb ${ARGN} > "${hebb_texts}/${file}"
                     DEPENDS hebb VERBATIM)
endfunction()

hebb_text(hebb.1 manpage)
hebb_text(hebb completions bash)
hebb_text(_hebb completions zsh)
hebb_text(hebb.fish completions fish)
add_custom_target(hebb_texts ALL
                  DEPENDS "${hebb_texts}/hebb.1" "${hebb_texts}/hebb" "${hebb_texts}/_hebb" "${hebb_texts}/hebb.fish")

install(FILES "${hebb_texts}/hebb.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${hebb_texts}/hebb" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES "${hebb_texts}/_hebb" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES "${hebb_texts}/hebb.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
