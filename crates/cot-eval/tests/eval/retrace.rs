use std::cell::Cell;

use cot_core::{
    FunctionError, Process,
    eval::{Course, Divergence, retrace},
    model::ScriptedModel,
    prelude::*,
    store::{MemoryStore, RunFilter},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A draft of a letter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Draft {
    text: String,
}

/// Whether a draft is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Approval {
    is_good: bool,
}

/// Declares a version of a process with another prompt, check and ending.
macro_rules! version {
    ($module:ident, $prompt:literal, $least:literal, $guard:ident, $after:ident, $note:literal $(; $($item:tt)*)?) => {
        mod $module {
            use super::*;

            cot_process! {
                pub(crate) process Letters {
                    state: { input name: String, draft: Draft, is_good: bool = false, note: String = String::new() },
                    goal: "Be kind.",
                    $($($item)*)?
                    task write -> Draft {
                        prompt: $prompt,
                        check: is_long,
                        update: { draft = output, note = $note.to_owned() },
                        next: approve,
                    }
                    task approve -> Approval {
                        ask: "Send this? ${state.draft.text}",
                        update: { is_good = output.is_good },
                        next: send,
                    }
                    task send {
                        run: count,
                        next: { $after if $guard(state.is_good), dropped },
                    }
                    task $after { end }
                    task dropped { end }
                }
            }

            async fn count(_: &LettersState) -> Result<(), FunctionError> {
                SENT.set(SENT.get() + 1);
                Ok(())
            }

            fn is_long(draft: &Draft, _: &LettersState) -> Result<(), Issues> {
                match draft.text.len() >= $least {
                    true => Ok(()),
                    false => Err(Issues::at("text", "it is too short")),
                }
            }
        }
    };
}

fn if_good(is_good: bool) -> bool {
    is_good
}

fn never(_: bool) -> bool {
    false
}

thread_local! {
    /// How many letters the test has sent.
    static SENT: Cell<usize> = const { Cell::new(0) };
}

version!(old, "Write to ${state.name}.", 3, if_good, sent, "new");
version!(reworded, "Write warmly to ${state.name}.", 3, if_good, sent, "new");
version!(stricter, "Write to ${state.name}.", 8, if_good, sent, "new");
version!(guarded, "Write to ${state.name}.", 3, never, sent, "new");
version!(archiving, "Write to ${state.name}.", 3, if_good, archived, "new");
version!(reordered, "Write to ${state.name}.", 3, if_good, sent, "new"; order: [intro, prompt, goal, transitions, output, history, errors],);
version!(noting, "Write to ${state.name}.", 3, if_good, sent, "brand-new");

/// A store with a letter that took two attempts, and one that waits for a person.
async fn letters() -> MemoryStore {
    let store = MemoryStore::default();
    let model = || ScriptedModel::new([r#"{"text": "Hm"}"#, r#"{"text": "Dear"}"#]);
    let runner = old::Letters::runner().model(model()).store(store.clone());
    let sent = runner.clone().person(|_| async { Approval { is_good: true } });
    sent.run_id("sent").run(old::LettersState::new("Ann".to_owned())).await.unwrap();
    let runner = old::Letters::runner().model(model()).store(store.clone()).run_id("waiting");
    let mut waiting = runner.start(old::LettersState::new("Bob".to_owned())).unwrap();
    while let Some(event) = waiting.next().await {
        if matches!(event, RunEvent::Asked { .. }) {
            break;
        }
    }
    drop(waiting);
    store
}

async fn courses<P: Process<Context = ()>>() -> Vec<(String, Course)> {
    let store = letters().await;
    let retraced = retrace::<P>((), &store, RunFilter::default()).await.unwrap();
    let mut runs: Vec<_> =
        retraced.runs.iter().map(|(run, course)| (run.to_string(), course.clone())).collect();
    runs.sort_by(|(a, _), (b, _)| a.cmp(b));
    runs
}

fn divergence(course: &Course) -> &Divergence {
    match course {
        Course::Differs(divergence) => divergence,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn the_same_build_does_the_same() {
    let runs = courses::<old::Letters>().await;
    assert_eq!(runs, [("sent".to_owned(), Course::Same), ("waiting".to_owned(), Course::Same)]);
}

#[tokio::test]
async fn a_changed_prompt_is_found_where_it_is_first_sent() {
    let runs = courses::<reworded::Letters>().await;
    let found = divergence(&runs[0].1);
    assert_eq!((found.task.as_str(), found.attempt), ("write", 1));
    assert_eq!(found.part.map(|part| part.as_str()), Some("prompt"));
    assert!(found.then.contains("Write to Ann.") && found.now.contains("Write warmly to Ann."));
    assert!(
        runs[1]
            .1
            .to_string()
            .contains("differs at task `write`, attempt 1, in the part `prompt` of the prompt"),
        "{}",
        runs[1].1
    );
}

#[tokio::test]
async fn a_stricter_check_is_found_at_the_attempt_that_it_adds() {
    let runs = courses::<stricter::Letters>().await;
    let found = divergence(&runs[0].1);
    assert_eq!((found.task.as_str(), found.part), ("approve", None));
    assert_eq!(
        (found.then.as_str(), found.now.as_str()),
        ("it asked approve#1@1", "it asks write#1@3")
    );
}

#[tokio::test]
async fn a_changed_guard_is_found_at_the_end() {
    let runs = courses::<guarded::Letters>().await;
    let found = divergence(&runs[0].1);
    assert_eq!(
        (found.then.as_str(), found.now.as_str()),
        ("it ended at `sent`", "it ends at `dropped`")
    );
    assert_eq!(runs[1].1, Course::Same, "it has not come to the guard");
    let runs = courses::<archiving::Letters>().await;
    assert_eq!(divergence(&runs[0].1).now, "it ends at `archived`");
}

#[tokio::test]
async fn no_function_of_a_task_is_called_again() {
    let store = letters().await;
    let retraced = retrace::<archiving::Letters>((), &store, RunFilter::default()).await.unwrap();
    assert_eq!(SENT.get(), 1, "the letter was sent when the run was made");
    let shown = retraced.to_string();
    assert!(
        shown.starts_with("1 of 2 runs: same\n1 run (sent): differs at task `send`, attempt 1\n"),
        "{shown}"
    );
}

#[tokio::test]
async fn another_process_has_no_runs() {
    let retraced =
        retrace::<crate::process::Sorter>((), &letters().await, RunFilter::default()).await;
    assert_eq!(retraced.unwrap().to_string(), "0 of 0 runs: same\n");
}

#[tokio::test]
async fn a_changed_update_is_found_in_the_last_state() {
    let runs = courses::<noting::Letters>().await;
    let found = divergence(&runs[0].1);
    assert_eq!((found.task.as_str(), found.part), ("send", None));
    assert!(
        found.then.contains(r#""note":"new""#) && found.now.contains(r#""note":"brand-new""#),
        "{found}"
    );
}

#[tokio::test]
async fn another_order_of_the_parts_is_found() {
    let runs = courses::<reordered::Letters>().await;
    let found = divergence(&runs[0].1);
    assert_eq!((found.task.as_str(), found.attempt, found.part), ("write", 1, None));
    assert!(found.then.contains("goal, prompt") && found.now.contains("prompt, goal"), "{found}");
}
