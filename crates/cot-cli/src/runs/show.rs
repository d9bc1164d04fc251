//! `cot runs show`: shows the history of a run, or its state at a step.

use clap::Args;
use cot_engine::Snapshot;
use cot_store::{RunHistory, RunId, StepHistory, StoreError, snapshot_at};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

use super::{
    page::Page,
    store::{StoreFile, wait},
    words::STATUS_ONE,
};
use crate::{
    help, output,
    text::escape_json,
    verdict::{Outcome, Verdict},
};

/// Shows the steps of a run and its current question, or its state at a step.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs show order-17 --store runs.db",
        "cot runs show order-17 --prompts --store runs.db | less",
        "cot runs show order-17 --at 3 --json --store runs.db | jq .state",
    ],
    STATUS_ONE,
))]
pub(super) struct Show {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// Show the state of the run after this many steps instead; 0 is the beginning.
    #[arg(long, value_name = "N", conflicts_with = "prompts")]
    at: Option<u64>,
    /// Show the prompts too.
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
        let store = self.store.open_read_only()?;
        let history = wait(RunHistory::load(&*store, &self.run))??;
        let unknown = || StoreError::UnknownRun { run: self.run.clone() };
        let mut history = history.ok_or_else(unknown)?;
        if !self.prompts {
            history.steps.iter_mut().for_each(drop_prompts);
        }
        if self.json {
            output::json(&history)?;
        } else {
            output::styled(&Page::render(&history))?;
        }
        Ok(Verdict::Fine)
    }

    fn state(&self, steps: u64) -> Outcome {
        let store = self.store.open_read_only()?;
        let snapshot = wait(snapshot_at(&*store, &self.run, steps))??;
        let at = StateAt::new(&self.run, steps, &snapshot);
        if self.json {
            output::json(&at)?;
        } else {
            let state: Value = serde_json::from_str(at.state.get())?;
            output::line(escape_json(&serde_json::to_string_pretty(&state)?))?;
        }
        Ok(Verdict::Fine)
    }
}

fn drop_prompts(step: &mut StepHistory) {
    step.attempts.iter_mut().for_each(|attempt| attempt.prompt = None);
    step.nested.iter_mut().for_each(drop_prompts);
}

/// The state of a run after some step.
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
    fn new(run: &'a RunId, steps: u64, snapshot: &'a Snapshot) -> Self {
        let (process, task) = (snapshot.process(), snapshot.task());
        Self { run, steps, process, task, goal: snapshot.goal(), state: snapshot.state() }
    }
}
