//! How branches start, join and fail, on a machine.

use cot_core::{
    BranchOutcome, EventOutcome, HaltReason, Machine, ResumeOptions, RunEvent, Snapshot, prelude::*,
};
use serde_json::json;

use super::process::{
    Fan, FanOutcome, FanTask, Note, Trip, answer, note, refuse, started, waits_for,
};

fn spread() -> Machine<Fan> {
    let mut machine = started::<Fan>(Trip::new());
    answer(&mut machine, "plan", note("Rome"));
    machine
}

#[test]
fn all_branches_wait_at_once_and_join_when_the_last_is_done() {
    let mut machine = spread();
    let first = ["web 0", "item a", "item b", "Which?", "inner 1: Rome", "run count"];
    assert_eq!(waits_for(&mut machine), first);
    assert_eq!(machine.poll().directives().len(), machine.pending_calls());
    assert_eq!(machine.task(), Some(FanTask::Spread));
    let keys: Vec<_> = machine.poll().directives().iter().map(|it| it.key.to_string()).collect();
    let expected =
        ["web#1@1", "items#1[0]@1", "items#1[1]@1", "person#1@1", "inner#1/first#1@1", "count#1@1"];
    assert_eq!(keys, expected);
    answer(&mut machine, "item b", note("B"));
    answer(&mut machine, "Which?", note("P"));
    for number in 1..=3 {
        answer(&mut machine, "run count", json!(number));
    }
    answer(&mut machine, "web 0", note("w0"));
    answer(&mut machine, "item a", note("A"));
    let next = ["web 1", "inner 1: Rome", "left", "sleep right"];
    let mut waits = waits_for(&mut machine);
    waits.sort();
    let mut expected = next.to_vec();
    expected.sort();
    assert_eq!(waits, expected);
    answer(&mut machine, "inner 1", note("i1"));
    answer(&mut machine, "sleep right", json!(null));
    answer(&mut machine, "web 1", note("w1"));
    answer(&mut machine, "right", note("R"));
    answer(&mut machine, "inner 2", note("i2"));
    answer(&mut machine, "left", note("L"));
    assert!(!machine.at_task_boundary());
    answer(&mut machine, "web 2", note("w2"));
    assert!(machine.at_task_boundary());
    assert_eq!(waits_for(&mut machine)[0].split(' ').next(), Some("merge"));
    answer(&mut machine, "merge", note("M"));
    machine.poll();
    assert_eq!(machine.outcome(), Some(FanOutcome::Done));
    let texts = |notes: &[Note]| notes.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
    let state = machine.state().unwrap();
    assert_eq!(texts(&state.web), ["w0", "w1", "w2"]);
    assert_eq!(texts(&state.items), ["A", "B"]);
    assert_eq!((texts(&state.left), texts(&state.right)), (vec!["L".into()], vec!["R".into()]));
    assert_eq!((texts(&state.inner), state.count), (vec!["i1".into(), "i2".into()], 3));
    // In the order of the commits.
    let history: Vec<_> = machine.history().iter().map(|it| it.json().to_owned()).collect();
    let tasks: Vec<_> = history.iter().map(|json| json.split('"').nth(3).unwrap_or("")).collect();
    assert_eq!(tasks[..3], ["plan", "person", "count"], "{history:?}");
    assert_eq!(tasks.last(), Some(&"merge"));
}

#[test]
fn the_time_of_a_run_is_that_of_its_slowest_branch() {
    let mut machine = spread();
    for (call, text) in [("web 0", "a"), ("web 1", "b"), ("web 2", "c"), ("inner 1", "d")] {
        answer(&mut machine, call, note(text));
    }
    let json: serde_json::Value =
        serde_json::from_str(&machine.snapshot().unwrap().to_json().unwrap()).unwrap();
    // A second for the plan, and three for the loop.
    assert_eq!(json["elapsed"]["secs"], 4);
}

#[test]
fn a_failed_branch_cancels_the_others_and_takes_the_route_of_the_task() {
    let mut machine = spread();
    answer(&mut machine, "Which?", note("P"));
    refuse(&mut machine, "inner 1");
    refuse(&mut machine, "web 0");
    refuse(&mut machine, "web 0");
    assert!(machine.at_task_boundary());
    machine.poll();
    assert_eq!(machine.outcome(), Some(FanOutcome::Apologize("sorry".to_owned())));
    let failure = machine.last_failure().unwrap();
    assert_eq!(failure.task, FanTask::Spread);
    let HaltReason::BranchFailed(failed) = &failure.reason else { panic!("{failure:?}") };
    assert_eq!((&*failed.branch, &*failed.task), ("web", "web"));
    assert_eq!(failed.reason, Some(HaltReason::Exhausted));
    assert_eq!(failure.attempts.len(), 2);
    let text = "the branch `web` failed at its task `web`: no attempt gave a valid reply";
    assert_eq!(failure.reason.to_string(), text);
    // What other branches have committed stays, and what they have used counts.
    assert_eq!(machine.state().unwrap().person, [Note { text: "P".to_owned() }]);
    assert_eq!(machine.usage().calls, 4);
    let ends = machine.drain_events().filter_map(|event| match event {
        RunEvent::BranchEnded { branch, outcome, .. } => Some((branch, outcome)),
        _ => None,
    });
    let ends: Vec<_> = ends.collect();
    let expected = [
        (FanTask::Person, BranchOutcome::Joined),
        (FanTask::Web, BranchOutcome::Failed("no attempt gave a valid reply".to_owned())),
        (FanTask::Items, BranchOutcome::Cancelled),
        (FanTask::Inner, BranchOutcome::Cancelled),
        (FanTask::Count, BranchOutcome::Cancelled),
    ];
    assert_eq!(ends, expected);
}

cot_process! {
    process Race {
        state: Trip,
        max_retries: 0,
        parallel race [fast, careful] => use_first { join: any, on: { exhausted => apologize } }
        task fast -> Note { full_prompt: "fast", update: left[], next: use_first }
        task careful -> Note { full_prompt: "careful", update: right[], next: check }
        task check -> Note { full_prompt: "check", update: right[], next: use_first }
        task use_first { next: done }
        task apologize { fail: "both failed" }
        task done { end }
    }
}

#[test]
fn the_first_branch_at_the_join_wins() {
    let mut machine = started::<Race>(Trip::new());
    answer(&mut machine, "careful", note("c"));
    answer(&mut machine, "fast", note("f"));
    machine.poll();
    assert_eq!(machine.outcome(), Some(RaceOutcome::Done));
    // The commits of the one that lost stay.
    let state = machine.state().unwrap();
    assert_eq!((state.left.len(), state.right.len()), (1, 1));
}

#[test]
fn a_race_goes_on_with_the_branches_that_are_left() {
    let mut machine = started::<Race>(Trip::new());
    refuse(&mut machine, "fast");
    answer(&mut machine, "careful", note("c"));
    assert_eq!(waits_for(&mut machine), ["check"]);
    refuse(&mut machine, "check");
    machine.poll();
    assert_eq!(machine.outcome(), Some(RaceOutcome::Apologize("both failed".to_owned())));
    let HaltReason::BranchFailed(failed) = machine.last_failure().unwrap().reason else { panic!() };
    assert_eq!((&*failed.branch, &*failed.task), ("careful", "check"));
}

cot_process! {
    process Survey {
        state: Trip,
        max_retries: 0,
        parallel ask [one, other] => done { join: settled }
        task one -> Note { full_prompt: "one", update: left[], next: done }
        task other -> Note { full_prompt: "other", update: right[], next: done }
        task done { end }
    }
}

#[test]
fn a_settled_join_waits_for_all_and_forgives() {
    let mut machine = started::<Survey>(Trip::new());
    refuse(&mut machine, "one");
    assert_eq!(waits_for(&mut machine), ["other"]);
    refuse(&mut machine, "other");
    machine.poll();
    assert_eq!(machine.outcome(), Some(SurveyOutcome::Done));
}

#[test]
fn a_branch_that_is_over_needs_none_of_its_tasks() {
    let mut machine = started::<Survey>(Trip::new());
    refuse(&mut machine, "one");
    let mut json = serde_json::to_value(machine.snapshot().unwrap()).unwrap();
    let halted =
        json.pointer_mut("/position/branches/branches/0/position/finished/Halted").unwrap();
    assert_eq!(halted["task"], "one");
    // An earlier version of the process had another task there.
    halted["task"] = json!("gone");
    let snapshot = Snapshot::from_json(&json.to_string()).unwrap();
    let mut resumed = Machine::<Survey>::resume(snapshot, ResumeOptions::new()).unwrap();
    assert_eq!(waits_for(&mut resumed), ["other"]);
    answer(&mut resumed, "other", note("2"));
    resumed.poll();
    assert_eq!(resumed.outcome(), Some(SurveyOutcome::Done));
}

#[test]
fn without_a_route_a_failed_branch_halts_the_run_and_it_can_be_tried_again() {
    let machine = spread_without_route();
    let Some(HaltlessOutcome::Halted(halt)) = machine.outcome() else { panic!() };
    assert_eq!(halt.task, HaltlessTask::Both);
    assert_eq!(halt.reason.name(), "branch failed");
    let snapshot = machine.snapshot().unwrap();
    let mut again =
        Machine::<Haltless>::resume(snapshot, ResumeOptions::new().retry_halted()).unwrap();
    assert_eq!(waits_for(&mut again), ["one", "other"]);
    answer(&mut again, "one", note("1"));
    answer(&mut again, "other", note("2"));
    again.poll();
    assert_eq!(again.outcome(), Some(HaltlessOutcome::Done));
}

cot_process! {
    process Haltless {
        state: Trip,
        max_retries: 0,
        parallel both [one, other] => done
        task one -> Note { full_prompt: "one", update: left[], next: done }
        task other -> Note { full_prompt: "other", update: right[], next: done }
        task done { end }
    }
}

fn spread_without_route() -> Machine<Haltless> {
    let mut machine = started::<Haltless>(Trip::new());
    refuse(&mut machine, "other");
    machine.poll();
    machine
}

#[test]
fn an_event_of_a_cancelled_branch_is_stale() {
    let mut machine = started::<Race>(Trip::new());
    let ids: Vec<_> = machine.poll().directives().iter().map(|it| it.id).collect();
    answer(&mut machine, "fast", note("f"));
    assert!(!machine.is_pending(ids[1]));
    let event = cot_core::Event::Woken { id: ids[1] };
    assert_eq!(machine.handle(event), EventOutcome::Stale);
}

#[test]
fn one_task_of_a_branch_runs_alone_and_so_do_all_branches() {
    let mut machine = Machine::<Race>::new();
    machine.start_task(RaceTask::Careful, None, Trip::new()).unwrap();
    answer(&mut machine, "careful", note("c"));
    machine.poll();
    assert_eq!(machine.outcome(), Some(RaceOutcome::RanOut(RaceTask::Careful)));
    let mut machine = Machine::<Race>::new();
    machine.start_task(RaceTask::Race, None, Trip::new()).unwrap();
    answer(&mut machine, "careful", note("c"));
    answer(&mut machine, "check", note("c"));
    machine.poll();
    assert_eq!(machine.outcome(), Some(RaceOutcome::RanOut(RaceTask::Race)));
    assert_eq!(machine.state().unwrap().right.len(), 2);
}

#[test]
fn a_poll_lists_only_what_is_new() {
    let mut machine = spread();
    let newest = machine.poll().directives().iter().map(|it| it.id).max();
    assert!(machine.poll_after(newest).directives().is_empty());
    answer(&mut machine, "web 0", note("w"));
    let new: Vec<_> =
        machine.poll_after(newest).directives().iter().map(super::process::asked).collect();
    assert_eq!(new, ["web 1"]);
}

#[test]
fn a_cancelled_run_counts_what_its_branches_have_used() {
    let mut machine = spread();
    answer(&mut machine, "inner 1", note("i"));
    machine.handle(cot_core::Event::Cancelled { reason: "enough".to_owned() });
    machine.poll();
    assert_eq!(machine.usage().calls, 2);
    let Some(FanOutcome::Halted(halt)) = machine.outcome() else { panic!() };
    assert_eq!(halt.task, FanTask::Spread);
}

#[test]
fn the_prompt_of_a_branch_can_be_shown() {
    let mut machine = spread();
    machine.poll();
    assert!(machine.prompt().unwrap().prompt().starts_with("web 0"));
    answer(&mut machine, "web 0", note("w"));
    machine.poll();
    assert!(machine.prompt().unwrap().prompt().starts_with("web 1"));
}

mod changed {
    use super::*;

    cot_process! {
        /// The same process with another branch.
        pub(super) process Haltless {
            state: Trip,
            max_retries: 0,
            parallel both [one, third] => done
            task one -> Note { full_prompt: "one", update: left[], next: done }
            task third -> Note { full_prompt: "third", update: right[], next: done }
            task done { end }
        }
    }
}

mod longer {
    use super::*;

    cot_process! {
        /// The same process with a longer branch and another join.
        pub(super) process Haltless {
            state: Trip,
            max_retries: 0,
            parallel both [one, other] => after
            task one -> Note { full_prompt: "one", update: left[], next: after }
            task other -> Note { full_prompt: "other", update: right[], next: more }
            task more -> Note { full_prompt: "more", update: right[], next: after }
            task after -> Note { full_prompt: "after", next: done }
            task done { end }
        }
    }
}

#[test]
fn a_run_within_branches_depends_on_their_tasks() {
    let mut machine = started::<Haltless>(Trip::new());
    answer(&mut machine, "one", note("1"));
    let snapshot = machine.snapshot().unwrap();
    assert_eq!(snapshot.task(), "both");
    let refused = Machine::<changed::Haltless>::resume(snapshot.clone(), ResumeOptions::new());
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("the branches of its task `both`"), "{error}");
    assert!(error.contains("its task `other` no longer exists"), "{error}");
    let mut longer = Machine::<longer::Haltless>::resume(
        snapshot,
        ResumeOptions::new().accept_changed_prompts(),
    )
    .unwrap();
    assert_eq!(waits_for(&mut longer), ["other"]);
    answer(&mut longer, "other", note("2"));
    answer(&mut longer, "more", note("3"));
    assert_eq!(waits_for(&mut longer), ["after"]);
}
