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
        task ask { prompt: "A line.", read: line, next: again }
        task again { read: { reply: line }, next: done }
        task done { end }
    }
}

fn main() {}
