# Strict warnings for our own targets; the presets for developers turn them on, users never see them.

function(srgw_warnings target)
  if(SRGW_WARNINGS_AS_ERRORS)
    # Vectors are indexed by signed numbers; clang counts that among the conversions, GCC does not.
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow -Werror
      # GCC 12 warns of std::optional and std::variant members that are never read.
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()
