//! `cot layout`: the layout of the prompts in a manifest, and what a change of it costs.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt,
    path::{Path, PathBuf},
};

use clap::Args;
use cot_core::{Bound, Quantity, WorstCase};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::{
    help, input, output,
    text::{escape_hidden, strip_byte_order_mark},
    verdict::{Outcome, Verdict},
};

/// Prints what the runs of a manifest cost at most and how its prompts are laid out, and compares the prompts with
/// those of an older manifest.
///
/// A manifest is what `Name::describe().manifest()` returns. The fixed text before the first value is the part
/// of a prompt that a server's prompt cache serves in every run. With `--against`, prints each task whose
/// prompts begin differently, and the first part that differs.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot layout manifest.json",
        "cot layout --against old.json manifest.json",
        "cot layout --json manifest.json | jq .fixed_prefix",
    ],
    "with `--against`: prompts begin differently",
))]
pub(crate) struct Layout {
    /// An older manifest to compare with.
    #[arg(long, value_name = "OLD")]
    against: Option<PathBuf>,
    /// Print an object for each process with its bounds, and one for each task.
    #[arg(long)]
    json: bool,
    /// A file with the manifest; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Layout {
    pub(crate) fn run(self) -> Outcome {
        input::check_stdin_once(self.against.iter().chain([&self.file]).map(PathBuf::as_path))?;
        let (processes, tasks) = read(&self.file)?;
        let Some(old) = &self.against else {
            processes.iter().try_for_each(|it| self.print(it, || it.to_string()))?;
            tasks.iter().try_for_each(|task| self.print(task, || task.to_string()))?;
            return Ok(Verdict::Fine);
        };
        let (_, old) = read(old)?;
        let differences: Vec<_> = differences(&old, &tasks).collect();
        differences.iter().try_for_each(|it| self.print(it, || it.to_string()))?;
        Ok(if differences.is_empty() { Verdict::Fine } else { Verdict::Findings })
    }

    fn print(
        &self,
        object: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), output::OutputError> {
        if self.json { output::json(object) } else { output::line(escape_hidden(&text())) }
    }
}

/// The error for a file that is not a manifest with layouts.
#[derive(Debug, Error)]
#[error("{name} is not a manifest with layouts: write `Name::describe().manifest()` to a file")]
struct InvalidManifestError {
    name: String,
    source: serde_json::Error,
}

/// The members of a manifest that are read.
#[derive(Deserialize)]
struct Manifest {
    name: String,
    tasks: Vec<Task>,
    #[serde(default)]
    bounds: Option<Map<String, Value>>,
    #[serde(default)]
    processes: BTreeMap<String, Self>,
}

#[derive(Deserialize)]
struct Task {
    name: String,
    /// `null` if the task asks no model; not absent, as in manifests of older versions.
    #[serde(deserialize_with = "Option::deserialize")]
    layout: Option<PromptLayout>,
}

/// The layout of the prompts of a task.
#[derive(Serialize, Deserialize)]
struct PromptLayout {
    sections: Vec<Section>,
    fixed: usize,
    fixed_prefix: usize,
    per_run: usize,
    growing: usize,
    volatile: usize,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Section {
    part: String,
    stability: String,
    fixed_bytes: usize,
    hash: String,
}

/// A process with its bounds.
#[derive(Serialize)]
struct ProcessBounds {
    process: String,
    bounds: Map<String, Value>,
}

/// A task that asks a model.
#[derive(Serialize)]
struct TaskLayout {
    process: String,
    task: String,
    #[serde(flatten)]
    layout: PromptLayout,
}

/// A task whose prompts begin differently.
#[derive(Debug, PartialEq, Serialize)]
struct Difference<'a> {
    process: &'a str,
    task: &'a str,
    /// The first part that differs.
    part: &'a str,
    /// The length of the fixed text before that part.
    kept: usize,
    /// The length of the fixed text before the first value, in the old manifest and in the new one.
    before: usize,
    after: usize,
}

/// Reads the layouts of the tasks of a manifest and its sub-processes.
fn read(path: &Path) -> Result<(Vec<ProcessBounds>, Vec<TaskLayout>), Box<dyn Error>> {
    let text = input::text(path)?;
    let manifest: Manifest = serde_json::from_str(strip_byte_order_mark(&text))
        .map_err(|source| InvalidManifestError { name: input::name_of(path), source })?;
    let root = (manifest.name, manifest.tasks, manifest.bounds);
    let inner = manifest.processes.into_iter();
    let inner = inner.map(|(key, process)| (key, process.tasks, process.bounds));
    let (mut processes, mut layouts) = (Vec::new(), Vec::new());
    for (process, tasks, bounds) in std::iter::once(root).chain(inner) {
        // Manifests of older versions have no bounds.
        processes.extend(bounds.map(|bounds| ProcessBounds { process: process.clone(), bounds }));
        layouts.extend(tasks.into_iter().filter_map(|Task { name, layout }| {
            Some(TaskLayout { process: process.clone(), task: name, layout: layout? })
        }));
    }
    Ok((processes, layouts))
}

/// Returns the tasks of both manifests whose prompts begin differently.
fn differences<'a>(
    old: &'a [TaskLayout],
    new: &'a [TaskLayout],
) -> impl Iterator<Item = Difference<'a>> {
    new.iter().filter_map(|task| {
        let is_same = |it: &&TaskLayout| (&it.process, &it.task) == (&task.process, &task.task);
        difference(old.iter().find(is_same)?, task)
    })
}

/// Returns the difference of the fixed texts at the beginning, up to the first section that shows a value.
fn difference<'a>(old: &'a TaskLayout, new: &'a TaskLayout) -> Option<Difference<'a>> {
    let (before, after) = (old.layout.fixed_prefix, new.layout.fixed_prefix);
    let mut kept = 0;
    let mut old = old.layout.sections.iter();
    let mut sections = new.layout.sections.iter();
    loop {
        let (old, section) = (old.next(), sections.next());
        let part = section.or(old)?;
        if old != section {
            let (process, task, part) = (&*new.process, &*new.task, &*part.part);
            return Some(Difference { process, task, part, kept, before, after });
        }
        if part.stability != "fixed" {
            return None;
        }
        kept += part.fixed_bytes;
    }
}

impl fmt::Display for ProcessBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { process, bounds } = self;
        let number = |name: &str| bounds.get(name).and_then(Value::as_u64);
        let bound =
            |quantity: Quantity| number(quantity.key()).map_or(Bound::UNBOUNDED, Bound::at_most);
        write!(f, "{process}: a run has at most {}", WorstCase::from_fn(bound))?;
        if let Some(steps) = number("default_steps") {
            write!(
                f,
                "\n  it halts after {steps} steps without an answer of a person, the default"
            )?;
        }
        let causes = bounds.get("unbounded").and_then(Value::as_array).into_iter().flatten();
        causes.filter_map(Value::as_str).try_for_each(|cause| write!(f, "\n  unbounded: {cause}"))
    }
}

impl fmt::Display for TaskLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { process, task, layout } = self;
        let PromptLayout { fixed, fixed_prefix, .. } = layout;
        write!(
            f,
            "{process} {task}: {fixed} bytes of fixed text, {fixed_prefix} before the first value"
        )?;
        for Section { part, stability, fixed_bytes, .. } in &layout.sections {
            write!(f, "\n  {part:<12} {stability:<9} {fixed_bytes:>6}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { process, task, part, kept, before, after } = self;
        write!(
            f,
            "{process} {task}: `{part}` differs, after {kept} bytes of fixed text; the text before the first \
             value had {before} bytes, and has {after}"
        )
    }
}
