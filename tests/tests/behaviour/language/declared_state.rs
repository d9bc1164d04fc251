//! States that a process declares: what is given, what has a default, and what is unset until a task
//! writes it.

use cot_core::{HaltReason, prelude::*};
use serde_json::json;

use crate::drive::{Note, drive, note, outcome, started, state};

cot_process! {
    /// Plans, and then works.
    pub(crate) process Planned {
        state: {
            /// What is wanted.
            input request: String,
            notes: Vec<String> = vec![],
            plan: Note,
            log: Vec<String>,
            r#type: u32 = 3,
        },
        intro: "${state.request}: ${json(state)}",
        prompts: { planned: "${state.plan.text}" },

        task make -> Note {
            prompt: "So far: ${json(state.plan?)}",
            update: {
                plan = output,
                plan.rank = state.r#type,
                log = vec![],
                notes[] = state.request,
            },
            next: { work if state.plan.rank == 3 && state.log?.is_some(), make },
        }

        task work -> Note {
            prompt: "${part(planned)} ${format!(\"{} {}\", state.plan.rank, state.log.len())}",
            update: {
                log[] = format!("{} after {}", output.text, state.plan.text),
                plan.text = output.text,
                notes = state.log,
            },
            next: { done if state.log.len() > 1, work },
        }

        task done { end }
    }
}

#[test]
fn unset_fields_are_values_where_they_are_written() {
    let mut machine = started::<Planned>(PlannedState::new("ships".into()));
    let mut visits = 0;
    let driven = drive(&mut machine, |_, _| {
        visits += 1;
        note(["a", "b", "c"][visits - 1], 9)
    });
    assert!(matches!(outcome(&mut machine), PlannedOutcome::Done));
    assert!(driven.prompt_of("make").contains("So far: null"));
    assert!(driven.prompt_of("work").contains("a 3 0"));
    let state = state(&machine);
    assert_eq!(state.plan, Some(Note { text: "c".into(), rank: 3 }));
    assert_eq!(state.log.as_deref().unwrap(), ["b after a", "c after b"]);
    assert_eq!(state.notes, ["b after a"]);
}

#[test]
fn what_is_not_written_is_left_out_of_the_whole_state() {
    let mut machine = started::<Planned>(PlannedState::new("ships".into()));
    let asked = crate::drive::prompt(&mut machine);
    assert!(asked.contains(r#"ships: {"request":"ships","notes":[],"type":3}"#), "{asked}");
    let old = json!({ "request": "x", "notes": [], "plan": null, "log": null, "type": 3 });
    let state: PlannedState = serde_json::from_value(old).unwrap();
    assert!(state.plan.is_none() && state.log.is_none());
}

#[test]
fn a_field_that_was_taken_away_is_named() {
    let mut machine = started::<Planned>(PlannedState::new("ships".into()));
    crate::drive::reply(&mut machine, note("a", 1));
    machine.change_state(|state| state.log = None);
    let PlannedOutcome::Halted(halt) = outcome(&mut machine) else { panic!() };
    assert_eq!(halt.task, PlannedTask::Work);
    assert!(matches!(halt.reason, HaltReason::Unwritten(field) if field == "log"));
}

#[test]
fn the_struct_reads_and_writes_what_is_missing() {
    let state: PlannedState =
        serde_json::from_value(json!({ "request": "x", "notes": [], "type": 3 })).unwrap();
    assert!(state.plan.is_none() && state.log.is_none());
}

cot_process! {
    process Defaults {
        state: { count: u32 = 2, label: String = "x".repeat(2), last: Note },

        task look -> Note {
            prompt: "${state.label}${state.count}",
            update: { last?.text = output.text, count = state.count + 1 },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn a_state_without_inputs_has_a_default() {
    let mut machine = started::<Defaults>(DefaultsState::default());
    let driven = drive(&mut machine, |_, _| note("a", 9));
    assert!(driven.prompt_of("look").contains("xx2"));
    assert_eq!(state(&machine).last, Some(Note { text: "a".into(), rank: 0 }));
}
