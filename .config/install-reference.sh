#!/bin/sh
# Installs the reference program from the npm registry into target/peer, unless it is there.
set -eu

if [ -n "${RECTO_REFERENCE:-}" ] || [ -d target/peer/node_modules/@openai ]; then
    exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
    echo "the reference cannot be installed: npm is missing" >&2
    exit 0
fi
npm install --prefix target/peer --no-audit --no-fund --loglevel=error "$1"
