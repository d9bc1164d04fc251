//! A run of all kinds of tasks that is interrupted anywhere ends as if it had not been.

use std::{collections::BTreeSet, fmt::Write, time::Duration};

use cot_core::{
    Action, CallId, Directive, Event, EventOutcome, FunctionError, Machine, MachinePoll,
    ResumeOptions, Snapshot, TaskId, Usage,
    model::{FinishReason, ModelError, ModelErrorKind, ModelReply},
};
use proptest::{prelude::*, sample::Index, test_runner::Config};
use serde_json::{Value, json};

use super::{
    drive::{result_of, resumed, seen},
    firm::{Books, Firm},
};
use crate::drive::{Note, go, note, started};

/// What comes of something that is under way.
#[derive(Debug, Clone)]
enum Coming {
    Reply(ModelReply),
    Unreachable,
    TimedOut,
    Stale,
    Wrong,
    Well,
}

fn reply() -> impl Strategy<Value = ModelReply> {
    let note = ("[a-c]{1,3}", 0..900_u32).prop_map(|(text, rank)| note(&text, rank));
    const TARGETS: &[&str] =
        &["write", "count", "ask", "each", "team", "each", "team", "done", "nowhere"];
    let choice = prop::sample::select(TARGETS).prop_map(go);
    let with = "[a-c]{0,3}".prop_map(|name| {
        let mut choice = go("ask");
        choice["inputs"] = json!({ "name": name });
        choice
    });
    let place = "[a-c]{1,3}".prop_map(|name| json!({ "name": name }));
    let value = prop_oneof![3 => note, 4 => choice, 2 => with, 3 => place];
    let finish = prop_oneof![
        30 => Just(FinishReason::Stop),
        1 => Just(FinishReason::Length),
        1 => Just(FinishReason::Refusal),
    ];
    (value, finish, 0..500_u64).prop_map(|(value, finish, tokens)| {
        let usage = Usage::for_call(tokens, tokens);
        ModelReply::from(value).usage(usage).finish(finish)
    })
}

fn coming() -> impl Strategy<Value = Coming> {
    prop_oneof![
        10 => reply().prop_map(Coming::Reply),
        40 => Just(Coming::Well),
        3 => Just(Coming::Wrong),
        2 => Just(Coming::Unreachable),
        1 => Just(Coming::TimedOut),
        2 => Just(Coming::Stale),
    ]
}

/// The event that something comes to; `None` when nothing is under way.
fn event<T: TaskId>(
    directives: &[Directive<T>],
    coming: &Coming,
    which: usize,
    secs: u64,
) -> Option<Event> {
    let directive = directives.get(which % directives.len().max(1))?;
    let (id, elapsed) = (directive.id, Duration::from_secs(secs));
    let fits = match &directive.action {
        Action::RunFunction(_) => {
            let result = match coming {
                Coming::Wrong => Ok(json!([])),
                Coming::Unreachable => Err(FunctionError::new("broken")),
                _ => result_of(directive),
            };
            Event::Ran { id, result, elapsed }
        }
        Action::AskHuman(question) => {
            let is_bool = question.schema.json()["properties"]["value"]["type"] == "boolean";
            let answer = match coming {
                Coming::Reply(reply) => serde_json::from_str(&reply.text).unwrap(),
                Coming::Wrong => json!("no"),
                _ if is_bool => json!(!which.is_multiple_of(3)),
                _ => note("an answer", 600 * (which as u32 % 2)),
            };
            Event::Answered { id, answer, elapsed: Duration::ZERO }
        }
        Action::Sleep { .. } => Event::Woken { id },
        _ => match coming {
            Coming::Reply(reply) => Event::Replied { id, reply: reply.clone(), elapsed },
            Coming::Unreachable => {
                let error = ModelError::new(ModelErrorKind::Connection, "gone");
                Event::Failed { id, error, elapsed }
            }
            Coming::Wrong => Event::Replied { id, reply: "nonsense".into(), elapsed },
            _ => Event::Replied { id, reply: fitting(&directives[0], which).into(), elapsed },
        },
    };
    Some(match coming {
        Coming::TimedOut if !directive.is_sleep() => Event::TimedOut { id, elapsed },
        Coming::Stale => Event::Woken { id: never() },
        _ => fits,
    })
}

/// An id that no machine gives.
fn never() -> CallId {
    serde_json::from_value(json!(u64::MAX)).unwrap()
}

/// A reply that a model of good will would give.
fn fitting<T: TaskId>(directive: &Directive<T>, which: usize) -> Value {
    let Some(call) = directive.as_model_call() else { return Value::Null };
    let schema = &call.request.schema.as_ref().unwrap().json;
    let mut targets = Vec::new();
    choices(schema, &mut targets);
    match targets.get(which % targets.len().max(1)) {
        Some(target) => {
            let mut choice = go(target);
            if *target == "ask" {
                choice["inputs"] = json!({ "name": "Paris" });
            }
            choice
        }
        None if schema["properties"]["rank"].is_object() => {
            note(&format!("n{which}"), which as u32 % 700)
        }
        None => json!({ "name": "x".repeat(which % 8 + 1) }),
    }
}

/// The targets that a schema offers, wherever in it.
fn choices<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    match schema {
        Value::Object(members) => members.iter().for_each(|(key, inner)| match key.as_str() {
            "goTo" => {
                let names = inner["enum"].as_array().into_iter().flatten().chain([&inner["const"]]);
                found.extend(names.filter_map(Value::as_str));
            }
            _ => choices(inner, found),
        }),
        Value::Array(items) => items.iter().for_each(|inner| choices(inner, found)),
        _ => {}
    }
}

type Turn = (Coming, usize, u64);

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    prop::collection::vec((coming(), 0..1000_usize, 0..25_u64), 0..70)
}

/// Takes in what comes; `None` when the run is over.
fn step(machine: &mut Machine<Firm>, (coming, which, secs): &Turn) -> Option<EventOutcome> {
    let event = event(machine.poll().directives(), coming, *which, *secs)?;
    Some(machine.handle(event))
}

fn firm() -> Machine<Firm> {
    let notes = vec![Note { text: "first".to_owned(), rank: 1 }];
    started(Books { notes, ..Books::default() })
}

fn config() -> Config {
    // A failing case is printed as it is; a file beside the sources would be in everybody's way.
    Config { failure_persistence: None, ..Config::default() }
}

/// Where a run has been.
fn told(machine: &mut Machine<Firm>) -> String {
    machine.drain_events().fold(String::new(), |mut text, event| {
        writeln!(text, "{event:?}").unwrap();
        text
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_interrupted_run_ends_like_one_that_was_not(
        turns in turns(),
        interrupted in any::<u128>(),
    ) {
        let (mut whole, mut pieces) = (firm(), firm());
        whole.record(true);
        pieces.record(true);
        for (number, turn) in turns.iter().enumerate() {
            // Between tasks or attempts, and with the call already made.
            for polled in [0, 1] {
                if polled == 1 {
                    prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
                }
                if interrupted >> ((2 * number + polled) % 128) & 1 == 1 {
                    let before = told(&mut pieces);
                    prop_assert_eq!(told(&mut whole), before);
                    pieces = resumed(&pieces);
                    pieces.record(true);
                    // What is written anew after a snapshot is told anew.
                    whole.poll();
                    pieces.poll();
                    drop((told(&mut whole), told(&mut pieces)));
                }
            }
            prop_assert_eq!(step(&mut whole, turn), step(&mut pieces, turn));
            prop_assert_eq!(told(&mut whole), told(&mut pieces));
        }
        prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
        let json = |machine: &Machine<Firm>| machine.snapshot().unwrap().to_json().unwrap();
        prop_assert_eq!(json(&whole), json(&pieces));
    }

    #[test]
    fn polls_change_nothing_and_stale_events_neither(turns in turns()) {
        let mut machine = firm();
        for turn in &turns {
            let before = seen(&mut machine);
            prop_assert_eq!(&seen(&mut machine), &before);
            let is_stale = matches!(turn.0, Coming::Stale);
            let Some(handled) = step(&mut machine, turn) else { break };
            prop_assert_eq!(handled == EventOutcome::Stale, is_stale, "{:?} {}", handled, before);
            if is_stale {
                prop_assert_eq!(&seen(&mut machine), &before);
            }
            let callers: Vec<_> = machine.callers().collect();
            prop_assert_eq!(callers.iter().collect::<BTreeSet<_>>().len(), callers.len());
            prop_assert!(machine.steps() <= 40 && machine.history().len() <= 6);
        }
    }

    #[test]
    fn a_run_can_be_cancelled_anywhere(turns in turns()) {
        let mut machine = firm();
        for turn in &turns {
            if step(&mut machine, turn).is_none() {
                break;
            }
        }
        let (is_over, state) = (machine.outcome().is_some(), machine.state().cloned());
        let usage = machine.usage();
        let handled = machine.handle(Event::Cancelled { reason: "enough".to_owned(), calls: 0 });
        prop_assert_eq!(handled == EventOutcome::NotRunning, is_over);
        prop_assert!(matches!(machine.poll(), MachinePoll::Finished(_)));
        prop_assert_eq!((machine.state().cloned(), machine.usage()), (state, usage));
        machine.snapshot().unwrap();
        let options = ResumeOptions::new().retry_halted();
        let json = machine.snapshot().unwrap().to_json().unwrap();
        let mut again = Machine::<Firm>::resume(Snapshot::from_json(&json).unwrap(), options).unwrap();
        again.poll();
    }

    #[test]
    fn a_damaged_snapshot_is_refused_or_goes_on(
        turns in turns(),
        place in any::<Index>(),
        damage in damage(),
        then in turns(),
    ) {
        let mut machine = firm();
        for turn in &turns {
            if step(&mut machine, turn).is_none() {
                break;
            }
        }
        machine.poll();
        let mut json = serde_json::to_value(machine.snapshot().unwrap()).unwrap();
        let mut found = Vec::new();
        places(&json["position"], "/position", &mut found);
        for key in ["callers", "visits", "last_failure", "out_of_budget", "inherited", "options"] {
            places(&json[key], &format!("/{key}"), &mut found);
        }
        *json.pointer_mut(&found[place.index(found.len())]).unwrap() = damage;
        let snapshot = Snapshot::from_json(&json.to_string());
        let resumed = snapshot.and_then(|it| Machine::<Firm>::resume(it, ResumeOptions::new()));
        if let Ok(mut machine) = resumed {
            for turn in &then {
                let poll = machine.poll();
                let waits = !poll.directives().is_empty() || matches!(poll, MachinePoll::Finished(_));
                prop_assert!(waits, "{poll:?}");
                step(&mut machine, turn);
            }
        }
    }
}

/// The pointers to all places in a JSON value.
fn places(value: &Value, here: &str, found: &mut Vec<String>) {
    if !value.is_null() {
        found.push(here.to_owned());
    }
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, inner)| places(inner, &format!("{here}/{key}"), found));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, inner)| places(inner, &format!("{here}/{index}"), found));
        }
        _ => {}
    }
}

/// What a damaged place may hold.
fn damage() -> impl Strategy<Value = Value> {
    let extremes = [
        json!(u64::MAX),
        json!(u32::MAX),
        json!(0),
        json!(1),
        json!(2),
        json!(-1),
        json!({}),
        json!([]),
        json!(true),
        Value::Null,
    ];
    let names = ["hub", "write", "count", "ask", "each", "team", "spent", "done", "plan", "sure"];
    prop_oneof![
        3 => prop::sample::select(extremes.to_vec()),
        2 => prop::sample::select(names.to_vec()).prop_map(Value::from),
    ]
}
