//! A process that ends in every way. Samples were written by it: it never changes.

use cot_core::{FunctionError, prelude::*};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    tale::{Tale, ending},
    tour::Idea,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) kind: String,
    pub(super) ideas: Vec<Idea>,
}

impl Plan {
    /// A run that ends in this way.
    pub(super) fn new(kind: &str) -> Self {
        Self { kind: kind.to_owned(), ideas: vec![] }
    }

    fn is(&self, kind: &str) -> bool {
        self.kind == kind
    }
}

/// Every way in which a run ends.
pub(super) const KINDS: [&str; 13] = [
    "fails",
    "runs out",
    "exhausted",
    "unreachable",
    "broken",
    "item",
    "nested",
    "slow",
    "silent",
    "cancelled",
    "spent",
    "endless",
    "refused",
];

async fn breaks(plan: &Plan) -> Result<(), FunctionError> {
    if plan.is("endless") { Ok(()) } else { Err(FunctionError::new("out of order")) }
}

cot_process! {
    pub(super) process Inner {
        state: Plan,
        primers: { history: "History:", errors: "Wrong:", output: "Format:" },
        task guess -> Idea { prompt: "[[guess]]", update: ideas[], next: failed }
        task failed { fail: "no way out of ${state.ideas.len()} ideas" }
    }
}

cot_process! {
    pub(super) process Ends {
        state: Plan,
        primers: { history: "History:", errors: "Wrong:", output: "Format:" },
        max_retries: 1,
        max_steps: 4,
        budget: { calls: 3 },

        task start {
            next: {
                failed if state.is("fails"),
                guess if state.is("runs out"),
                stubborn if state.is("exhausted"),
                far if state.is("unreachable"),
                work if state.is("broken") || state.is("endless"),
                items if state.is("item"),
                inner if state.is("nested"),
                slow if state.is("slow"),
                person if state.is("silent") || state.is("cancelled"),
                balk if state.is("refused"),
                spend,
            },
        }

        task guess -> Idea { prompt: "[[guess]]", update: ideas[], may_end }
        task stubborn -> Idea { prompt: "[[stubborn]]", update: ideas[], next: done }
        task far -> Idea { prompt: "[[far]]", update: ideas[], next: done }
        task work { run: breaks, next: { done if !state.ideas.is_empty(), work } }

        task items -> Idea {
            for_each: name in ["tree", "mud", "rock"],
            max_retries: 0,
            prompt: "[[about ${name}]]",
            update: { ideas = output },
            next: done,
        }

        task inner {
            process: Inner with Plan::default(),
            update: { ideas = output.ideas },
            next: done,
        }

        task slow -> Idea {
            prompt: "[[slow]]",
            timeout: 5s,
            update: ideas[],
            next: done,
        }

        task person -> Idea {
            ask: "[[${state.kind}]]",
            timeout: 60s,
            update: ideas[],
            on: { timeout => late },
            next: done,
        }

        task balk -> Idea { prompt: "[[balk]]", update: ideas[], next: done }

        task spend -> Idea {
            prompt: "[[guess]] ${state.ideas.len()}",
            update: ideas[],
            on: { budget => poor },
            next: spend,
        }

        task poor { fail: "spent after ${state.ideas.len()}" }
        task failed { fail: "it ${state.kind}" }
        task late { end }
        task done { end }
    }
}

impl Tale for Ends {
    fn ended(outcome: &EndsOutcome) -> Value {
        ending(outcome.halt(), outcome)
    }
}
