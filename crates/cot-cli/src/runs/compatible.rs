//! `cot runs compatible`: compares the stored runs with another version of their process.

use std::{
    collections::BTreeMap,
    error::Error,
    path::{Path, PathBuf},
};

use clap::Args;
use cot_engine::{
    Conflict, Snapshot,
    internal::{ManifestError, VersionManifest},
};
use cot_schema::internal::sentence;
use cot_store::{RunFilter, RunId, RunSummary, Store, internal::RecoveredRun};
use serde::Serialize;
use thiserror::Error;

use super::{
    store::{StoreFile, wait},
    words::{count, one_line},
};
use crate::{
    help, input,
    output::{self, OutputError},
    text::strip_byte_order_mark,
    verdict::{Outcome, Verdict},
};

/// Prints the unfinished runs that would not continue under another version of their process, and why.
///
/// The version is that of a manifest, which `Name::describe().manifest()` of the new program returns. Runs with the
/// same task and the same reasons are printed together, with some of their names.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs compatible --manifest new.json --store runs.db",
        "cot runs compatible --manifest new.json --accept-changed-prompts --store runs.db",
        "cot runs compatible --manifest new.json --json --store runs.db | jq -r .run",
    ],
    "a run would not continue",
))]
pub(super) struct Compatible {
    #[command(flatten)]
    store: StoreFile,
    /// A file with the manifest of the new version; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    manifest: PathBuf,
    /// The process whose runs are compared, if it is not the outermost one of the manifest.
    #[arg(long, value_name = "NAME")]
    process: Option<String>,
    /// Omit changed prompts, as for a program that accepts them.
    #[arg(long)]
    accept_changed_prompts: bool,
    /// Print an object for each run that would not continue.
    #[arg(long)]
    json: bool,
}

/// The error for a manifest that can't be used.
#[derive(Debug, Error)]
enum UnusableManifestError {
    #[error("can't use {name}")]
    Invalid { name: String, source: ManifestError },
    #[error("{name} is the manifest of {}, and does not contain the process `{process}`", quoted(.processes))]
    OtherProcess { name: String, process: String, processes: Vec<String> },
    #[error(
        "the store has no run of the process `{process}`, but runs of `{other}`: {name} seems to be the manifest \
         of another process"
    )]
    NoRuns { name: String, process: String, other: String },
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl Compatible {
    pub(super) fn run(self) -> Outcome {
        let manifest = read(&self.manifest)?;
        let process = self.process(&manifest)?;
        let store = self.store.open_read_only()?;
        wait(self.compare(&*store, &manifest, &process))?
    }

    /// Returns the process whose runs are compared.
    fn process(&self, manifest: &VersionManifest) -> Result<String, UnusableManifestError> {
        let mut processes: Vec<String> = manifest.processes().map(str::to_owned).collect();
        let Some(process) = &self.process else { return Ok(processes.swap_remove(0)) };
        if processes.contains(process) {
            return Ok(process.clone());
        }
        let (name, process) = (input::name_of(&self.manifest), process.clone());
        Err(UnusableManifestError::OtherProcess { name, process, processes })
    }

    async fn compare(
        &self,
        store: &dyn Store,
        manifest: &VersionManifest,
        process: &str,
    ) -> Outcome {
        let mut filter = RunFilter::default();
        (filter.process, filter.is_ended) = (Some(process.to_owned()), Some(false));
        let runs = store.runs(&filter).await?;
        if runs.is_empty() {
            self.check_process(store, process).await?;
        }
        let mut report = Report { as_json: self.json, ..Report::default() };
        for run in &runs {
            let accepts = self.accept_changed_prompts;
            report.add(run, compare_run(store, &run.run, manifest, accepts).await)?;
        }
        report.finish(runs.len(), process)
    }

    /// Fails if the store has runs of other processes only.
    async fn check_process(&self, store: &dyn Store, process: &str) -> Result<(), Box<dyn Error>> {
        let mut filter = RunFilter::default();
        filter.limit = Some(1);
        let other = store.runs(&filter).await?.pop();
        filter.process = Some(process.to_owned());
        let own = store.runs(&filter).await?.pop();
        match (own, other) {
            (None, Some(RunSummary { process: other, .. })) => {
                let (name, process) = (input::name_of(&self.manifest), process.to_owned());
                Err(UnusableManifestError::NoRuns { name, process, other }.into())
            }
            _ => Ok(()),
        }
    }
}

fn read(path: &Path) -> Result<VersionManifest, Box<dyn Error>> {
    let text = input::text(path)?;
    let manifest = VersionManifest::from_json(strip_byte_order_mark(&text));
    let invalid = |source| UnusableManifestError::Invalid { name: input::name_of(path), source };
    Ok(manifest.map_err(invalid)?)
}

/// Returns the conflicts of a run; none if the run no longer exists.
async fn compare_run(
    store: &dyn Store,
    run: &RunId,
    manifest: &VersionManifest,
    accepts_changed_prompts: bool,
) -> Result<Vec<Conflict>, Box<dyn Error>> {
    let Some(recovered) = RecoveredRun::load_without_blobs(store, run, None).await? else {
        return Ok(Vec::new());
    };
    let mut snapshot = Snapshot::from_json(&recovered.snapshot)?;
    snapshot.set_events(recovered.answers());
    Ok(manifest.conflicts(&snapshot, accepts_changed_prompts).unwrap_or_default())
}

/// The runs that would not continue, by task and reasons.
#[derive(Default)]
struct Report {
    as_json: bool,
    stopped: usize,
    groups: BTreeMap<(String, Vec<String>), Group>,
}

#[derive(Default)]
struct Group {
    count: usize,
    examples: Vec<RunId>,
}

/// A run that would not continue.
#[derive(Serialize)]
struct StoppedRun<'a> {
    run: &'a RunId,
    process: &'a str,
    task: &'a str,
    conflicts: Vec<Reason<'a>>,
    /// Why the run can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct Reason<'a> {
    #[serde(flatten)]
    conflict: &'a Conflict,
    message: String,
}

impl Report {
    /// The number of runs that are named for a task and reasons.
    const EXAMPLES: usize = 5;

    fn add(
        &mut self,
        run: &RunSummary,
        compared: Result<Vec<Conflict>, Box<dyn Error>>,
    ) -> Result<(), OutputError> {
        let (conflicts, error) = match compared {
            Ok(conflicts) if conflicts.is_empty() => return Ok(()),
            Ok(conflicts) => (conflicts, None),
            Err(error) => (Vec::new(), Some(sentence(&*error))),
        };
        self.stopped += 1;
        let task = run.status.task();
        if self.as_json {
            let reason = |conflict| Reason { conflict, message: conflict.to_string() };
            let conflicts = conflicts.iter().map(reason).collect();
            let (run, process) = (&run.run, &*run.process);
            return output::json(&StoppedRun { run, process, task, conflicts, error });
        }
        let reasons = conflicts.iter().map(ToString::to_string).chain(error).collect();
        let group = self.groups.entry((task.to_owned(), reasons)).or_default();
        group.count += 1;
        if group.examples.len() < Self::EXAMPLES {
            group.examples.push(run.run.clone());
        }
        Ok(())
    }

    fn finish(self, runs: usize, process: &str) -> Outcome {
        if !self.as_json {
            output::text(&self.text(runs, process))?;
        }
        Ok(if self.stopped == 0 { Verdict::Fine } else { Verdict::Findings })
    }

    fn text(&self, runs: usize, process: &str) -> String {
        let mut lines = Vec::new();
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.count));
        for ((task, reasons), Group { count: number, examples }) in groups {
            let mut names = examples.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            if *number > examples.len() {
                names.push_str(&format!(", and {} more", number - examples.len()));
            }
            let runs = count(*number as u64, "run", "runs");
            lines.push(format!("{runs} at `{task}` would not continue: {names}"));
            lines.extend(reasons.iter().map(|reason| format!("  {reason}")));
        }
        let all = count(runs as u64, "unfinished run", "unfinished runs");
        lines.push(match self.stopped {
            0 => format!("{all} of `{process}`: all would continue"),
            stopped => format!("{all} of `{process}`: {stopped} would not continue"),
        });
        lines.iter().map(|line| one_line(line) + "\n").collect()
    }
}
