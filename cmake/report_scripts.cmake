# The scripts of the report page: bundled from web/ where Node.js and npm are there, and compiled into the
# library. Without them, or without a network at the first configuration, pages are plain.
# Sets SRGW_BUNDLE_SOURCE and, with scripts, SRGW_BUNDLE_LICENCES.
set(SRGW_BUNDLE_SOURCE ${PROJECT_SOURCE_DIR}/src/report/no_bundle.cpp)
set(SRGW_BUNDLE_LICENCES "")

# Packages are shared by all builds of a tree; a stamp of the lock file tells when they are old.
function(srgw_fetch_web_packages result)
  set(stamp ${PROJECT_SOURCE_DIR}/web/node_modules/.srgw-lock)
  file(SHA256 ${PROJECT_SOURCE_DIR}/web/package-lock.json wanted)
  if(EXISTS ${stamp})
    file(READ ${stamp} found)
  endif()
  if(NOT "${found}" STREQUAL "${wanted}")
    if("${SRGW_WEB_FAILED}" STREQUAL "${wanted}")
      set(${result} FALSE PARENT_SCOPE)  # was tried; a fresh configuration tries again
      return()
    endif()
    message(STATUS "srgw: fetching what the report page is made of (npm ci)")
    execute_process(
      COMMAND ${SRGW_NPM} ci --no-audit --no-fund --fetch-retries=1
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET TIMEOUT 600)
    if(failed)
      set(SRGW_WEB_FAILED ${wanted} CACHE INTERNAL "the lock file whose packages could not be fetched")
      set(${result} FALSE PARENT_SCOPE)
      return()
    endif()
    file(WRITE ${stamp} ${wanted})
  endif()
  set(${result} TRUE PARENT_SCOPE)
endfunction()

if(SRGW_REPORT_SCRIPTS)
  find_program(SRGW_NODE node)
  find_program(SRGW_NPM npm)
  set(web_ready FALSE)
  if(SRGW_NODE AND SRGW_NPM)
    srgw_fetch_web_packages(web_ready)
  endif()
  if(web_ready)
    set(SRGW_BUNDLE_SOURCE ${PROJECT_BINARY_DIR}/report_bundle.cpp)
    set(SRGW_BUNDLE_LICENCES ${PROJECT_BINARY_DIR}/report_licences.txt)
    set(web_sources package-lock.json build.mjs src/charts.ts src/data.ts src/graph.ts src/hierarchy.ts src/main.ts src/table.ts
      src/theme.ts)
    list(TRANSFORM web_sources PREPEND ${PROJECT_SOURCE_DIR}/web/)
    add_custom_command(
      OUTPUT ${SRGW_BUNDLE_SOURCE}
      BYPRODUCTS ${SRGW_BUNDLE_LICENCES}
      COMMAND ${SRGW_NODE} ${PROJECT_SOURCE_DIR}/web/build.mjs ${SRGW_BUNDLE_SOURCE} ${SRGW_BUNDLE_LICENCES}
      DEPENDS ${web_sources}
      COMMENT "Bundling the scripts of the report page"
      VERBATIM)
  else()
    message(STATUS "srgw: reports will be plain pages; nodejs and npm, and a network for npm ci, make them more")
  endif()
endif()
