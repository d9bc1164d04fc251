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
        prompts: { photos: "${image(state.photos)}" },
        task look -> Field {
            prompt: "${image(state.photo).to_string()}",
            full_prompt: "${if state.photos.is_empty() { image(state.photo) } else { image(&state.photos[0]) }}",
            next: think,
        }
        task think { reason: "${part(photos).to_string()}", next: each }
        task each -> Field {
            for_each: photo in state.photos,
            prompt: "${image(photo, state.photo)} ${imgae(photo)} ${format!(\"{}\", image(photo))}",
            next: done,
        }
        task done { end }
    }
}

fn main() {}
