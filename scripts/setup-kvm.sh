#!/usr/bin/env bash
# Puts what `npm run boot` boots guests with into .kvm-lab: a tree of Debian 13 with QEMU 10, libvirt, a kernel, and an initrd that
# prints its topology. Debian 12 has QEMU 7.2, which has other defaults. The boots skip without it. Does nothing, fast, when it is there.
set -euo pipefail
cd "$(dirname "$0")/.."

LAB=.kvm-lab
TREE="$LAB/tree"

skip() {
  echo "$1: no guest of KVM will be booted."
  exit 0
}

[ "$(id -u)" = 0 ] && [ "$(uname -m)" = x86_64 ] && command -v apt-get >/dev/null || skip "This is no Debian machine of amd64 with root"
done="$LAB/.ok-$(cat scripts/setup-kvm.sh scripts/kvm/init.sh | sha256sum | cut -c1-12)"
[ -e "$done" ] && exit 0

if ! command -v mmdebstrap >/dev/null || ! command -v cpio >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mmdebstrap cpio >/dev/null || skip "mmdebstrap could not be installed"
fi
rm -rf "$LAB" && mkdir -p "$LAB"
# The kernel is unpacked, not installed: its package would make an initrd of its own.
mmdebstrap --quiet --variant=apt --include=qemu-system-x86,libvirt-daemon-driver-qemu,libvirt-clients,busybox-static \
  --customize-hook='kernel=$(chroot "$1" apt-cache depends linux-image-cloud-amd64 | sed -n "s/.*Depends: \(linux-image-[0-9].*\)/\1/p" | head -n 1)
    chroot "$1" sh -c "cd /root && apt-get download -qq -o APT::Sandbox::User=root $kernel && dpkg-deb -x linux-image-*.deb kernel && mv kernel/boot/vmlinuz-* vmlinuz && rm -r kernel linux-image-*.deb"' \
  trixie "$TREE" || skip "Debian 13 could not be fetched"

mkdir -p "$LAB/guest"/{bin,proc,sys}
cp "$TREE/usr/bin/busybox" "$LAB/guest/bin/busybox"
cp scripts/kvm/init.sh "$LAB/guest/init"
chmod +x "$LAB/guest/init"
(cd "$LAB/guest" && find . | cpio --quiet --create --format=newc) | gzip >"$TREE/root/initrd.gz"
touch "$done"
chroot "$TREE" qemu-system-x86_64 --version | head -n 1
