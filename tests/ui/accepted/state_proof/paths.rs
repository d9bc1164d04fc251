//! Every path to a read has written the field before.
#![deny(warnings)]

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Verdict {
    pub good: bool,
}

cot_process! {
    process StraightOn {
        state: { plan: Plan, words: String },
        task plan -> Plan { prompt: "Plan.", update: plan, next: write }

        task write -> Note {
            prompt: "Follow ${state.plan.title}.",
            update: { words = output.text },
            next: done,
        }

        task done { fail: "Only ${state.words} for ${json(state.plan)}" }
    }
}

cot_process! {
    process BothBranchesWrite {
        state: { plan: Plan },
        task decide { transitions: { plan: "Plan well", hurry: "Plan badly" } }
        task plan -> Plan { update: plan, next: work }

        task hurry -> Note {
            update: { plan = Plan { title: output.text, steps: vec![] } },
            next: work,
        }

        task work -> Verdict { prompt: "Follow ${state.plan.title}.", next: done }
        task done { end }
    }
}

cot_process! {
    process TheFirstRoundWrites {
        state: { input request: String, plan: Plan, review: String },
        task plan -> Plan { prompt: "Plan ${state.request}.", update: plan, next: review }

        task review -> Note {
            prompt: "Review ${state.plan.title}.",
            update: { review = output.text },
            next: { done if state.review.is_empty(), mend },
        }

        task mend -> Plan {
            prompt: "Mend ${json(state.plan)}, for ${state.review}",
            update: plan,
            next: review,
        }

        task done { end }
    }
}

cot_process! {
    process TheHubIsBehindThePlan {
        state: { plan: Plan, done: Vec<String> = vec![] },
        start: plan,
        task plan -> Plan { update: plan, next: decide }

        task decide {
            prompt: "Where are we in ${state.plan.title}? Done: ${list(&state.done)}",
            transitions: {
                step: "Step ${state.done.len()}" if state.done.len() < state.plan.steps.len(),
                plan: "Plan anew",
                done,
            },
        }

        task step -> Note {
            prompt: "Do a step of ${state.plan.title}.",
            update: { done[] = output.text },
            transitions: { ask_back: "Something is unclear", decide: "Never mind" },
        }

        task ask_back -> Note {
            prompt: "Ask about ${state.plan.title}.",
            update: { done[] = output.text },
        }

        task done { end }
    }
}

cot_process! {
    process OneAfterTheOther {
        state: { plan: Plan, review: String },
        sequence steps [plan, review, mend]
        default_return: done,
        task plan -> Plan { update: plan }

        task review -> Note {
            prompt: "Review ${state.plan.title}.",
            update: { review = output.text },
        }

        task mend -> Plan { prompt: "Mind ${state.review} in ${state.plan.title}.", update: plan }
        task done { fail: "${state.review}" }
    }
}

fn choose(output: &Plan, _: &mut ByChoiceState) -> ByChoicePlanChoice {
    if output.steps.is_empty() { ByChoicePlanChoice::Work } else { ByChoicePlanChoice::Split }
}

cot_process! {
    process ByChoice {
        state: { plan: Plan },

        task plan -> Plan {
            update: plan,
            process_output: choose -> [work, split],
            on: { exhausted => give_up },
        }

        task split -> Plan { prompt: "Split ${json(state.plan)}.", update: plan, next: work }
        task work -> Verdict { prompt: "Follow ${state.plan.title}.", next: done }
        task give_up { fail: "no plan" }
        task done { end }
    }
}

pub(super) fn main() {}
