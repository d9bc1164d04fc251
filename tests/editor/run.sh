#!/usr/bin/env bash
# What rust-analyzer shows within `cot_process!`, asked from a real server.
#
#   run.sh [completions|navigation|diagnostics|broken|all]    fails if a target is missed
#   run.sh latency [--check]                                  measures; fails only with --check
#
# The server is $COT_RUST_ANALYZER, or `rust-analyzer` in the PATH, or it is built, which takes about
# 20 minutes on two cores. It needs the sources of the standard library: $RUST_SRC, or those of the
# toolchain (`rustup component add rust-src`), or a package of Debian. Needs python3 and nothing from
# its package index. All files go to $COT_EDITOR_DIR, which defaults to `editor` in cargo's target folder.
set -euo pipefail

SERVER=0.0.334

main() {
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    export COT_PROJECT=${here%/tests/editor}
    folder=${COT_EDITOR_DIR:-${CARGO_TARGET_DIR:-$COT_PROJECT/target}/editor}
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    find_server
    find_sources
    export COT_EDITOR_DIR=$folder COT_RUST_ANALYZER=$server RUST_SRC=$sources
    PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/main.py" "$@"
}

# rustup puts a `rust-analyzer` into the PATH that only says that the component is missing.
find_server() {
    local candidate
    for candidate in "${COT_RUST_ANALYZER:-}" rust-analyzer "$folder/bin/rust-analyzer"; do
        if [[ -n $candidate ]] && "$candidate" --version >/dev/null 2>&1; then
            server=$(command -v "$candidate")
            return
        fi
    done
    echo "building rust-analyzer $SERVER under $folder, which takes about 20 minutes" >&2
    cargo install --locked --root "$folder" --target-dir "$folder/server" ra_ap_rust-analyzer --version "$SERVER"
    server=$folder/bin/rust-analyzer
}

find_sources() {
    sources=${RUST_SRC:-$(rustc --print sysroot)/lib/rustlib/src/rust/library}
    [[ ! -f $sources/core/Cargo.toml ]] || return 0
    [[ -z ${RUST_SRC:-} ]] || fail "no standard library in $RUST_SRC"
    sources=$(unpacked_sources)
    [[ -n $sources ]] || { unpack_sources; sources=$(unpacked_sources); }
    [[ -n $sources ]] || fail "no sources of the standard library: run \`rustup component add rust-src\`"
}

# Not `rust-src`, which is too old on Debian 12: the server panics on it.
unpack_sources() {
    command -v apt-get >/dev/null || return 0
    (
        cd "$folder"
        apt-get update -qq
        apt-get download -qq rust-web-src
        dpkg-deb -x rust-web-src_*.deb library
    ) >&2
}

# Not found by name: the tests of cargo in the package have a `library/core` too, which is a mock.
unpacked_sources() {
    local candidate
    for candidate in "$folder"/library/usr/src/rustc-*/library; do
        [[ ! -f $candidate/core/Cargo.toml ]] || echo "$candidate"
    done
}

fail() {
    echo "run.sh: $1" >&2
    exit 1
}

main "$@"
