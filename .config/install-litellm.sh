#!/bin/sh
# Installs the LiteLLM proxy (PyPI) and a mock of a chat server (npm) into target/peer, unless they are there.
set -eu

# The program names the python of its virtual environment by a path, which a checkout that was moved no longer has.
program=target/peer/litellm/bin/litellm
if [ ! -x $program ] || [ ! -x "$(sed -n '1s/^#!//p' $program)" ]; then
    rm -rf target/peer/litellm
    if ! python3 -m venv target/peer/litellm; then
        echo "LiteLLM cannot be installed: python3 with venv is missing" >&2
        exit 0
    fi
    target/peer/litellm/bin/pip install --quiet --disable-pip-version-check "$1"
fi
if [ ! -x target/peer/mock-llm/node_modules/.bin/mock-llm ]; then
    if ! command -v npm >/dev/null 2>&1; then
        echo "the mock of a chat server cannot be installed: npm is missing" >&2
        exit 0
    fi
    npm install --prefix target/peer/mock-llm --no-audit --no-fund --loglevel=error "$2"
fi
