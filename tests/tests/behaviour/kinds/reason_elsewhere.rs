//! Tasks that reason, within other processes, mocked, replayed, driven at random, and changed.

use std::sync::Arc;

use cot_core::{
    ConflictKind, Machine, MachineOptions, Reply, ResumeOptions, RunEvent, SnapshotError,
    model::ScriptedModel,
    prelude::*,
    reasoning::{Reasoning, Step},
    replay::{Capture, Replay},
    testing::{Coverage, Mixture, Monkey, MonkeyModel, ReplyKind},
};
use serde::{Deserialize, Serialize};

use super::{
    drive::{calls, run, survives},
    reason::{Advice, Advise, AdviseTask, THOUGHT},
};
use crate::drive::{go, note, outcome, reply, started, started_with, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Day {
    advice: Option<Advice>,
}

cot_process! {
    process Morning {
        state: Day,

        task advise {
            process: Advise with Advice::on("What to take?"),
            update: { advice = Some(output) },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn within_another_process() {
    let mut machine = started::<Morning>(Day::default());
    reply(&mut machine, go("think"));
    survives(&mut machine);
    reply(&mut machine, "");
    survives(&mut machine);
    let request = reply(&mut machine, THOUGHT);
    assert!(request.prompt().contains("What to take?") && request.schema.is_none());
    survives(&mut machine);
    reply(&mut machine, note("An umbrella.", 1));
    assert_eq!(outcome(&mut machine), MorningOutcome::Done);
    let advice = state(&machine).advice.as_ref().unwrap();
    assert_eq!((advice.steps.len(), advice.conclusion.is_some()), (2, true));
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Stage {
    raw: Option<String>,
    items: Vec<u32>,
    said: Vec<Reasoning>,
}

/// Whose contents would be taken for something else elsewhere.
fn thought(stage: &Stage) -> Reply<Reasoning> {
    match &stage.raw {
        Some(raw) => Reply::json(raw.as_str().into()),
        None => Reasoning::parse("1. a\nSo it is\n2. b\n#### 1. c").into(),
    }
}

fn each(_: &Stage, item: &u32) -> Reasoning {
    let step = Step { number: u64::from(*item).into(), content: "it".to_owned() };
    Reasoning { steps: vec![step], conclusion: None }
}

cot_process! {
    process Play {
        state: Stage,
        mock_mode: true,
        max_retries: 0,

        task think {
            reason: "What?",
            mock: thought,
            update: { said[] = output },
            on: { exhausted => failed },
            next: each,
        }

        task each {
            for_each: item in state.items,
            reason: "${item}",
            mock: each,
            update: { said = output },
            next: done,
        }

        task failed { fail: "nothing was found" }
        task done { end }
    }
}

#[test]
fn a_mock_gives_the_reasoning_or_the_text() {
    let play = |raw: Option<&str>| {
        let raw = raw.map(str::to_owned);
        started::<Play>(Stage { raw, items: vec![7, 3], ..Stage::default() })
    };
    let mut machine = play(None);
    run(&mut machine);
    let said = &state(&machine).said[0];
    assert_eq!(*said, Reasoning::parse("1. a\nSo it is\n2. b\n#### 1. c"));
    assert_eq!(said.steps[0].content, "a\nSo it is");
    assert_eq!(outcome(&mut machine), PlayOutcome::Done);
    let numbers = state(&machine).said.iter().map(|said| said.steps[0].number.as_u64());
    assert_eq!(numbers.collect::<Vec<_>>(), [Some(7), Some(3)]);

    let mut machine = play(Some("Answer: 42"));
    run(&mut machine);
    assert_eq!(state(&machine).said[0].conclusion.as_deref(), Some("42"));

    let mut machine = play(Some("nothing"));
    run(&mut machine);
    assert_eq!(outcome(&mut machine), PlayOutcome::Failed("nothing was found".to_owned()));
}

#[test]
fn where_all_is_mocked_a_real_reply_is_a_text_still() {
    let mut options = MachineOptions::default();
    options.mock_mode = Some(false.into());
    let mut machine = started_with::<Play>(options, Stage { items: vec![1], ..Stage::default() });
    reply(&mut machine, "So: yes.");
    assert_eq!(calls(&mut machine).len(), 1);
    assert_eq!(state(&machine).said[0].conclusion.as_deref(), Some("yes."));
}

#[test]
fn the_monkey_thinks_aloud() {
    let coverage = Coverage::<Advise>::new();
    let monkey = || Monkey::<Advise>::new(|| Advice::on("What?")).seed(3).runs(300).max_steps(500);
    let shaky = Mixture::default().with(ReplyKind::Truncated, 5).with(ReplyKind::Refused, 5);
    let report = monkey().mixture(shaky).coverage(&coverage).run().unwrap();
    for ending in ["done", "lost", "cut", "refused"] {
        assert!(report.ended(ending) > 0, "{report}");
    }
    assert_eq!(coverage.missing(), Vec::<String>::new());

    let well_behaved = Coverage::<Advise>::new();
    let valid = monkey().mixture(Mixture::only(ReplyKind::Valid)).coverage(&well_behaved);
    let report = valid.run().unwrap();
    assert!(report.ended("done") > 100, "{report}");
    assert!(well_behaved.visits(AdviseTask::Think) > 100);
    assert_eq!(report.ended("cut") + report.ended("refused"), 0, "{report}");
}

#[tokio::test]
async fn a_model_at_random_thinks_aloud() {
    for seed in 0..20 {
        let model = MonkeyModel::seeded(seed).mixture(Mixture::only(ReplyKind::Valid));
        let runner = Play::runner().mock_mode(false).model(model).observe(|event, _| {
            if let RunEvent::AttemptFailed { attempt, .. } = event {
                panic!("{attempt:?}");
            }
        });
        let run = runner.run(Stage { items: vec![1, 2], ..Stage::default() }).await.unwrap();
        assert_eq!(run.state.said.len(), 2);
    }
}

#[tokio::test]
async fn a_captured_text_is_replayed() {
    let (capture, lines) = Capture::to_memory();
    let day = Advice::on("What to take?");
    let (choice, answer) = (go("think").to_string(), note("An umbrella.", 1).to_string());
    let model = Arc::new(ScriptedModel::new([choice, THOUGHT.to_owned(), answer]).streaming(5));
    let runner = Advise::runner().model(Arc::clone(&model)).engine("thinker", Arc::clone(&model));
    let runner = runner.engine("other", model).capture(capture.clone());
    let run = runner.run(day.clone()).await.unwrap();
    capture.finish().unwrap();
    assert_eq!(run.state.steps.len(), 2);

    let replay = Replay::read(lines.text().as_bytes()).unwrap();
    let again = Advise::runner().replay(replay.clone()).run(day).await.unwrap();
    assert_eq!((again.state, replay.unused().len()), (run.state, 0));
}

/// The same process before somebody had it think aloud.
mod as_json {
    use super::*;

    cot_process! {
        pub(super) process Think {
            state: Stage,
            task think -> Reasoning { prompt: "What?", update: { said[] = output }, next: done }
            task done { end }
        }
    }
}

cot_process! {
    process Think {
        state: Stage,
        task think { reason: "What?", update: { said[] = output }, next: done }
        task done { end }
    }
}

#[test]
fn a_snapshot_of_a_task_that_replied_with_json_is_refused() {
    let mut machine = started::<as_json::Think>(Stage::default());
    machine.poll();
    let snapshot = machine.snapshot().unwrap();
    let refused = Machine::<Think>::resume(snapshot, ResumeOptions::new()).unwrap_err();
    let SnapshotError::Incompatible { conflicts, .. } = refused else { panic!("{refused}") };
    let schema = ConflictKind::TaskSchema { task: "think".to_owned() };
    assert!(conflicts.iter().any(|conflict| conflict.kind == schema), "{conflicts:?}");
}
