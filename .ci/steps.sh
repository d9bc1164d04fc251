# Steps with a name and a time, for `.ci/run` and `.ci/long`, which source this file.
#
# A script calls `begin`, one `step` for each of its steps, or `setup` for what later steps need, and `end`. It stops
# at the first step that fails and names it in the last line. At the end it prints a table of the steps in seconds.
# With the name of a step as its argument it begins there, so that the steps after one that failed can be run.

begin() {
    from=${1-}
    exec </dev/null
    trap finish EXIT
    trap 'exit 130' INT TERM
    # Nothing here is changed and built again.
    export CARGO_INCREMENTAL=0
    # A change is judged by the same random cases each time; each run by hand has new ones.
    export PROPTEST_RNG_SEED=7
    setup "toolchain" toolchain
    setup "lock file" cargo fetch --locked
}

# Not behind `if` or `||`, which would switch `set -e` off in the step.
step() {
    if [[ -n $from && $1 != "$from" ]]; then
        return
    fi
    from=""
    setup "$@"
}

setup() {
    close_step
    current=$1
    began=$SECONDS
    printf '\n=== %s (at %s s)\n' "$current" "$SECONDS"
    shift
    "$@"
}

end() {
    close_step
    if [[ -n $from ]]; then
        echo "there is no step \"$from\""
        return 1
    fi
    passed=1
}

# Adds the current step to the table.
close_step() {
    [[ -z $current ]] || table+="| $current | $((SECONDS - began)) |"$'\n'
    current=""
}

toolchain() {
    local name
    for name in rustfmt clippy; do
        cargo "${name/rustfmt/fmt}" --version || rustup component add "$name"
    done
    rustc --version
}

# Sets `port` to a free one.
find_port() {
    port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
}

# What a script has to stop or to await, whether it passes or fails.
cleanup() { :; }

finish() {
    local status=$? failed=$current
    cleanup || status=1
    close_step
    printf '\n| step | seconds |\n|---|---|\n%s| all | %s |\n' "$table" "$SECONDS"
    if [[ $status == 0 && -n $passed ]]; then
        printf '\n%s: passed in %s s\n' "$0" "$SECONDS"
    else
        printf '\n%s: FAILED in step "%s" after %s s\n' "$0" "$failed" "$SECONDS" >&2
        exit $((status == 0 ? 1 : status))
    fi
}

current="" from="" began=0 table="" passed=""
