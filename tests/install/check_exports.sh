#!/bin/sh
# Usage: check_exports.sh LIBRARY    fails unless all that the shared library exports is in namespace srgw.
set -eu
exported=$(nm -DC --defined-only "$1")
echo "$exported" | grep -q 'srgw::partition(' || { echo "$1 does not export srgw::partition"; exit 1; }
if echo "$exported" | grep -v 'srgw::'; then
  echo "$1 exports the names above, which are not in namespace srgw"
  exit 1
fi
