//! A run that is interrupted anywhere among its items ends as if it had not been.

use std::time::Duration;

use cot_engine::{
    Action, Effect, Event, EventOutcome, FunctionError, ResumeOptions,
    private::{Collect, Definition, HistoryLimit, OnRoutes, RetryDefinition},
};
use cot_model::{ModelError, ModelErrorKind, ModelReply};
use proptest::{prelude::*, test_runner::Config};
use serde_json::{Value, json};

use crate::harness::{
    Call, NOTE, PROCESS, Run, ai, append, each_ai, each_code, each_process, end, human, note,
    process, seconds,
};

const RETRY: RetryDefinition = RetryDefinition {
    calls: Some(1),
    backoff: (seconds(1), seconds(2)),
    ..RetryDefinition::DEFAULT
};

process! {
    Bakery {
        plan: ai("plan").output(NOTE).commit(append).next(&[Self::bake]),
        bake: each_code(Effect::Once)
            .items(Some(2), Collect::All)
            .on(OnRoutes { interrupted: Some(Self::taste), ..OnRoutes::NONE })
            .next(&[Self::taste]),
        taste: human("How is it?")
            .max_retries(1)
            .wait(seconds(2))
            .output(NOTE)
            .commit(append)
            .next(&[Self::done]),
        done: end(),
    }
    definition: Definition { max_retries: Some(1), history: HistoryLimit::Last(3), ..PROCESS };
}

process! {
    /// For-each tasks of every kind, one after the other.
    Milling {
        weigh: each_code(Effect::Repeatable)
            .retry(RETRY)
            .items(Some(3), Collect::Ok)
            .timeout(seconds(30))
            .next(&[Self::stamp]),
        stamp: each_code(Effect::Once).items(Some(2), Collect::Ok).next(&[Self::label]),
        label: each_ai().output(NOTE).retry(RETRY).items(Some(2), Collect::Ok).next(&[Self::bake]),
        bake: each_process::<Bakery>()
            .items(Some(3), Collect::Ok)
            .max_retries(1)
            .timeout(seconds(100))
            .next(&[Self::done]),
        done: end(),
    }
    definition: Definition { max_retries: Some(1), history: HistoryLimit::Last(3), ..PROCESS };
}

/// Each sack is the state of a bakery.
fn mill() -> Run {
    let sacks: Vec<Value> =
        (0..7).map(|sack| json!({ "sack": sack, "items": [1, 2, 3] })).collect();
    Run::start::<Milling>(json!({ "items": sacks }))
}

/// What happens to which of the calls in flight, after how long.
type Turn = (u8, usize, u64);

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    prop::collection::vec((0..20_u8, 0..1000_usize, 0..6_u64), 0..160)
}

fn event(call: &Call, what: u8, elapsed: Duration) -> Event {
    let id = call.id;
    match &call.action {
        Action::Sleep { .. } => Event::Woken { id },
        _ if what == 0 => Event::TimedOut { id, elapsed },
        Action::RunFunction(function)
            if function.effect() == Effect::Once && !function.is_started() =>
        {
            Event::Started { id }
        }
        Action::RunFunction(function) if function.is_started() && what < 3 => {
            Event::Interrupted { id }
        }
        Action::RunFunction(_) if what < 4 => {
            Event::Ran { id, result: Err(FunctionError::new("broken")), elapsed }
        }
        Action::RunFunction(_) => {
            Event::Ran { id, result: Ok(json!(call.key.to_string())), elapsed }
        }
        Action::AskHuman(_) => {
            let rank = if what < 4 { 9999 } else { 7 };
            Event::Answered { id, answer: note("fine", rank), elapsed: Duration::ZERO }
        }
        Action::CallModel(_) => match what {
            1 => {
                let error = ModelError::new(ModelErrorKind::Connection, "gone");
                Event::Failed { id, error, elapsed }
            }
            2 | 3 => Event::Replied { id, reply: ModelReply::new("nonsense"), elapsed },
            _ => Event::Replied { id, reply: note("good", 3).into(), elapsed },
        },
    }
}

fn step(run: &mut Run, (what, which, seconds): Turn) -> Option<EventOutcome> {
    let calls = run.directives();
    let call = calls.get(which % calls.len().max(1))?;
    let event = event(call, what, Duration::from_secs(seconds));
    Some(run.handle(event))
}

/// All that a driver sees of a run. Checks that it is consistent.
fn seen(run: &mut Run) -> String {
    let calls = run.directives();
    assert!(run.is_over() || !calls.is_empty());
    assert!(calls.is_sorted_by_key(|call| call.id));
    assert_eq!(run.pending_calls(), calls.len());
    for (place, call) in calls.iter().enumerate() {
        assert!(run.is_pending(call.id));
        assert_eq!(run.directives_after(Some(call.id)).len(), calls.len() - place - 1);
    }
    run.seen()
}

fn told(run: &mut Run) -> String {
    format!("{:?}", run.drain_events())
}

fn resumed(run: &Run) -> Run {
    let json = run.snapshot_json();
    let resumed = run.resumed();
    assert_eq!(resumed.snapshot_json(), json);
    resumed
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, ..Config::default() })]

    #[test]
    fn an_interrupted_run_ends_like_one_that_was_not(turns in turns(), interrupted in any::<u128>()) {
        let (mut whole, mut pieces) = (mill(), mill());
        for (number, turn) in turns.iter().enumerate() {
            for polled in [0, 1] {
                if polled == 1 {
                    prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
                }
                if interrupted >> ((2 * number + polled) % 128) & 1 == 1 {
                    prop_assert_eq!(told(&mut whole), told(&mut pieces));
                    pieces = resumed(&pieces);
                    // Prompts are written again after a snapshot.
                    whole.directives();
                    pieces.directives();
                    drop((told(&mut whole), told(&mut pieces)));
                }
            }
            prop_assert_eq!(step(&mut whole, *turn), step(&mut pieces, *turn));
            prop_assert_eq!(told(&mut whole), told(&mut pieces));
        }
        prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
        prop_assert_eq!(whole.snapshot_json(), pieces.snapshot_json());
    }

    #[test]
    fn events_can_come_before_the_next_poll(turns in turns()) {
        let (mut polled, mut unpolled) = (mill(), mill());
        let mut turns = turns.into_iter();
        while !unpolled.is_over() {
            let Some((what, _, seconds)) = turns.next() else { break };
            let elapsed = Duration::from_secs(seconds);
            let calls = unpolled.directives();
            for event in calls.iter().take(2).map(|call| event(call, what, elapsed)) {
                if polled.is_over() {
                    break;
                }
                let handled = polled.handle(event.clone());
                prop_assert_eq!(unpolled.handle(event), handled);
            }
            prop_assert_eq!(seen(&mut polled), seen(&mut unpolled));
        }
    }

    #[test]
    fn a_damaged_snapshot_is_refused_or_continues(
        turns in turns(),
        place in any::<prop::sample::Index>(),
        damage in prop::sample::select(vec!["null", "0", "1", "2", "5", "18446744073709551615", "-1", "{}", "[]", "true", "\"process\""]),
        then in turns(),
    ) {
        let mut run = mill();
        for turn in turns {
            step(&mut run, turn);
        }
        run.directives();
        let damaged = run.changed(|json| {
            let mut found = Vec::new();
            places(&json["position"], "/position", &mut found);
            let damaged = json.pointer_mut(&found[place.index(found.len())]).unwrap();
            *damaged = serde_json::from_str(damage).unwrap();
        }, &ResumeOptions::new());
        if let Ok(mut run) = damaged {
            for turn in then {
                let waits = !run.directives().is_empty();
                prop_assert!(waits || run.is_over());
                step(&mut run, turn);
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
