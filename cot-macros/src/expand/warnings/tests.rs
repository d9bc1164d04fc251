use super::warnings::{placeholder, warnings};
use crate::model;
use cot_syntax::diagnostics::Errors;

fn expanded(source: &str) -> String {
    let errors = Errors::new();
    let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
    let tokens = warnings(&model::build(&syntax, &errors));
    assert!(errors.is_empty());
    tokens.to_string()
}

fn warned(source: &str) -> String {
    let tokens = expanded(source);
    let notes = tokens.split("deprecated (note = \"").skip(1);
    let notes: Vec<_> = notes.filter_map(|note| note.split('"').next()).collect();
    notes.join("\n")
}

#[test]
fn a_person_may_be_late_with_a_route() {
    let source = |on: &str, with: &str| {
        format!(
            "{with} process P {{ state: S, task ask -> A {{ ask: \"?\", timeout: 1h, {on} next: done }}
            task done {{ end }} }}"
        )
    };
    assert!(warned(&source("", "")).starts_with("the run halts if nobody answers task `ask`"));
    assert_eq!(warned(&source("on: { timeout => done },", "")), "");
    let silenced = expanded(&source("", "#[allow(deprecated)]"));
    assert!(silenced.starts_with("# [allow (deprecated)] const _"), "{silenced}");
}

#[test]
fn a_call_that_is_made_once_has_a_route_for_an_unknown_outcome() {
    let code = |more: &str, route: &str| {
        format!(
            "process P {{ state: S, start: pay, task pay -> A {{ run: pay, effect: once, {more} next: done }}
            {route} task done {{ end }} }}"
        )
    };
    let note = "the run halts if it is not known whether a call of task `pay` took effect";
    assert!(warned(&code("", "")).starts_with(note));
    assert_eq!(warned(&code("on: { interrupted => done },", "")), "");
    assert_eq!(warned(&code("for_each: a in state.list, collect: ok,", "")), "");
    let parallel = "parallel all [pay, pay2] => done { on: { interrupted => done } }
        task pay2 -> A { run: pay, effect: once, next: done }";
    assert_eq!(warned(&code("", parallel)), "");
    let asks = |on: &str| {
        format!(
            "process P {{ state: S, tools: {{ pay: pay \"Pays\" {{ effect: once }} }},
            task pay -> A {{ prompt: \"?\", tools: [pay], {on} next: done }} task done {{ end }} }}"
        )
    };
    assert!(warned(&asks("")).starts_with(note));
    assert_eq!(warned(&asks("on: { interrupted => done },")), "");
}

#[test]
fn the_history_in_the_state_is_filled_by_something() {
    let source = |field: &str, limits: &str, items: &str| {
        format!(
            "process P {{ state: {{ {field} = Default::default() }}, {limits}
            task ask -> A {{ prompt: \"Ask\", {items} next: done }} task done {{ end }} }}"
        )
    };
    let history = "history: cot_core::History";
    assert!(warned(&source(history, "", "")).starts_with("the field `history` stays empty"));
    let bounded = "history: { max_items: 3 },";
    assert!(warned(&source(history, bounded, "")).starts_with("the field `history` stays"));
    for (field, limits, items) in [
        ("history: Vec<Entry>", "", ""),
        ("past: History", "", ""),
        (history, "history: { state_max_items: 3 },", ""),
        (history, "", "update: { history = kept },"),
        (history, "", "process_output: keep,"),
    ] {
        assert_eq!(warned(&source(field, limits, items)), "", "{field} {limits} {items}");
    }
}

#[test]
fn placeholders_are_written_with_both() {
    let found =
        ["a {state.x} b", "$state.a.b. c", "{state.}", "state.x", "{ state.x: 1 }", "{state.x"];
    let found = found.map(placeholder);
    assert_eq!(found, [Some("{state.x}"), Some("$state.a.b"), None, None, None, None]);
    let source = "process P { state: S, task ask -> A { prompt: \"Of {state.x}\", next: done }
        task done { end } }";
    assert!(
        warned(source).starts_with("the model sees `{state.x}` as it stands: write `${state.x}`")
    );
}
