//! Answers a question from a small library: plans the topics, finds the sources with a function, reads them
//! concurrently, and writes the answer in a sub-process, all within one budget.
//!
//! `cargo run -p cot-examples --example research` uses a scripted model, unless the environment names a real one. An argument
//! is another question.

use std::{convert::Infallible, env, error::Error};

use cot_core::{
    Usage,
    model::{ModelExt, ModelReply, ModelRequest, OpenAiCompatible, Price, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The topics to look up.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    /// What is searched for in titles and texts: one or two words each, as they stand there.
    #[schemars(length(min = 1, max = 5))]
    pub topics: Vec<String>,
}

/// A text of the library.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The title of the text.
    pub title: String,
    /// The content of the text.
    pub text: String,
}

/// The statement of a source about the question.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    /// The title of the source.
    pub source: String,
    /// The statement in one sentence; empty if the source is irrelevant.
    #[schemars(length(max = 300))]
    pub finding: String,
}

/// An answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Answer {
    /// The answer, with the titles of its sources in brackets.
    #[schemars(length(min = 1, max = 1000))]
    pub text: String,
}

cot_process! {
    /// Writes an answer, and improves it once.
    pub process Write {
        state: {
            input question: String,
            input notes: Vec<Note>,
            answer: Answer,
            rounds: u32 = 0,
        },
        intro: "The question: ${quoted(&state.question)}\nWhat was found:\n${json(state.notes)}",
        history: none,

        task draft -> Answer {
            title: "Write the answer",
            prompt: "Answer the question from what was found, and from nothing else.",
            update: { answer = output },
            next: review,
        }

        task review {
            title: "Judge the answer",
            prompt: "The answer after ${state.rounds} rounds:\n${state.answer.text}",
            transitions: {
                improve: "Something that was found is missing in it" if state.rounds < 1,
                done: "It is right and complete",
            },
        }

        task improve -> Answer {
            title: "Improve the answer",
            prompt: "Improve this answer:\n${state.answer.text}",
            update: { answer = output, rounds = state.rounds + 1 },
            next: review,
        }

        task done { end }
    }
}

cot_process! {
    /// Answers a question out of a library.
    pub process Research {
        state: {
            /// The question.
            input question: String,
            plan: Plan,
            sources: Vec<Source> = vec![],
            notes: Vec<Note> = vec![],
            answer: Answer,
        },
        goal: "Answer the question: ${state.question}",
        budget: { tokens: 20_000, calls: 30, cost: 0.05 },
        max_steps: 20,

        task plan -> Plan {
            title: "Plan what to look up",
            prompt: "Name the topics that have to be looked up.",
            update: { plan = output },
            next: find,
        }

        task find -> Vec<Source> {
            title: "Find the sources",
            run: look_up,
            timeout: 10s,
            max_retries: 1,
            update: { sources = output },
            next: { read if !output.is_empty(), nothing_found },
        }

        task read -> Note {
            title: "Read the sources, all at once",
            for_each: source in state.sources,
            max_concurrency: 4,
            prompt: "Say what this source says about the question.\n${quoted(&source.title)}\n${quoted(&source.text)}",
            update: { notes = output },
            on: { budget => over_budget },
            next: write,
        }

        task write {
            title: "Write the answer",
            process: Write with WriteState::new(state.question.clone(), state.notes.clone()),
            update: { answer = output.answer.unwrap_or_else(nothing) },
            on: { budget => over_budget },
            next: done,
        }

        task done { end }
        task nothing_found { fail: "nothing was found about ${json(&state.plan.topics)}" }
        task over_budget { fail: "the budget was used up after ${state.notes.len()} notes" }
    }
}

/// The sub-process has always written an answer when it succeeds.
fn nothing() -> Answer {
    Answer { text: "There is no answer.".to_owned() }
}

/// Finds the sources about a topic. A real function would call a search engine.
async fn look_up(state: &ResearchState) -> Result<Vec<Source>, Infallible> {
    let topics: Vec<String> = state.plan.iter().flat_map(|plan| &plan.topics).cloned().collect();
    let speaks = |text: &str| topics.iter().any(|topic| text.contains(&topic.to_lowercase()));
    let found = LIBRARY
        .iter()
        .filter(|(title, text)| speaks(&title.to_lowercase()) || speaks(&text.to_lowercase()));
    Ok(found.map(|(title, text)| Source { title: (*title).into(), text: (*text).into() }).collect())
}

/// The library.
const LIBRARY: &[(&str, &str)] = &[
    ("Tides", "Tides come from the pull of the moon, and less so of the sun, on the sea."),
    ("The moon", "The moon is 384,000 km away on average, and goes round in 27.3 days."),
    (
        "Harbours",
        "In a spring tide, when sun and moon pull together, ships of more draught can enter.",
    ),
    ("Bread", "Bread rises because yeast makes gas."),
];

const QUESTION: &str = "When can ships of more draught enter a harbour, and why?";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let question = env::args().nth(1).unwrap_or_else(|| QUESTION.to_owned());
    let model = model()?.priced(Price::per_million(0.5, 1.5)).limited(8);
    let runner = Research::runner().model(model).observe(|event, _| println!("{event}"));
    // A run that finds nothing has failed, and so does the program then.
    let run = runner.run(ResearchState::new(question)).await?;
    println!("answer: {}", run.state.answer.unwrap_or_else(nothing).text);
    let (calls, tokens, cost) = (run.usage.calls, run.usage.total_tokens(), run.usage.cost);
    println!("{calls} calls, {tokens} tokens, {cost:.6} in all");
    Ok(())
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(ScriptedModel::from_fn(scripted)),
    })
}

/// The replies of the scripted model, by the names of the schemas.
fn scripted(request: &ModelRequest) -> ModelReply {
    let prompt = request.prompt();
    let task = request.schema.as_ref().map_or("", |schema| schema.name.as_str());
    let reply = match task {
        "plan" => json!({ "topics": ["tide", "moon"] }),
        "read" => {
            let about = |(title, _): &&(&str, &str)| prompt.contains(&format!("text\n{title}\n"));
            let (title, text) = LIBRARY.iter().find(about).unwrap_or(&LIBRARY[0]);
            json!({ "source": title, "finding": text })
        }
        "draft" => json!({ "text": "In a spring tide [Harbours]." }),
        "review" if prompt.contains("after 0 rounds") => {
            json!({ "intent": "say why", "goTo": "improve", "stepAfter": "review again" })
        }
        "review" => json!({ "intent": "finish", "goTo": "done", "stepAfter": "nothing" }),
        _ => {
            json!({ "text": "In a spring tide, when sun and moon pull together [Harbours, Tides]." })
        }
    };
    let (input, output) = (prompt.len() as u64 / 4, reply.to_string().len() as u64 / 4);
    ModelReply::from(reply).usage(Usage::for_call(input, output))
}
