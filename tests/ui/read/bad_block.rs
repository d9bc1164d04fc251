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
        task missing -> Line { read: { until: line }, next: empty }
        task empty -> Line { read: {}, next: unknown }
        task unknown -> Line { read: { reply: line, untill: line }, next: other }
        task other -> Line { read: { reply: line, function: line }, next: twice }
        task twice -> Line { read: { reply: line, reply: line }, next: number }
        task number -> Line { read: 3, next: called }
        task called -> Line { read: { reply: |reply| reply }, next: again }
        task again -> Line { read: line, read: line, next: done }
        task done { end }
    }
}

fn main() {}
