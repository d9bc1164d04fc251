use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    text: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Connection;

cot_process! {
    process Demo {
        state: {
            input _connection: Connection,
            notes: Vec<Note> = vec![],
        },
        task write -> Note { update: notes[], next: done }
        task done { end }
    }
}

fn main() {
    let _ = Demo::runner();
}
