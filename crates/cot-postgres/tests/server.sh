#!/usr/bin/env bash
# A Postgres server for the tests, on 127.0.0.1 alone, with a folder of its own.
#
#   server.sh start PORT     make a database, start the server, print its address
#   server.sh stop PORT      stop the server that `start` began on that port, if any, and remove its folder
#   server.sh restart PORT   stop it at once, as a crash does, and start it again with its data
#   server.sh programs       print the folder of the server's programs; install Debian's package if there are none
#
# The folder is $COT_POSTGRES_DIR, which defaults to one in /tmp, since an unprivileged user owns it: `initdb` refuses to
# run as root. With another user than root, that user runs the server.
set -euo pipefail

main() {
    [[ "$*" =~ ^((start|stop|restart) [0-9]+|programs)$ ]] ||
        fail "usage: server.sh start PORT, server.sh stop PORT, server.sh restart PORT, server.sh programs"
    find_programs
    [[ $1 != programs ]] || { echo "$programs"; return; }
    port=$2
    folder=${COT_POSTGRES_DIR:-/tmp/cot-postgres}-$port
    data=$folder/data
    case $1 in
        start) start ;;
        stop) stop fast && rm -rf "$folder" ;;
        restart) stop immediate && launch ;;
    esac
}

find_programs() {
    programs=$(newest_programs)
    if [[ -z $programs ]]; then
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qqy postgresql; } >&2
        programs=$(newest_programs)
    fi
    [[ -n $programs ]] || fail "there is no Postgres server in /usr/lib/postgresql"
}

newest_programs() {
    local bin newest=""
    for bin in /usr/lib/postgresql/*/bin; do
        [[ ! -x $bin/initdb ]] || newest=$bin
    done
    echo "$newest"
}

start() {
    if [[ ! -d $data ]]; then
        mkdir -p "$folder"
        [[ $EUID != 0 ]] || chown nobody "$folder"
        unprivileged "$programs/initdb" --pgdata "$data" --auth trust --username cot --encoding UTF8 --locale C.UTF-8 \
            >"$folder/initdb.log" 2>&1 || fail "initdb failed: $(<"$folder/initdb.log")"
    fi
    launch
}

launch() {
    # Many stores of tests have connections at the same time.
    local options="-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=$folder -c max_connections=300"
    unprivileged "$programs/pg_ctl" start --pgdata "$data" --wait --silent --log "$folder/server.log" --options "$options" \
        </dev/null >/dev/null 2>&1 || fail "the server did not start: $(tail -n 20 "$folder/server.log")"
    echo "postgres://cot@127.0.0.1:$port/postgres"
}

stop() {
    [[ ! -f $data/postmaster.pid ]] ||
        unprivileged "$programs/pg_ctl" stop --pgdata "$data" --wait --silent --mode "$1" >/dev/null
}

# The user of the server needs no right but to its folder.
unprivileged() {
    if [[ $EUID == 0 ]]; then
        (cd "$folder" && setpriv --reuid nobody --regid nogroup --clear-groups "$@")
    else
        "$@"
    fi
}

fail() {
    echo "server.sh: $*" >&2
    exit 1
}

main "$@"
