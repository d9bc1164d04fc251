//! Whatever happens in the branches: a run that is interrupted anywhere ends as if it had not been.

use cot_core::{
    Action, Event, Machine, ResumeOptions, Snapshot,
    model::{ModelError, ModelErrorKind, ModelReply},
};
use proptest::{prelude::*, test_runner::Config};
use serde_json::{Value, json};

use super::process::{Fan, SECOND, Trip, asked, note, started};

/// What happens to one of the directives.
#[derive(Debug, Clone)]
enum Happening {
    Answer(Value),
    Refused,
    Unreachable,
    TimedOut,
}

fn happening() -> impl Strategy<Value = (usize, Happening)> {
    let happening = prop_oneof![
        12 => "[a-c]{1,3}".prop_map(|text| Happening::Answer(note(&text))),
        2 => Just(Happening::Refused),
        1 => Just(Happening::Unreachable),
        1 => Just(Happening::TimedOut),
    ];
    (0..8_usize, happening)
}

/// Submits what happens to one of the directives; `None` when the run is over.
fn step(machine: &mut Machine<Fan>, (which, happening): &(usize, Happening)) -> Option<String> {
    let poll = machine.poll();
    let directives = poll.directives();
    let directive = directives.get(which % directives.len().max(1))?;
    let (id, elapsed) = (directive.id, SECOND);
    let count = json!(directive.key.visit());
    let event = match (&directive.action, happening) {
        (Action::Sleep { .. }, _) => Event::Woken { id },
        (Action::RunFunction(_), _) => Event::Ran { id, result: Ok(count), elapsed },
        (Action::AskHuman(_), Happening::Refused) => {
            Event::Answered { id, answer: json!(7), elapsed }
        }
        (Action::AskHuman(_), Happening::Answer(answer)) => {
            Event::Answered { id, answer: answer.clone(), elapsed }
        }
        (Action::AskHuman(_), _) => Event::Answered { id, answer: note("x"), elapsed },
        (_, Happening::Answer(value)) => {
            Event::Replied { id, reply: ModelReply::from(value.clone()), elapsed }
        }
        (_, Happening::Refused) => Event::Replied { id, reply: ModelReply::new("no"), elapsed },
        (_, Happening::TimedOut) => Event::TimedOut { id, elapsed },
        (_, Happening::Unreachable) => {
            let error = ModelError::new(ModelErrorKind::Connection, "gone");
            Event::Failed { id, error, elapsed }
        }
    };
    Some(format!("{:?}", machine.handle(event)))
}

/// All that can be seen of a machine from outside, with the calls that it waits for.
fn seen(machine: &mut Machine<Fan>) -> String {
    let poll = machine.poll();
    let calls: Vec<_> = poll
        .directives()
        .iter()
        .map(|it| format!("{:?} {} {} {:?}", it.id, it.key, asked(it), it.timeout))
        .collect();
    let history = serde_json::to_string(machine.history()).unwrap();
    let (state, usage, steps) = (machine.state(), machine.usage(), machine.steps());
    let snapshot = machine.snapshot().unwrap().to_json().unwrap();
    let ending = machine.ending();
    format!("{calls:?}\n{history}\n{state:?}\n{usage:?}\n{steps}\n{ending:?}\n{snapshot}")
}

fn resumed(machine: &Machine<Fan>) -> Machine<Fan> {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let snapshot = Snapshot::from_json(&json).unwrap();
    let mut machine = Machine::resume(snapshot, ResumeOptions::new()).unwrap();
    machine.record(true);
    machine
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, ..Config::default() })]

    #[test]
    fn an_interrupted_run_ends_like_one_that_was_not(
        happenings in proptest::collection::vec(happening(), 0..60),
        interrupted in any::<u128>(),
    ) {
        let mut whole = started::<Fan>(Trip::new());
        let mut pieces = started::<Fan>(Trip::new());
        for (number, happening) in happenings.iter().enumerate() {
            for polled in [0, 1] {
                if polled == 1 {
                    prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
                }
                if interrupted >> ((2 * number + polled) % 128) & 1 == 1 {
                    pieces = resumed(&pieces);
                }
            }
            prop_assert_eq!(step(&mut whole, happening), step(&mut pieces, happening));
            whole.drain_events().for_each(drop);
            pieces.drain_events().for_each(drop);
        }
        prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
    }

    /// A driver can submit several events before it polls again; a journal is replayed one by one.
    #[test]
    fn the_ids_of_calls_depend_on_the_order_of_the_events_alone(
        happenings in proptest::collection::vec(happening(), 0..40),
        polls in any::<u64>(),
    ) {
        let mut often = started::<Fan>(Trip::new());
        let mut rarely = started::<Fan>(Trip::new());
        for (number, happening) in happenings.iter().enumerate() {
            let poll = often.poll();
            let directives = poll.directives();
            let Some(id) = directives.get(happening.0 % directives.len().max(1)).map(|it| it.id)
            else { break };
            let index = directives.iter().position(|it| it.id == id).unwrap();
            step(&mut often, &(index, happening.1.clone()));
            if polls >> (number % 64) & 1 == 1 {
                rarely.poll();
            }
            let listed = rarely.poll();
            let position = listed.directives().iter().position(|it| it.id == id);
            prop_assert!(position.is_some(), "{id:?} is not listed: {listed:?}");
            step(&mut rarely, &(position.unwrap(), happening.1.clone()));
        }
        prop_assert_eq!(seen(&mut often), seen(&mut rarely));
    }

    #[test]
    fn a_damaged_snapshot_is_refused_or_continues(
        happenings in proptest::collection::vec(happening(), 0..12),
        place in any::<proptest::sample::Index>(),
        damage in proptest::sample::select(vec![
            json!(u64::MAX), json!(0), json!(-1), json!({}), json!([]), json!("web"), json!("merge"),
            json!("done"), json!("spread"), json!(null), json!(true),
        ]),
    ) {
        let mut machine = started::<Fan>(Trip::new());
        for happening in &happenings {
            step(&mut machine, happening);
        }
        machine.poll();
        let mut json = serde_json::to_value(machine.snapshot().unwrap()).unwrap();
        let mut found = Vec::new();
        places(&json["position"], "/position", &mut found);
        *json.pointer_mut(&found[place.index(found.len())]).unwrap() = damage;
        let snapshot = Snapshot::from_json(&json.to_string());
        let resumed = snapshot.and_then(|it| Machine::<Fan>::resume(it, ResumeOptions::new()));
        if let Ok(mut machine) = resumed {
            for happening in &happenings {
                step(&mut machine, happening);
            }
        }
    }
}

/// The pointers to all places in a JSON value.
fn places(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
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
