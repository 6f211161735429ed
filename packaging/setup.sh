#!/usr/bin/env bash
# Set Loci up: system packages where we may, then .venv with pinned packages. Does nothing the second time.
# usage: setup.sh run|test
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
purpose=${1:-run}
stamp=.venv/.ready-$purpose
log=build/setup.log

# What Qt and llama.cpp need on Debian and Ubuntu: the library, then the package that has it.
libraries="libgomp.so.1 libgomp1
libEGL.so.1 libegl1
libGL.so.1 libgl1
libglib-2.0.so.0 libglib2.0-0
libdbus-1.so.3 libdbus-1-3
libfontconfig.so.1 libfontconfig1
libwayland-cursor.so.0 libwayland-cursor0
libxkbcommon-x11.so.0 libxkbcommon-x11-0
libxcb-cursor.so.0 libxcb-cursor0
libxcb-icccm.so.4 libxcb-icccm4
libxcb-image.so.0 libxcb-image0
libxcb-keysyms.so.1 libxcb-keysyms1
libxcb-render-util.so.0 libxcb-render-util0
libxcb-shape.so.0 libxcb-shape0"
fonts="fonts-dejavu-core fonts-inter"

say() { printf 'loci: %s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

# A Python that is new enough and can make .venv.
find_python() {
  local name
  for name in python3.13 python3.12 python3.11 python3 python; do
    if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
}

# The names of Debian packages that are missing, one on each line.
missing_packages() {
  local library package here
  has c++ || has g++ || has clang++ || echo g++
  [ -n "$(find_python)" ] || printf 'python3-venv\n'
  here=$(ldconfig -p)
  while read -r library package; do
    case $here in *"$library "*) ;; *) echo "$package" ;; esac
  done <<<"$libraries"
  if [ "$purpose" = test ]; then
    has Xvfb || printf 'xvfb\nxauth\n'
    has openbox || echo openbox
    has xdotool || echo xdotool
  fi
}

# Install what is missing where we may, else name it; either way go on.
system_packages() {
  has apt-get && has ldconfig || return 0
  local needed
  needed=$(missing_packages | tr '\n' ' ')
  [ -n "$needed" ] || return 0
  if [ "$(id -u)" -eq 0 ] && ! ready; then
    say "installing system packages: $needed"
    # shellcheck disable=SC2086
    if apt_get update && apt_get install $needed $fonts; then return 0; fi
    say "they could not be installed ($log says why); going on without them"
  fi
  say "some system packages are missing; please run: sudo apt-get install -y $needed"
}

apt_get() {
  DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends \
    -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=60 "$@" >>"$log" 2>&1
}

# What llama.cpp is compiled for: this processor, without its matrix tiles (AMX): where a virtual
# machine offers them, using them may end the program.
CMAKE_ARGS=${CMAKE_ARGS:-"-DCMAKE_C_FLAGS=-U__AMX_INT8__ -DCMAKE_CXX_FLAGS=-U__AMX_INT8__"}
export CMAKE_ARGS
processor() { uname -m; grep -m 1 -E '^(flags|Features)' /proc/cpuinfo 2>/dev/null || true; }
target=$({ processor; echo "$CMAKE_ARGS"; } | cksum | tr ' ' '-')

wanted() { { cat pyproject.toml constraints.txt packaging/setup.sh; echo "$target"; } | cksum; }
built_for_target() { [ "$(cat .venv/.target 2>/dev/null)" = "$target" ]; }
ready() { [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ] && .venv/bin/python -c '' 2>/dev/null; }

python_packages() {
  local python extra=""
  if ! .venv/bin/python -c '' 2>/dev/null; then
    python=$(find_python)
    [ -n "$python" ] || fail "Loci needs Python 3.11 or newer, with its venv module."
    say "making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv >>"$log" 2>&1 || fail "Python could not make .venv; $log says why."
  fi
  if [ "$purpose" = test ]; then extra="[dev]"; fi
  if built_for_target && .venv/bin/python -c 'import llama_cpp' 2>/dev/null; then
    say "bringing .venv up to date"
  else
    say "fetching packages; the first time llama.cpp is compiled too, which takes about five minutes"
  fi
  if ! install_packages ".$extra"; then
    has c++ || has g++ || has clang++ || say "llama.cpp needs a C++ compiler, and there is none here"
    fail "The packages could not be installed; $log says why."
  fi
  wanted >"$stamp"
  if [ "$purpose" = test ]; then wanted >.venv/.ready-run; fi
  say "set up"
}

# The constraints hold for what builds packages too. pip keeps what it compiled without a word of how,
# so it gets a cache for each target, and a build for another target leaves .venv first.
install_packages() {
  if ! built_for_target; then
    .venv/bin/python -m pip uninstall --disable-pip-version-check --yes llama-cpp-python >>"$log" 2>&1 || return 1
  fi
  PIP_CACHE_DIR="${XDG_CACHE_HOME:-${HOME:-$PWD/build}/.cache}/loci/pip-$target" \
    PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
    .venv/bin/python -m pip install --disable-pip-version-check --editable "$1" >>"$log" 2>&1 || return 1
  echo "$target" >.venv/.target
}

fail() {
  say "$*"
  exit 1
}

mkdir -p build
if ! ready; then : >"$log"; fi
system_packages
ready || python_packages
