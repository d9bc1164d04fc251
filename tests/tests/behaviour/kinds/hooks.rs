//! Hooks around a commit.

use std::sync::{Arc, Mutex};

use cot_core::{HaltReason, Machine, PanicPlace, ResumeOptions, prelude::*};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::drive::{answer, run};
use crate::drive::{Note, call, history, note, outcome, reply, request, started, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Ledger {
    notes: Vec<Note>,
    total: u32,
}

async fn count(_: &Ledger) -> Result<u32, std::convert::Infallible> {
    Ok(7)
}

cot_process! {
    process Books {
        state: Ledger,
        task write -> Note { update: notes[], next: count }
        task count -> u32 { run: count, update: { total = state.total + output }, next: ask }
        task ask -> Note { ask: "What?", max_retries: 3, update: notes[], next: done }
        task done { end }
    }
}

fn books() -> Machine<Books> {
    started(Ledger::default())
}

#[test]
fn issues_of_all_hooks_are_told_together_and_asked_about_again() {
    let mut machine = books();
    machine.before_commit(|commit| match &commit.output {
        BooksOutput::Write(note) if note.rank < 5 => Err(Issues::at("rank", "is too low")),
        _ => Ok(()),
    });
    machine.before_commit(|commit| {
        commit.update(|ledger| ledger.total += 100);
        commit.add_history("never").map_err(|error| Issues::at("$", error.to_string()))?;
        match &commit.output {
            BooksOutput::Write(note) if note.text == "a" => Err(Issues::at("text", "is a")),
            _ => Ok(()),
        }
    });
    reply(&mut machine, note("a", 1));
    let prompt = request(&call(&mut machine)).prompt().to_owned();
    assert!(prompt.contains("is too low") && prompt.contains("$.text: is a\n"), "{prompt}");
    assert_eq!((state(&machine).total, machine.history().len()), (0, 0));
    reply(&mut machine, note("b", 9));
    assert_eq!((state(&machine).total, state(&machine).notes.len()), (100, 1));
    assert_eq!(history(&machine), json!(["never", { "task": "write", "output": note("b", 9) }]));
}

#[test]
fn what_replaces_an_output_is_committed_remembered_and_told() {
    let mut machine = books();
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    machine.before_commit(|commit| {
        if let BooksOutput::Write(note) = &mut commit.output {
            note.text.push('!');
        }
        Ok(())
    });
    machine.after_commit(move |commit| {
        let text = format!("{:?} {} {}", commit.task, commit.state.notes.len(), commit.state.total);
        heard.lock().unwrap().push(text);
    });
    reply(&mut machine, note("a", 1));
    assert_eq!(state(&machine).notes[0].text, "a!");
    assert_eq!(history(&machine)[0]["output"]["text"], "a!");
    run(&mut machine);
    answer(&mut machine, note("b", 1));
    assert_eq!(*told.lock().unwrap(), ["Write 1 0", "Count 1 7", "Ask 2 7"]);
}

#[test]
fn an_output_of_another_task_is_refused() {
    let mut machine = books();
    machine.before_commit(|commit| {
        commit.output = BooksOutput::Count(3);
        Ok(())
    });
    reply(&mut machine, note("a", 1));
    let prompt = request(&call(&mut machine)).prompt().to_owned();
    assert!(prompt.contains("a hook replaced the output of `write`"), "{prompt}");
    assert!(state(&machine).notes.is_empty());
}

#[test]
fn a_hook_before_the_commit_that_panics_commits_nothing_and_halts() {
    type Hook = fn(&mut cot_core::BeforeCommit<'_, Books>) -> Result<(), Issues>;
    let hooks: [Hook; 2] = [
        |commit| {
            commit.update(|ledger| ledger.total = 5);
            panic!("in the hook")
        },
        |commit| {
            commit.update(|ledger| ledger.total = 5);
            commit.update(|_| panic!("in its update"));
            Ok(())
        },
    ];
    for hook in hooks {
        let mut machine = books();
        machine.before_commit(hook);
        reply(&mut machine, note("a", 1));
        let halt = outcome(&mut machine).halt().cloned().unwrap();
        assert!(
            matches!(&halt.reason, HaltReason::Panicked(panic) if panic.place == PanicPlace::Hook),
            "{halt}"
        );
        assert_eq!((state(&machine), machine.history().len()), (&Ledger::default(), 0));
    }
}

#[test]
fn a_hook_after_the_commit_that_panics_disturbs_nothing() {
    let mut machine = books();
    machine.after_commit(|_| panic!("in the hook"));
    reply(&mut machine, note("a", 1));
    assert_eq!(state(&machine).notes.len(), 1);
    run(&mut machine);
    answer(&mut machine, note("b", 1));
    assert_eq!(outcome(&mut machine), BooksOutcome::Done);
}

#[test]
fn hooks_see_what_people_and_functions_give() {
    let mut machine = books();
    machine.before_commit(|commit| match commit.output {
        BooksOutput::Count(_) => Err(Issues::at("$", "does not count")),
        _ => Ok(()),
    });
    reply(&mut machine, note("a", 1));
    run(&mut machine);
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!((halt.task, halt.reason), (BooksTask::Count, HaltReason::Exhausted));
    assert_eq!(halt.attempts[0].issues.to_string(), "$: does not count");
    let again = ResumeOptions::new().retry_halted();
    let mut machine = Machine::<Books>::resume(machine.snapshot().unwrap(), again).unwrap();
    run(&mut machine);
    assert_eq!(state(&machine).total, 7);
}
