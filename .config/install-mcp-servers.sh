#!/bin/sh
# Installs MCP servers that nobody here wrote from the npm registry into target/mcp, unless they are there.
set -eu

if [ -d target/mcp/node_modules/@modelcontextprotocol/server-everything ]; then
    exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
    echo "the MCP servers cannot be installed: npm is missing" >&2
    exit 0
fi
npm install --prefix target/mcp --no-audit --no-fund --loglevel=error "$@"
