//! Constants in the place of templates and engines, names beside the generated ones, and writes that
//! follow each other.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const RULES: &str = "Be brief.";
const SMALL: &str = "small";
static PRIMER: &str = "Mend this:";

mod texts {
    pub const INTRO: &str = "You write letters.";
}

pub mod types {
    use std::collections::BTreeMap;

    use super::{CotOutput, Deserialize, JsonSchema, Serialize};

    #[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
    pub struct LetterOutput {
        pub text: String,
    }

    #[derive(Debug, Clone, Default, Serialize, Deserialize)]
    pub struct Letter {
        pub text: String,
        pub parts: Vec<String>,
        pub by_name: BTreeMap<String, String>,
        pub last: LetterOutput,
    }
}

fn words(scope: &Scope<'_, Letter>) -> String {
    scope.goal.to_owned()
}

fn fixed(_: &Scope<'_, Letter>) -> &'static str {
    "fixed"
}

fn borrowed<'a>(scope: &'a Scope<'_, Letter>) -> &'a str {
    &scope.state.text
}

cot_process! {
    pub process Letter {
        state: types::Letter,
        goal: RULES,
        intro: texts::INTRO,
        model: [SMALL, "large"],
        prompts: { rules: RULES },

        task write -> types::LetterOutput {
            prompt: "${part(rules)}",
            model: SMALL,
            update: {
                parts = vec![],
                parts[] = output.text,
                last = output,
                last.text = state.text,
                by_name["a"] = output.text,
                by_name["b"] = output.text,
            },
            next: again,
        }

        task again -> types::LetterOutput {
            prompt: words,
            errors_primer: PRIMER,
            update: last,
            next: more,
        }

        task more -> types::LetterOutput { prompt: fixed, update: last, next: choose }
        task choose { prompt: borrowed, transitions: { done: RULES, write: words, failed } }
        task failed { fail: RULES }
        task done { end }
    }
}

cot_process! {
    pub process Steps {
        state: {
            #[serde(skip)]
            seen: Vec<StepsTask> = vec![],
            #[serde(skip)]
            last: Option<StepsOutcome> = None,
        },

        task first { run: look, next: done }
        task done { end }
    }
}

async fn look(state: &StepsState) -> Result<(), std::fmt::Error> {
    assert!(state.seen.is_empty() && state.last.is_none());
    Ok(())
}

macro_rules! runs {
    ($($name:ident runs $inner:ident;)*) => {$(
        cot_process! {
            pub process $name {
                state: { _depth: u32 = 0 },
                task sub { process: $inner with Default::default(), next: done }
                task done { end }
            }
        }
    )*};
}

// All of these have the same location in the source.
runs! {
    Upper runs Middle;
    Middle runs Steps;
}

pub(super) fn main() {
    let _ = (Letter::runner(), Steps::runner(), Upper::runner());
}
