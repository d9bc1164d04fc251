//! A process of five model calls that add lines to notes, and the same work by hand.

use std::{hint::black_box, io::Write, sync::Arc, time::Duration};

use cot_core::{
    model::{BoxFuture, ModelError, ModelReply, ModelRequest},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::{task::yield_now, time::sleep};

/// The number of model calls of a run.
pub const CALLS: usize = 5;

/// A model that takes some time for a reply. Without a latency, it still returns `Pending` once.
#[derive(Debug)]
pub struct Slow(pub Duration);

impl LanguageModel for Slow {
    fn reply<'a>(
        &'a self,
        _request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async {
            if self.0.is_zero() {
                yield_now().await;
            } else {
                sleep(self.0).await;
            }
            Ok(ModelReply::new(r#"{"text":"a line that somebody may want to read","stars":4}"#))
        })
    }
}

/// A line of the notes.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Line {
    /// What it says.
    #[schemars(length(min = 1, max = 80))]
    pub text: String,
    /// How much it matters.
    #[schemars(range(min = 1, max = 5))]
    pub stars: u8,
}

/// The state of the runs.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Notes {
    /// The lines so far.
    pub lines: Vec<Line>,
}

cot_process! {
    /// Writes five lines.
    pub process Notebook {
        state: Notes,
        max_steps: 1000000,
        goal: "Five lines on the weather",
        intro: "You write notes, line by line. The lines so far:\n${json(state.lines)}",
        history: { max_items: 5 },

        task add -> Line {
            prompt: "Write one more line.",
            update: { lines[] = output },
            next: { done if state.lines.len() >= CALLS, add },
        }

        task done { end }
    }
}

/// Creates a runner with an observer.
#[must_use]
pub fn runner(model: Arc<dyn LanguageModel>) -> Runner<Notebook> {
    Notebook::runner().model(model).observe(|event, _| {
        black_box(event);
    })
}

/// Executes one run.
///
/// # Panics
///
/// If the run fails.
pub async fn on_runner(runner: Runner<Notebook>) -> Notes {
    runner.run(Notes::default()).await.expect("it runs").state
}

/// Formats the history of a prompt.
#[derive(Serialize)]
struct Entry {
    task: &'static str,
    output: Line,
}

/// Does the same without the library.
///
/// # Panics
///
/// If the model fails, or returns something else than a line.
pub async fn by_hand(model: Arc<dyn LanguageModel>) -> Notes {
    let mut state = Notes::default();
    let mut history = Vec::new();
    while state.lines.len() < CALLS {
        let request = ModelRequest::new(prompt(&state, &history));
        let reply = model.reply(&request).await.expect("a reply");
        let line: Line = serde_json::from_str(&reply.text).expect("a line");
        assert!((1..=80).contains(&line.text.len()) && (1..=5).contains(&line.stars));
        history.push(Entry { task: "add", output: line.clone() });
        state.lines.push(line);
    }
    state
}

fn prompt(state: &Notes, history: &[Entry]) -> String {
    let mut prompt = Vec::new();
    prompt.extend_from_slice(b"You write notes, line by line. The lines so far:\n");
    serde_json::to_writer(&mut prompt, &state.lines).expect("JSON");
    let _ = write!(prompt, "\n\nThe goal of the whole process:\nFive lines on the weather\n\n");
    if !history.is_empty() {
        prompt.extend_from_slice(HISTORY.as_bytes());
        serde_json::to_writer(&mut prompt, history).expect("JSON");
    }
    let _ =
        write!(prompt, "\n\nWrite one more line.\n\n{FORMAT}{}", Line::output_schema().notation());
    String::from_utf8(prompt).expect("text")
}

const HISTORY: &str = "\
What has been done so far, as JSON, the latest last. An entry with \"output\" is a result that was \
accepted. An entry with \"goTo\" is a choice that was made: \"intent\" says what it was for, and \
\"stepAfter\" what was planned to come next. Go on from there, and don't repeat what is done:\n";

const FORMAT: &str = "\
Reply with one JSON value of this type, and nothing else:\n";
