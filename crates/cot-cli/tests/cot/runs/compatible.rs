//! `cot runs compatible`.

use cot_core::{Description, prelude::*, store::Store as _};
use serde_json::{Value, json};

use super::world::{Approval, Letter, Letters, Text, World, said, wait};
use crate::Ended;

/// A later version of the process.
macro_rules! version {
    ($module:ident, $state:ty, { $($tasks:tt)* }) => {
        mod $module {
            use super::*;

            cot_process! {
                pub(super) process Letters {
                    state: $state,
                    goal: "A letter",
                    max_retries: 1,
                    task write -> Text { prompt: "For ${goal}: write.", update: { text = output.text }, next: approve }
                    $($tasks)*
                }
            }
        }
    };
}

#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Signed {
    pub(super) text: String,
    pub(super) by: String,
}

version!(grown, Letter, {
    task approve -> Approval { ask: "Send this?\n${state.text}", next: { log if output.is_good, write } }
    task log -> Text { prompt: "Log.", update: { text = output.text }, next: sent }
    task sent { end }
});
version!(reworded, Letter, {
    task approve -> Approval { ask: "Is this fine?\n${state.text}", next: { sent if output.is_good, write } }
    task sent { end }
});
version!(signed, Signed, {
    task approve -> Approval { ask: "Send this?\n${state.text}", next: { sent if output.is_good, write } }
    task sent { end }
});
mod gone {
    use super::*;

    cot_process! {
        pub(super) process Letters {
            state: Letter,
            goal: "A letter",

            task write -> Text {
                prompt: "For ${goal}: write.",
                update: { text = output.text },
                next: sent,
            }

            task sent { end }
        }
    }
}

cot_process! {
    process Office {
        state: Letter,
        goal: "An office",

        task letters {
            process: gone::Letters with Letter::default(),
            update: { text = output.text.clone() },
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    process Others {
        state: Letter,
        task done { end }
    }
}

fn manifest<P: Process<Context = ()>>(world: &World) -> String {
    world.file("manifest.json", &Description::new::<P>().manifest().to_string())
}

/// Compares the runs with a version.
fn compared<P: Process<Context = ()>>(world: &World, arguments: &[&str]) -> Ended {
    let manifest = manifest::<P>(world);
    world.cot(&[&["compatible", "--manifest", &manifest], arguments].concat())
}

#[test]
fn runs_that_continue_are_only_counted() {
    let world = World::with_runs();
    let fine = "1 unfinished run of `Letters`: all would continue\n";
    let fine = Ended { out: fine.to_owned(), err: String::new(), code: 0 };
    assert_eq!(compared::<Letters>(&world, &[]), fine);
    assert_eq!(compared::<grown::Letters>(&world, &[]), fine);
    assert_eq!(compared::<reworded::Letters>(&world, &["--accept-changed-prompts"]), fine);
    let Ended { out, err, code } = compared::<grown::Letters>(&world, &["--json"]);
    assert_eq!((out.as_str(), err.as_str(), code), ("", "", 0));
}

#[test]
fn runs_that_would_not_continue_are_printed_with_the_reason() {
    let world = World::with_runs();
    let ended = compared::<reworded::Letters>(&world, &[]);
    assert_eq!((ended.err.as_str(), ended.code), ("", 1));
    assert_eq!(
        ended.out,
        "1 run at `approve` would not continue: asking\n  \
         the prompt of its task `approve`, which has begun, has changed: accept changed prompts, or move the \
         run to the task again in a migration\n\
         1 unfinished run of `Letters`: 1 would not continue\n"
    );
    let ended = compared::<signed::Letters>(&world, &[]);
    assert_eq!(ended.code, 1);
    assert!(
        ended.out.contains("\n  the type `Letter` of the state no longer exists: "),
        "{}",
        ended.out
    );
    assert!(ended.out.contains("\n  the type `Signed` of the state is new: "), "{}", ended.out);
}

#[test]
fn the_json_of_a_run_is_as_promised() {
    let world = World::with_runs();
    world.ask("letter-1", vec![said(r#"{"text":"Dear Cid"}"#)]);
    let Ended { out, err, code } = compared::<gone::Letters>(&world, &["--json"]);
    assert_eq!((err.as_str(), code), ("", 1));
    let promised = include_str!("../../../README.md");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert!(promised.contains(&format!("```json\n{}\n```", lines[0])), "{out}");
    let asking: Value = serde_json::from_str(lines[1]).unwrap();
    assert_eq!(
        (&asking["run"], &asking["conflicts"][0]["task"]),
        (&json!("asking"), &json!("approve"))
    );
}

#[test]
fn many_runs_are_counted_by_their_reasons() {
    let world = World::new();
    for number in 0..7 {
        world.ask(&format!("run-{number}"), vec![said(r#"{"text":"Dear Cid"}"#)]);
    }
    let ended = compared::<gone::Letters>(&world, &[]);
    let lines: Vec<_> = ended.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", ended.out);
    let first =
        "7 runs at `approve` would not continue: run-6, run-5, run-4, run-3, run-2, and 2 more";
    assert_eq!((lines[0], ended.code), (first, 1));
    assert_eq!(lines[2], "7 unfinished runs of `Letters`: 7 would not continue");
}

#[test]
fn a_process_of_the_manifest_is_selected() {
    let world = World::with_runs();
    let ended = compared::<Office>(&world, &["--process", "Letters"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    assert!(
        ended.out.starts_with("1 run at `approve` would not continue: asking\n"),
        "{}",
        ended.out
    );
    let ended = compared::<Office>(&world, &["--process", "Orders"]);
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(
        ended.err.contains(
            "is the manifest of `Office`, `Letters`, and does not contain the process `Orders`"
        ),
        "{}",
        ended.err
    );
}

#[test]
fn another_process_is_an_error_unless_the_store_is_empty() {
    let world = World::with_runs();
    let ended = compared::<Others>(&world, &[]);
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(
        ended.err.contains("the store has no run of the process `Others`, but runs of `Letters`"),
        "{}",
        ended.err
    );
    let empty = World::new();
    drop(empty.store());
    let ended = compared::<Others>(&empty, &[]);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "0 unfinished runs of `Others`: all would continue\n")
    );
}

#[test]
fn another_file_is_not_a_manifest() {
    let world = World::with_runs();
    for (content, said) in [
        ("{", "it is not a manifest: write `Name::describe().manifest()` to a file: EOF"),
        ("{}", "it is not a manifest"),
        (r#"{"manifest":1,"name":"Letters","tasks":[]}"#, "missing field `"),
        (r#"{"manifest":7}"#, "the manifest has format 7; this version reads format 1"),
    ] {
        let file = world.file("other.json", content);
        let ended = world.cot(&["compatible", "--manifest", &file]);
        assert_eq!((ended.out.as_str(), ended.code), ("", 2), "{content}");
        assert!(ended.err.contains("can't use `") && ended.err.contains(said), "{}", ended.err);
    }
    assert_eq!(world.cot(&["compatible", "--manifest", "/no/such/file"]).code, 2);
    assert_eq!(world.cot(&["compatible"]).code, 2);
}

#[test]
fn a_run_that_can_not_be_read_is_reported_and_hinders_no_other() {
    let world = World::with_runs();
    world.ask("another", vec![said(r#"{"text":"Dear Cid"}"#)]);
    let connection = rusqlite::Connection::open(world.path()).unwrap();
    let damage = "UPDATE journal SET hash = zeroblob(32) \
                  WHERE number = 2 AND run = (SELECT id FROM runs WHERE run = 'asking')";
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    let ended = compared::<Letters>(&world, &[]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    assert!(ended.out.contains("\n  entry 2 of run `asking` can't be read"), "{}", ended.out);
    assert!(
        ended.out.ends_with("2 unfinished runs of `Letters`: 1 would not continue\n"),
        "{}",
        ended.out
    );
    let ended = compared::<gone::Letters>(&world, &["--json"]);
    let objects: Vec<Value> =
        ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[0]["run"], "another");
    assert_eq!(objects[1]["conflicts"], json!([]));
    assert!(objects[1]["error"].as_str().unwrap().contains("entry 2"), "{objects:?}");
}

/// What the command reports is what a program reports.
#[test]
fn a_program_reports_the_same() {
    let world = World::with_runs();
    let objects = compared::<gone::Letters>(&world, &["--json"]).out;
    let object: Value = serde_json::from_str(objects.trim_end()).unwrap();
    let runner = gone::Letters::runner()
        .model(cot_core::model::ScriptedModel::new(["{}"]))
        .store(world.store());
    let error = wait(async { runner.resume("asking").unwrap().await.map(drop).unwrap_err() });
    let message = object["conflicts"][0]["message"].as_str().unwrap();
    let source = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert!(format!("{error} {source}").contains(message), "{error}");
    assert!(wait(world.store().run(&"asking".parse().unwrap())).unwrap().is_some());
}
