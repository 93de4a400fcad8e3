# Strict warnings for our own targets; the presets for developers turn them on, users never see them.

function(srgw_warnings target)
  if(SRGW_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
  endif()
endfunction()
