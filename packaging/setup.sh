#!/usr/bin/env bash
# Set Loci up: system packages where we may, then .venv with pinned packages.
# usage: setup.sh run|test
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-run}

say() { printf 'loci: %s\n' "$*" >&2; }

find_python() {
  for name in python3.13 python3.12 python3.11 python3; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
}

# Prints the Debian packages that are missing for what the first argument names.
missing_packages() {
  local wanted=() package
  case $1 in
    build) wanted=(g++ make python3-venv python3-dev) ;;
    qt) wanted=(libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1
      libxcb-image0 libxcb-render-util0 libxcb-shape0 libdbus-1-3 libfontconfig1 fonts-inter fonts-dejavu-core) ;;
    screen) wanted=(xvfb xauth openbox xdotool) ;;
  esac
  for package in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

system_packages() {
  command -v dpkg-query >/dev/null || return 0
  local needed=()
  mapfile -t needed < <(
    missing_packages build
    missing_packages qt
    if [ "$purpose" = test ]; then missing_packages screen; fi
  )
  [ ${#needed[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -eq 0 ]; then
    say "installing system packages: ${needed[*]}"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${needed[@]}"; } >/dev/null 2>&1 && return 0
    say "the system packages could not be installed; going on without them"
  fi
  say "please run: sudo apt-get install -y ${needed[*]}"
}

python_packages() {
  local stamp=.venv/.ready-$purpose want
  want=$(cat pyproject.toml constraints.txt packaging/setup.sh | cksum)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then return 0; fi
  local python
  python=$(find_python)
  if [ -z "$python" ]; then
    say "Loci needs Python 3.11 or newer."
    exit 1
  fi
  if [ ! -x .venv/bin/python ]; then
    "$python" -m venv .venv || { say "Python cannot make .venv; install python3-venv."; exit 1; }
  fi
  local extra=""
  if [ "$purpose" = test ]; then extra="[dev]"; fi
  if ! .venv/bin/python -c 'import llama_cpp' 2>/dev/null; then
    say "setting up .venv; the first time llama.cpp is compiled, which takes about five minutes"
  fi
  .venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --constraint constraints.txt --editable ".$extra"
  echo "$want" >"$stamp"
  if [ "$purpose" = test ]; then echo "$want" >.venv/.ready-run; fi
}

system_packages
python_packages
