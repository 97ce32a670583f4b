#!/usr/bin/env bash
# Puts the programs whose output test/hosts reads on a Debian machine: hwloc, numactl, and with Go also govc and vcsim (in
# .host-tools). The tests skip what is not there. Does nothing, fast, when all are.
set -euo pipefail
cd "$(dirname "$0")/.."

GOVMOMI=v0.46.3 # needs Go 1.22
OUT=.host-tools

if [ ! -x /usr/bin/lstopo-no-graphics ] || [ ! -x /usr/bin/numactl ]; then
  SUDO=
  [ "$(id -u)" = 0 ] || SUDO=sudo
  $SUDO apt-get update -qq
  $SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends hwloc-nox numactl >/dev/null
fi

if command -v go >/dev/null && [ ! -e "$OUT/.ok-$GOVMOMI" ]; then
  if GOBIN="$PWD/$OUT" go install -ldflags="-s -w" github.com/vmware/govmomi/{govc,vcsim}@$GOVMOMI; then
    touch "$OUT/.ok-$GOVMOMI"
  else
    echo "govc and vcsim could not be built: the test that runs them will skip."
  fi
fi

echo "$(lstopo-no-graphics --version), govc: $([ -x "$OUT/govc" ] && echo $GOVMOMI || echo none)"
