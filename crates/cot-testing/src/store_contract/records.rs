//! Sample records.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use cot_engine::{AnyOutput, Attempt, CallKey, Event, Failure, FunctionError, RunEvent, TaskName};
use cot_model::{BlobSet, ModelError, ModelErrorKind, ModelReply, Usage};
use cot_reader::{Passage, Repair, RepairClass};
use cot_schema::Issues;
use cot_store::{
    CallInfo, Delta, EndKind, EventRecord, Origin, Record, RunStarted, Status, StepRecord,
    StepSnapshot,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json, value::RawValue};

use super::support::ok;

/// Returns a time with the precision of stores, one millisecond.
pub(super) fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_017 + seconds * 1000)
}

/// Returns a later time within the same millisecond.
pub(super) fn in_the_millisecond_of(seconds: u64, nanoseconds: u32) -> SystemTime {
    at(seconds) + Duration::from_nanos(nanoseconds.min(999_999).into())
}

pub(super) fn key(text: &str) -> CallKey {
    ok(CallKey::try_from(text.to_owned()), "parse a call key")
}

pub(super) fn running(task: &str) -> Status {
    Status::Running { task: task.to_owned() }
}

pub(super) fn asking(call: &str) -> Status {
    Status::Asking {
        task: key(call).task().to_owned(),
        key: key(call),
        question: "Is it „good“?\n\\".to_owned(),
        schema: json!(true),
        issues: Some(Issues::at("$['is good']", "is missing")),
        since: at(1),
        until: Some(at(600)),
        due: None,
    }
}

pub(super) fn ended() -> Status {
    Status::Ended { task: "done".to_owned(), how: EndKind::Halted, why: "no\u{0}way".to_owned() }
}

pub(super) fn started() -> Record {
    started_at(0, "Process")
}

pub(super) fn started_at(seconds: u64, process: &str) -> Record {
    Record::Begun(RunStarted {
        at: at(seconds),
        process: process.to_owned(),
        origin: None,
        snapshot: raw(r#"{"z":1,"a":1.10,"n":12345678901234567890}"#),
        blobs: BlobSet::default(),
        status: running("start"),
        trace: None,
    })
}

/// Replaces the times of a record.
pub(super) fn with_time(mut record: Record, time: SystemTime) -> Record {
    match &mut record {
        Record::Begun(begun) => (begun.at, begun.status) = (time, sleeping_until(time)),
        Record::Submitted(submitted) => submitted.at = time,
        Record::Event(event) => event.at = time,
        Record::Step(step) => {
            step.at = time;
            if let Status::Asking { since, until, .. } = &mut step.status {
                (*since, *until) = (time, Some(time));
            }
        }
    }
    record
}

pub(super) fn fork(of: Origin) -> Record {
    Record::Begun(RunStarted {
        at: at(0),
        process: "Process".to_owned(),
        origin: Some(of),
        snapshot: raw(r#"{"usage":{"calls":2,"input_tokens":30,"output_tokens":4}}"#),
        blobs: BlobSet::default(),
        status: running("middle"),
        trace: None,
    })
}

pub(super) fn full_step(steps: u64) -> Record {
    let progress = StepSnapshot::Full(raw(&format!(r#"{{"steps":{steps}}}"#)));
    step(steps, running("middle"), progress)
}

pub(super) fn delta_step(steps: u64, status: Status) -> Record {
    let progress = StepSnapshot::Changed(Delta::between("{\"steps\":1}", "{\"steps\":2,\"ä\":[]}"));
    step(steps, status, progress)
}

fn step(steps: u64, status: Status, progress: StepSnapshot) -> Record {
    let usage = Usage::for_call(100 * steps, 10 * steps).cached(60 * steps, 30 * steps);
    let usage = usage.reasoning(4 * steps).cost(0.1);
    Record::Step(StepRecord {
        at: at(steps),
        progress,
        blobs: BlobSet::default(),
        status,
        timers: Vec::new(),
        steps,
        usage,
        notes: notes(),
    })
}

fn notes() -> Vec<RunEvent> {
    let (task, usage, elapsed) =
        (TaskName::from("middle"), Usage::for_call(3, 4), Duration::from_nanos(7));
    let committed =
        RunEvent::Committed { task: task.clone(), output: AnyOutput::default(), usage, elapsed };
    let mut rejected = Attempt::new(1, Failure::Rejected);
    rejected.item = Some(3);
    rejected.issues = Issues::at("$.a", "must be \"b\"");
    (rejected.usage, rejected.elapsed) = (usage, elapsed);
    vec![
        RunEvent::TaskStarted { task: task.clone(), step: 1, visit: 1 },
        RunEvent::Repaired {
            task: task.clone(),
            item: Some(0),
            attempt: 1,
            repairs: vec![Repair {
                path: "$.a['b c']".to_owned(),
                class: RepairClass::Loss,
                description: "a “quote”".to_owned(),
            }],
        },
        RunEvent::Found {
            task: task.clone(),
            item: Some(0),
            passages: vec![Passage {
                path: "$.a['b c']".to_owned(),
                source: "state.mail".to_owned(),
                range: 170..172,
                excerpt: "a “quote”".to_owned(),
                excerpt_start: 167,
            }],
        },
        RunEvent::AttemptFailed { task: task.clone(), attempt: rejected, will_retry: true },
        RunEvent::Nested {
            task,
            item: None,
            attempt: 1,
            process: "Inner".into(),
            event: Box::new(committed),
        },
    ]
}

/// A model's reply.
pub(super) fn replied(call: &str, text: &str) -> Record {
    let prompt = json!([
        { "part": "system", "stability": "fixed", "text": "You are kind.\n" },
        { "part": "prompt", "stability": "fixed", "text": "Say: " },
        { "part": "prompt", "stability": "volatile", "text": text },
        { "part": "output", "stability": "fixed", "text": "Say: " },
    ]);
    replied_to(call, prompt, text)
}

/// A model's reply to a prompt of two growing texts.
pub(super) fn replied_to_growing(call: &str, history: &str, list: &str) -> Record {
    let prompt = json!([
        { "part": "goal", "stability": "per_run", "text": "Tell all of it." },
        { "part": "history", "stability": "growing", "text": history },
        { "part": "prompt", "stability": "growing", "text": list },
        { "part": "prompt", "stability": "growing", "text": "" },
        { "part": "prompt", "stability": "volatile", "text": history },
    ]);
    replied_to(call, prompt, "{}")
}

fn replied_to(call: &str, prompt: Value, text: &str) -> Record {
    let event = Event::Replied {
        id: read(json!(7)),
        reply: ModelReply::new(text).usage(Usage::for_call(9, 8).cost(0.25)),
        elapsed: Duration::new(1, 23),
    };
    let asked = CallInfo {
        key: key(call),
        engine: Some("an engine".to_owned()),
        program: Some("1.2.3-beta".to_owned()),
        prompt: Some(Arc::new(read(prompt))),
        marks: Some(read(json!({ "untrusted": ["mail"], "untrusted_prompt": true }))),
    };
    Record::Event(EventRecord { at: at(2), asked: Some(asked), event })
}

/// A human's answer.
pub(super) fn answered(call: &str) -> Record {
    let event = Event::Answered {
        id: read(json!(8)),
        answer: json!({ "is good": true }),
        elapsed: Duration::from_millis(5),
    };
    let asked = CallInfo { key: key(call), engine: None, program: None, prompt: None, marks: None };
    Record::Event(EventRecord { at: at(3), asked: Some(asked), event })
}

pub(super) fn event(event: Event) -> Record {
    Record::Event(EventRecord { at: at(4), asked: None, event })
}

pub(super) fn wake_up() -> Record {
    event(Event::Woken { id: read(json!(9)) })
}

pub(super) fn sleeping() -> Status {
    sleeping_until(at(90))
}

fn sleeping_until(until: SystemTime) -> Status {
    Status::Sleeping { task: "later".to_owned(), until }
}

/// Events of every kind.
pub(super) fn all_events() -> Vec<Record> {
    let (id, elapsed) = (read(json!(1)), Duration::from_millis(5));
    let error = ModelError::new(
        ModelErrorKind::Status { code: 503, retry_after: Some(Duration::from_secs(3)) },
        "busy",
    );
    let result = Err(FunctionError::new("it's broken: \"x\""));
    vec![
        replied("a#1[2]@3", "{\"a\": [1.50, \"ä\"]}"),
        answered("a#1@2/b#2@1"),
        event(Event::Failed { id, error, elapsed }),
        event(Event::Ran {
            id,
            result: Ok(json!({ "z": null, "a": [1e-7, 18446744073709551615_u64] })),
            elapsed,
        }),
        event(Event::Ran { id, result, elapsed }),
        event(Event::TimedOut { id, elapsed }),
        wake_up(),
        event(Event::Cancelled {
            reason: "Größe\u{0}\r\n'; DROP TABLE runs; --".to_owned(),
            calls: 0,
        }),
    ]
}

pub(super) fn raw(json: &str) -> Box<RawValue> {
    ok(RawValue::from_string(json.to_owned()), "make JSON")
}

fn read<T: DeserializeOwned>(json: Value) -> T {
    ok(serde_json::from_value(json), "read JSON")
}
