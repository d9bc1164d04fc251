//! What reads nothing that is unset, and what writes.
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

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Titles {
    pub titles: Vec<String>,
}

cot_process! {
    process AfterTheUpdate {
        state: { plan: Plan, title: String },

        task plan -> Plan {
            update: { plan = output, title = output.title },
            next: {
                work with state.plan.clone() if !state.plan.steps.is_empty(),
                work with Plan { title: state.title.clone(), ..Default::default() } if true,
                done,
            },
        }

        task work -> Verdict {
            inputs: Plan,
            prompt: "${inputs.title} of ${state.title}",
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    process AsOptions {
        state: { plan: Plan, notes: Vec<String>, count: usize },
        intro: "${state.plan?.as_ref().map_or(\"no plan\", |plan| &plan.title)}",
        goal: "Plan, with ${json(state.notes?)}",

        task decide {
            prompt: "${format!(\"{:?}\", state.plan?)} ${json(state)}",
            transitions: {
                plan,
                done: "${json(state.notes?)}"
                    if state.plan?.as_ref().is_some_and(|plan| plan.steps.is_empty()),
            },
        }

        task plan -> Plan {
            update: {
                plan?.title = output.title,
                notes?[] = output.title,
                count = state.count?.unwrap_or(0) + 1,
            },
            next: {
                decide if state.plan.steps.is_empty() && state.count < state.notes.len(),
                done,
            },
        }

        task done { end }
    }
}

cot_process! {
    process WholeBeforeAPart {
        state: { plan: Plan, notes: Vec<String> },

        task plan -> Plan {
            update: {
                plan = output,
                plan.title = "A title".into(),
                notes = vec![],
                notes[] = output.title,
            },
            next: more,
        }

        task more -> Note {
            update: {
                plan.steps[] = output.text,
                notes[] = state.plan.title,
                plan.title = state.notes.join(" "),
            },
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    process PartsCountWhereTheyAreShown {
        state: { plan: Plan },
        prompts: {
            rules: "Be brief. ${part(the_plan)}",
            the_plan: "The plan is ${state.plan.title}.",
        },
        task plan -> Plan { prompt: "Plan.", update: plan, next: work }
        task work -> Verdict { prompt: "${part(rules)}", next: done }
        task done { end }
    }
}

cot_process! {
    process Titled {
        state: { input title: String, text: String },

        task write -> Note {
            prompt: "Write about ${state.title}.",
            update: { text = output.text },
            may_end,
        }
    }
}

async fn load(state: &AllKindsState) -> Result<Note, std::io::Error> {
    std::fs::read_to_string(&state.request).map(|text| Note { text })
}

cot_process! {
    process AllKinds {
        state: {
            input request: String,
            page: String,
            titles: Vec<String>,
            plans: Vec<Plan>,
            approved: bool,
            text: Option<String> = None,
        },
        task load -> Note { run: load, update: { page = output.text }, next: find }

        task find -> Titles {
            prompt: "${quoted(&state.page)}",
            update: { titles = output.titles },
            next: plan_all,
        }

        task plan_all -> Plan {
            for_each: title in state.titles,
            prompt: "Plan ${title} of ${state.titles.len()}.",
            update: plans,
            next: approve,
        }

        task approve -> Verdict {
            ask: "Are these good? ${json(state.plans)}",
            update: { approved = output.good },
            next: { write if state.approved, done },
        }

        task write {
            process: Titled with TitledState::new(state.page.clone()),
            update: { text = output.text },
            next: { done if state.text.is_some(), write },
        }

        task done { end }
    }
}

pub(super) fn main() {}
