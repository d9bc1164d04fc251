//! Whatever a model replies: a state is wholly before or wholly after an update, nothing panics, the
//! limits hold, and a run that is interrupted anywhere ends as if it had not been.

use std::collections::BTreeSet;

use cot_core::{
    Event, EventOutcome, HaltReason, Machine, ResumeOptions, Snapshot, Usage,
    model::{FinishReason, ModelError, ModelErrorKind, ModelReply},
    prelude::*,
};
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::drive::{Note, SECOND, go, note, request, started};

const MAX_STEPS: u64 = 12;
const MAX_RETRIES: u64 = 2;

/// Written in three places at every update, so that a half of one shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Account {
    notes: Vec<Note>,
    total: u32,
    log: Option<String>,
}

fn is_known(note: &Note, account: &Account) -> Result<(), Issues> {
    match account.notes.iter().any(|other| other.text == note.text) {
        true => Err(Issues::at("text", "was there before")),
        false => Ok(()),
    }
}

fn settle(note: &Note, account: &mut Account) -> Result<WalkAddChoice, Issues> {
    account.log.get_or_insert_default().push_str(&note.text);
    match note.rank % 7 {
        0 => Err(Issues::at("rank", "can't be divided by 7")),
        1 => Ok(WalkAddChoice::Review),
        _ => Ok(WalkAddChoice::Hub),
    }
}

cot_process! {
    process Walk {
        state: Account,
        max_retries: 2,
        max_steps: 12,
        history: { max_items: 5 },
        intro: "${json(state)}",
        task hub { transitions: { add, review, fix: "fix" if state.total > 50, hub, done } }

        task add -> Note {
            check: is_known,
            update: { notes[] = output, total = state.total.saturating_add(output.rank) },
            process_output: settle -> [review, hub],
        }

        task review -> Note {
            update: {
                notes[] = output,
                total = state.total.saturating_add(output.rank),
                log[] = output.text,
            },
            transitions: { hub, add if state.notes.len() > 1, fix },
            next: { done if output.rank > 900, gate },
        }

        task fix { transitions: { hub, review, fix } }
        task gate { next: { hub if state.total < 500, failed } }
        task done { end }
        task failed { fail: "${state.total}" }
    }
}

impl Account {
    /// Whether the three places tell the same.
    fn is_whole(&self) -> bool {
        let texts: String = self.notes.iter().map(|note| note.text.as_str()).collect();
        let total: u32 = self.notes.iter().map(|note| note.rank).sum();
        total == self.total && texts == self.log.clone().unwrap_or_default()
    }

    /// Whether it is another account after one note more.
    fn is_one_after(&self, before: &Self) -> bool {
        self.notes.len() == before.notes.len() + 1 && self.notes.starts_with(&before.notes)
    }
}

/// What comes of a call.
#[derive(Debug, Clone)]
enum Coming {
    Reply(ModelReply),
    Unreachable,
    TimedOut,
    Stale(String),
}

fn target() -> impl Strategy<Value = String> {
    const NAMES: &[&str] =
        &["hub", "add", "review", "fix", "done", "failed", "gate", "HUB", "nowhere", ""];
    prop_oneof![8 => proptest::sample::select(&NAMES[..5]).prop_map(str::to_owned),
        1 => proptest::sample::select(NAMES).prop_map(str::to_owned), 1 => ".*"]
}

fn json_value() -> impl Strategy<Value = Value> {
    let key = proptest::sample::select(&["goTo", "intent", "stepAfter", "text", "rank", "x"][..]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..4)
                .prop_map(|members| members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    let output = ("[a-c]{1,3}", 0..1200_u32).prop_map(|(text, rank)| note(&text, rank).to_string());
    let choice = target().prop_map(|target| go(&target).to_string());
    let hostile = proptest::sample::select(
        &[
            "",
            "[[[[[[",
            "{\"a\":",
            "}{",
            "```json\n{",
            "<think>{}",
            "\u{feff}{}",
            "{\"rank\":1e999}",
        ][..],
    );
    prop_oneof![
        6 => output.clone(),
        6 => choice,
        2 => json_value().prop_map(|value| value.to_string()),
        1 => ".{0,40}",
        1 => hostile.prop_map(str::to_owned),
        1 => (output.clone(), 0..40_usize).prop_map(|(text, end)| text.chars().take(end).collect()),
        1 => output.prop_map(|text| format!("Sure:\n```json\n{text}\n```\n")),
        1 => (0..5000_usize).prop_map(|depth| "[".repeat(depth) + &"]".repeat(depth)),
    ]
}

fn coming() -> impl Strategy<Value = Coming> {
    let usage = (0..1000_u64, 0..1000_u64);
    let reply = |finish: FinishReason| {
        (text(), usage.clone()).prop_map(move |(text, (input, output))| {
            let reply = ModelReply::new(text).usage(Usage::for_call(input, output));
            Coming::Reply(reply.finish(finish.clone()))
        })
    };
    prop_oneof![
        60 => reply(FinishReason::Stop),
        1 => reply(FinishReason::Length),
        1 => reply(FinishReason::Refusal),
        1 => Just(Coming::Unreachable),
        1 => Just(Coming::TimedOut),
        3 => text().prop_map(Coming::Stale),
    ]
}

/// Hands in what comes of the call that is under way; `None` when the run is over.
fn step(machine: &mut Machine<Walk>, coming: &Coming) -> Option<EventOutcome> {
    let (id, elapsed) = (machine.poll().directives().first()?.id, SECOND);
    Some(machine.handle(match coming {
        Coming::Reply(reply) => Event::Replied { id, reply: reply.clone(), elapsed },
        Coming::TimedOut => Event::TimedOut { id, elapsed },
        Coming::Unreachable => {
            let error = ModelError::new(ModelErrorKind::Connection, "gone");
            Event::Failed { id, error, elapsed }
        }
        Coming::Stale(text) => {
            let id = serde_json::from_value(json!(u64::MAX)).unwrap();
            Event::Replied { id, reply: ModelReply::new(text), elapsed }
        }
    }))
}

/// All that can be seen of a machine from outside, with the call that it waits for.
fn seen(machine: &mut Machine<Walk>) -> String {
    let poll = machine.poll();
    let requests: Vec<_> = poll.directives().iter().map(request).collect();
    let waits_for = format!("{poll:?}\n{requests:?}");
    let callers: Vec<_> = machine.callers().collect();
    let history = serde_json::to_string(machine.history()).unwrap();
    let (state, usage) = (machine.state(), machine.usage());
    format!("{waits_for}\n{callers:?}\n{history}\n{state:?}\n{usage:?}\n{}", machine.steps())
}

fn resumed(machine: &Machine<Walk>) -> Machine<Walk> {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    Machine::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new()).unwrap()
}

fn config() -> Config {
    // A failing case is printed as it is; a file beside the sources would be in everybody's way.
    Config { failure_persistence: None, ..Config::default() }
}

fn comings() -> impl Strategy<Value = Vec<Coming>> {
    proptest::collection::vec(coming(), 0..60)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_state_is_wholly_before_or_wholly_after_an_update(comings in comings()) {
        let mut machine = started::<Walk>(Account::default());
        for coming in &comings {
            let before = machine.state().unwrap().clone();
            let Some(handled) = step(&mut machine, coming) else { break };
            let after = machine.state().unwrap();
            prop_assert!(after.is_whole(), "{before:?} -> {after:?}");
            prop_assert!(*after == before || after.is_one_after(&before));
            if !matches!(coming, Coming::Reply(_)) {
                prop_assert_eq!(after, &before);
            }
            prop_assert_eq!(handled == EventOutcome::Stale, matches!(coming, Coming::Stale(_)));
        }
    }

    #[test]
    fn steps_calls_and_callers_stay_within_their_limits(comings in comings()) {
        let mut machine = started::<Walk>(Account::default());
        for coming in &comings {
            step(&mut machine, coming);
            prop_assert!(machine.steps() <= MAX_STEPS);
            prop_assert!(machine.usage().calls <= MAX_STEPS * (MAX_RETRIES + 1));
            prop_assert!(machine.history().len() <= 5);
            let callers: Vec<_> = machine.callers().collect();
            let distinct: BTreeSet<_> = callers.iter().collect();
            prop_assert_eq!(distinct.len(), callers.len());
        }
        if let Some(WalkOutcome::Halted(halt)) = machine.outcome() {
            prop_assert!(halt.attempts.len() as u64 <= MAX_RETRIES + 1);
            let used_up = halt.attempts.len() as u64 == MAX_RETRIES + 1;
            prop_assert!(used_up || !matches!(halt.reason, HaltReason::Exhausted));
        }
    }

    #[test]
    fn an_interrupted_run_ends_like_one_that_was_not(
        comings in comings(),
        interrupted in any::<u128>(),
    ) {
        let mut whole = started::<Walk>(Account::default());
        let mut pieces = started::<Walk>(Account::default());
        for (number, coming) in comings.iter().enumerate() {
            // Between tasks or attempts, and with the call already made.
            for polled in [0, 1] {
                if polled == 1 {
                    prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
                }
                if interrupted >> (2 * number + polled) & 1 == 1 {
                    pieces = resumed(&pieces);
                }
            }
            prop_assert_eq!(step(&mut whole, coming), step(&mut pieces, coming));
        }
        prop_assert_eq!(seen(&mut whole), seen(&mut pieces));
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

/// What a damaged place may hold.
fn damage() -> impl Strategy<Value = Value> {
    let extremes = [json!(u64::MAX), json!(u32::MAX), json!(0), json!(-1), json!({}), json!([])];
    let strings = ["hub", "add", "review", "fix", "done", "gate", "at", ""];
    prop_oneof![
        3 => proptest::sample::select(extremes.to_vec()),
        2 => proptest::sample::select(strings.to_vec()).prop_map(Value::from),
        1 => json_value(),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_damaged_snapshot_is_refused_or_goes_on(
        comings in proptest::collection::vec(coming(), 0..12),
        polls in any::<bool>(),
        place in any::<proptest::sample::Index>(),
        damage in damage(),
    ) {
        let mut machine = started::<Walk>(Account::default());
        comings.iter().take_while(|coming| step(&mut machine, coming).is_some()).count();
        if polls {
            machine.poll();
        }
        let mut json = serde_json::to_value(machine.snapshot().unwrap()).unwrap();
        let mut found = Vec::new();
        places(&json, "", &mut found);
        *json.pointer_mut(&found[place.index(found.len())]).unwrap() = damage;
        let snapshot = Snapshot::from_json(&json.to_string());
        let resumed = snapshot.and_then(|it| Machine::resume(it, ResumeOptions::new()));
        if let Ok(mut machine) = resumed {
            for text in [go("hub"), go("review"), note("z", 2), go("add"), note("y", 3)] {
                step(&mut machine, &Coming::Reply(text.into()));
            }
        }
    }
}

/// The smallest case in which a run comes to an end, as one seed finds it.
fn shrunk() -> String {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config { cases: 400, ..config() }, rng);
    let ends = runner.run(&comings(), |comings| {
        let mut machine = started::<Walk>(Account::default());
        for coming in &comings {
            step(&mut machine, coming);
        }
        prop_assert!(machine.outcome().is_none());
        Ok(())
    });
    match ends {
        Err(TestError::Fail(_, comings)) => format!("{comings:?}"),
        other => panic!("expected a failure, got {other:?}"),
    }
}

#[test]
fn the_same_seed_shrinks_to_the_same_case() {
    assert_eq!(shrunk(), shrunk());
}
