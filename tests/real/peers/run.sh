#!/usr/bin/env bash
# Asks a model for the cases of the bench with other libraries, each as its documentation proposes.
#
#   run.sh BASE_URL MODEL JSON_FILE [--peers A,B] [--half choose|hold] [--seed N] [--limit N] [--calls FILE]
#
# Appends a result for each case and peer to JSON_FILE, which `cot-real-bench judge` reads, and skips the cases that
# have one. `--calls` keeps the requests and replies. No script runs it: a person does, against
# `../server.sh start PORT 0.5b`, to see what our texts and our reader are worth beside others.
# Needs python3 (3.11 or newer) and pip. Wheels and the client that BAML generates (some 150 MB) go to $COT_PEERS_DIR,
# which defaults to `peers` in cargo's target folder.
set -euo pipefail

PINS=(baml-py==0.226.3 instructor==1.17.0 openai==3.3.0 pydantic==2.14.4 "pydantic-ai-slim[openai]==2.38.0")

main() {
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    folder=${COT_PEERS_DIR:-${CARGO_TARGET_DIR:-$here/../../../target}/peers}
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    python=$folder/venv/bin/python
    install_wheels
    generate_client
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$folder exec "$python" "$here/peers.py" "$@"
}

install_wheels() {
    local installed=$folder/venv/installed
    [[ $(cat "$installed" 2>/dev/null) == "${PINS[*]}" ]] && return
    rm -rf "$folder/venv"
    # Without a pip of its own, which some systems package apart from Python.
    python3 -m venv --without-pip "$folder/venv"
    python3 -m pip --python "$python" install --quiet --disable-pip-version-check \
        --no-input --only-binary :all: "${PINS[@]}"
    echo "${PINS[*]}" >"$installed"
}

# The client is written beside its source, which is therefore copied.
generate_client() {
    rm -rf "$folder"/baml_{src,client}
    cp -r "$here/baml_src" "$folder/baml_src"
    "$folder/venv/bin/baml-cli" generate --from "$folder/baml_src" >"$folder/generate.log" 2>&1 ||
        { cat "$folder/generate.log" >&2 && exit 1; }
}

main "$@"
