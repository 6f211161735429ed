#!/usr/bin/env bash
# Run the tests: offscreen ones always, real windows where Xvfb, a window manager and xdotool are.
set -euo pipefail
cd "$(dirname "$0")/.."
export QT_QPA_PLATFORM=offscreen
missing=""
for program in Xvfb openbox xdotool; do
  command -v "$program" >/dev/null || missing="$missing $program"
done
if [ -n "$missing" ]; then
  echo "loci: left out the tests with a real window, for want of$missing" >&2
fi
# What the tests write is written to memory where there are 4 GB of it: they wait for every commit.
memory=/dev/shm
if [ "$(df --output=avail "$memory" 2>/dev/null | tail -n 1 || true)" -ge 4194304 ] 2>/dev/null; then
  TMPDIR=$(mktemp -d "$memory/loci.XXXXXX")
  export TMPDIR
  chmod 711 "$TMPDIR"  # some tests are somebody else for a while
  trap 'rm -rf "$TMPDIR"' EXIT
  set -- --basetemp "$TMPDIR/tests" "$@"
fi
# The processes must find the same tests in the same order, of which some are named after sets.
export PYTHONHASHSEED=1
# One process for each core; a file of tests stays together, since it shares what it loads.
workers=$(nproc 2>/dev/null || echo 1)
# In the order of their names: by the number of their tests, the few that take minutes would come last.
.venv/bin/python -m pytest -q -n "$((workers > 4 ? 4 : workers))" --dist loadfile --no-loadscope-reorder "$@"
