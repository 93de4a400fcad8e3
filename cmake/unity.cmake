# Compiles the sources of a folder together, so that their headers are read and their templates made once.
# Adding a file changes the groups of its own folder only. See docs/design.md for what it saves.

# srgw_unite(<target> <size> [<release size>]): groups of at most <size> files of one folder, in release builds
# <release size>: those are compiled once, where others are compiled again after each change of a file. Files
# compiled for several instruction sets (src/kernels) and files with properties of their own stay alone.
function(srgw_unite target size)
  if(NOT SRGW_UNITY)
    return()
  endif()
  if(ARGC GREATER 2 AND CMAKE_BUILD_TYPE STREQUAL Release)
    set(size ${ARGV2})
  endif()
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  set(previous "")
  set(count 0)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(NOT source MATCHES "\\.cpp$" OR source MATCHES "kernels/|^/|\\$<" OR options OR definitions)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT "${folder}" STREQUAL "${previous}")
      set(previous ${folder})
      set(count 0)
    endif()
    math(EXPR group "${count} / ${size}")
    math(EXPR count "${count} + 1")
    string(REPLACE "/" "_" name "${folder}_${group}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${name}")
  endforeach()
  # GCC takes the files for headers, and names in the unnamed namespace of one for global ones in the next.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-shadow;-Wshadow=local>")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
