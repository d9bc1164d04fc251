//! `cot runs fork`: goes back to a step of a run, and on from there in another way.

use std::{error::Error, path::PathBuf};

use annotate_snippets::Level;
use clap::Args;
use cot_core::store::{self, RunId, StoreError};
use cot_sqlite::SqliteStore;
use serde_json::Value;
use thiserror::Error;

use super::{
    store::{StoreFile, known, wait},
    words::ONE,
};
use crate::{
    help, input, message, output,
    text::without_mark,
    verdict::{Outcome, Verdict},
};

/// Makes a run of another as it stood after some step, and prints its name.
///
/// The other run stays as it is. The program that runs the process goes on with the fork when it resumes its
/// runs. A changed state is checked only then.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs fork order-17 --at 3 --store runs.db",
        "cot runs fork order-17 --at 3 --as order-17b --goal 'A shorter letter' --store runs.db",
        "cot runs show order-17 --at 3 --store runs.db > state.json",
        "cot runs fork order-17 --at 3 --state state.json --store runs.db",
    ],
    ONE,
))]
pub(super) struct Fork {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// After how many steps of it the fork begins; 0 is its beginning.
    #[arg(long, value_name = "N")]
    at: u64,
    /// The name of the fork; one is made if none is given.
    #[arg(long = "as", value_name = "NEW")]
    new: Option<RunId>,
    /// A file with the state that the fork has instead, as JSON; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// The goal that the fork has instead.
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
}

/// Why a file can't be the state.
#[derive(Debug, Error)]
#[error("the state in {name} is no JSON")]
struct NoState {
    name: String,
    source: serde_json::Error,
}

impl Fork {
    pub(super) fn run(self) -> Outcome {
        let state = match self.read_state() {
            Ok(state) => state,
            Err(error) if error.is::<NoState>() => {
                message::error(&*error);
                return Ok(Verdict::Findings);
            }
            Err(error) => return Err(error),
        };
        let store = self.store.change()?;
        let new = self.create(&store, state.as_ref())?;
        output::line(new.as_str())?;
        let status = wait(known(&store, &new))??.status;
        if status.is_ended() {
            let what = format!("the fork is over already, at `{}`: go back further", status.task());
            message::say(Level::WARNING, what);
        }
        Ok(Verdict::Fine)
    }

    fn read_state(&self) -> Result<Option<Value>, Box<dyn Error>> {
        let Some(path) = &self.state else { return Ok(None) };
        let text = input::text(path)?;
        let state = serde_json::from_str(without_mark(&text));
        Ok(state.map_err(|source| NoState { name: input::name_of(path), source })?)
    }

    /// Creates the fork under its name, or the first free one of those that are made.
    fn create(&self, store: &SqliteStore, state: Option<&Value>) -> Result<RunId, Box<dyn Error>> {
        if let Some(new) = &self.new {
            wait(self.fork(state).create(store, new))??;
            return Ok(new.clone());
        }
        let (run, at) = (&self.run, self.at);
        let mut number = 1;
        loop {
            let again = if number == 1 { String::new() } else { format!("-{number}") };
            let new: RunId = format!("{run}-at-{at}{again}").parse()?;
            match wait(self.fork(state).create(store, &new))? {
                Err(StoreError::RunExists { .. }) => number += 1,
                created => return Ok(created.map(|()| new)?),
            }
        }
    }

    fn fork(&self, state: Option<&Value>) -> store::Fork {
        let mut fork = store::Fork::of(self.run.clone()).at(self.at);
        if let Some(goal) = &self.goal {
            fork = fork.goal(goal);
        }
        match state.cloned() {
            Some(new) => fork.change_state(|state| *state = new),
            None => fork,
        }
    }
}
