#!/usr/bin/env bash
# llama.cpp's HTTP server with a tiny model of random weights, for the tests.
#
#   server.sh install                   install what is missing
#   server.sh start PORT [FILE NAME]    the same, start, wait until healthy, print the base URL; with the model in a file
#   server.sh stop PORT                 stop the server that `start` began on that port, if any
#
# Needs python3 (3.11 or newer) and pip; installs prebuilt wheels alone. All files (some 200 MB) go to
# $COT_LLAMA_DIR, which defaults to `llama` in cargo's target folder. All commands may be repeated.
set -euo pipefail

PINS=(xllamacpp==2026.10.11549 gguf==0.19.0 numpy==2.4.6)
START_SECONDS=60
STOP_SECONDS=10

main() {
    [[ "$*" =~ ^(install|(start|stop)\ [0-9]+|start\ [0-9]+\ .+\ [^ ]+)$ ]] ||
        fail "usage: server.sh install, server.sh start PORT [FILE NAME], server.sh stop PORT"
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    folder=${COT_LLAMA_DIR:-${CARGO_TARGET_DIR:-$here/../../target}/llama}
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    python=$folder/venv/bin/python
    port=${2:-}
    model=${3:-}
    name=${4:-}
    log=$folder/$port.log
    pid_file=$folder/$port.pid
    "$1"
}

start() {
    if running; then
        wait_until_healthy
        return
    fi
    port_is_free || fail "port $port is taken by another program"
    install
    nohup "$python" "$here/serve.py" "$model" "$port" ${name:+"$name"} >"$log" 2>&1 </dev/null &
    echo $! >"$pid_file"
    wait_until_healthy
}

stop() {
    if running; then
        kill "$pid"
        wait_until_gone || kill -KILL "$pid"
        wait_until_gone || fail "process $pid does not end"
    fi
    rm -f "$pid_file"
}

install() {
    install_wheels
    [[ -n $model ]] || make_model
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

# The model is named after what made it, so that a changed script makes a new one.
make_model() {
    model=$folder/model-$(cksum <"$here/make_model.py" | cut -d ' ' -f 1).gguf
    [[ -s $model ]] && return
    "$python" "$here/make_model.py" "$model.unfinished"
    mv "$model.unfinished" "$model"
}

# Whether our server runs, and its `pid`. The number alone may belong to another program by now.
running() {
    [[ -s $pid_file ]] || return 1
    pid=$(cat "$pid_file")
    [[ $(command_line) == *serve.py*" $port"* ]]
}

# Small Linux images have no `ps`, other systems have no `/proc`.
command_line() {
    if [[ -d /proc/self ]]; then
        [[ ! -r /proc/$pid/cmdline ]] || tr '\0' ' ' <"/proc/$pid/cmdline"
    else
        ps -p "$pid" -o args= || true
    fi
}

wait_until_healthy() {
    local deadline=$((SECONDS + START_SECONDS))
    until healthy; do
        running || { tail -n 20 "$log" >&2; fail "the server ended; its log is $log"; }
        ((SECONDS < deadline)) || { stop; fail "not healthy in $START_SECONDS s; its log is $log"; }
        sleep 0.2
    done
    echo "http://127.0.0.1:$port"
}

wait_until_gone() {
    local deadline=$((SECONDS + STOP_SECONDS))
    while kill -0 "$pid" 2>/dev/null; do
        ((SECONDS < deadline)) || return 1
        sleep 0.1
    done
}

healthy() {
    "$python" - "$port" 2>/dev/null <<'PYTHON'
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=2)
connection.request("GET", "/health")
sys.exit(connection.getresponse().status != 200)
PYTHON
}

port_is_free() {
    ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null
}

fail() {
    echo "server.sh: $*" >&2
    exit 1
}

main "$@"
