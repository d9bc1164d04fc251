//! A process that does everything that a run can do.

use std::{
    convert::Infallible,
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use cot_core::{
    Approval, FunctionError, ItemError, Question, Runner,
    model::{ModelReply, ModelRequest, ScriptedModel, ToolCall},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A part of a text that is longer than journals store beside a call.
pub(crate) const LONG_WORD: &str = "「word」";

/// A line of text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Line {
    #[schemars(length(max = 40))]
    pub(crate) text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub(crate) text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Desk {
    pub(crate) lines: Vec<String>,
    pub(crate) sizes: Vec<Result<usize, ItemError>>,
    pub(crate) drafts: Vec<Draft>,
    pub(crate) ann: String,
    pub(crate) ben: String,
}

/// Words to search.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Query {
    words: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Charge {
    #[schemars(range(min = 1, max = 99))]
    cents: u64,
}

async fn spell(draft: &Draft) -> Result<Line, io::Error> {
    match draft.text.len() % 5 {
        2 => Err(io::Error::other("no such 「word")),
        _ => Ok(Line { text: "spelled".to_owned() }),
    }
}

async fn look_up(desk: &Desk) -> Result<Line, io::Error> {
    match desk.lines.len() {
        2 => Err(io::Error::other("the 」 book is gone")),
        _ => Ok(Line { text: format!("page {}", desk.lines.len()) }),
    }
}

async fn weigh(_: &Desk, line: &str) -> Result<usize, FunctionError> {
    match line.len() % 4 {
        0 => Err(FunctionError::new("too \"heavy\"")),
        size => Ok(size),
    }
}

async fn tidy(_: &Desk) -> Result<(), Infallible> {
    Ok(())
}

async fn search(query: &Query) -> Result<Vec<String>, io::Error> {
    match query.words.first() {
        None => Err(io::Error::other("nothing to search")),
        Some(word) => Ok(vec![format!("{word}\nfound"), "plan {".to_owned(), query.words.concat()]),
    }
}

async fn pay(charge: &Charge) -> Result<u64, io::Error> {
    match charge.cents {
        13 => Err(io::Error::other("the card was declined")),
        cents => Ok(cents),
    }
}

cot_process! {
    /// Improves a draft.
    pub(crate) process Improving {
        state: Draft,
        max_retries: 1,

        task improve -> Line {
            title: "Improve it",
            prompt: "Improve.",
            update: { text = output.text },
            next: spell,
        }

        task spell -> Line {
            run: spell,
            max_retries: 1,
            update: { text = output.text },
            next: confirm,
        }

        task confirm -> Line { ask: "Is ${quoted(state.text)} good?", max_retries: 1, next: done }
        task done { end }
    }
}

cot_process! {
    /// Tidies a desk.
    pub(crate) process Office {
        state: Desk,
        goal: "Tidy the 「desk」",
        max_retries: 1,
        max_steps: 80,
        start: decide,
        default_return: decide,
        tools: {
            search: search "Searches the drawers",
            pay: pay "Pays" { effect: once, approve: person },
        },

        task decide {
            title: "Decide what to do",
            prompt: "${state.lines.len()} lines",
            transitions: {
                write,
                look,
                ask,
                nest,
                each,
                weigh,
                bake,
                race,
                first,
                order,
                broken,
                done,
            },
        }

        task write -> Line { prompt: "Write.", update: { lines[] = output.text } }

        task look -> Line {
            title: "Look it up",
            run: look_up,
            max_retries: 1,
            update: { lines[] = output.text },
            on: { exhausted => clean },
        }

        task clean { run: tidy, next: turn }
        task turn { next: { write if state.lines.is_empty(), decide } }
        task ask -> Line { ask: "What 「now」?", max_retries: 1, update: { lines[] = output.text } }

        task nest {
            process: Improving with Draft { text: state.lines.concat() },
            max_retries: 1,
            update: { lines[] = output.text },
            on: { exhausted => clean },
        }

        task each -> Line {
            for_each: line in state.lines,
            prompt: "Look at ${quoted(line)}.",
            max_concurrency: 2,
            on: { exhausted => clean },
        }

        task weigh -> usize {
            for_each: line in state.lines,
            run: weigh,
            max_concurrency: 2,
            collect: ok,
            update: { sizes = output },
        }

        task bake {
            for_each: line in state.lines,
            process: Improving with Draft { text: line.clone() },
            max_concurrency: 2,
            collect: ok,
            update: { lines[] = "baked".to_owned() },
        }

        parallel race [ann, ben] => joined { join: settled }

        task ann -> Line {
            prompt: "Write to Ann.",
            update: { ann = output.text },
            next: ann_checks,
        }

        task ann_checks -> Line { run: look_up, next: joined }
        task ben -> Line { ask: "Write to Ben.", update: { ben = output.text }, next: joined }
        parallel first [quick, slow] => joined { join: any, on: { exhausted => clean } }
        task quick -> Line { prompt: "Quick.", next: joined }
        task slow -> Line { wait: 1h, prompt: "Slow.", next: joined }
        task joined { run: tidy }

        task order -> Line {
            prompt: "Order.",
            tools: [search, pay],
            max_tool_calls: 6,
            update: { lines[] = output.text },
            on: { exhausted => clean, interrupted => clean },
        }

        task broken { fail: "it is 」 broken" }
        task done { title: "The end", end }
    }
}

/// Replies with a line to every request that does not choose, except that the first line is too long.
pub(crate) fn model(route: &[&'static str]) -> ScriptedModel {
    let ways = Mutex::new(route.to_vec());
    let lines = AtomicUsize::new(0);
    ScriptedModel::from_fn(move |request: &ModelRequest| {
        if request.schema.as_ref().is_some_and(|schema| schema.name == "decide") {
            let go_to = ways.lock().unwrap().remove(0);
            let why = format!("to 「{go_to}」");
            return ModelReply::from(json!({ "goTo": go_to, "intent": why, "stepAfter": "more" }));
        }
        if !request.tools.is_empty() && request.rounds.is_empty() {
            return ModelReply::calling([
                ToolCall::new("search", json!({ "words": ["a \"lamp\"", LONG_WORD.repeat(400)] })),
                ToolCall::new("fly", json!({ "to": "the moon" })),
                ToolCall::new("pay", json!({ "cents": 12 })),
                ToolCall::new("pay", json!({ "cents": 13 })),
            ]);
        }
        let text = match lines.fetch_add(1, Ordering::Relaxed) {
            0 => "far too long to be one line of text on this desk",
            1 => return ModelReply::new("{text: 'repaired'}"),
            _ => "ok \" }\n\nplan {",
        };
        ModelReply::from(json!({ "text": text }))
    })
}

/// A runner whose questions are answered: approvals alternate, and every third line is not valid.
pub(crate) fn runner() -> Runner<Office> {
    let asked = Arc::new(AtomicUsize::new(0));
    Office::runner().person(move |question| {
        let number = asked.fetch_add(1, Ordering::Relaxed);
        async move { answer(&question, number) }
    })
}

fn answer(question: &Question, number: usize) -> Value {
    if question.text.contains("May the tool be called?") {
        let approval = if number.is_multiple_of(2) {
            Approval::approve()
        } else {
            Approval::deny("too 「dear」")
        };
        return json!(approval);
    }
    match number % 3 {
        2 => json!({ "text": 7, "more": null }),
        _ => json!({ "text": format!("person {number} ⊨ 1") }),
    }
}
