//! Changed code of runs that were started before.

use std::time::Duration;

use cot_restate::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    node::{Node, Version},
    world::{World, until},
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draft {
    parts: Vec<String>,
    sent: bool,
}

pub(crate) mod first {
    use cot_core::prelude::*;

    use super::Draft;
    use crate::processes::{Decision, Note, texts};

    cot_process! {
        pub(crate) process Letter {
            state: Draft,

            task write -> Note {
                for_each: number in 1..=3,
                prompt: "Part ${number}.",
                update: { parts = texts(&output) },
                next: approve,
            }

            task approve -> Decision {
                ask: "May it go out?",
                update: { sent = output.approved },
                next: done,
            }

            task done { end }
        }
    }

    cot_restate::workflow! { pub(crate) struct LetterWorkflow runs Letter as "Letter"; }
}

/// A node with another prompt.
pub(crate) mod reworded {
    use cot_core::prelude::*;

    use super::Draft;
    use crate::processes::{Decision, Note, texts};

    cot_process! {
        pub(crate) process Letter {
            state: Draft,

            task write -> Note {
                for_each: number in 1..=3,
                prompt: "Kindly write part ${number}.",
                update: { parts = texts(&output) },
                next: approve,
            }

            task approve -> Decision {
                ask: "May it go out?",
                update: { sent = output.approved },
                next: done,
            }

            task done { end }
        }
    }

    cot_restate::workflow! { pub(crate) struct LetterWorkflow runs Letter as "Letter"; }
}

/// A node with another task.
pub(crate) mod changed {
    use cot_core::prelude::*;

    use super::Draft;
    use crate::processes::{Decision, Note, texts};

    cot_process! {
        pub(crate) process Letter {
            state: Draft,

            task write -> Note {
                for_each: number in 1..=3,
                prompt: "Part ${number}.",
                update: { parts = texts(&output) },
                next: approve,
            }

            task approve -> Decision {
                ask: "May it go out?",
                update: { sent = output.approved },
                next: send,
            }

            task send -> Note {
                prompt: "Say good-bye.",
                update: { parts[] = output.text },
                next: done,
            }

            task done { end }
        }
    }

    cot_restate::workflow! { pub(crate) struct LetterWorkflow runs Letter as "Letter"; }
}

fn answer(prompt: &str) -> Value {
    json!({ "text": if prompt.contains("good-bye") { "good-bye" } else { "part" } })
}

fn yes() -> Value {
    json!({ "approved": true, "remark": null })
}

fn done() -> Outcome {
    Outcome::End { task: "done".to_owned() }
}

/// Returns the message of the last failure of a run, once it contains a text.
async fn failure(world: &World, run: &str, about: &str) -> String {
    let query =
        format!("select last_failure from sys_invocation where target_service_key = '{run}'");
    until(&format!("a failure about {about}"), || async {
        let rows = world.query(&query).await;
        let mut failures = rows.iter().filter_map(|row| row["last_failure"].as_str());
        failures.find(|failure| failure.contains(about)).map(str::to_owned)
    })
    .await
}

#[tokio::test]
async fn a_run_ends_on_the_version_that_it_was_started_with() {
    let Some(mut world) = World::start(answer, Duration::ZERO).await else { return };
    world.send("Letter", "old", Draft::default()).await;
    world.until_asked("Letter", "old").await;
    let changed = Node::with_version(&world.model.url, Version::Changed);
    world.register(changed).await;
    world.send("Letter", "new", Draft::default()).await;
    world.until_asked("Letter", "new").await;

    for (run, parts) in [("old", 3), ("new", 4)] {
        world.answer("Letter", run, &yes()).await;
        let ended = world.attach::<Draft>("Letter", run).await;
        assert_eq!((ended.outcome, ended.state.parts.len()), (done(), parts), "{run}");
        assert!(ended.state.sent);
    }
}

#[tokio::test]
async fn a_node_with_other_code_at_the_same_address_refuses_the_run_and_says_why() {
    let Some(mut world) = World::start(answer, Duration::ZERO).await else { return };
    for run in ["changed", "reworded"] {
        world.send("Letter", run, Draft::default()).await;
        world.until_asked("Letter", run).await;
    }
    world.nodes[0].replace(Version::Changed);
    let said = failure(&world, "changed", "has changed since the run was stored").await;
    assert!(said.contains("`send`") && said.contains("under its own address"), "{said}");

    world.nodes[0].replace(Version::Reworded);
    let said = failure(&world, "reworded", "prompt").await;
    assert!(said.contains("the prompt of the task `write` has changed"), "{said}");

    // Nothing is lost: with accepted changes of prompts the runs continue.
    world.nodes[0].replace(Version::RewordedOnPurpose);
    for run in ["changed", "reworded"] {
        world.answer("Letter", run, &yes()).await;
        let ended = world.attach::<Draft>("Letter", run).await;
        assert_eq!((ended.outcome, ended.state.parts.len()), (done(), 3));
    }
    assert_eq!(world.model.prompts().len(), 6);
}
