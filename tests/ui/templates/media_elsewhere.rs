use cot_core::{
    model::{Document, Image},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct State {
    pub name: String,
    pub photo: Image,
    pub contract: Option<Document>,
    pub photos: Vec<Image>,
}

cot_process! {
    pub process Demo {
        state: State,
        goal: "Like ${image(state.photo)}",
        system: "You see ${image(state.photo)}",
        prompts: { photos: "${image(state.photos)}" },
        primers: { history: "Since ${document(state.contract)}" },
        task look -> Field {
            prompt: "${part(photos)}",
            errors_primer: "Look again: ${part(photos)}",
            transitions: { ask: "Ask about ${image(state.photo)}", failed },
            next: ask,
        }
        task ask -> Field { ask: "Who is this? ${image(state.photo)}", next: again }
        task again -> Field { ask: "Sure?\n${part(photos)}", next: done }
        task failed { fail: "nobody on ${image(state.photo)}" }
        task done { end }
    }
}

fn main() {}
