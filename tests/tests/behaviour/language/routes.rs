//! Where tasks lead: sequences, `next` with guards, `process_output` with and without a list.

use cot_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::drive::{Note, after, call, go, note, outcome, request, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Path {
    notes: Vec<Note>,
    steps: Vec<String>,
}

/// The task that runs after these replies.
fn task_after<P: Process<Context = ()>>(
    state: P::State,
    replies: impl IntoIterator<Item = serde_json::Value>,
) -> String {
    call(&mut after::<P, _>(state, replies)).task.to_string()
}

cot_process! {
    process Sequences {
        state: Path,
        start: two,
        default_return: last,
        sequence main [one, two, three]
        task one -> Note {}
        task two -> Note {}
        task three -> Note { next: { last if output.rank == 0, one } }
        task last -> Note { next: done }
        task done { end }
    }
}

#[test]
fn a_sequence_leads_on_and_start_says_where_to_begin() {
    let after = |count: u32| {
        let replies = (0..count).map(|_| note("x", 1));
        task_after::<Sequences>(Path::default(), replies)
    };
    assert_eq!([0, 1, 2, 3].map(after), ["two", "three", "one", "two"]);
}

#[test]
fn next_comes_before_the_sequence() {
    let replies = [note("x", 1), note("x", 0)];
    assert_eq!(task_after::<Sequences>(Path::default(), replies), "last");
}

cot_process! {
    process LastOfSequence {
        state: Path,
        default_return: hub,
        sequence main [one, two]
        task one -> Note {}
        task two -> Note {}
        task hub { transitions: { one, done } }
        task done { end }
    }
}

#[test]
fn the_last_of_a_sequence_goes_where_the_default_says() {
    let replies = [note("x", 1), note("x", 1)];
    assert_eq!(task_after::<LastOfSequence>(Path::default(), replies), "hub");
}

cot_process! {
    process Guards {
        state: Path,
        goal: "short",

        task write -> Note {
            update: notes[],
            next: {
                by_output if output.rank == 1,
                by_state if state.notes.len() == 2,
                by_goal if goal == "long",
                gate,
            },
        }

        task gate { next: { write if state.notes.len() < 3, full } }
        task by_output { end }
        task by_state { end }
        task by_goal { end }
        task full { end }
    }
}

#[test]
fn arms_see_the_output_and_the_state_after_the_commit() {
    let ended = |ranks: &[u32]| {
        let replies = ranks.iter().map(|rank| note("x", *rank));
        outcome(&mut after::<Guards, _>(Path::default(), replies))
    };
    assert!(matches!(ended(&[1]), GuardsOutcome::ByOutput));
    assert!(matches!(ended(&[5, 1]), GuardsOutcome::ByOutput), "the first that holds is taken");
    assert!(matches!(ended(&[5, 5]), GuardsOutcome::ByState));
    let two = Path { notes: vec![Note::default(); 2], ..Path::default() };
    let mut machine = after::<Guards, _>(two, [note("x", 5)]);
    assert!(matches!(outcome(&mut machine), GuardsOutcome::Full), "gateways lead on at once");
}

#[test]
fn arms_see_the_goal() {
    let mut options = cot_core::MachineOptions::default();
    options.goal = Some("long".into());
    let mut machine = crate::drive::started_with::<Guards>(options, Path::default());
    crate::drive::reply(&mut machine, note("x", 5));
    assert!(matches!(outcome(&mut machine), GuardsOutcome::ByGoal));
}

fn plain(note: &Note, path: &mut Path) {
    path.steps.push(format!("{} after {}", note.text, path.notes.len()));
}

fn fallible(note: &Note, path: &mut Path) -> Result<(), Issues> {
    path.steps.push("touched".into());
    if note.rank == 0 { Err(Issues::at("rank", "zero is refused")) } else { Ok(()) }
}

fn choosing(note: &Note, _: &mut Path) -> ProcessesListedChoice {
    if note.rank > 5 { ProcessesListedChoice::High } else { ProcessesListedChoice::Plain }
}

fn choosing_or_not(note: &Note, _: &mut Path) -> Result<ProcessesBothChoice, Issues> {
    match note.rank {
        0 => Err(Issues::at("rank", "zero is refused")),
        1 => Ok(ProcessesBothChoice::Listed),
        _ => Ok(ProcessesBothChoice::High),
    }
}

cot_process! {
    process Processes {
        state: Path,
        default_return: hub,
        task hub { transitions: { plain, fallible, listed, both } }
        task plain -> Note { update: notes[], process_output: plain }
        task fallible -> Note { process_output: fallible }
        task listed -> Note { process_output: choosing -> [high, plain] }
        task both -> Note { process_output: choosing_or_not -> [high, listed] }
        task high { end }
    }
}

#[test]
fn process_output_runs_after_the_update() {
    let machine = after::<Processes, _>(Path::default(), [go("plain"), note("x", 1)]);
    assert_eq!(state(&machine).steps, ["x after 1"]);
    assert_eq!(state(&machine).notes.len(), 1);
}

#[test]
fn process_output_may_refuse_and_then_nothing_is_written() {
    let refused = [go("fallible"), note("x", 0)];
    let mut machine = after::<Processes, _>(Path::default(), refused);
    assert_eq!(*state(&machine), Path::default());
    let call = call(&mut machine);
    assert_eq!((call.task, call.key.attempt()), (ProcessesTask::Fallible, 2));
    assert!(request(&call).prompt().contains("zero is refused"));

    let accepted = [go("fallible"), note("x", 0), note("x", 1)];
    let machine = after::<Processes, _>(Path::default(), accepted);
    assert_eq!(state(&machine).steps, ["touched"], "only the accepted output counts");
}

#[test]
fn process_output_chooses_from_its_list() {
    let replies = |task, rank| [go(task), note("x", rank)];
    assert_eq!(task_after::<Processes>(Path::default(), replies("listed", 5)), "plain");
    let mut machine = after::<Processes, _>(Path::default(), replies("listed", 6));
    assert!(matches!(outcome(&mut machine), ProcessesOutcome::High));
    assert_eq!(task_after::<Processes>(Path::default(), replies("both", 1)), "listed");
    assert_eq!(task_after::<Processes>(Path::default(), replies("both", 0)), "both");
    let mut machine = after::<Processes, _>(Path::default(), replies("both", 2));
    assert!(matches!(outcome(&mut machine), ProcessesOutcome::High));
}

cot_process! {
    process Doors {
        state: u32,

        task hall {
            transitions: {
                room: "Go in by the front" with 1 if *state < 10,
                room: "Go in by the back" with 2 if *state > 5,
                done,
            },
        }

        task room -> Note { inputs: u32, prompt: "Door ${inputs}", next: done }
        task done { end }
    }
}

#[test]
fn the_first_of_two_transitions_to_one_task_whose_guard_holds_is_offered() {
    for (state, label, door) in
        [(1, "front", "Door 1"), (7, "front", "Door 1"), (20, "back", "Door 2")]
    {
        let mut machine = after::<Doors, _>(state, [] as [serde_json::Value; 0]);
        let asked = request(&call(&mut machine)).clone();
        let other = if label == "front" { "back" } else { "front" };
        assert!(asked.prompt().contains(label) && !asked.prompt().contains(other));
        let mut machine = after::<Doors, _>(state, [go("room")]);
        assert!(request(&call(&mut machine)).prompt().contains(door));
    }
}
