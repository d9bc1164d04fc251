//! A report that is written chapter by chapter and released by a human. Its run is stored in a SQLite file:
//! kill the program at any time and start it again, and it resumes with the next chapter. Release the report
//! from a second program, while the first one waits or after it has died.
//!
//! ```sh
//! cargo run -p cot-examples --example durable         # writes the report; kill it and start it again
//! CRASH=1 cargo run -p cot-examples --example durable # or let it die in the middle of its third call
//! cargo run -p cot-examples --example durable -- yes  # releases the report, from a second terminal
//! ```
//!
//! `cargo run -p cot-cli -- runs show report --store FILE` shows every attempt, with prompt, reply and cost.

use std::{env, error::Error, path::Path, process};

use cot_core::{
    model::{ModelRequest, OpenAiCompatible, ScriptedModel},
    prelude::*,
    store::{RunFilter, RunId, Status, Store},
};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The outline of the report.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Outline {
    /// The titles of the chapters.
    #[schemars(length(min = 1, max = 9))]
    pub titles: Vec<String>,
}

/// A chapter.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Chapter {
    /// The text of the chapter, without its title.
    #[schemars(length(min = 1, max = 4000))]
    pub text: String,
}

/// The decision about the report.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Release {
    /// Whether the report is released.
    pub released: bool,
}

cot_process! {
    /// Writes a report chapter by chapter and asks a human to release it.
    pub process Report {
        state: {
            /// The subject of the report.
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

/// The id of the run. A program that starts a run with this id resumes it.
const RUN: &str = "report";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = env::temp_dir().join("cot-durable.sqlite");
    let store = SqliteStore::open(&file)?;
    match env::args().nth(1) {
        Some(said) => answer(&store, said == "yes").await,
        None => write(store, &file).await,
    }
}

/// The first program: writes the report, or resumes it.
async fn write(store: SqliteStore, file: &Path) -> Result<(), Box<dyn Error>> {
    println!("store: {}", file.display());
    // A resumed run does not emit its question again, so the program looks for it in the store.
    if let Some(Status::Asking { question, .. }) =
        store.run(&RUN.parse()?).await?.map(|run| run.status)
    {
        tell(&question);
    }
    let runner = Report::runner()
        .model(model()?)
        .store(store)
        .run_id(RUN)
        .observe(|event, _| println!("{event}"));
    let mut run = runner.start(ReportState::new("tides".to_owned()))?;
    while let Some(event) = run.next().await {
        if let RunEvent::Asked { question, .. } = event {
            tell(&question.text);
        }
    }
    let run = run.finish().await?;
    let (chapters, calls) = (run.state.chapters.len(), run.usage.calls);
    println!("{:?} after {calls} calls, with {chapters} chapters", run.outcome);
    println!("remove {} to start again", file.display());
    Ok(())
}

fn tell(question: &str) {
    println!("question: {question}");
    println!("waits for an answer: start this with `yes` in a second terminal");
}

/// The second program: answers the question of the run, whether the first program is running or not.
async fn answer(store: &SqliteStore, released: bool) -> Result<(), Box<dyn Error>> {
    let mut asking = RunFilter::default();
    asking.is_asking = Some(true);
    let run: RunId = RUN.parse()?;
    let Some(waiting) = store.runs(&asking).await?.into_iter().find(|waiting| waiting.run == run)
    else {
        return Err("the report waits for no answer".into());
    };
    if let Status::Asking { key, question, .. } = &waiting.status {
        println!("question: {question}");
        store.put_answer(&run, key, json!({ "released": released })).await?;
        println!("answered {key} of {run}: released = {released}");
    }
    Ok(())
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

/// The replies depend on the request alone, so that a program that starts again continues the same script.
fn script() -> ScriptedModel {
    ScriptedModel::from_fn(|request: &ModelRequest| {
        let Some((_, rest)) = request.prompt().split_once("Write chapter ") else {
            return json!({ "titles": ["The moon", "The sun", "Harbours", "Mills"] });
        };
        let number = rest.split(':').next().unwrap_or_default();
        if number == "2" && env::var_os("CRASH").is_some() {
            println!("the program dies");
            process::abort();
        }
        json!({ "text": format!("What there is to say in chapter {number}.") })
    })
}
