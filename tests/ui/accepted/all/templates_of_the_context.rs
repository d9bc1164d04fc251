//! Functions of the context in the place of templates, in every form of their signature.

use cot_core::prelude::*;
use serde::{Deserialize, Serialize};

pub struct App {
    rules: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Letter;

fn owned(cx: &Cx<'_, Write>) -> String {
    cx.app().rules.clone()
}

fn borrowed<'a>(cx: &'a Cx<'_, Write>) -> &'a str {
    &cx.app().rules
}

fn of_the_app<'a>(cx: &Cx<'a, Write>) -> &'a str {
    &cx.app().rules
}

fn fixed(_: &Cx<'_, Write>) -> &'static str {
    "fixed"
}

fn any<P: Process>(cx: &Cx<'_, P>) -> String {
    cx.call_key()
}

cot_process! {
    pub process Write {
        state: Letter,
        context: App,
        system: borrowed,
        intro: of_the_app,
        prompts: { rules: owned },
        task hub { prompt: "${part(rules)}", transitions: { again: fixed, failed } }

        task again {
            full_prompt: of_the_app,
            errors_primer: any,
            transitions: { failed: borrowed },
        }

        task failed { fail: owned }
    }
}

pub(super) fn main() {
    let _ = Write::runner(App { rules: String::new() });
}
