use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub fields: Vec<Field>,
    pub last: Option<String>,
}

cot_process! {
    pub process Demo {
        state: State, context: App,
        tools: {
            suche_für: search "Searches",
            a_name_that_is_longer_than_the_sixty_four_characters_that_are_accepted: search "Searches",
            files: source app.files { only: [read_file, "list directory", ""] },
        },
        task write -> Field {
            tools: [suche_für, a_name_that_is_longer_than_the_sixty_four_characters_that_are_accepted, files],
            next: done,
        }
        task done { end }
    }
}

fn main() {}
