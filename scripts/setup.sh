#!/usr/bin/env bash
# Installs what is missing on a Debian 12: packages, then Python packages into .venv.
# When nothing is missing it prints nothing, needs no network and takes well below a second.
# Usage: scripts/setup.sh [part]...
#   without a part: what the library and the program are built with
#   develop: compilers, libraries and tools for tests, linters and benchmarks
#   docs: Doxygen, for the C++ reference of the site
#   test, bench, docs: the Python packages of requirements-<part>.txt
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  build-essential cmake ninja-build
  libcli11-dev libeigen3-dev libfmt-dev libhwy-dev libpugixml-dev nlohmann-json3-dev zlib1g-dev
)
case " $* " in *" develop "*)
  packages+=(
    git pkg-config
    libopenmpi-dev openmpi-bin
    libbenchmark-dev libgtest-dev librapidcheck-dev
    clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev
    python3 python3-venv
  )
  # Node.js and npm bundle the scripts of the report page. They may come from elsewhere than Debian.
  command -v npm >/dev/null || packages+=(nodejs npm)
  ;;
esac
# The tests open the report page in a browser.
case " $* " in *" test "*) packages+=(chromium) ;; esac

case " $* " in *" docs "*) packages+=(doxygen) ;; esac

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "setup: run as root, or install these yourself: ${missing[*]}" >&2
    exit 1
  fi
}

setup_system() {
  command -v dpkg-query >/dev/null || return 0  # not a Debian: CMake names what it misses
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
  missing=()
  for package in "${packages[@]}"; do
    grep -qx "installed $package" <<<"$installed" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "setup: installing ${missing[*]}" >&2
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
    "${missing[@]}"
}

# requirements-<part>.txt into the one virtual environment; a stamp of its text tells when it is old.
setup_python() {
  local requirements=requirements-$1.txt stamp=.venv/$1.stamp wanted
  wanted=$(sha256sum "$requirements")
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return 0
  echo "setup: installing $requirements into .venv" >&2
  [ -x .venv/bin/pip ] || python3 -m venv --clear .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$requirements"
  echo "$wanted" >"$stamp"
}

setup_system
for part in "$@"; do
  [ ! -f "requirements-$part.txt" ] || setup_python "$part"
done
