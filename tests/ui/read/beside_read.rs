use cot_core::{model::ModelReply, prelude::*};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Line {
    pub text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub lines: Vec<Line>,
}

fn line(reply: &ModelReply, _: &State) -> Result<Line, Issues> {
    Ok(Line { text: reply.text.clone() })
}

cot_process! {
    pub process Demo {
        state: State,
        task first -> Line { prompt: "A line.", read: line, transitions: { second }, next: second }
        task second -> Line { reason: "A line.", read: line, next: third }
        task third -> Line { prompt: "A line.", read: line, examples: examples, next: fourth }
        task fourth -> Line { prompt: "A line.", read: line, max_tool_calls: 2, next: done }
        task done { end }
    }
}

fn main() {}
