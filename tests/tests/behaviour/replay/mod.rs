//! Runs that are captured, replayed without a model, and found to differ.

use cot_core::{
    HaltReason, RunError,
    model::{ModelErrorKind, ScriptedModel},
    prelude::*,
    replay::{Capture, Replay, ReplayError},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    /// One line.
    #[schemars(length(min = 1, max = 40))]
    text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Verdict {
    good: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Poem {
    subject: String,
    words: Vec<String>,
    title: Option<Line>,
    lines: Vec<Line>,
    verdict: Option<Verdict>,
}

mod captured {
    use super::*;

    cot_process! {
        pub(super) process Poet {
            state: Poem,
            goal: "Write a poem",
            max_retries: 1,

            task title -> Line {
                prompt: "Find a title for a poem on ${state.subject}.",
                update: { title = Some(output) },
                next: verse,
            }

            task verse -> Line {
                for_each: word in state.words,
                prompt: "Write a line with the word ${word}.",
                update: { lines = output },
                next: judge,
            }

            task judge -> Verdict {
                ask: "Is it good?",
                update: { verdict = Some(output) },
                next: done,
            }

            task done { end }
        }
    }
}

/// The same process after somebody reworded a prompt.
mod reworded {
    use super::*;

    cot_process! {
        pub(super) process Poet {
            state: Poem,
            goal: "Write a poem",
            max_retries: 1,

            task title -> Line {
                prompt: "Find a good title for a poem on ${state.subject}.",
                update: { title = Some(output) },
                next: done,
            }

            task done { end }
        }
    }
}

cot_process! {
    process Stranger {
        state: Poem,
        task title -> Line { update: { title = Some(output) }, next: done }
        task done { end }
    }
}

const WORDS: [&str; 3] = ["stone", "wave", "light"];

fn on(subject: &str) -> Poem {
    let words = WORDS.map(str::to_owned).to_vec();
    Poem { subject: subject.to_owned(), words, ..Poem::default() }
}

/// A model whose first title is no good.
fn model() -> ScriptedModel {
    ScriptedModel::from_fn(|request| {
        let prompt = request.prompt();
        if !prompt.contains("title for a poem") {
            let word = WORDS.into_iter().find(|word| prompt.contains(word)).unwrap();
            return json!({ "text": format!("The {word} is near") });
        }
        let was_wrong = prompt.contains("$.text");
        json!({ "text": if was_wrong { "The sea" } else { "" } })
    })
}

/// The end of a run, and its capture.
async fn run_captured(capture: impl FnOnce(Capture) -> Capture) -> (Poem, String) {
    let (into_memory, lines) = Capture::to_memory();
    let capture = capture(into_memory);
    let runner = captured::Poet::runner().model(model());
    let runner = runner.person(|_| async { Verdict { good: true } }).capture(capture.clone());
    let run = runner.run(on("the sea")).await.unwrap();
    capture.finish().unwrap();
    (run.state, lines.text())
}

fn replay(text: &str) -> Replay {
    Replay::read(text.as_bytes()).unwrap()
}

/// Why a replayed run could not go on.
fn divergence(reason: &HaltReason) -> String {
    let HaltReason::Unreachable(error) = reason else { panic!("{reason:?}") };
    assert_eq!(error.kind(), &ModelErrorKind::Diverged);
    error.to_string()
}

#[tokio::test]
async fn a_captured_run_is_replayed_without_a_model_and_a_person() {
    let (state, text) = run_captured(|capture| capture).await;
    assert_eq!(state.lines.len(), 3);
    let mut keys: Vec<String> = replay(&text).unused().iter().map(ToString::to_string).collect();
    keys.sort();
    let expected =
        ["judge#1@1", "title#1@1", "title#1@2", "verse#1[0]@1", "verse#1[1]@1", "verse#1[2]@1"];
    assert_eq!(keys, expected);

    let replay = replay(&text);
    let runner = captured::Poet::runner().replay(replay.clone());
    let run = runner.run(on("the sea")).await.unwrap();
    assert_eq!(run.state, state);
    assert_eq!(run.usage.calls, 5);
    assert!(replay.unused().is_empty());
}

#[tokio::test]
async fn a_changed_value_is_a_divergence_at_the_first_call() {
    let (_, text) = run_captured(|capture| capture).await;
    let replay = replay(&text).accept_changed_fixed_text();
    let unasked = ScriptedModel::from_fn(|_| -> &str { panic!("a replay asks no model") });
    let runner = captured::Poet::runner().model(unasked).replay(replay.clone());
    let run = runner.report(on("the moon")).await.unwrap();
    let said = divergence(&run.outcome.halt().unwrap().reason);
    assert!(said.contains("at `title#1@1`: the values shown in `prompt` changed"), "{said}");
    assert!(said.contains("-the sea\n+the moon"), "{said}");
    assert_eq!(run.state, on("the moon"));
    assert_eq!(replay.unused().len(), 6);
}

#[tokio::test]
async fn reworded_text_is_a_divergence_unless_accepted() {
    let (state, text) = run_captured(|capture| capture).await;
    let runner = reworded::Poet::runner().replay(replay(&text));
    let run = runner.report(on("the sea")).await.unwrap();
    let said = divergence(&run.outcome.halt().unwrap().reason);
    assert!(said.contains("the fixed text of `prompt` changed"), "{said}");
    assert!(said.contains("+Find a good title for a poem on the sea."), "{said}");

    let runner = reworded::Poet::runner().replay(replay(&text).accept_changed_fixed_text());
    let run = runner.report(on("the sea")).await.unwrap();
    assert_eq!(run.state.title, state.title);
}

#[tokio::test]
async fn a_replay_can_be_failed_by_the_users_code() {
    let (_, text) = run_captured(|capture| capture).await;
    let replay = replay(&text);
    let failing = replay.clone();
    let runner = captured::Poet::runner().replay(replay).observe(move |event, _| {
        if matches!(event, RunEvent::AttemptFailed { .. }) {
            failing.fail("no attempt may fail here");
        }
    });
    let run = runner.report(on("the sea")).await.unwrap();
    let said = divergence(&run.outcome.halt().unwrap().reason);
    assert_eq!(said, "the replay was failed before `title#1@2`: no attempt may fail here");
}

#[tokio::test]
async fn the_capture_of_another_process_starts_nothing() {
    let (_, text) = run_captured(|capture| capture).await;
    let refused = Stranger::runner().replay(replay(&text)).run(on("the sea")).await.unwrap_err();
    let RunError::Replay(ReplayError::OtherProcess { captured, expected }) = refused else {
        panic!("{refused}");
    };
    assert_eq!((&*captured, &*expected), ("Poet", "Stranger"));
}

#[tokio::test]
async fn a_secret_is_in_no_line_and_the_replay_knows_it() {
    let (_, text) = run_captured(|capture| capture.scrub("the sea").scrub("The sea")).await;
    assert!(!text.contains("the sea") && !text.contains("The sea"), "{text}");

    let scrubbed = replay(&text).scrub("the sea").scrub("The sea");
    let run = captured::Poet::runner().replay(scrubbed).report(on("the sea")).await.unwrap();
    assert_eq!(run.state.title.unwrap().text, "[scrubbed]");

    // Without it, the replay does not show what it ought not to know.
    let run = captured::Poet::runner().replay(replay(&text)).report(on("the sea")).await.unwrap();
    let said = divergence(&run.outcome.halt().unwrap().reason);
    assert!(said.contains("the same `scrub`") && !said.contains("the sea"), "{said}");
}

#[tokio::test]
async fn a_capture_cut_off_in_a_line_serves_what_is_whole() {
    let (_, text) = run_captured(|capture| capture).await;
    let at = text.match_indices('\n').nth(2).unwrap().0 + 30;
    assert!(matches!(Replay::read(&text.as_bytes()[..at]), Err(ReplayError::HalfLine { line: 4 })));
    let replay = Replay::read_unfinished(&text.as_bytes()[..at]).unwrap();
    let run = captured::Poet::runner().replay(replay).report(on("the sea")).await.unwrap();
    assert_eq!(run.state.title.unwrap().text, "The sea");
    assert!(run.outcome.halt().is_some());
}
