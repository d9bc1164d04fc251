//! The description of a process: text, diagrams, and a manifest.

use std::fmt;

use cot_engine::{
    Process,
    internal::{ProcessOutline, hash_parts, outline_of},
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    dot,
    facts::{DescriptionFacts, ProcessFacts},
    gather::gather,
    text,
};

/// A description of a process, without running it.
///
/// It depends only on the declaration. `Display` writes it as text; [`mermaid`](Self::mermaid) and
/// [`dot`](Self::dot) return diagrams, [`manifest`](Self::manifest) returns data. Templates and guards are
/// code: a description contains which of them exist, not what they do.
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
/// let description = Description::new::<Waiter>();
/// assert!(description.text().contains("-> done \"The end\": if the model chooses it"));
/// assert_eq!(description.manifest()["tasks"][0]["transitions"][1]["task"], "done");
/// ```
#[derive(Debug, Clone)]
pub struct Description {
    facts: DescriptionFacts,
    mermaid: &'static str,
}

/// Version of the manifest format. It changes when members are renamed or removed, not when members are
/// added.
const MANIFEST: u32 = 1;

impl Description {
    /// Creates the description of a process.
    #[must_use]
    pub fn new<P: Process>() -> Self {
        Self::from_outline(outline_of::<P>())
    }

    #[doc(hidden)]
    #[must_use]
    pub fn from_outline(process: &'static dyn ProcessOutline) -> Self {
        Self { facts: gather(process), mermaid: process.definition().mermaid }
    }

    /// Returns the process as text: its goal and limits, and each task with its kind, title, description,
    /// output and routes. For people: the wording may change.
    #[must_use]
    pub fn text(&self) -> String {
        self.to_string()
    }

    /// Returns the process as a Mermaid flow chart. A solid arrow is a choice of the model, a thick one is
    /// automatic, a dotted one leads back or away from a failure.
    #[must_use]
    pub const fn mermaid(&self) -> &'static str {
        self.mermaid
    }

    /// Returns the process as a Graphviz graph, in the DOT language. A sub-process is a cluster at the first
    /// task that runs it. A solid arrow is a choice of the model, a bold one is automatic, a dashed one leads
    /// back, a dotted one leads away from a failure.
    #[must_use]
    pub fn dot(&self) -> String {
        dot::graph(&self.facts)
    }

    /// Returns the process as data, for tools and dashboards.
    ///
    /// The members have a fixed order; tasks and routes are in the order of their declaration. All members
    /// are always present, `null` if not declared. Times are in milliseconds.
    ///
    /// | member | is |
    /// |---|---|
    /// | `manifest` | 1: the version of the format; members may be added without a new version |
    /// | `version` | the same as [`version`](Self::version) |
    /// | `name`, `description`, `state` | texts; `state` is the name of the state's type |
    /// | `goal` | `{ declared, used }`: whether the process declares a goal, and whether it requires one |
    /// | `start`, `default_return` | names of tasks |
    /// | `engines` | ids of engines, tried in order; if empty, the default of the run |
    /// | `settings` | the settings of model calls, those that are set, for the tasks that do not set them |
    /// | `max_retries`, `max_steps`, `timeout_ms`, `mock_mode` | as declared |
    /// | `budget` | `{ tokens, calls, cost }` |
    /// | `bounds` | what a run uses up at most, `null` without bound: `model_calls`, `function_calls`, `questions`, `output_tokens`, `prompt_bytes`; `default_steps`, `at_most`; `unbounded`: why bounds are missing |
    /// | `history` | `{ kept, max_items, state_max_items }` |
    /// | `trust` | the marks of trust: `{ strict, untrusted, private, private_members, engines, history, flows }`, where `private_members` are the members of the state's JSON that can hold private values (`*` is one whose name is not known; missing if there is none), and `flows` is `[{ task, shown, engines, untrusted, trusts }]`: the marked fields that the model of a task is shown, also by way of other values, the engines of the task, whether what comes of it is untrusted, and why that may reach an effect; missing if nothing is marked |
    /// | `parts` | the names of `prompts` |
    /// | `sequences` | lists of names of tasks |
    /// | `tasks` | see below |
    /// | `fingerprint` | hashes `{ graph, state, prompts, schemas }`, each by task or type, compared when a snapshot is resumed |
    /// | `processes` | the sub-processes at any depth, by key, each once, in this format without `manifest`, `version` and `processes` |
    ///
    /// A task:
    ///
    /// | member | is |
    /// |---|---|
    /// | `name`, `title`, `description` | texts |
    /// | `kind` | `ai`, `for_each`, `for_each_function`, `for_each_process`, `code`, `calls`, `human`, `process`, `parallel`, `gateway`, `end` or `fail` |
    /// | `process` | of a sub-process, or a for-each task over one, its key in `processes`: its name, with a number where two have the same |
    /// | `reasons` | whether the reply is numbered reasoning: text that is parsed into `output` |
    /// | `reads` | the function that reads replies in a format of the program's own; missing without one |
    /// | `settings` | the settings of the model calls that the task sets: `temperature`, `top_p`, `max_tokens`, `stop`, `seed`, `effort`, `extra` |
    /// | `media` | the kinds of media that the prompt can show: `image`, `document` |
    /// | `layout` | of a task that asks a model, see below |
    /// | `engines`, `max_concurrency`, `max_items`, `max_retries`, `timeout_ms`, `wait_ms`, `mock_mode` | as declared |
    /// | `history`, `mock` | whether its results are added to the history, whether it has a mock |
    /// | `inputs` | `{ schema }`: the JSON schema if a model can provide them |
    /// | `output` | `{ type, schema }`; for a for-each task, of one item; code tasks and sub-processes have no schema |
    /// | `transitions` | `[{ task, label, guard, with }]`: whether there are a label and a guard; `with` is `expression` or `model` |
    /// | `next` | `[{ task, guard, with }]` |
    /// | `choices` | the tasks that `process_output` may choose |
    /// | `branches`, `join` | of a parallel task, the first tasks of its branches, and `all`, `any` or `settled` |
    /// | `on` | `{ exhausted: task, … }`, the declared routes |
    /// | `ways` | `[{ task, route, guard }]`: all next tasks, including those that follow from sequences and callers; `task` is `null` if the run ends; `route` is `transition`, `choice`, `branch`, `join`, `next`, `sequence`, `default_return`, `return`, or a name of `on` |
    ///
    /// The layout of the requests of a task, as far as it is known before a run:
    ///
    /// | member | is |
    /// |---|---|
    /// | `sections` | `[{ part, stability, fixed_bytes, hash }]`, in the order of the request: the least stable value of each section, the length of its fixed text, and a hash of its texts |
    /// | `fixed` | the length of all fixed text in bytes |
    /// | `fixed_prefix` | the length of the fixed text before the first value: what a prompt cache serves in every run |
    /// | `per_run`, `growing`, `volatile` | the numbers of values of each stability |
    #[must_use]
    pub fn manifest(&self) -> Value {
        let manifest =
            Manifest { manifest: MANIFEST, version: self.version(), facts: self.facts() };
        json(&manifest)
    }

    /// Returns a hash of the manifest and the texts of the prompts. Two builds with the same version run the
    /// same process, except for the bodies of its functions. It is not a cryptographic hash.
    #[must_use]
    pub fn version(&self) -> String {
        hash_parts(&[&json(&self.facts()).to_string()])
    }

    fn facts(&self) -> Facts<'_> {
        let DescriptionFacts { root, sub_processes } = &self.facts;
        let processes = sub_processes.iter().map(|(key, facts)| (key.clone(), json(facts)));
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
    // Only strings, numbers, lists, and maps with string keys: serialization can't fail.
    serde_json::to_value(facts).unwrap_or_default()
}
