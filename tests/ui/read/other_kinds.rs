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

async fn write(_: &State) -> Result<Line, std::fmt::Error> {
    Err(std::fmt::Error)
}

cot_process! {
    pub process Demo {
        state: State,
        task each -> Line { for_each: line in state.lines, read: line, next: code }
        task code -> Line { run: write, read: line, next: human }
        task human -> Line { ask: "Which?", read: line, next: inner }
        task inner { process: Other with State::default(), read: line, next: end }
        task end { end, read: line }
    }
}

fn main() {}
