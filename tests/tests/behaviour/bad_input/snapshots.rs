//! Snapshots that are not what they should be: each is refused, with the reason.

use cot_core::{
    Change, ConflictKind, Event, Machine, Process, ResumeOptions, Snapshot, SnapshotError,
    prelude::cot_process,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::drive::{Note, SECOND, call, go, note, prompt, reply, started};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Desk {
    notes: Vec<Note>,
    name: String,
}

/// The process as it was when the snapshots were taken.
mod before {
    super::cot_process! {
        pub(super) process Tickets {
            state: super::Desk,
            intro: "Old intro of ${state.name}",
            task decide { transitions: { add: "Add one", done } }
            task add -> super::Note { prompt: "Write", update: notes[] }
            task done { end }
        }
    }
}

/// The same with another word in a prompt.
mod reworded {
    super::cot_process! {
        pub(super) process Tickets {
            state: super::Desk,
            intro: "New intro of ${state.name}",
            task decide { transitions: { add: "Add one", done } }
            task add -> super::Note { prompt: "Write!", update: notes[] }
            task done { end }
        }
    }
}

/// The same with another description, which the list of transitions shows.
mod redescribed {
    super::cot_process! {
        pub(super) process Tickets {
            state: super::Desk,
            intro: "Old intro of ${state.name}",
            task decide { transitions: { add: "Add one", done } }
            task add -> super::Note { prompt: "Write", update: notes[] }
            task done { description: "Everything is said", end }
        }
    }
}

/// The same with a task more, and without the task at which the run is.
mod regraphed {
    super::cot_process! {
        pub(super) process Tickets {
            state: super::Desk,
            intro: "Old intro of ${state.name}",
            task decide { transitions: { check, done } }
            task check -> super::Note {}
            task done { end }
        }
    }
}

/// The same with another type of the state.
mod retyped {
    #[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
    pub(super) struct Desk {
        pub(super) notes: Vec<super::Note>,
        pub(super) name: String,
        pub(super) urgent: bool,
    }

    super::cot_process! {
        pub(super) process Tickets {
            state: Desk,
            intro: "Old intro of ${state.name}",
            task decide { transitions: { add: "Add one", done } }
            task add -> super::Note { prompt: "Write", update: notes[] }
            task done { end }
        }
    }
}

/// The same with another output.
mod reshaped {
    #[derive(
        Debug,
        Clone,
        serde::Serialize,
        serde::Deserialize,
        schemars::JsonSchema,
        cot_core::CotOutput,
    )]
    pub(super) struct Longer {
        text: String,
        rank: u32,
        more: bool,
    }

    fn add(longer: &Longer, desk: &mut super::Desk) {
        desk.name.clone_from(&longer.text);
    }

    super::cot_process! {
        pub(super) process Tickets {
            state: super::Desk,
            intro: "Old intro of ${state.name}",
            task decide { transitions: { add: "Add one", done } }
            task add -> Longer { prompt: "Write", process_output: add }
            task done { end }
        }
    }
}

cot_process! {
    process Others {
        state: Desk,
        intro: "Old intro of ${state.name}",
        task decide { transitions: { add: "Add one", done } }
        task add -> Note { prompt: "Write", update: notes[] }
        task done { end }
    }
}

/// A run that has committed a note and waits at the second attempt of another.
fn taken() -> String {
    let mut machine = started::<before::Tickets>(Desk { name: "Ada".into(), ..Desk::default() });
    for answer in [go("add"), note("a", 1), go("add"), json!("no")] {
        reply(&mut machine, answer);
    }
    machine.snapshot().unwrap().to_json().unwrap()
}

fn resumed<P: Process<Context = ()>>(
    json: &str,
    options: ResumeOptions,
) -> Result<Machine<P>, SnapshotError> {
    Machine::resume(Snapshot::from_json(json)?, options)
}

fn refused<P: Process<Context = ()>>(json: &str) -> SnapshotError {
    match resumed::<P>(json, ResumeOptions::new()) {
        Err(error) => error,
        Ok(machine) => panic!("accepted: {machine:?}"),
    }
}

#[test]
fn an_unchanged_process_goes_on_where_it_was() {
    let mut machine = resumed::<before::Tickets>(&taken(), ResumeOptions::new()).unwrap();
    let call = call(&mut machine);
    assert_eq!((call.task, call.key.attempt()), (before::TicketsTask::Add, 2));
    assert_eq!((machine.steps(), machine.usage().calls, machine.history().len()), (4, 4, 3));
    reply(&mut machine, note("b", 2));
    assert_eq!(machine.state().unwrap().notes.len(), 2);
}

#[test]
fn a_rejected_null_is_shown_after_resuming_as_before() {
    let mut machine = started::<before::Tickets>(Desk::default());
    reply(&mut machine, "null");
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let mut resumed = resumed::<before::Tickets>(&json, ResumeOptions::new()).unwrap();
    assert_eq!(prompt(&mut resumed), prompt(&mut machine));
}

#[test]
fn a_truncated_snapshot_is_called_truncated_wherever_it_ends() {
    let json = taken();
    for end in (0..json.len()).filter(|end| json.is_char_boundary(*end)) {
        let error = refused::<before::Tickets>(&json[..end]);
        assert!(matches!(error, SnapshotError::Truncated { .. }), "at {end}: {error:?}");
    }
}

#[test]
fn what_is_no_snapshot_is_called_that() {
    for text in ["hello", "[]", "{}", "null", "{\"format\": \"one\"}", "{\"format\": 2}"] {
        let error = refused::<before::Tickets>(text);
        assert!(matches!(error, SnapshotError::NotASnapshot(_)), "{text}: {error:?}");
    }
}

/// The snapshot with one place changed.
fn with(pointer: &str, value: Value) -> String {
    let mut json: Value = serde_json::from_str(&taken()).unwrap();
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
    json.to_string()
}

#[test]
fn another_version_is_refused_even_if_nothing_else_can_be_read() {
    let error = refused::<before::Tickets>(&with("/format", json!(99)));
    assert!(matches!(error, SnapshotError::Format { found: 99, .. }), "{error:?}");
    let error = refused::<before::Tickets>("{\"format\": 99, \"new\": []}");
    assert!(matches!(error, SnapshotError::Format { found: 99, .. }), "{error:?}");
    assert!(error.to_string().contains("99"), "{error}");
}

#[test]
fn another_process_is_refused_by_name() {
    let error = refused::<Others>(&taken());
    assert_eq!(error.to_string(), "the snapshot is of the process `Tickets`, not of `Others`");
}

fn conflicts(error: &SnapshotError) -> Vec<&ConflictKind> {
    let SnapshotError::Incompatible { conflicts, .. } = error else { panic!("{error:?}") };
    conflicts.iter().map(|conflict| &conflict.kind).collect()
}

#[test]
fn a_graph_without_the_current_task_is_refused() {
    let gone = ConflictKind::TaskGone { task: "add".to_owned() };
    let error = refused::<regraphed::Tickets>(&taken());
    assert_eq!(conflicts(&error), [&gone]);
    assert!(error.to_string().contains("`add`"), "{error}");
    let options = ResumeOptions::new().accept_changed_prompts().migrate(|run| {
        assert_eq!(run.difference().removed_tasks(), ["add"]);
        assert_eq!(run.difference().added_tasks(), ["check"]);
        assert_eq!(run.difference().changed_tasks(), ["decide"]);
        Ok(())
    });
    let error = resumed::<regraphed::Tickets>(&taken(), options).unwrap_err();
    assert_eq!(conflicts(&error), [&gone], "a migration that does nothing resolves nothing");
}

#[test]
fn another_state_type_needs_a_migration() {
    let error = refused::<retyped::Tickets>(&taken());
    let (name, change) = ("Desk".to_owned(), Change::Changed);
    assert_eq!(conflicts(&error), [&ConflictKind::StateType { name, change }]);
    let migrate = ResumeOptions::new().migrate(|run| {
        run.state_mut()["urgent"] = json!(true);
        Ok(())
    });
    let machine = resumed::<retyped::Tickets>(&taken(), migrate).unwrap();
    let desk = machine.state().unwrap();
    assert_eq!((desk.urgent, desk.name.as_str(), desk.notes.len()), (true, "Ada", 1));
    let failing = ResumeOptions::new().migrate(|_| Err("no way".into()));
    let error = resumed::<retyped::Tickets>(&taken(), failing).unwrap_err();
    assert!(matches!(error, SnapshotError::Migration(_)), "{error:?}");
    let lazy = ResumeOptions::new().migrate(|_| Ok(()));
    let error = resumed::<retyped::Tickets>(&taken(), lazy).unwrap_err();
    assert!(matches!(error, SnapshotError::UnreadableState { .. }), "{error:?}");
}

#[test]
fn other_prompts_are_accepted_where_that_is_allowed() {
    let error = refused::<reworded::Tickets>(&taken());
    let task = || "add".to_owned();
    let prompts =
        [ConflictKind::TaskPrompt { task: task() }, ConflictKind::CommonPrompt { task: task() }];
    assert_eq!(conflicts(&error), prompts.iter().collect::<Vec<_>>());
    let options = ResumeOptions::new().accept_changed_prompts();
    let mut machine = resumed::<reworded::Tickets>(&taken(), options).unwrap();
    let prompt = prompt(&mut machine);
    assert!(prompt.contains("New intro of Ada") && prompt.contains("Write!"), "{prompt}");
}

/// A description is part of the prompts of its own task, and of lists of transitions, which are read again.
#[test]
fn a_description_that_only_other_prompts_show_is_no_conflict() {
    let mut machine = resumed::<redescribed::Tickets>(&taken(), ResumeOptions::new()).unwrap();
    assert!(!prompt(&mut machine).contains("Everything is said"));
    reply(&mut machine, note("b", 1));
    assert!(prompt(&mut machine).contains("Everything is said"));
}

#[test]
fn another_output_is_refused_with_the_task() {
    let error = refused::<reshaped::Tickets>(&taken());
    assert_eq!(conflicts(&error), [&ConflictKind::TaskSchema { task: "add".to_owned() }]);
}

#[test]
fn a_state_that_does_not_read_is_refused_with_its_path() {
    let error = refused::<before::Tickets>(&with("/state/notes/0/rank", json!("high")));
    let SnapshotError::UnreadableState { path, .. } = &error else { panic!("{error:?}") };
    assert_eq!(path, "$.notes[0].rank");
}

#[test]
fn what_contradicts_itself_is_refused() {
    for (pointer, value) in [
        ("/callers", json!([{ "task": "nobody" }])),
        ("/callers", json!([{ "task": "decide" }, { "task": "decide" }])),
        ("/last_call", json!(0)),
        ("/position", json!({ "at": { "arrival": { "task": "nowhere" }, "has_waited": false } })),
    ] {
        let error = refused::<before::Tickets>(&with(pointer, value));
        assert!(matches!(error, SnapshotError::Inconsistent(_)), "{pointer}: {error:?}");
    }
}

#[test]
fn numbers_at_their_limits_are_refused_or_go_on() {
    for pointer in [
        "/last_call",
        "/steps",
        "/usage/calls",
        "/elapsed/secs",
        "/position/calling/asked/spent/secs",
    ] {
        let json = with(pointer, json!(u64::MAX));
        if let Ok(mut machine) = resumed::<before::Tickets>(&json, ResumeOptions::new()) {
            for answer in [json!("no"), note("b", 1), go("add"), note("c", 1)] {
                if let Some(call) = machine.poll().directives().first() {
                    assert!(call.as_model_call().is_some(), "{call:?}");
                    let (id, reply) = (call.id, answer.into());
                    machine.handle(Event::Replied { id, reply, elapsed: SECOND });
                }
            }
        }
    }
}

#[test]
fn a_machine_that_was_not_started_has_no_snapshot() {
    let error = before::Tickets::machine().snapshot().unwrap_err();
    assert!(matches!(error, SnapshotError::Idle));
}
