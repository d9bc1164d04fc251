#!/usr/bin/env bash
# The reference server of the Model Context Protocol for the tests, from npm: installs it where it is missing,
# prints the path of its script.
#
#   COT_MCP_SERVER=$(crates/cot-mcp/tests/server.sh) cargo test -p cot-mcp --test mcp
#
# Needs Node.js with npm. Some 32 MB go to $COT_MCP_DIR, which defaults to `mcp` in cargo's target folder. The
# tests start and stop servers themselves, over stdio and on free ports of 127.0.0.1.
set -euo pipefail

PACKAGE=@modelcontextprotocol/server-everything
VERSION=2026.8.31

main() {
    [[ $# == 0 ]] || fail "usage: server.sh"
    command -v node >/dev/null && command -v npm >/dev/null || fail "node or npm is missing: install Node.js"
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    folder=${COT_MCP_DIR:-${CARGO_TARGET_DIR:-$here/../../../target}/mcp}
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    server=$folder/node_modules/$PACKAGE/dist/index.js
    is_installed || install
    is_installed || fail "npm installed no server under $folder"
    echo "$server"
}

install() {
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
        "$PACKAGE@$VERSION" >&2
}

is_installed() {
    [[ -f $server ]] && grep -q "\"version\": \"$VERSION\"" "$folder/node_modules/$PACKAGE/package.json"
}

fail() {
    echo "server.sh: $*" >&2
    exit 1
}

main "$@"
