//! Tests of valid processes: no rule rejects more than it should.

use crate::model;
use cot_syntax::diagnostics::Errors;

fn refused(source: &str) -> String {
    let errors = Errors::new();
    let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
    let model = model::build(&syntax, &errors);
    super::check(model, &errors);
    errors.into_tokens().to_string()
}

#[track_caller]
fn accept(source: &str) {
    assert_eq!(refused(source), "");
}

#[test]
fn every_item_of_every_kind() {
    accept(include_str!("everything.in.rs"));
}

#[test]
fn a_route_for_what_goes_wrong_is_a_way() {
    accept(
        "process Routes {
            state: State,
            task write { run: work, on: { exhausted => help }, next: write }
            task help -> Text { ask: \"What now?\", next: done }
            task done { end }
        }",
    );
}

#[test]
fn gateways_loop_where_something_changes() {
    accept(
        "process Timers {
            state: State,
            task poll { next: { done if state.ready, sleep } }
            task sleep { wait: 1m, next: poll }
            task done { end }
        }",
    );
    accept(
        "process Counters {
            state: State,
            task start { next: count with 1 }
            task count { inputs: u32, next: { done if *inputs > 3, again with inputs + 1 } }
            task again { inputs: u32, next: count with *inputs }
            task done { end }
        }",
    );
}

#[test]
fn a_task_may_be_the_last() {
    accept("process One { state: State, task only -> Text { update: text, may_end } }");
    // A called task returns to its caller, even if it can also be the last one.
    accept(
        "process Called {
            state: State,
            task write -> Text { transitions: { look }, may_end }
            task look -> Text { update: text, on: { exhausted => ask } }
            task ask -> Text { ask: \"What?\", update: text }
        }",
    );
    accept(
        "process Both {
            state: State,
            task write -> Text { transitions: { look }, next: look }
            task look -> Text { update: text, may_end }
        }",
    );
}

#[test]
fn inputs_are_used_where_a_function_sees_them() {
    accept(
        "process Functions {
            state: State,
            task choose -> Text { process_output: apply -> [search, write] }
            task search { inputs: Query, run: find, next: choose }
            task write -> Text { inputs: Query, prompt: words, next: each with output }
            task each -> Text { inputs: Text, mock: mocked, for_each: item in &state.items, next: done }
            task done { end }
        }",
    );
}

#[test]
fn only_what_is_sure_is_unused() {
    accept(
        "process Written {
            state: { input _trace: Id, result: Text, whole: u32 = 0 },
            task write -> Text { update: { result = output }, next: check }
            task check { next: { done if valid(state), write } }
            task done { end }
        }",
    );
}

#[test]
fn a_mistake_hides_what_follows_from_it() {
    for source in [
        "task each -> Text { for_each: item, max_concurrency: 3, prompt: \"${item}\", next: done }",
        "task write -> Text { inputs: 5, prompt: \"${inputs}\", next: done }",
        "task write -> Text { on: { timeout => dome }, next: done } task dune { end }",
        "task search { run: 5, max_retries: 2, next: done }",
        "task think { reason: 5, update: thought, next: { done if output.steps.is_empty(), done } }",
        "task think { reason: \"Why?\", run: work, update: { thought = output.steps }, next: done }",
        "task think { reason: \"Why?\", transitions: { done if state.ready }, next: done }",
        "task twice { run: work, end, max_tokens: 5 }",
        "budget: { token: 5 }, task write { next: done }",
        "model: [5, 6], task write { next: done }",
    ] {
        let source = format!("process Wrong {{ state: State, {source} task done {{ end }} }}");
        let errors = refused(&source).matches("compile_error").count();
        assert_eq!(errors, 1, "{source}: {}", refused(&source));
    }
}
