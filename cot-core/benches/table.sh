#!/usr/bin/env bash
# Prints the table of the guide on performance, each row from the command that it names.
#
#   bash cot-core/benches/table.sh            all rows, on a machine that does nothing else
#   bash cot-core/benches/table.sh step each  some of them: step, instructions, waiting, each, branches, monkey, runs, check
#
# What the commands say goes to standard error, so that the table alone is on standard output. The targets are for
# a machine that does nothing else; CI checks wider limits.
set -euo pipefail

main() {
    cd "$(dirname "${BASH_SOURCE[0]}")/../.."
    local row rows=("$@")
    [[ ${#rows[@]} -gt 0 ]] || rows=(step instructions waiting each branches monkey runs check)
    printf '| what | by hand | ours | target | command |\n|---|---|---|---|---|\n'
    for row in "${rows[@]}"; do
        case $row in
            step | instructions | waiting | branches) "$row" < <(bench cot-workloads "$row") ;;
            each | monkey) "$row" < <(bench cot-core "$row") ;;
            runs) runs < <(bench cot-sqlite runs) ;;
            check) check < <(python3 tests/check_time.py | tee /dev/stderr) ;;
            *) echo "there is no row \`$row\`" >&2 && exit 2 ;;
        esac
    done
}

bench() {
    cargo bench -p "$1" --bench "$2" | tee /dev/stderr
}

# A line is a name, then numbers with their units between.
step() {
    awk '$1 == "by_hand" && /µs/ { hand = $2 " µs (least " $4 ")" }
         $1 == "machine" && /µs/ { machine = $2 " µs with `Machine` (least " $4 ", " $6 "x)" }
         $1 == "runner" && /µs/ { runner = $2 " µs with `Runner` (least " $4 ", " $6 "x)" }
         END { print "| a step of `DsBuilder` | " hand " | " machine ", " runner " | at most 1.0x and 1.15x | `cargo bench -p cot-workloads --bench step` |" }'
}

# `instructions of a step: by hand 47118`, then lines like `StepOnMachine 38459, 0.816 of by hand; at most 0.9`.
instructions() {
    awk '/^instructions of/ { split($0, parts, ": by hand "); row = "| " parts[1] " | " parts[2] " | "; first = 1; limits = "" }
         / of by hand/ {
             sub(",", "", $2)
             name = $1 ~ /Machine/ ? "`Machine`" : "`Runner`"
             row = row (first ? "" : ", ") $2 " with " name " (" $3 "x)"
             first = 0
             match($0, /at most [0-9.]+/)
             limit = substr($0, RSTART + 8, RLENGTH - 8) "x"
             limits = limits ? limits " and " limit : "at most " limit
             if ($1 ~ /Runner/) print row " | " limits " | `cargo bench -p cot-workloads --bench instructions` |"
         }'
}

waiting() {
    awk '$1 == "by_hand" { wall = $2; peak = $6 }
         $1 == "runner" {
             printf "| 10,000 runs at once, five calls of 50 ms each: wall time | %s s | %s s (%.2fx) | at most 1.15x | `cargo bench -p cot-workloads --bench waiting` |\n", wall, $2, $2 / wall
             printf "| the same: peak memory a run | %s KiB | %s KiB | | the same |\n", peak, $6
         }'
}

each() {
    awk '/ items, / { what = $1 " items, " $3 " calls at once to a model of 5 ms" }
         $1 == "runner" { ours = $2 }
         $1 == "buffered" { print "| for-each over " what " | " $2 " s (`buffered`) | " ours " s | | `cargo bench -p cot-core --bench each` |" }'
}

# `branches/by_hand        time:   [51.217 ms 51.267 ms 51.316 ms]`
branches() {
    awk '$1 == "branches/by_hand" { hand = $5 " " $6 }
         $1 == "branches/runner" {
             printf "| three branches with a call of 50 ms in each | %s (`tokio::join!`) | %s %s | | `cargo bench -p cot-workloads --bench branches` |\n", hand, $5, $6
         }'
}

monkey() {
    awk '$1 == "median" && /steps a second/ {
             print "| the monkey on the process of `triage` | | " $2 " steps a second | at least 20,000 | `cargo bench -p cot-core --bench monkey` |"
         }'
}

# `FULL alone     1    250     1500/s     1200/s    0.80   (at least 0.8)`: a name may have several words.
runs() {
    awk '/\/s / {
             match($0, / +[0-9]+ +[0-9]+ +[0-9]+\/s/)
             name = substr($0, 1, RSTART - 1)
             split(substr($0, RSTART), numbers, / +/)
             target = substr($NF, 1, length($NF) - 1)
             print "| steps of runs kept in SQLite, " name ", " numbers[2] " at once of " numbers[3] " steps | " numbers[4] " | " numbers[5] " (" numbers[6] "x) | at least " target "x | `cargo bench -p cot-sqlite --bench runs` |"
         }
         /^size:/ { match($0, /[0-9.]+ \(at most/); size = substr($0, RSTART, RLENGTH - 9) }
         /^resumption:/ {
             print "| the file of a run of 1,000 such steps; resuming it | | " size " times its replies and prompts; " $2 " ms | at most 3; under 50 ms | the same |"
         }'
}

# A line of a shape is its name, its tasks, and seconds beyond the same file without the process.
check() {
    awk '$1 == "after" { change = $0; sub(/ +median.*/, "", change) }
         $1 == "difference" {
             print "| `cargo check` of a process " change ", beyond the same file without it | | " $2 " s | | `python3 tests/check_time.py` |"
         }
         $1 == "shape" { in_shapes = 1; next }
         in_shapes && NF == 6 {
             print "| the same: a " $1 " of " $2 " tasks | | " $3 " s | at most " ($2 == 20 ? "0.3" : "1") " s | the same |"
         }'
}

main "$@"
