#!/usr/bin/env bash
# Usage: scripts/lint.sh [--quick | --fix]
#   --quick  leaves out clang-tidy    --fix  formats in place and stops
# clang-tidy reads the compile commands that `make lint` has written to build/tidy; LINT_SINCE=commit
# leaves out sources that have not changed since.
set -euo pipefail
cd "$(dirname "$0")/.."

# Files that are tracked or could be, and exist.
sources() {
  git ls-files --cached --others --exclude-standard --deduplicate -z -- "$@" |
    while IFS= read -rd '' file; do
      if [ -f "$file" ]; then printf '%s\0' "$file"; fi
    done
}

ruff() { .venv/bin/ruff "$@"; }

if [ "${1:-}" = --fix ]; then
  sources '*.cpp' '*.hpp' | xargs -0 clang-format-14 -i
  ruff check --quiet --fix . || true
  ruff format --quiet .
  exit
fi

failed=0
step() { echo "lint: $1"; shift; "$@" || failed=1; }

formatted() { sources '*.cpp' '*.hpp' | xargs -0 clang-format-14 --dry-run -Werror; }
# Malformed files are to be as they are.
whitespace() { ! sources '*.md' '*.txt' '*.cmake' '*.sh' '*.json' ':!tests/data/bad' | xargs -0 grep -nE '[[:blank:]]+$'; }
# The stubs hide the bodies of their modules, which are therefore checked by name.
types() {
  .venv/bin/mypy --no-error-summary && .venv/bin/mypy --no-error-summary examples/*.py &&
    for stub in python/srgw/[a-z]*.pyi; do echo "${stub%i}"; done | xargs .venv/bin/mypy --no-error-summary
}
python_files() { ruff check --quiet . && ruff format --quiet --check .; }
# The sources of the library; the headers they include are judged with them. With LINT_SINCE, a commit, only
# those that changed since, in themselves or in their own header.
to_tidy() {
  sources 'src/*.cpp' | while IFS= read -rd '' file; do
    if [ -z "${LINT_SINCE:-}" ] ||
      ! git diff --quiet "$LINT_SINCE" -- "$file" "${file%.cpp}.hpp" "include/srgw/$(basename "${file%.cpp}").hpp"; then
      printf '%s\0' "$file"
    fi
  done
}
tidy() {
  # Clang knows neither headers that GCC has compiled beforehand nor all of its warnings.
  mkdir -p build/tidy/commands
  sed -E 's/ -Winvalid-pch -include [^ "]+//; s/ -Wno-maybe-uninitialized//' build/tidy/compile_commands.json >build/tidy/commands/compile_commands.json
  to_tidy |
    xargs -0 -r -n 1 -P "${JOBS:-$(nproc)}" clang-tidy-14 -p build/tidy/commands --quiet 2> >(
      grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? (generated|treated)' >&2)
}

step "clang-format" formatted
step "trailing blanks" whitespace
step "layers" python3 scripts/check_layers.py
step "ruff" python_files
scripts/check_words.py --count
[ "${1:-}" = --quick ] || step "mypy" types
[ "${1:-}" = --quick ] || step "clang-tidy" tidy
[ $failed = 0 ] && echo "lint: clean"
exit $failed
