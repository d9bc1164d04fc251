#!/usr/bin/env bash
# axe-core for the browser tests, from npm: installs it where it is missing, prints the path of its script.
#
#   COT_AXE=$(tests/browser/axe.sh) COT_CHROMEDRIVER=/usr/bin/chromedriver cargo test -p cot-browser-tests
#
# Needs npm. Some 3 MB go to $COT_AXE_DIR, which defaults to `axe` in cargo's target folder.
set -euo pipefail

VERSION=4.14.1

main() {
    [[ $# == 0 ]] || fail "usage: axe.sh"
    command -v npm >/dev/null || fail "npm is missing: install it with Node.js"
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    folder=${COT_AXE_DIR:-${CARGO_TARGET_DIR:-$here/../../target}/axe}
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    is_installed || install
    is_installed || fail "npm installed no axe-core under $folder"
    echo "$folder/node_modules/axe-core/axe.min.js"
}

install() {
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
        "axe-core@$VERSION" >&2
}

is_installed() {
    local package=$folder/node_modules/axe-core
    [[ -f $package/axe.min.js ]] && grep -q "\"version\": \"$VERSION\"" "$package/package.json"
}

fail() {
    echo "axe.sh: $*" >&2
    exit 1
}

main "$@"
