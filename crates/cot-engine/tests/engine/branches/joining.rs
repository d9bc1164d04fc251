//! How branches start, join and fail.

use cot_engine::{
    BranchOutcome, Event, EventOutcome, HaltReason, Machine, ResumeOptions, RunEvent,
    private::Ending,
};
use serde_json::json;

use super::fan::{Race, Survey, answer, fan, refuse, topic, waits_for};
use crate::harness::{Run, Task};

fn spread() -> Run {
    let mut run = fan();
    answer(&mut run, "plan", topic("Rome"));
    run
}

#[test]
fn all_branches_wait_at_once_and_join_when_the_last_is_done() {
    let mut run = spread();
    let first = ["web 0", "item a", "item b", "Which?", "inner 1: Rome", "run count"];
    assert_eq!(waits_for(&mut run), first);
    assert_eq!(run.directives().len(), run.pending_calls());
    assert_eq!(run.position(), "spread");
    let keys = run.keys();
    let expected = [
        "web#1@1",
        "topics#1[0]@1",
        "topics#1[1]@1",
        "person#1@1",
        "inner#1/first#1@1",
        "count#1@1",
    ];
    assert_eq!(keys, expected);
    answer(&mut run, "item b", topic("B"));
    answer(&mut run, "Which?", topic("P"));
    for number in 1..=3 {
        answer(&mut run, "run count", json!(number));
    }
    answer(&mut run, "web 0", topic("w0"));
    answer(&mut run, "item a", topic("A"));
    let next = ["web 1", "inner 1: Rome", "left", "sleep right"];
    let mut waits = waits_for(&mut run);
    waits.sort();
    let mut expected = next.to_vec();
    expected.sort();
    assert_eq!(waits, expected);
    answer(&mut run, "inner 1", topic("i1"));
    answer(&mut run, "sleep right", json!(null));
    answer(&mut run, "web 1", topic("w1"));
    answer(&mut run, "right", topic("R"));
    answer(&mut run, "inner 2", topic("i2"));
    answer(&mut run, "left", topic("L"));
    assert!(!run.is_at_boundary());
    answer(&mut run, "web 2", topic("w2"));
    assert!(run.is_at_boundary());
    assert_eq!(waits_for(&mut run)[0].split(' ').next(), Some("merge"));
    answer(&mut run, "merge", topic("M"));
    assert_eq!(run.ending(), Ending::End("done"));
    let state = run.state();
    assert_eq!(state["web"], json!(["w0", "w1", "w2"].map(topic)));
    assert_eq!(state["topics"], json!(["A", "B"].map(topic)));
    assert_eq!((&state["left"], &state["right"]), (&topic("L"), &topic("R")));
    assert_eq!((&state["inner"]["second"], &state["count"]), (&topic("i2"), &json!(3)));
    // In the order of the commits.
    let history: Vec<_> = run.history().iter().map(|it| it.json().to_owned()).collect();
    let tasks: Vec<_> = history.iter().map(|json| json.split('"').nth(3).unwrap_or("")).collect();
    assert_eq!(tasks[..3], ["plan", "person", "count"], "{history:?}");
    assert_eq!(tasks.last(), Some(&"merge"));
}

#[test]
fn the_time_of_a_run_is_that_of_its_slowest_branch() {
    let mut run = spread();
    for (call, text) in [("web 0", "a"), ("web 1", "b"), ("web 2", "c"), ("inner 1", "d")] {
        answer(&mut run, call, topic(text));
    }
    let json = run.snapshot_json();
    // A second for the plan, and three for the loop.
    assert_eq!(json["elapsed"]["secs"], 4);
}

#[test]
fn a_failed_branch_cancels_the_others_and_takes_the_route_of_the_task() {
    let mut run = spread();
    answer(&mut run, "Which?", topic("P"));
    refuse(&mut run, "inner 1");
    refuse(&mut run, "web 0");
    refuse(&mut run, "web 0");
    assert!(run.is_at_boundary());
    assert_eq!(run.ending(), Ending::Fail("apologize", "sorry".to_owned()));
    let failure = run.last_failure().unwrap();
    assert_eq!(failure.task, "spread");
    let HaltReason::BranchFailed(failed) = &failure.reason else { panic!("{failure:?}") };
    assert_eq!((&*failed.branch, &*failed.task), ("web", "web"));
    assert_eq!(failed.reason, Some(HaltReason::Exhausted));
    assert_eq!(failure.attempts.len(), 2);
    let text = "the branch `web` failed at its task `web`: no attempt gave a valid reply";
    assert_eq!(failure.reason.to_string(), text);
    // What other branches have committed stays, and what they have used counts.
    assert_eq!(run.state()["person"], topic("P"));
    // Four calls were answered; those for two items and the sub-process were in flight.
    assert_eq!((run.usage().calls, run.usage().uncounted_calls), (7, 3));
    let ends = run.drain_events().into_iter().filter_map(|event| match event {
        RunEvent::BranchEnded { branch, outcome, .. } => Some((branch, outcome)),
        _ => None,
    });
    let ends: Vec<_> = ends.collect();
    let expected = [
        ("person", BranchOutcome::Joined),
        ("web", BranchOutcome::Failed("no attempt gave a valid reply".to_owned())),
        ("topics", BranchOutcome::Cancelled),
        ("inner", BranchOutcome::Cancelled),
        ("count", BranchOutcome::Cancelled),
    ];
    assert_eq!(ends, expected);
}

#[test]
fn the_first_branch_at_the_join_wins() {
    let mut run = Run::start::<Race>(json!({}));
    answer(&mut run, "careful", topic("c"));
    answer(&mut run, "fast", topic("f"));
    assert_eq!(run.ending(), Ending::End("done"));
    // The commits of the one that lost stay.
    let state = run.state();
    assert_eq!((&state["fast"], &state["careful"]), (&topic("f"), &topic("c")));
}

#[test]
fn a_race_goes_on_with_the_branches_that_are_left() {
    let mut run = Run::start::<Race>(json!({}));
    refuse(&mut run, "fast");
    answer(&mut run, "careful", topic("c"));
    assert_eq!(waits_for(&mut run), ["check"]);
    refuse(&mut run, "check");
    assert_eq!(run.ending(), Ending::Fail("apologize", "both failed".to_owned()));
    let HaltReason::BranchFailed(failed) = run.last_failure().unwrap().reason else { panic!() };
    assert_eq!((&*failed.branch, &*failed.task), ("careful", "check"));
}

#[test]
fn a_settled_join_waits_for_all_and_forgives() {
    let mut run = Run::start::<Survey>(json!({}));
    refuse(&mut run, "one");
    assert_eq!(waits_for(&mut run), ["other"]);
    refuse(&mut run, "other");
    assert_eq!(run.ending(), Ending::End("done"));
}

#[test]
fn a_branch_that_is_over_needs_none_of_its_tasks() {
    let mut run = Run::start::<Survey>(json!({}));
    refuse(&mut run, "one");
    let change = |json: &mut serde_json::Value| {
        let halted =
            json.pointer_mut("/position/branches/branches/0/position/finished/Halted").unwrap();
        assert_eq!(halted["task"], "one");
        // An earlier version of the process had another task there.
        halted["task"] = json!("gone");
    };
    let mut resumed = run.changed(change, &ResumeOptions::new()).unwrap();
    assert_eq!(waits_for(&mut resumed), ["other"]);
    answer(&mut resumed, "other", topic("2"));
    assert_eq!(resumed.ending(), Ending::End("done"));
}

#[test]
fn without_a_route_a_failed_branch_halts_the_run_and_it_can_be_tried_again() {
    let mut run = spread_without_route();
    let halt = run.halt();
    assert_eq!(halt.task, "both");
    assert_eq!(halt.reason.name(), "branch failed");
    let mut again = run.resume(run.snapshot(), &ResumeOptions::new().retry_halted()).unwrap();
    assert_eq!(waits_for(&mut again), ["one", "other"]);
    answer(&mut again, "one", topic("1"));
    answer(&mut again, "other", topic("2"));
    assert_eq!(again.ending(), Ending::End("done"));
}

fn spread_without_route() -> Run {
    let mut run = Run::at::<Survey>("both", json!({}));
    refuse(&mut run, "other");
    run.directives();
    run
}

#[test]
fn an_event_of_a_cancelled_branch_is_stale() {
    let mut run = Run::start::<Race>(json!({}));
    let ids: Vec<_> = run.directives().iter().map(|it| it.id).collect();
    answer(&mut run, "fast", topic("f"));
    assert!(!run.is_pending(ids[1]));
    assert_eq!((run.usage().calls, run.usage().uncounted_calls), (2, 1));
    let event = Event::Woken { id: ids[1] };
    assert_eq!(run.handle(event), EventOutcome::Stale);
}

#[test]
fn a_poll_lists_only_what_is_new() {
    let mut run = spread();
    let newest = run.directives().iter().map(|it| it.id).max();
    assert!(run.directives_after(newest).is_empty());
    answer(&mut run, "web 0", topic("w"));
    let new: Vec<_> = run.directives_after(newest).iter().map(super::fan::asked).collect();
    assert_eq!(new, ["web 1"]);
}

#[test]
fn a_cancelled_run_counts_what_its_branches_have_used() {
    let mut run = spread();
    answer(&mut run, "inner 1", topic("i"));
    run.cancel("enough");
    assert_eq!(run.usage().calls, 2);
    let halt = run.halt();
    assert_eq!(halt.task, "spread");
}

#[test]
fn the_prompt_of_a_branch_can_be_shown() {
    let mut run = spread();
    run.directives();
    assert!(run.shown_prompt().unwrap().prompt().starts_with("web 0"));
    answer(&mut run, "web 0", topic("w"));
    run.directives();
    assert!(run.shown_prompt().unwrap().prompt().starts_with("web 1"));
}

#[test]
fn one_task_of_a_branch_runs_alone_and_so_do_all_branches() {
    let alone = |task| {
        let mut machine = Machine::<Race>::new();
        machine.start_task(Task(task), None, json!({})).unwrap();
        Run::driving(machine, Default::default())
    };
    let mut run = alone(Race::careful);
    answer(&mut run, "careful", topic("c"));
    assert_eq!(run.ending(), Ending::RanOut("careful"));
    let mut run = alone(Race::race);
    answer(&mut run, "careful", topic("c"));
    answer(&mut run, "check", topic("d"));
    assert_eq!(run.ending(), Ending::RanOut("race"));
    assert_eq!((&run.state()["careful"], &run.state()["check"]), (&topic("c"), &topic("d")));
}
