#!/usr/bin/env bash
# Puts PySpark (PyPI, 500 MB) and, where there is no Java, a JRE (Debian) in place for test/integrations/python.test.ts, which skips without
# them. Does nothing, fast, when both are there.
set -euo pipefail
cd "$(dirname "$0")/.."

PYSPARK=4.0.1
PANDAS=2.3.3
PYARROW=21.0.0
OUT=.integration-tools/spark

# PySpark 4 runs on Java 17 and later.
if ! command -v java >/dev/null; then
  SUDO=
  [ "$(id -u)" = 0 ] || SUDO=sudo
  $SUDO apt-get update -qq
  $SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless >/dev/null
fi
if [ ! -e "$OUT/.ok-$PYSPARK-$PANDAS" ]; then
  python3 -m venv --clear "$OUT"
  "$OUT/bin/pip" install --quiet "pyspark==$PYSPARK" "pandas==$PANDAS" "pyarrow==$PYARROW"
  touch "$OUT/.ok-$PYSPARK-$PANDAS"
fi
java -version 2>&1 | head -n 1
