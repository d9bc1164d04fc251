use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

#[derive(Debug, Clone)]
pub struct Connection;

#[derive(Debug, Serialize, Deserialize)]
pub struct Unique;

cot_process! {
    pub process Demo {
        state: {
            input _connection: Connection,
            notes: Vec<Note> = vec![],
            _unique: Unique = Unique,
            _maybe: Option<Connection> = None,
            _later: Vec<Connection>,
            last: Note,
        },
        task write -> Note { update: { notes[] = output, last = output }, next: done }
        task done { end }
    }
}

fn main() {
    let _ = Demo::runner();
}
