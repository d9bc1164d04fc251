//! `cot runs show`: what has happened in a run, or its state at a step.

use clap::Args;
use cot_core::{
    Snapshot,
    store::{RunHistory, RunId, StepHistory, StoreError, snapshot_at},
};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

use super::{
    page::Page,
    store::{StoreFile, wait},
    words::ONE,
};
use crate::{
    help, output,
    text::escaped,
    verdict::{Outcome, Verdict},
};

/// Shows what has happened in a run step by step, and what it asks; or its state at a step.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs show order-17 --store runs.db",
        "cot runs show order-17 --prompts --store runs.db | less",
        "cot runs show order-17 --at 3 --json --store runs.db | jq .state",
    ],
    ONE,
))]
pub(super) struct Show {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// Show the state of the run after so many steps instead; 0 is its beginning.
    #[arg(long, value_name = "N", conflicts_with = "prompts")]
    at: Option<u64>,
    /// Show what models were sent, too.
    #[arg(long)]
    prompts: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(self) -> Outcome {
        match self.at {
            Some(steps) => self.state(steps),
            None => self.history(),
        }
    }

    fn history(&self) -> Outcome {
        let store = self.store.look()?;
        let history = wait(RunHistory::load(&store, &self.run))??;
        let unknown = || StoreError::UnknownRun { run: self.run.clone() };
        let mut history = history.ok_or_else(unknown)?;
        if !self.prompts {
            history.steps.iter_mut().for_each(drop_prompts);
        }
        if self.json {
            output::json(&history)?;
        } else {
            output::styled(&Page::of(&history))?;
        }
        Ok(Verdict::Fine)
    }

    fn state(&self, steps: u64) -> Outcome {
        let store = self.store.look()?;
        let snapshot = wait(snapshot_at(&store, &self.run, steps))??;
        let at = StateAt::of(&self.run, steps, &snapshot);
        if self.json {
            output::json(&at)?;
        } else {
            let state: Value = serde_json::from_str(at.state.get())?;
            output::line(escaped(&serde_json::to_string_pretty(&state)?))?;
        }
        Ok(Verdict::Fine)
    }
}

fn drop_prompts(step: &mut StepHistory) {
    step.attempts.iter_mut().for_each(|attempt| attempt.prompt = None);
    step.nested.iter_mut().for_each(drop_prompts);
}

/// A run as it stood after some step.
#[derive(Serialize)]
struct StateAt<'a> {
    run: &'a RunId,
    steps: u64,
    process: &'a str,
    task: &'a str,
    goal: &'a str,
    state: &'a RawValue,
}

impl<'a> StateAt<'a> {
    fn of(run: &'a RunId, steps: u64, snapshot: &'a Snapshot) -> Self {
        let (process, task) = (snapshot.process(), snapshot.task());
        Self { run, steps, process, task, goal: snapshot.goal(), state: snapshot.state() }
    }
}
