//! Code of a process that panics.

use cot_core::{
    Ending, Event, FunctionError, Halt, HaltReason, Machine, Panic, PanicPlace, Process,
    ResumeOptions, RunEvent, Snapshot, SnapshotError, prelude::*,
};
use serde::{Deserialize, Serialize};

use super::drive::{question, run as run_function};
use crate::drive::{Note, SECOND, go, note, outcome, reply, started, state};

/// Panics where it is told to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Mine {
    notes: Vec<Note>,
    at: String,
    kept: u32,
}

fn blow(mine: &Mine, at: &str) -> bool {
    assert!(mine.at != at, "at {at}");
    true
}

fn checked(_: &Note, mine: &Mine) -> Result<(), Issues> {
    blow(mine, "check");
    Ok(())
}

fn processed(_: &Note, mine: &mut Mine) {
    mine.notes.clear();
    blow(mine, "process_output");
}

fn mocked(mine: &Mine) -> Note {
    blow(mine, "mock");
    Note::default()
}

fn with(mine: &Mine) -> Mine {
    blow(mine, "with");
    mine.clone()
}

async fn run(mine: &Mine) -> Result<Note, std::convert::Infallible> {
    blow(mine, "run");
    Ok(Note::default())
}

cot_process! {
    process Shaft {
        state: Mine,
        task dig -> Note { check: checked, update: notes[], process_output: processed, may_end }
    }
}

cot_process! {
    process Field {
        state: Mine,

        task hub {
            transitions: {
                plain,
                guarded if blow(state, "guard"),
                person,
                function,
                routed,
                process,
                none,
                items,
                takes with with(state),
                gate,
            },
        }

        task plain -> Note {
            check: checked,
            update: {
                kept = state.kept + 1,
                at = {
                    blow(state, "update");
                    state.at.clone()
                },
                notes[] = output,
            },
            process_output: processed,
            next: { done if blow(state, "next"), hub },
        }

        task guarded { next: hub }

        task person -> Note {
            ask: "${blow(state, \"ask\")}",
            check: checked,
            update: notes[],
            next: hub,
        }

        task function -> Note { run: run, update: notes[], next: hub }
        task routed -> Note { run: run, update: notes[], on: { exhausted => hub }, next: hub }

        task process {
            process: Shaft with with(state),
            update: { notes[] = Note::default() },
            next: hub,
        }

        task none -> Note {
            for_each: item in none(state),
            prompt: "${item}",
            update: { notes[] = Note::default(), at = format!("{}{}", state.at, output.len()) },
            next: { done if blow(state, "after none0"), hub },
        }

        task items -> Note {
            for_each: item in items(state),
            prompt: "${item} ${blow(state, \"prompt\")}",
            update: { notes = output },
            next: hub,
        }

        task takes { inputs: Mine, prompt: "${inputs.at}", transitions: { hub } }
        task gate { next: { done if blow(state, "gate"), hub } }
        task done { end }
    }
}

fn none(_: &Mine) -> Vec<u32> {
    Vec::new()
}

fn items(mine: &Mine) -> Vec<u32> {
    blow(mine, "count");
    vec![1]
}

fn field(at: &str) -> Machine<Field> {
    started(Mine { at: at.to_owned(), ..Mine::default() })
}

/// The panic that has halted a machine, which stands still from then on.
fn panic_of<P: Process<Context = (), State = Mine>>(machine: &mut Machine<P>) -> Panic {
    let committed = machine.state().unwrap().clone();
    let directive = format!("{:?}", machine.poll());
    assert_eq!(format!("{:?}", machine.poll()), directive);
    assert_eq!(*machine.state().unwrap(), committed, "committed twice");
    machine.snapshot().unwrap().to_json().unwrap();
    match machine.ending() {
        Some(Ending::Halted(Halt { reason: HaltReason::Panicked(panic), .. })) => *panic,
        other => panic!("not halted by a panic: {other:?}"),
    }
}

#[test]
fn a_panic_halts_and_names_the_task_and_the_place() {
    for (at, task, place) in [
        ("guard", "hub", PanicPlace::Guard),
        ("count", "items", PanicPlace::ForEach),
        ("prompt", "items", PanicPlace::Template),
        ("ask", "person", PanicPlace::Template),
        ("with", "process", PanicPlace::SubProcess),
        ("gate", "gate", PanicPlace::Guard),
        ("after none", "none", PanicPlace::Guard),
    ] {
        let mut machine = field(at);
        if task != "hub" {
            reply(&mut machine, go(task));
        }
        drop(machine.poll());
        let panic = panic_of(&mut machine);
        assert_eq!((&*panic.process, &*panic.task, panic.place), ("Field", task, place));
        // The guard sees the state after the commit.
        let number = if at == "after none" { "0" } else { "" };
        assert_eq!(panic.message, format!("at {at}{number}"));
    }
}

#[test]
fn a_panic_while_an_answer_is_taken_in_commits_once_or_not() {
    for (at, place) in [
        ("check", PanicPlace::Check),
        ("update", PanicPlace::Update),
        ("process_output", PanicPlace::Update),
    ] {
        let mut machine = field(at);
        reply(&mut machine, go("plain"));
        reply(&mut machine, note("a", 1));
        assert_eq!(panic_of(&mut machine).place, place);
        assert_eq!((state(&machine).notes.len(), &*state(&machine).at), (0, at));
        assert_eq!(machine.history().len(), 1);
    }
    let mut machine = field("with");
    reply(&mut machine, go("takes"));
    assert_eq!(panic_of(&mut machine).place, PanicPlace::Inputs);
    let mut machine = field("check");
    reply(&mut machine, go("person"));
    let id = question(&mut machine).id;
    machine.handle(Event::Answered { id, answer: note("a", 1), elapsed: SECOND });
    assert_eq!(panic_of(&mut machine).place, PanicPlace::Check);
}

#[test]
fn a_commit_stands_and_is_told_before_a_guard_after_it_panics() {
    let mut machine = field("next");
    machine.record(true);
    reply(&mut machine, go("plain"));
    reply(&mut machine, note("a", 1));
    let told: Vec<_> = machine.drain_events().collect();
    assert!(told.iter().any(|event| matches!(event, RunEvent::Committed { .. })), "{told:?}");
    let panic = panic_of(&mut machine);
    assert_eq!((&*panic.task, panic.place), ("plain", PanicPlace::Guard));
    assert_eq!((state(&machine).kept, machine.history().len()), (1, 2));
}

#[test]
fn a_panic_keeps_the_attempts_and_the_costs_before_it() {
    let mut machine = field("check");
    reply(&mut machine, go("plain"));
    reply(&mut machine, "no");
    reply(&mut machine, note("a", 1));
    let panic = panic_of(&mut machine);
    assert_eq!(panic.place, PanicPlace::Check);
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!((halt.task, machine.usage().calls), (FieldTask::Plain, 3));
    assert_eq!(halt.attempts.len(), 1);
}

#[test]
fn a_panic_within_a_process_halts_the_process_around_it() {
    let mut machine = field("check");
    reply(&mut machine, go("process"));
    reply(&mut machine, note("a", 1));
    let panic = panic_of(&mut machine);
    assert_eq!((&*panic.process, &*panic.task), ("Shaft", "dig"));
    assert_eq!(
        panic.to_string(),
        "the check of an output panicked at task `dig` of Shaft: at check"
    );
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!((halt.task, machine.usage().calls), (FieldTask::Process, 2));
}

#[test]
fn a_mock_that_panics_halts() {
    for task in [MockedTask::Person, MockedTask::Function] {
        let mut machine = Mocked::machine();
        let mine = Mine { at: "mock".to_owned(), ..Mine::default() };
        machine.start_task(task, None, mine).unwrap();
        drop(machine.poll());
        assert_eq!(panic_of(&mut machine).place, PanicPlace::Mock);
    }
}

#[test]
fn a_function_that_panics_fails_as_with_an_error_and_halts_when_nothing_is_left_to_try() {
    for (task, halts) in [("function", true), ("routed", false)] {
        let mut machine = field("run");
        reply(&mut machine, go(task));
        run_function(&mut machine);
        if !halts {
            assert_eq!(machine.task(), Some(FieldTask::Hub));
            continue;
        }
        let panic = panic_of(&mut machine);
        assert_eq!((&*panic.task, panic.place), ("function", PanicPlace::Function));
        assert_eq!(panic.message, "at run");
        let halt = outcome(&mut machine).halt().cloned().unwrap();
        assert_eq!(halt.attempts.len(), 1);
    }
}

#[test]
fn a_goal_or_a_prompt_that_panics_while_it_is_looked_at_is_an_error() {
    let mut machine = Goal::machine();
    let mine = |at: &str| Mine { at: at.to_owned(), ..Mine::default() };
    let error = machine.start(mine("goal")).unwrap_err();
    assert!(error.to_string().contains("it panicked: at goal"), "{error}");
    machine.start(mine("prompt")).unwrap();
    let error = machine.prompt().unwrap_err();
    assert!(error.to_string().contains("it panicked: at prompt"), "{error}");
    assert!(machine.ending().is_none());
}

#[test]
fn a_snapshot_of_data_that_panics_is_an_error() {
    let mut machine = started::<Fragile>(Glass { breaks: true });
    let error = machine.snapshot().unwrap_err();
    assert!(matches!(&error, SnapshotError::Panicked(said) if said.contains("written")), "{error}");
    machine.change_state(|glass| glass.breaks = false);
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let json = json.replace(r#""state":false"#, r#""state":true"#);
    let snapshot = Snapshot::from_json(&json).unwrap();
    let error = Machine::<Fragile>::resume(snapshot, ResumeOptions::new()).unwrap_err();
    assert!(matches!(&error, SnapshotError::Panicked(said) if said.contains("read")), "{error}");
}

#[test]
fn reasons_of_before_still_read() {
    let old: HaltReason = serde_json::from_str(r#""panicked""#).unwrap();
    assert_eq!(old.to_string(), "code of the process panicked");
    for reason in [old, HaltReason::Exhausted, HaltReason::MaxSteps(3)] {
        let json = serde_json::to_string(&reason).unwrap();
        assert_eq!(serde_json::from_str::<HaltReason>(&json).unwrap(), reason, "{json}");
    }
    let error = serde_json::from_str::<HaltReason>(r#""lost""#).unwrap_err();
    assert!(error.to_string().contains("unknown variant `lost`"), "{error}");
    let error: FunctionError = serde_json::from_str(r#""it panicked: no""#).unwrap();
    assert!(!error.is_panic());
    let error = FunctionError::from_panic(&"no");
    let json = serde_json::to_string(&error).unwrap();
    assert_eq!(serde_json::from_str::<FunctionError>(&json).unwrap(), error);
}

/// A state that can't be written or read.
#[derive(Debug, Clone)]
struct Glass {
    breaks: bool,
}

impl Serialize for Glass {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        assert!(!self.breaks, "written");
        false.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Glass {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let breaks = bool::deserialize(deserializer)?;
        assert!(!breaks, "read");
        Ok(Self { breaks })
    }
}

cot_process! {
    process Fragile {
        state: Glass,
        task only -> Note { may_end }
    }
}

cot_process! {
    process Goal {
        state: Mine,
        goal: "${blow(state, \"goal\")}",
        task only -> Note { prompt: "${blow(state, \"prompt\")}", may_end }
    }
}

cot_process! {
    process Mocked {
        state: Mine,
        mock_mode: true,
        task person -> Note { ask: "What?", mock: mocked, update: notes[], next: function }
        task function -> Note { run: run, mock: mocked, update: notes[], next: done }
        task done { end }
    }
}
