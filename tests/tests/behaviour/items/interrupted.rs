//! A run that is interrupted anywhere among its items ends as if it had not been.

use std::time::Duration;

use cot_core::{
    Action, Directive, Event, EventOutcome, FunctionError, Machine, MachinePoll, ResumeOptions,
    Snapshot,
    model::{ModelError, ModelErrorKind, ModelReply},
};
use proptest::{prelude::*, test_runner::Config};
use serde_json::Value;

use super::mill::{Mill, Milling, MillingTask};
use crate::drive::{note, started};

/// What happens to which of the calls in flight, after how long.
type Turn = (u8, usize, u64);

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    prop::collection::vec((0..20_u8, 0..1000_usize, 0..6_u64), 0..160)
}

fn event(directive: &Directive<MillingTask>, what: u8, elapsed: Duration) -> Event {
    let id = directive.id;
    match &directive.action {
        Action::Sleep { .. } => Event::Woken { id },
        _ if what == 0 => Event::TimedOut { id, elapsed },
        Action::RunFunction(call)
            if call.effect() == cot_core::Effect::Once && !call.is_started() =>
        {
            Event::Started { id }
        }
        Action::RunFunction(call) if call.is_started() && what < 3 => Event::Interrupted { id },
        Action::RunFunction(_) if what < 4 => {
            Event::Ran { id, result: Err(FunctionError::new("broken")), elapsed }
        }
        Action::RunFunction(call) => {
            let mut running = call.run();
            let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
            match running.as_mut().poll(&mut cx) {
                std::task::Poll::Ready(result) => Event::Ran { id, result, elapsed },
                std::task::Poll::Pending => panic!("the function waits"),
            }
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

fn step(machine: &mut Machine<Milling>, (what, which, seconds): Turn) -> Option<EventOutcome> {
    let directives = machine.poll().directives();
    let directive = directives.get(which % directives.len().max(1))?;
    let event = event(directive, what, Duration::from_secs(seconds));
    Some(machine.handle(event))
}

/// All that a driver sees of a machine. Checks that it is consistent.
fn seen(machine: &mut Machine<Milling>) -> String {
    let poll = machine.poll();
    let is_over = matches!(poll, MachinePoll::Finished(_));
    let directives = poll.directives().to_vec();
    assert!(is_over || !directives.is_empty());
    assert!(directives.is_sorted_by_key(|directive| directive.id));
    assert_eq!(machine.pending_calls(), directives.len());
    for (place, directive) in directives.iter().enumerate() {
        assert!(machine.is_pending(directive.id));
        let after = machine.poll_after(Some(directive.id)).directives().len();
        assert_eq!(after, directives.len() - place - 1);
    }
    let totals = (machine.usage(), machine.steps(), machine.outcome());
    format!("{directives:?} {totals:?} {:?}", machine.state())
}

fn resumed(machine: &Machine<Milling>) -> Machine<Milling> {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let resumed =
        Machine::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new()).unwrap();
    assert_eq!(resumed.snapshot().unwrap().to_json().unwrap(), json);
    resumed
}

fn told(machine: &mut Machine<Milling>) -> Vec<String> {
    machine.drain_events().map(|event| format!("{event:?}")).collect()
}

fn mill() -> Machine<Milling> {
    started(Mill::new(7))
}

fn config(cases: u32) -> Config {
    Config { failure_persistence: None, ..Config::with_cases(cases) }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn an_interrupted_run_ends_like_one_that_was_not(turns in turns(), interrupted in any::<u128>()) {
        let (mut whole, mut pieces) = (mill(), mill());
        whole.record(true);
        pieces.record(true);
        for (number, turn) in turns.iter().enumerate() {
            for polled in [0, 1] {
                if polled == 1 {
                    prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
                }
                if interrupted >> ((2 * number + polled) % 128) & 1 == 1 {
                    prop_assert_eq!(told(&mut whole), told(&mut pieces));
                    pieces = resumed(&pieces);
                    pieces.record(true);
                    // Prompts are written again after a snapshot.
                    whole.poll();
                    pieces.poll();
                    drop((told(&mut whole), told(&mut pieces)));
                }
            }
            prop_assert_eq!(step(&mut whole, *turn), step(&mut pieces, *turn));
            prop_assert_eq!(told(&mut whole), told(&mut pieces));
        }
        prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
        let json = |machine: &Machine<Milling>| machine.snapshot().unwrap().to_json().unwrap();
        prop_assert_eq!(json(&whole), json(&pieces));
    }

    #[test]
    fn events_can_come_before_the_next_poll(turns in turns()) {
        let (mut polled, mut unpolled) = (mill(), mill());
        let mut turns = turns.into_iter();
        while let MachinePoll::Waiting(directives) = unpolled.poll() {
            let Some((what, _, seconds)) = turns.next() else { break };
            let elapsed = Duration::from_secs(seconds);
            let events: Vec<Event> =
                directives.iter().take(2).map(|it| event(it, what, elapsed)).collect();
            for event in events {
                if matches!(polled.poll(), MachinePoll::Finished(_)) {
                    break;
                }
                let handled = polled.handle(event.clone());
                prop_assert_eq!(unpolled.handle(event), handled);
            }
            prop_assert_eq!(seen(&mut polled), seen(&mut unpolled));
        }
    }

    #[test]
    fn a_damaged_snapshot_is_refused_or_goes_on(
        turns in turns(),
        place in any::<prop::sample::Index>(),
        damage in prop::sample::select(vec!["null", "0", "1", "2", "5", "18446744073709551615", "-1", "{}", "[]", "true", "\"process\""]),
        then in turns(),
    ) {
        let mut machine = mill();
        for turn in turns {
            step(&mut machine, turn);
        }
        machine.poll();
        let mut json: Value = serde_json::to_value(machine.snapshot().unwrap()).unwrap();
        let mut found = Vec::new();
        places(&json["position"], "/position", &mut found);
        let damaged = json.pointer_mut(&found[place.index(found.len())]).unwrap();
        *damaged = serde_json::from_str(damage).unwrap();
        let snapshot = Snapshot::from_json(&json.to_string());
        let resumed = snapshot.and_then(|it| Machine::<Milling>::resume(it, ResumeOptions::new()));
        if let Ok(mut machine) = resumed {
            for turn in then {
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
