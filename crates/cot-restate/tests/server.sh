#!/usr/bin/env bash
# The Restate server for the tests, from npm: installs it where it is missing, prints its path.
#
#   COT_RESTATE_SERVER=$(crates/cot-restate/tests/server.sh) cargo test -p cot-restate --test all
#
# Needs npm. Some 220 MB go to $COT_RESTATE_DIR, which defaults to `restate` in cargo's target folder. The
# tests start and stop servers themselves, each in a folder of its own, on free ports of 127.0.0.1. The
# server is under the Business Source License 1.1, which allows this; nothing of it is part of the project.
set -euo pipefail

VERSION=1.7.12

main() {
    [[ $# == 0 ]] || fail "usage: server.sh"
    command -v npm >/dev/null || fail "npm is missing: install Node.js, or give the path of a restate-server"
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    folder=${COT_RESTATE_DIR:-${CARGO_TARGET_DIR:-$here/../../../target}/restate}
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    find_server || install
    find_server || fail "npm installed no server for this system under $folder"
    echo "$server"
}

install() {
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
        "@restatedev/restate-server@$VERSION" >&2
}

# The package holds one binary, in the folder of the system that it is for.
find_server() {
    server=$(find "$folder/node_modules/@restatedev" -path '*/bin/restate-server' -type f -perm -u+x \
        -print -quit 2>/dev/null) || return 1
    [[ -n $server && $("$server" --version) == "restate-server $VERSION"* ]]
}

fail() {
    echo "server.sh: $*" >&2
    exit 1
}

main "$@"
