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
        task look -> Field {
            prompt: "${image(state.name)} ${image(state.contract)}",
            next: read,
        }
        task read -> Field { prompt: "${document(state.photos.iter())}", next: think }
        task think { reason: "${document(state.name.clone())} ${image(vec![Some(1)])}", next: done }
        task done { end }
    }
}

fn main() {}
