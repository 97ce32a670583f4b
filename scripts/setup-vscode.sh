#!/usr/bin/env bash
# Puts what test/vscode needs on a Debian machine: Chromium, and a VS Code server with its web client in .vscode-server.
# The server comes out of the npm package code-server; its own wrapper, install scripts and native modules are left out, but for the one
# that terminals need, and ripgrep, which looks for files. Does nothing, fast, when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."

VERSION=4.100.3 # carries VS Code 1.100.3: the newest that runs on Node 20, and the oldest the extension supports
SHA512=abf161d833b10913610bf5a21bfeac02148a9e3ed90024d505a79e67ead68e897fff41426e5fea835967e5e719f7d8d871fa8cc59640c9670df98048a340e0a4
OUT=.vscode-server

if [ ! -x /usr/bin/chromium ] || [ ! -x /usr/bin/rg ] || [ ! -x /usr/bin/g++ ]; then
  SUDO=
  [ "$(id -u)" = 0 ] || SUDO=sudo
  $SUDO apt-get update -qq
  $SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core ripgrep g++ make python3 >/dev/null
fi

if [ ! -e "$OUT/.ok-$VERSION" ]; then
  rm -rf "$OUT"
  mkdir -p "$OUT/download" "$OUT/code-server"
  ARCHIVE="$OUT/download/$(npm pack --silent --pack-destination "$OUT/download" "code-server@$VERSION" | tail -1)"
  echo "$SHA512  $ARCHIVE" | sha512sum --check --quiet
  tar xzf "$ARCHIVE" -C "$OUT/code-server" --strip-components=1
  # npm ci refuses its shrinkwrap, which lacks tslib; npm install keeps to the rest of it.
  (cd "$OUT/code-server/lib/vscode" && npm install --silent --ignore-scripts --omit=dev --no-audit --no-fund >/dev/null)
  rm -r "$OUT/download"
  touch "$OUT/.ok-$VERSION"
fi

MODULES="$OUT/code-server/lib/vscode/node_modules"
mkdir -p "$MODULES/@vscode/ripgrep/bin"
ln -sf /usr/bin/rg "$MODULES/@vscode/ripgrep/bin/rg"
PTY="$MODULES/node-pty/build/Release/pty.node"
if [ ! -e "$PTY" ]; then
  # The headers that Node came with, where it came with some: otherwise they are downloaded.
  NODE_PREFIX="$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")"
  if [ -d "$NODE_PREFIX/include/node" ]; then export npm_config_nodedir="$NODE_PREFIX"; fi
  # Whatever its own scripts say behind the build, the module counts.
  (cd "$OUT/code-server/lib/vscode" && npm rebuild --silent node-pty >/dev/null 2>&1) || [ -e "$PTY" ] ||
    echo "No terminal could be built: the test of a task skips."
fi

echo "VS Code $(node "$OUT/code-server/lib/vscode/out/server-main.js" --version 2>/dev/null | head -1), $(/usr/bin/chromium --version 2>/dev/null)"
