#!/usr/bin/env bash
# Puts the tests of libvirt and Proxmox, and Nova from PyPI, into .stack-tools: test/kvm/stacks.test.ts compares its answers with them.
# None of them is part of this repository. The tests skip what is not there. Does nothing, fast, when all are.
set -euo pipefail
cd "$(dirname "$0")/.."

LIBVIRT=11.3.0
LIBVIRT_SHA256=6bcb0c42c4580436fea262ced56f68a6afe20f7390b1bea2116718cc034a0283
PROXMOX=e6352be67f70042a7433a3a3c712b36d02f9f7cb # qemu-server 9.2.6
NOVA=34.0.0                                       # needs Python 3.10
OUT=.stack-tools
mkdir -p "$OUT"

if [ ! -d "$OUT/libvirt/tests/qemuxmlconfdata" ]; then
  tarball="$OUT/libvirt.tar.xz"
  if curl -fsSL -o "$tarball" "${DEBIAN_MIRROR:-https://deb.debian.org/debian}/pool/main/libv/libvirt/libvirt_$LIBVIRT.orig.tar.xz" &&
    echo "$LIBVIRT_SHA256  $tarball" | sha256sum --check --quiet; then
    mkdir -p "$OUT/libvirt"
    tar -xJf "$tarball" -C "$OUT/libvirt" --strip-components=1 --wildcards '*/tests/qemuxmlconfdata'
  else
    echo "libvirt's tests could not be fetched: the test that reads them will skip."
  fi
  rm -f "$tarball"
fi

if [ ! -d "$OUT/proxmox/src/test/cfg2cmd" ]; then
  rm -rf "$OUT/proxmox"
  git init -q "$OUT/proxmox"
  if ! { git -C "$OUT/proxmox" fetch -q --depth 1 "${PROXMOX_REPOSITORY:-https://github.com/proxmox/qemu-server}" "$PROXMOX" &&
    git -C "$OUT/proxmox" checkout -q FETCH_HEAD -- src/test/cfg2cmd; }; then
    rm -rf "$OUT/proxmox"
    echo "Proxmox's tests could not be fetched: the test that reads them will skip."
  fi
fi

if [ ! -e "$OUT/nova/.ok-$NOVA" ]; then
  rm -rf "$OUT/nova"
  if python3 -m venv "$OUT/nova" && "$OUT/nova/bin/pip" install -q "nova==$NOVA"; then touch "$OUT/nova/.ok-$NOVA"; else
    rm -rf "$OUT/nova"
    echo "Nova could not be installed: the test that runs it will skip."
  fi
fi
ls "$OUT"
