#!/usr/bin/env bash
# Puts Neovim on a Debian machine: test/lsp opens a file in it. The test skips where it is not there.
set -euo pipefail

if [ ! -x /usr/bin/nvim ]; then
  SUDO=
  [ "$(id -u)" = 0 ] || SUDO=sudo
  $SUDO apt-get update -qq
  $SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends neovim >/dev/null
fi

nvim --version | head -1
