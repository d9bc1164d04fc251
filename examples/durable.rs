//! A report that is written chapter by chapter and that a person has to release. Its run is kept in a SQLite
//! file: kill the program whenever you like and start it again, and it goes on with the next chapter; release
//! the report from a second program, while the first one waits or when it is long dead.
//!
//! ```sh
//! cargo run --example durable                  # writes; kill it, and start it again
//! cargo run --example durable -- --die-after 2 # or has itself killed after two replies
//! cargo run --example durable -- --answer yes  # from a second terminal: releases it
//! ```
//!
//! `cargo run -p cot-cli -- runs show report --store FILE` shows every attempt, with prompt, reply and cost.

use std::{
    error::Error,
    path::Path,
    process,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use cot_core::{
    model::{BoxFuture, ModelError, ModelReply, ModelRequest, ScriptedModel},
    prelude::*,
    store::{RunFilter, RunId, Status, Store},
};
use cot_examples::{Arguments, print_event, say};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The chapters to write.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Outline {
    /// Their titles.
    #[schemars(length(min = 1, max = 9))]
    pub titles: Vec<String>,
}

/// A chapter.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Chapter {
    /// Its text, without the title.
    #[schemars(length(min = 1, max = 4000))]
    pub text: String,
}

/// What the person decides.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Release {
    /// Whether the report may go out.
    pub released: bool,
}

cot_process! {
    /// Writes a report, a chapter at a time, and has a person release it.
    pub process Report {
        state: {
            /// What the report is about.
            input subject: String,
            outline: Outline,
            chapters: Vec<Chapter> = vec![],
        },
        intro: "You write a report about ${quoted(&state.subject)}.",
        max_steps: 40,

        task plan -> Outline {
            prompt: "Give the titles of its chapters.",
            update: { outline = output },
            next: write,
        }

        task write -> Chapter {
            prompt: "Write chapter ${state.chapters.len() + 1}: ${quoted(&state.outline.titles[state.chapters.len()])}.",
            update: { chapters[] = output },
            next: { write if state.chapters.len() < state.outline.titles.len(), release },
        }

        task release -> Release {
            ask: "May the report go out? It has ${state.chapters.len()} chapters.",
            next: { published if output.released, withdrawn },
        }

        task published { end }
        task withdrawn { end }
    }
}

/// The name of the run: whoever starts a run of this name goes on with it.
const RUN: &str = "report";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read()?;
    let file = std::env::temp_dir().join("cot-durable.sqlite");
    let store = SqliteStore::open(&file)?;
    match &arguments.answer {
        Some(said) => answer(&store, said == "yes").await,
        None => write(&arguments, store, &file).await,
    }
}

/// The first program: writes the report, or goes on with it.
async fn write(
    arguments: &Arguments,
    store: SqliteStore,
    file: &Path,
) -> Result<(), Box<dyn Error>> {
    say("store", file.display());
    let model = arguments.model(ScriptedModel::from_fn(scripted))?;
    let model = Mortal { model, lives_for: arguments.die_after, calls: AtomicUsize::new(0) };
    // What was told once is not told again, so a run that asks already is looked for in the store.
    if let Some(Status::Asking { question, .. }) =
        store.run(&RUN.parse()?).await?.map(|run| run.status)
    {
        tell(&question);
    }
    let runner = Report::runner()
        .model(model)
        .store(store)
        .run_id(RUN)
        .observe(|event, _| print_event(event));
    let mut run = runner.start(ReportState::new("tides".to_owned()))?;
    while let Some(event) = run.next().await {
        if let RunEvent::Asked { question, .. } = event {
            tell(&question.text);
        }
    }
    let run = run.finish().await?;
    say("ended", format_args!("{:?} after {} calls", run.outcome, run.usage.calls));
    say("chapters", run.state.chapters.len());
    say("file", format_args!("remove {} to begin anew", file.display()));
    Ok(())
}

fn tell(question: &str) {
    say("question", question);
    say("waits", "for an answer: start this with --answer yes in a second terminal");
}

/// The second program: answers whatever waits, whether the first one is alive or not.
async fn answer(store: &SqliteStore, released: bool) -> Result<(), Box<dyn Error>> {
    let mut asking = RunFilter::default();
    asking.is_asking = Some(true);
    let run: RunId = RUN.parse()?;
    let Some(waiting) = store.runs(&asking).await?.into_iter().find(|waiting| waiting.run == run)
    else {
        return Err("the report does not wait for anybody".into());
    };
    if let Status::Asking { key, question, .. } = &waiting.status {
        say("question", question);
        store.put_answer(&run, key, json!({ "released": released })).await?;
        say("answered", format_args!("{key} of {run}: released = {released}"));
    }
    Ok(())
}

/// A model that takes its time, as real ones do, and has its program die after so many replies.
struct Mortal {
    model: Box<dyn LanguageModel>,
    lives_for: Option<usize>,
    calls: AtomicUsize,
}

impl LanguageModel for Mortal {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            if Some(self.calls.fetch_add(1, Ordering::Relaxed)) == self.lives_for {
                say("dies", "in the middle of a call");
                process::abort();
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
            self.model.reply(request).await
        })
    }
}

/// What the scripted model says.
fn scripted(request: &ModelRequest) -> serde_json::Value {
    match request.prompt().split_once("Write chapter ") {
        None => json!({ "titles": ["The moon", "The sun", "Harbours", "Mills"] }),
        Some((_, rest)) => {
            let number = rest.split(':').next().unwrap_or_default();
            json!({ "text": format!("What there is to say in chapter {number}.") })
        }
    }
}
