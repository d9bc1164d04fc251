//! The version of a process in a manifest, to which stored runs are compared without the types of the process.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{
    compatibility::{PresentProcess, PresentTask, Rules, conflicts},
    conflict::Conflict,
    data::Snapshot,
    fingerprint::Fingerprint,
};

/// The version of the manifest format that is read.
const FORMAT: u32 = 1;

/// The version of a process and of its sub-processes, read from a manifest.
#[derive(Debug)]
pub struct VersionManifest(Manifest);

/// The error for a text that is not a manifest.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It is not JSON, or not that of a manifest.
    #[error("it is not a manifest: write `Name::describe().manifest()` to a file")]
    NotAManifest(#[source] serde_json::Error),
    /// It has another format.
    #[error("the manifest has format {found}; this version reads format {FORMAT}")]
    Format {
        /// The format of the manifest.
        found: u32,
    },
}

#[derive(Debug, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    root: ProcessVersion,
    processes: BTreeMap<String, ProcessVersion>,
}

#[derive(Debug, Deserialize)]
struct ProcessVersion {
    name: String,
    tasks: Vec<TaskVersion>,
    fingerprint: Fingerprint,
}

#[derive(Debug, Deserialize)]
struct TaskVersion {
    name: String,
    kind: String,
    /// The first tasks of the branches.
    #[serde(default)]
    branches: Vec<String>,
    /// The key of the sub-process.
    process: Option<String>,
    inputs: Option<InputsVersion>,
}

#[derive(Debug, Deserialize)]
struct InputsVersion {
    schema: Option<Value>,
}

/// The member that all formats share.
#[derive(Deserialize)]
struct Header {
    manifest: u32,
}

impl VersionManifest {
    /// Reads a manifest from JSON.
    ///
    /// # Errors
    ///
    /// If the text is not a manifest, or has another format.
    pub fn from_json(json: &str) -> Result<Self, ManifestError> {
        let Header { manifest: found } =
            serde_json::from_str(json).map_err(ManifestError::NotAManifest)?;
        if found != FORMAT {
            return Err(ManifestError::Format { found });
        }
        serde_json::from_str(json).map(Self).map_err(ManifestError::NotAManifest)
    }

    /// Returns the names of the process and of its sub-processes, that of the process first.
    pub fn processes(&self) -> impl Iterator<Item = &str> {
        let Manifest { root, processes } = &self.0;
        std::iter::once(&*root.name).chain(processes.values().map(|process| &*process.name))
    }

    /// Returns the conflicts of a run with this version of its process; `None` if the manifest does not contain
    /// the process.
    pub fn conflicts(
        &self,
        snapshot: &Snapshot,
        accepts_changed_prompts: bool,
    ) -> Option<Vec<Conflict>> {
        let all = &self.0;
        let mut processes = std::iter::once(&all.root).chain(all.processes.values());
        let process = processes.find(|process| process.name == snapshot.process)?;
        let is_answered = snapshot.is_answered;
        let rules = Rules { accepts_changed_prompts, is_answered, ..Rules::default() };
        Some(conflicts(snapshot, &Version { process, all }, rules))
    }
}

/// A process of a manifest.
struct Version<'a> {
    process: &'a ProcessVersion,
    all: &'a Manifest,
}

impl PresentProcess for Version<'_> {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn fingerprint(&self) -> &Fingerprint {
        &self.process.fingerprint
    }

    fn task(&self, name: &str) -> Option<PresentTask<'_>> {
        let task = self.process.tasks.iter().find(|task| task.name == name)?;
        let process = task.process.as_ref().and_then(|key| match self.all.processes.get(key) {
            Some(process) => Some(process),
            None => (*key == self.all.root.name).then_some(&self.all.root),
        });
        let all = self.all;
        Some(PresentTask {
            kind: &task.kind,
            takes_inputs: task.inputs.is_some(),
            branches: task.branches.iter().map(String::as_str).collect(),
            inputs_schema: task.inputs.as_ref().and_then(|inputs| inputs.schema.as_ref()),
            process: process.map(|process| -> Box<dyn PresentProcess + '_> {
                Box::new(Version { process, all })
            }),
        })
    }
}
