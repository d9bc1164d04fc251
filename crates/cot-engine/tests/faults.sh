#!/usr/bin/env bash
# Proves that the tests of the engine find faults: makes one after the other in a copy of the tree, and fails unless
# the test of the rule that it breaks fails.
#
#     crates/cot-engine/tests/faults.sh
#
# Needs git, cargo and python3. The copy and its builds are under `target/faults`, where the next run finds what has not
# changed; the sources are never changed. A fault whose text occurs no more, or more than once, is a failure: change it
# with the source.
set -euo pipefail

# The file below `src`, the text, the text with the fault, and the test that has to find it.
faults() {
    fault run/limits.rs \
        'self.steps_with_branches() >= *limit' 'self.steps_with_branches() > *limit' \
        model::limits::steps_are_limited_and_retries_are_none
    fault run/limits.rs \
        'is_exhausted_by(&self.usage_with(in_flight))' 'is_exhausted_by(&self.usage_with(in_flight * 0))' \
        each::models::no_more_calls_are_begun_than_the_budget_has
    fault run/callers.rs \
        'self.unwind(to);' '' \
        model::routing::a_transition_to_a_waiting_task_unwinds_to_it
    fault run/callers.rs \
        'caller.task == current || callers' 'callers' \
        model::resuming::what_contradicts_itself_is_refused
    fault run/phase/function_call.rs \
        'Failure::TimedOut => policy.retry.timeouts' 'Failure::TimedOut => true' \
        function::a_function_that_takes_too_long_is_not_run_again
    fault run/phase/function_call.rs \
        'Event::Interrupted { .. } if self.is_started' 'Event::Interrupted { .. } if !self.is_pausing' \
        tools::bad_input::stale_events_change_nothing
    fault run/phase/human.rs \
        'self.attempts.add_time(elapsed);' 'self.attempts.add_time(Duration::ZERO);' \
        human::an_answer_that_is_refused_does_not_extend_the_time
    fault run/phase/timer.rs \
        'has_waited: true' 'has_waited: false' \
        function::what_a_function_returns_is_committed_and_remembered
    fault run/phase/each/lanes.rs \
        'self.lanes.time(self.lane)' 'self.lanes.longest' \
        each::models::calls_at_once_take_the_time_of_the_slowest
    fault run/phase/each/group.rs \
        'cx.facts.drop_model_calls(self.members.model_calls());' '' \
        each::models::an_item_that_fails_ends_the_task_and_the_rest_is_not_asked
    fault run/phase/branches.rs \
        'Join::Any => Some(self.join(cx)),' 'Join::Any => are_over.then(|| self.join(cx)),' \
        branches::joining::the_first_branch_at_the_join_wins
    fault run/phase/tools/call.rs \
        'self.policy.effect == Effect::Repeatable && !self.needs_approval' 'true' \
        tools::rounds::calls_with_an_effect_are_made_one_after_the_other
    fault snapshot/compatibility.rs \
        '!(rules.accepts_changed_prompts && conflict.is_prompt())' '!conflict.is_prompt()' \
        model::resuming::other_prompts_are_accepted_where_that_is_allowed
}

main() {
    cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
    root=$PWD
    tree=$root/target/faults/tree
    log=$root/target/faults/log
    # Not the target folder of the tree: packages of a copy are the same for cargo, which would take a build with a
    # fault for one of the sources.
    export CARGO_TARGET_DIR=$root/target/faults/build CARGO_INCREMENTAL=1 RUST_BACKTRACE=0
    copy_tree
    cd "$tree"
    echo "without a fault"
    test_engine || { tail -n 40 "$log"; echo "faults: the tests fail without a fault"; exit 1; }
    faults
    if [[ $missed != 0 ]]; then
        echo "faults: $found of $((found + missed)) found"
        exit 1
    fi
    echo "faults: all $found found, each by its test"
}

# What git would commit, with files that are new. Their times are those of now, since an earlier copy was built with
# faults.
copy_tree() {
    rm -rf "$tree"
    mkdir -p "$tree"
    git ls-files -z --cached --others --exclude-standard |
        while IFS= read -r -d '' file; do [[ ! -f $file ]] || printf '%s\0' "$file"; done |
        tar -c --null -T - | tar -x -C "$tree"
    find "$tree/crates/cot-engine" -name '*.rs' -exec touch {} +
}

# fault <file> <text> <text with the fault> <test>
fault() {
    local file=crates/cot-engine/src/$1 test=$4
    cp "$file" "$root/target/faults/sound.rs"
    if ! replace "$file" "$2" "$3"; then
        miss "$1: the text of the fault does not occur once: $2"
        return
    fi
    if test_engine --exact "$test"; then
        miss "$1: no test fails, and $test should: $3"
    elif grep -q "^test $test \.\.\. FAILED" "$log"; then
        found=$((found + 1))
        echo "found: $1: $test"
    else
        tail -n 20 "$log"
        miss "$1: $test was not run, or the fault does not compile: $3"
    fi
    # A copy has the time of now, so that cargo sees the change.
    cp "$root/target/faults/sound.rs" "$file"
}

replace() {
    python3 - "$@" <<'PYTHON'
import pathlib, sys
path, text, fault = pathlib.Path(sys.argv[1]), *sys.argv[2:4]
source = path.read_text()
if source.count(text) != 1:
    sys.exit(1)
path.write_text(source.replace(text, fault))
PYTHON
}

test_engine() {
    cargo test --offline -p cot-engine --test engine -- "$@" >"$log" 2>&1
}

miss() {
    missed=$((missed + 1))
    echo "MISSED: $1"
}

found=0 missed=0
main "$@"
