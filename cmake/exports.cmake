# The symbols that programs and plugins with this library inside show to others.

# srgw_make_embeddable(<target>): position independent, and hidden unless it is linked to a shared library.
function(srgw_make_embeddable target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT BUILD_SHARED_LIBS AND NOT CMAKE_CXX_VISIBILITY_PRESET)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
endfunction()

# srgw_limit_exports(<target>): a shared library exports the names of srgw and nothing else.
function(srgw_limit_exports target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL SHARED_LIBRARY AND NOT APPLE AND NOT WIN32)
    set(map ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(${target} PRIVATE LINKER:--version-script=${map})
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
  endif()
endfunction()
