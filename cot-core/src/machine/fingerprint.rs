//! What a snapshot can go on with: hashes of the graph, the state type, the prompts, the schemas.

use std::{any::type_name, collections::BTreeMap, hash::Hasher};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    lookup::{inputs_schema, output_schema},
    shape::{Shapes, shapes},
};
use crate::{
    OutputSchema, Process,
    blueprint::{Definition, TaskDefinition, TaskIndex, TaskKind},
};

/// Hashes of a process by name, so that a difference can be named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    /// By task; and what belongs to the whole process under [`PROCESS`].
    pub(super) graph: Hashes,
    /// By name of a type in the state.
    pub(super) state: Hashes,
    /// By task; and what belongs to the whole process under [`PROCESS`].
    pub(super) prompts: Hashes,
    /// By task that has an output.
    pub(super) schemas: Hashes,
}

pub(super) type Hashes = BTreeMap<String, String>;

/// Stands for the process where others are tasks; no task has such a name.
pub(super) const PROCESS: &str = "(process)";

/// What differs between two tables of hashes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
    pub(super) changed: Vec<String>,
}

impl Fingerprint {
    /// The fingerprint of a process, computed once.
    pub(crate) fn of<P: Process>() -> &'static Self {
        P::schemas().fingerprint(|| Self {
            graph: graph(P::DEFINITION),
            state: state_types::<P::State>(),
            prompts: prompts(P::DEFINITION),
            schemas: schemas::<P>(),
        })
    }
}

impl Difference {
    /// What was added, removed and changed from `old` to `new`.
    pub(super) fn between(old: &Hashes, new: &Hashes) -> Option<Self> {
        let mut difference = Self::default();
        for (name, hash) in new {
            match old.get(name) {
                None => difference.added.push(name.clone()),
                Some(other) if other != hash => difference.changed.push(name.clone()),
                Some(_) => {}
            }
        }
        difference.removed.extend(old.keys().filter(|name| !new.contains_key(*name)).cloned());
        (difference != Self::default()).then_some(difference)
    }

    /// All names in it.
    pub(super) fn names(self) -> Vec<String> {
        [self.added, self.removed, self.changed].concat()
    }
}

fn graph(definition: &Definition) -> Hashes {
    let name = |task: &TaskIndex| definition.task(*task).about.name;
    let of_task = |task: &TaskDefinition| {
        let mut parts = kind(&task.kind);
        parts.extend(task.next.iter().map(name));
        parts.push("in sequence");
        parts.extend(task.in_sequence.iter().map(name));
        parts.push("choices");
        parts.extend(task.choices.iter().map(name));
        parts.extend(task.takes_inputs.then_some("takes inputs"));
        for (route, target) in task.on.named() {
            parts.extend([route, name(&target)]);
        }
        if let Some(ai) = task.kind.ai() {
            parts.push("transitions");
            parts.extend(ai.transitions.iter().map(|transition| name(&transition.target)));
        }
        (task.about.name.to_owned(), hash_of(&parts))
    };
    let mut hashes: Hashes = definition.tasks.iter().map(of_task).collect();
    let default_return = definition.default_return.as_ref().map_or("none", name);
    hashes.insert(PROCESS.to_owned(), hash_of(&["default return", default_return]));
    hashes
}

fn kind(kind: &TaskKind) -> Vec<&'static str> {
    match kind {
        TaskKind::Ai(_) => vec!["ai"],
        TaskKind::Each(..) => vec!["each"],
        TaskKind::Code => vec!["code"],
        TaskKind::Human => vec!["human"],
        TaskKind::Process(process) => vec!["process", process().about.name],
        TaskKind::Gateway => vec!["gateway"],
        TaskKind::End => vec!["end"],
        TaskKind::Fail => vec!["fail"],
    }
}

fn prompts(definition: &Definition) -> Hashes {
    let of_task = |task: &TaskDefinition| (task.about.name.to_owned(), hex(task.prompt_hash));
    let mut hashes: Hashes = definition.tasks.iter().map(of_task).collect();
    hashes.insert(PROCESS.to_owned(), hex(definition.prompt_hash));
    hashes
}

/// Loops instead of `collect`, which compiles a sort of its own for every process.
fn schemas<P: Process>() -> Hashes {
    let mut hashes = Hashes::new();
    for (index, task) in P::DEFINITION.tasks.iter().enumerate() {
        hash_schemas([output_schema::<P>(index), inputs_schema::<P>(index)], task, &mut hashes);
    }
    hashes
}

fn hash_schemas(schemas: [Option<&OutputSchema>; 2], task: &TaskDefinition, hashes: &mut Hashes) {
    let texts = schemas.into_iter().flatten().map(OutputSchema::text);
    let texts: Vec<&str> = texts.chain(task.kind.reasons().then_some("reasons")).collect();
    if !texts.is_empty() {
        hashes.insert(task.about.name.to_owned(), hash_of(&texts));
    }
}

/// The types in a state, by name.
fn state_types<S: DeserializeOwned>() -> Hashes {
    hash_shapes(shapes::<S>(&short_type_name::<S>()))
}

fn hash_shapes(shapes: Shapes) -> Hashes {
    let of_type = |(name, items): (String, BTreeMap<String, String>)| {
        let parts: Vec<&str> = items.iter().flat_map(|(item, shape)| [&**item, shape]).collect();
        (name, hash_of(&parts))
    };
    shapes.into_iter().map(of_type).collect()
}

/// A type's name without the modules that it and its parameters lie in.
pub(crate) fn short_type_name<T>() -> String {
    let mut short = String::new();
    for segment in type_name::<T>().split("::") {
        let start = short.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
        short.truncate(start);
        short.push_str(segment);
    }
    short
}

pub(crate) fn hash_of(parts: &[&str]) -> String {
    let mut hasher = FnvHasher::default();
    for part in parts {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    hex(hasher.finish())
}

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(dead_code, reason = "only its shape is looked at")]
    mod before {
        #[derive(serde::Deserialize)]
        pub(super) struct Field {
            name: String,
        }
        #[derive(serde::Deserialize)]
        pub(super) enum Kind {
            A,
            B(u32),
            C { all: Vec<Kind> },
        }
        #[derive(serde::Deserialize)]
        pub(super) struct State {
            history: crate::History,
            fields: Vec<Field>,
            kind: Kind,
        }
    }

    #[expect(dead_code, reason = "only its shape is looked at")]
    mod after {
        #[derive(serde::Deserialize)]
        pub(super) struct Field {
            name: String,
            title: Option<String>,
        }
        #[derive(serde::Deserialize)]
        pub(super) enum Kind {
            A,
            B(u32),
            C { all: Vec<Kind>, more: u8 },
        }
        #[derive(serde::Deserialize)]
        pub(super) struct State {
            history: crate::History,
            fields: Vec<Field>,
            kind: Kind,
        }
    }

    #[test]
    fn names_the_types_that_differ() {
        let (old, new) = (state_types::<before::State>(), state_types::<after::State>());
        assert_eq!(old, state_types::<before::State>());
        let difference = Difference::between(&old, &new).unwrap();
        assert_eq!(difference.changed, ["Field", "Kind"]);
        assert!(Difference::between(&old, &old).is_none());
    }

    #[test]
    fn type_names_have_no_modules() {
        assert_eq!(short_type_name::<Vec<before::State>>(), "Vec<State>");
    }
}
