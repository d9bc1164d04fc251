//! The command line.

use std::{ffi::OsStr, path::PathBuf};

use serde::de::DeserializeOwned;

use crate::{
    ask::BenchError,
    case::Half,
    server::{Server, Setting},
};

pub(crate) const USAGE: &str = "\
usage: cot-real-bench run --base-url URL --model NAME [options]   run cases, and print a table
       cot-real-bench table FILE... [--by-kind]                   print the table of results
       cot-real-bench compare FILE FILE                           print the tables of two runs, and their difference:
                                                                  setting by setting, or, if they have none in
                                                                  common, each one with each one of the other run

options of `run`:
  --half A,B             of choose, hold: the cases by which texts are chosen, which are the default, and those
                         that show at the end what the choice is worth
  --settings A,B         of prompt, schema, explained; all of them by default
  --seed N               the seed of the sampling; 1 by default
  --temperature T        0.2 by default
  --limit N              only so many cases, of all kinds
  --json FILE            append the result of each case
  --resume               skip the cases whose results FILE has
  --by-kind              a row for each kind of cases too";

/// What to do.
#[derive(Debug)]
pub(crate) enum Command {
    Run(Run),
    Table { files: Vec<PathBuf>, by_kind: bool },
    Compare([PathBuf; 2]),
}

/// A run of cases.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) server: Server,
    pub(crate) halves: Vec<Half>,
    pub(crate) settings: Vec<Setting>,
    pub(crate) limit: usize,
    pub(crate) json: Option<PathBuf>,
    pub(crate) resume: bool,
    pub(crate) by_kind: bool,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            server: Server { seed: 1, temperature: 0.2, ..Server::default() },
            halves: vec![Half::Choose],
            settings: Setting::ALL.to_vec(),
            limit: usize::MAX,
            json: None,
            resume: false,
            by_kind: false,
        }
    }
}

/// Parses the command line.
///
/// # Errors
///
/// For an unknown option, and a missing or invalid value.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Command, BenchError> {
    use lexopt::prelude::*;
    let mut run = Run::default();
    let mut words = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Value(word) => words.push(PathBuf::from(word)),
            Long("base-url") => run.server.base_url = parser.value()?.string()?,
            Long("model") => run.server.model = parser.value()?.string()?,
            Long("seed") => run.server.seed = parser.value()?.parse()?,
            Long("temperature") => run.server.temperature = parser.value()?.parse()?,
            Long("half") => run.halves = options(&parser.value()?)?,
            Long("settings") => run.settings = options(&parser.value()?)?,
            Long("limit") => run.limit = parser.value()?.parse()?,
            Long("json") => run.json = Some(parser.value()?.into()),
            Long("resume") => run.resume = true,
            Long("by-kind") => run.by_kind = true,
            other => return Err(other.unexpected().into()),
        }
    }
    command(words, run)
}

fn command(words: Vec<PathBuf>, run: Run) -> Result<Command, BenchError> {
    let (is_named, by_kind) =
        (!run.server.base_url.is_empty() && !run.server.model.is_empty(), run.by_kind);
    let mut words = words.into_iter();
    let command = words.next().unwrap_or_default();
    let files: Vec<_> = words.collect();
    match (command.to_str(), &*files) {
        (Some("run"), []) if is_named => Ok(Command::Run(run)),
        (Some("run"), []) => Err("`run` needs `--base-url` and `--model`".into()),
        (Some("table"), [_, ..]) => Ok(Command::Table { files, by_kind }),
        (Some("compare"), [first, second]) => Ok(Command::Compare([first.clone(), second.clone()])),
        _ => Err("a command is missing, or has other operands".into()),
    }
}

/// Reads options by their names, which commas separate.
fn options<T: DeserializeOwned>(names: &OsStr) -> Result<Vec<T>, BenchError> {
    let names = names.to_string_lossy();
    names.split(',').map(|name| Ok(serde_json::from_value(name.into())?)).collect()
}
