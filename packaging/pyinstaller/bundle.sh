#!/usr/bin/env bash
# Freeze Loci into dist/loci, and test it with no Python on its path.
# llama.cpp is compiled once more, for any processor with AVX2 instead of this one, and kept in build/.
set -euo pipefail
cd "$(dirname "$0")/../.."

say() { printf 'loci: %s\n' "$*" >&2; }

version=$(sed -n 's/^llama_cpp_python==//p' constraints.txt)
portable=build/llama-$version
if [ ! -f "$portable/.ready" ]; then
  say "compiling llama.cpp for any processor with AVX2, which takes about five minutes"
  rm -rf "$portable"
  CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_AVX512=OFF" \
    PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-deps \
    --no-binary llama-cpp-python --target "$portable" "llama-cpp-python==$version"
  touch "$portable/.ready"
fi

say "freezing"
PYTHONPATH=$portable:. .venv/bin/pyinstaller --noconfirm --clean --log-level ERROR \
  --distpath dist --workpath build/pyinstaller packaging/pyinstaller/loci.spec
if command -v strip >/dev/null; then
  strip --strip-unneeded dist/loci/_internal/libpython3* dist/loci/_internal/sqlcipher3/*.so \
    dist/loci/_internal/python3*/lib-dynload/*.so 2>/dev/null || true
fi
id=io.github.loci_desktop.Loci
install -Dm644 "packaging/linux/$id.desktop" "dist/loci/share/applications/$id.desktop"
install -Dm644 resources/icons/loci.svg "dist/loci/share/icons/hicolor/scalable/apps/$id.svg"
install -m644 LICENSE dist/loci/LICENSE
.venv/bin/python packaging/pyinstaller/notices.py dist/loci/THIRD-PARTY-NOTICES.txt

say "testing the bundle ($(du -sh dist/loci | cut -f1))"
if command -v objdump >/dev/null &&
  [ "$(find dist/loci -name 'libggml*.so*' -exec objdump -d {} + | grep -c '%zmm')" -gt 0 ]; then
  say "the bundle has code for this processor only; remove $portable and build again"
  exit 1
fi
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
env -i HOME="$home" LANG=C.UTF-8 PATH=/nowhere dist/loci/loci --selftest
