//! A process described from its static tables: in words, as pictures, as a manifest.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::{
    description::{
        dot,
        facts::{AllFacts, ProcessFacts},
        gather::gather,
        outline::outline_of,
        text,
    },
    process::process::Process,
    snapshot::fingerprint::hash_of,
};

/// What there is to say of a process without running it.
///
/// It comes from the declaration alone: the same declaration gives the same description. Displayed, it
/// is text for people; the same process as a picture is [`mermaid`](Self::mermaid) and
/// [`dot`](Self::dot), as data [`manifest`](Self::manifest). Templates and guards are code: a
/// description says that they are there, not what they say.
///
/// ```
/// use cot_core::{Description, prelude::*};
///
/// cot_process! {
///     /// Decides whether to go on.
///     process Waiter {
///         state: String,
///         task decide { prompt: "Go on?", transitions: { decide, done: "Enough" } }
///         task done { title: "The end", end }
///     }
/// }
///
/// let description = Description::of::<Waiter>();
/// assert!(description.text().contains("-> done \"The end\": if the model chooses it"));
/// assert_eq!(description.manifest()["tasks"][0]["transitions"][1]["task"], "done");
/// ```
#[derive(Debug, Clone)]
pub struct Description {
    facts: AllFacts,
    mermaid: &'static str,
}

/// Version of the manifest's form. Another number means that something was renamed or left out;
/// members may be added without.
const MANIFEST: u32 = 1;

impl Description {
    /// The description of a process.
    #[must_use]
    pub fn of<P: Process>() -> Self {
        Self { facts: gather(outline_of::<P>()), mermaid: P::DEFINITION.mermaid }
    }

    /// The process in words: its goal and limits, and each task with its kind, title, description and
    /// output, where it leads and why. For people: the words may change.
    #[must_use]
    pub fn text(&self) -> String {
        self.to_string()
    }

    /// The process as a Mermaid flow chart. A solid arrow is a choice of the model, a thick one goes by
    /// itself, a dotted one leads back or away from a failure.
    #[must_use]
    pub const fn mermaid(&self) -> &'static str {
        self.mermaid
    }

    /// The process as a Graphviz graph, in the DOT language. A process within is a cluster at the first
    /// task that runs it. A solid arrow is a choice of the model, a bold one goes by itself, a dashed one
    /// leads back, a dotted one leads away from a failure.
    #[must_use]
    pub fn dot(&self) -> String {
        dot::graph(&self.facts)
    }

    /// The process as data, for tools and dashboards.
    ///
    /// The members stand in a fixed order, tasks and ways in the order of their declaration. All members
    /// are always there, `null` where nothing is said. Times are milliseconds.
    ///
    /// | member | is |
    /// |---|---|
    /// | `manifest` | 1: the version of this form; members may be added without a new one |
    /// | `version` | what [`version`](Self::version) says |
    /// | `name`, `description`, `state` | texts; `state` is the name of the state's type |
    /// | `goal` | `{ declared, used }`: whether the process has a goal, whether it can't do without one |
    /// | `start`, `default_return` | names of tasks |
    /// | `engines` | ids of engines, tried in order; none stands for the default of the run |
    /// | `max_retries`, `max_steps`, `timeout_ms`, `mock_mode` | as declared |
    /// | `budget` | `{ tokens, calls, cost }` |
    /// | `history` | `{ kept, max_items, state_max_items }` |
    /// | `parts` | the names of `prompts` |
    /// | `sequences` | lists of names of tasks |
    /// | `tasks` | see below |
    /// | `fingerprint` | hashes `{ graph, state, prompts, schemas }`, each by task or type: what a snapshot is compared by |
    /// | `processes` | the processes that tasks run, at any depth, by key, each once, in this form without `manifest`, `version` and `processes` |
    ///
    /// A task:
    ///
    /// | member | is |
    /// |---|---|
    /// | `name`, `title`, `description` | texts |
    /// | `kind` | `ai`, `for_each`, `code`, `human`, `process`, `gateway`, `end` or `fail` |
    /// | `process` | of a sub-process, its key in `processes`: its name, with a number where two have the same |
    /// | `reasons` | whether the model thinks aloud: what it replies is a text, and `output` what is found in it |
    /// | `engines`, `temperature`, `max_tokens`, `max_concurrency`, `max_retries`, `timeout_ms`, `wait_ms`, `mock_mode` | as declared |
    /// | `history`, `mock` | whether it enters the history, whether it has a mock |
    /// | `inputs` | `{ schema }`: the JSON schema where a model may supply them |
    /// | `output` | `{ type, schema }`: of a for-each task, of one item; code and sub-processes have no schema |
    /// | `transitions` | `[{ task, label, guard, with }]`: whether there are a label and a guard; `with` is `expression` or `model` |
    /// | `next` | `[{ task, guard, with }]` |
    /// | `choices` | the tasks that `process_output` may choose |
    /// | `on` | `{ exhausted: task, … }`, what is declared |
    /// | `ways` | `[{ task, route, guard }]`: everywhere that the run may go from here, what follows from sequences and callers too; `task` is `null` where the run ends; `route` is `transition`, `choice`, `next`, `sequence`, `default_return`, `return`, or a name of `on` |
    #[must_use]
    pub fn manifest(&self) -> Value {
        let manifest =
            Manifest { manifest: MANIFEST, version: self.version(), facts: self.facts() };
        json(&manifest)
    }

    /// A hash of everything in the manifest, the texts of the prompts included: two builds with the same
    /// version run the same process, but for the functions that it names. It is no proof against
    /// somebody who wants two processes to look the same.
    #[must_use]
    pub fn version(&self) -> String {
        hash_of(&[&json(&self.facts()).to_string()])
    }

    fn facts(&self) -> Facts<'_> {
        let AllFacts { root, within } = &self.facts;
        let processes = within.iter().map(|(key, facts)| (key.clone(), json(facts)));
        Facts { process: root, processes: processes.collect() }
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(&self.facts, f)
    }
}

#[derive(Serialize)]
struct Manifest<'a> {
    manifest: u32,
    version: String,
    #[serde(flatten)]
    facts: Facts<'a>,
}

#[derive(Serialize)]
struct Facts<'a> {
    #[serde(flatten)]
    process: &'a ProcessFacts,
    processes: serde_json::Map<String, Value>,
}

fn json(facts: &impl Serialize) -> Value {
    // Texts, numbers and lists of them, with texts as keys: nothing that can't be JSON.
    serde_json::to_value(facts).unwrap_or_default()
}
