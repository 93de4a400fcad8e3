#!/usr/bin/env bash
# Builds the site into build/site/html: a copy of docs/ with the reference pages and the tutorials, which run.
# Usage: scripts/site.sh. Needs the package in .venv and the packages of `scripts/setup.sh docs`.
set -euo pipefail
cd "$(dirname "$0")/.."
export SRGW_ROOT=$PWD
source=build/site/docs
mkdir -p "$source"
find "$source" -mindepth 1 -maxdepth 1 ! -name auto_tutorials -exec rm -rf {} +
cp -r docs/. "$source"
rm -rf build/site/html
doxygen docs/site/Doxyfile
.venv/bin/python -m sphinx -W --keep-going -q -b html -d build/site/doctrees "$source" build/site/html
echo "The site is build/site/html/index.html"
