# Dependencies are found, never fetched. A missing one is an error that says what to install.

# srgw_require(<package> <Debian package> <oldest version> [argument of find_package]...)
function(srgw_require package debian_package version)
  find_package(${package} ${version} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR
      "srgw needs ${package} ${version}, which CMake did not find. "
      "On Debian and Ubuntu: apt-get install ${debian_package}")
  endif()
endfunction()

set(THREADS_PREFER_PTHREAD_FLAG ON)
srgw_require(Threads libc6-dev "")
srgw_require(Eigen3 libeigen3-dev 3.4 NO_MODULE)
srgw_require(hwy libhwy-dev 1.0 CONFIG)
srgw_require(fmt libfmt-dev 9 CONFIG)
srgw_require(ZLIB zlib1g-dev 1.2)
srgw_require(pugixml libpugixml-dev 1.12 CONFIG)
srgw_require(nlohmann_json nlohmann-json3-dev 3.10 CONFIG)

if(SRGW_MPI)  # ON or AUTO
  enable_language(C)  # FindMPI needs it for the C functions
  find_package(MPI QUIET COMPONENTS C)
  if(NOT MPI_C_FOUND AND NOT SRGW_MPI STREQUAL "AUTO")
    message(FATAL_ERROR
      "srgw needs MPI for SRGW_MPI, which CMake did not find. "
      "On Debian and Ubuntu: apt-get install libopenmpi-dev openmpi-bin")
  endif()
endif()
if(SRGW_BUILD_CLI)
  srgw_require(CLI11 libcli11-dev 2.1 CONFIG)
endif()
if(SRGW_BUILD_TESTS)
  srgw_require(GTest libgtest-dev 1.12)
  srgw_require(rapidcheck librapidcheck-dev "" CONFIG)
endif()
if(SRGW_BUILD_BENCH)
  srgw_require(benchmark libbenchmark-dev 1.7 CONFIG)
endif()
