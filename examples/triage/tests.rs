//! Tests of a process: single tasks, complete runs with random answers, and their coverage.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "../triage.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a program, used here as a module")]
mod triage;

use std::sync::{Arc, LazyLock};

use cot_core::{
    HaltReason, TaskEnd, TaskRun,
    model::ScriptedModel,
    prelude::*,
    testing::{Coverage, Mixture, Monkey, MonkeyError, MonkeyReport, ReplyKind},
};

use serde_json::{Value, json};

use triage::{Desk, Mail, Triage, TriageOutcome, TriageTask, Urgency};

const TICKET: &str = "Hello, order 4711 came with a cracked screen. I would like a new one. Ada";

/// The coverage of all tests in this file.
static COVERAGE: LazyLock<Coverage<Triage>> = LazyLock::new(Coverage::new);

/// Runs one task alone.
async fn run_task(task: TriageTask, desk: Desk, replies: &[Value]) -> TaskRun<Triage> {
    let model = ScriptedModel::new(replies.to_vec());
    run_task_on(model, task, desk).await
}

async fn run_task_on(
    model: impl LanguageModel + 'static,
    task: TriageTask,
    desk: Desk,
) -> TaskRun<Triage> {
    let runner = Triage::runner().model(model).observe(COVERAGE.watch());
    runner.run_task(task, desk).report().await.unwrap()
}

/// A state with a draft that was revised this many times.
fn drafted(revisions: u32) -> Desk {
    let mail = Mail { subject: "Your order".to_owned(), body: "We are sorry.".to_owned() };
    Desk { ticket: TICKET.to_owned(), mail: Some(mail), revisions, ..Desk::default() }
}

fn classified(urgency: &str, missing: &[&str]) -> Value {
    json!({ "reason": "it is cracked", "category": "defect", "urgency": urgency, "missing": missing })
}

fn urgency(desk: &Desk) -> Option<Urgency> {
    desk.classification.as_ref().map(|classification| classification.urgency)
}

fn go(to: &str) -> Value {
    json!({ "intent": "go on", "goTo": to, "stepAfter": "none" })
}

#[tokio::test]
async fn what_is_missing_is_asked_for() {
    let desk = || Desk { ticket: TICKET.to_owned(), ..Desk::default() };
    let replies = [classified("normal", &["the address"])];
    let run = run_task(TriageTask::Classify, desk(), &replies).await;
    assert!(matches!(run.end, TaskEnd::Done { next: Some(TriageTask::Ask), .. }), "{run:?}");

    let replies = [classified("quite urgent", &[]), classified("critical", &[])];
    let run = run_task(TriageTask::Classify, desk(), &replies).await;
    assert!(matches!(run.end, TaskEnd::Done { next: Some(TriageTask::Route), .. }), "{run:?}");
    assert_eq!(run.attempts.len(), 1, "the unknown urgency is rejected");
    assert_eq!(urgency(&run.state), Some(Urgency::Critical));
}

#[tokio::test]
async fn a_draft_is_rewritten_three_times_at_most() {
    for revisions in 0..3 {
        let run = run_task(TriageTask::Review, drafted(revisions), &[go("revise")]).await;
        assert!(matches!(run.end, TaskEnd::Went { go_to: TriageTask::Revise, .. }), "{run:?}");
    }
    let run = run_task(TriageTask::Review, drafted(3), &[go("revise"), go("send")]).await;
    assert!(matches!(run.end, TaskEnd::Went { go_to: TriageTask::Send, .. }), "{run:?}");
    assert_eq!(run.attempts.len(), 1, "a fourth revision is not offered");
}

#[tokio::test]
async fn a_revision_replaces_the_mail_and_is_counted() {
    let reply = json!({ "subject": "A new screen", "body": "It is on its way." });
    let model = Arc::new(ScriptedModel::new([reply]));
    let run = run_task_on(Arc::clone(&model), TriageTask::Revise, drafted(1)).await;
    assert_eq!(run.state.revisions, 2);
    assert_eq!(run.state.mail.unwrap().subject, "A new screen");
    assert!(model.requests()[0].prompt().contains("We are sorry."), "the model sees the draft");
}

#[tokio::test]
async fn nothing_is_written_when_no_attempt_is_good() {
    let empty = json!({ "subject": "", "body": "" });
    let run = run_task(TriageTask::Draft, drafted(0), &[empty.clone(), empty.clone(), empty]).await;
    let halt = run.halt().unwrap();
    assert_eq!((&halt.reason, halt.attempts.len()), (&HaltReason::Exhausted, 3));
    assert_eq!(run.state.mail.unwrap().subject, "Your order");
}

/// Runs with random answers, and their invariants.
fn monkey() -> Monkey<Triage> {
    Monkey::new(|| Desk { ticket: TICKET.to_owned(), ..Desk::default() })
        .coverage(&COVERAGE)
        .invariant("at most three revisions", |desk| desk.revisions <= 3)
        .invariant("the ticket never changes", |desk| desk.ticket == TICKET)
        .invariant("subjects fit into a line", |desk| match &desk.mail {
            Some(mail) if mail.subject.chars().count() > 80 => Err(mail.subject.clone()),
            _ => Ok(()),
        })
        .step_invariant("revisions increase by one", |old, new| {
            new.revisions == old.revisions || new.revisions == old.revisions + 1
        })
        .machine_invariant("at most 60 calls", |machine| machine.usage().calls <= 20 * 3)
        .end_invariant("there is a mail to send", |outcome, desk| match outcome {
            TriageOutcome::Send | TriageOutcome::Asked => desk.mail.is_some(),
            _ => true,
        })
        .end_invariant("critical tickets are never sent", |outcome, desk| {
            *outcome != TriageOutcome::Send || urgency(desk) != Some(Urgency::Critical)
        })
        .end_invariant("every run reaches a terminal", |outcome, _| {
            !matches!(outcome, TriageOutcome::RanOut(_))
        })
}

#[test]
fn what_has_to_hold_holds_whatever_is_answered() -> Result<(), MonkeyError<Triage>> {
    let report = monkey().seed(1).run()?;
    for end in ["asked", "send", "escalate", "halted: exhausted", "halted: unreachable"] {
        assert!(report.ended(end) > 0, "no run ended in {end}\n{report}");
    }
    Ok(())
}

#[test]
fn good_answers_come_to_good_ends() -> Result<(), MonkeyError<Triage>> {
    let good: MonkeyReport<_> = monkey().mixture(Mixture::only(ReplyKind::Valid)).run()?;
    let ends = good.ended("asked") + good.ended("send") + good.ended("escalate");
    assert_eq!(ends, good.runs(), "{good}");
    Ok(())
}

#[test]
fn a_limit_that_is_too_tight_is_found() {
    let failure = monkey().invariant("one revision", |desk| desk.revisions < 2).run().unwrap_err();
    assert_eq!(failure.task(), Some(TriageTask::Revise));
    assert!(failure.to_string().contains("only_run"), "{failure}");
}

#[test]
fn the_tests_have_full_coverage() -> Result<(), MonkeyError<Triage>> {
    // The order of the tests is arbitrary; the monkey alone reaches full coverage.
    let coverage = Coverage::new();
    monkey().coverage(&coverage).run()?;
    coverage.merge(&COVERAGE);
    println!("{coverage}");
    assert_eq!(coverage.missing(), [""; 0], "{coverage}");
    assert_eq!(coverage.share(), 1.0);
    Ok(())
}
