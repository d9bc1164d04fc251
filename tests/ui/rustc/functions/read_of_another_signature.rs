use std::sync::Arc;

use cot_core::{
    model::{ModelReply, ReplySchema},
    prelude::*,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Line {
    pub text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub lines: Vec<Line>,
}

fn of_a_text(_: &str, _: &State) -> Result<Line, Issues> {
    Err(Issues::new())
}

fn of_another_type(_: &ModelReply, _: &State) -> Result<String, Issues> {
    Err(Issues::new())
}

fn line(_: &ModelReply, _: &State, _: &Cx<'_, Demo>) -> Result<Line, Issues> {
    Err(Issues::new())
}

fn says_nothing(_: &State) -> bool {
    true
}

fn writes(_: &State) -> String {
    String::new()
}

fn until(state: &State, _: &Cx<'_, Demo>) -> impl FnMut(&str) -> bool + Send {
    move |chunk: &str| chunk.len() > state.lines.len()
}

fn schema(_: &State) -> Option<Arc<ReplySchema>> {
    None
}

cot_process! {
    pub process Demo {
        state: State,
        task text -> Line { read: of_a_text, next: other }
        task other -> Line { read: of_another_type, next: ends }
        task ends -> Line { read: { reply: line, until: says_nothing, schema: schema }, next: sends }
        task sends -> Line { read: { reply: line, until: until, schema: writes }, next: done }
        task done { end }
    }
}

fn main() {}
