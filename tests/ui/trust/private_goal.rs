use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

pub fn whole(_: &Scope<'_, DemoState>) -> String {
    String::new()
}

cot_process! {
    pub process Demo {
        state: { private input patient: String, input text: String },
        goal: "Help ${state.patient}",
        model: "cloud",
        private: ["local"],
        history: none,
        task shown -> Payment { prompt: "What next?", next: hidden }
        task hidden -> Payment { full_prompt: "What is in ${state.text}?", next: named }
        task named -> Payment { full_prompt: "How do we reach it? ${goal}", next: part }
        task part -> Payment { full_prompt: "How do we reach it? ${part(goal)}", next: function }
        task function -> Payment { full_prompt: whole, next: found }
        task found -> Payment {
            full_prompt: "Who is it?",
            found_in: { payee: goal },
            next: passed,
        }
        task passed { process: Other with OtherState::new(state.text.clone()), next: done }
        task done { end }
    }
}

fn main() {}
