#!/usr/bin/env bash
# Freeze Loci into dist/loci. llama.cpp is built once more, for any processor with AVX2 instead of this one.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(grep -i '^llama_cpp_python==' constraints.txt | cut -d= -f3)
venv=build/bundle-venv
if [ ! -f "$venv/.ready-$version" ]; then
  echo "loci: building portable llama.cpp $version for the bundle, which takes about five minutes" >&2
  .venv/bin/python -m venv "$venv"
  CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_AVX512=OFF" \
    "$venv/bin/pip" wheel --quiet --disable-pip-version-check --no-cache-dir --no-deps \
    --wheel-dir build/wheels "llama-cpp-python==$version"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --constraint constraints.txt \
    build/wheels/llama_cpp_python-*.whl pyinstaller .
  "$venv/bin/pip" uninstall --quiet --yes loci
  touch "$venv/.ready-$version"
fi
"$venv/bin/pyinstaller" --noconfirm --clean --distpath dist --workpath build/pyinstaller \
  packaging/pyinstaller/loci.spec
cp packaging/linux/*.desktop dist/loci/ 2>/dev/null || true
echo "loci: testing the bundle" >&2
env -i HOME="$(mktemp -d)" PATH=/nowhere QT_QPA_PLATFORM=offscreen dist/loci/loci --selftest
