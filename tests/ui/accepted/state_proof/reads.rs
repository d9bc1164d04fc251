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
        task work -> bool { inputs: Plan, prompt: "${inputs.title} of ${state.title}", next: done }
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
                done: "${json(state.notes?)}" if state.plan?.as_ref().is_some_and(|plan| plan.steps.is_empty()),
            },
        }
        task plan -> Plan {
            update: {
                plan?.title = output.title,
                notes?[] = output.title,
                count = state.count?.unwrap_or(0) + 1,
            },
            next: { decide if state.plan.steps.is_empty() && state.count < state.notes.len(), done },
        }
        task done { end }
    }
}

cot_process! {
    process WholeBeforeAPart {
        state: { plan: Plan, notes: Vec<String> },
        task plan -> Plan {
            update: { plan = output, plan.title = "A title".into(), notes = vec![], notes[] = output.title },
            next: more,
        }
        task more -> String {
            update: { plan.steps[] = output, notes[] = state.plan.title, plan.title = state.notes.join(" ") },
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
        task work -> bool { prompt: "${part(rules)}", next: done }
        task done { end }
    }
}

cot_process! {
    process Titled {
        state: { input title: String, text: String },
        task write -> String { prompt: "Write about ${state.title}.", update: text }
    }
}

async fn load(state: &AllKindsState) -> Result<String, std::io::Error> {
    std::fs::read_to_string(&state.request)
}

cot_process! {
    process AllKinds {
        state: {
            input request: String,
            page: String,
            titles: Vec<String>,
            plans: Vec<Plan>,
            approved: bool,
            text: Option<String>,
        },
        task load -> String { run: load, update: page, next: find }
        task find -> Vec<String> { prompt: "${quoted(&state.page)}", update: titles, next: plan_all }
        task plan_all -> Plan {
            for_each: title in state.titles,
            prompt: "Plan ${title} of ${state.titles.len()}.",
            update: plans,
            next: approve,
        }
        task approve -> bool {
            ask: "Are these good? ${json(state.plans)}",
            update: approved,
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

fn main() {}
