//! Computes the fingerprint of a process from its tables and the type of its state.

use std::collections::BTreeMap;

use cot_schema::{
    OutputSchema,
    internal::{Shapes, shapes},
};
use serde::de::DeserializeOwned;

use super::fingerprint::{Fingerprint, Hashes, PROCESS, hash_parts, hex, short_type_name};
use crate::process::{
    effect::Effect,
    examples::{examples::examples, task_examples::TaskExamples},
    process::Process,
    tables::{Definition, TaskDefinition, TaskIndex, TaskKind},
    tool::definition::{ToolIndex, ToolSelection},
};

/// Returns the fingerprint of a process, computed on first use.
pub(crate) fn process_fingerprint<P: Process>() -> &'static Fingerprint {
    P::schemas().fingerprint(|| Fingerprint {
        graph: graph(P::DEFINITION),
        state: state_types::<P::State>(),
        prompts: prompts(P::DEFINITION, examples::<P>()),
        schemas: schemas::<P>(),
    })
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
        if let TaskKind::Parallel(parallel) = &task.kind {
            parts.extend(["branches", parallel.join.name()]);
            parts.extend(parallel.branches.iter().map(name));
        }
        if let Some(ai) = task.kind.ai() {
            parts.push("transitions");
            parts.extend(ai.transitions.iter().map(|transition| name(&transition.target)));
        }
        (task.about.name.to_owned(), hash_parts(&parts))
    };
    let mut hashes: Hashes = definition.tasks.iter().map(of_task).collect();
    let default_return = definition.default_return.as_ref().map_or("none", name);
    hashes.insert(PROCESS.to_owned(), hash_parts(&["default return", default_return]));
    hashes
}

fn kind(kind: &TaskKind) -> Vec<&'static str> {
    let process = kind.process().map(|process| process.about.name);
    [kind.info().fingerprint_name].into_iter().chain(process).collect()
}

fn prompts(definition: &Definition, examples: &[TaskExamples]) -> Hashes {
    let of_task = |task: &TaskDefinition| (task.about.name.to_owned(), hex(task.prompt_hash));
    let mut hashes: Hashes = definition.tasks.iter().map(of_task).collect();
    for TaskExamples { task, turns, .. } in examples {
        let task = definition.task(*task);
        let hash = hex(task.prompt_hash);
        let texts = turns.iter().map(|turn| &*turn.text);
        let parts: Vec<&str> = std::iter::once(&*hash).chain(texts).collect();
        hashes.insert(task.about.name.to_owned(), hash_parts(&parts));
    }
    hashes.insert(PROCESS.to_owned(), hex(definition.prompt_hash));
    hashes
}

/// Hashes the schemas. A loop instead of `collect`, which would compile a sort for every process.
fn schemas<P: Process>() -> Hashes {
    let mut hashes = Hashes::new();
    let mut tasks = P::DEFINITION.tasks.iter();
    for code in P::CODE.tasks {
        let Some(task) = tasks.next() else { break };
        let tools = tool_texts(P::DEFINITION, task, |tool| P::CODE.tool_schema(tool));
        let own = [code.output_schema(), code.inputs_schema()];
        hash_schemas(own, tools, task, &mut hashes);
    }
    hashes
}

/// Returns what decides how a call of a tool is read and made: names, schemas, effects and approvals.
fn tool_texts(
    definition: &'static Definition,
    task: &TaskDefinition,
    schema: fn(ToolIndex) -> Option<&'static OutputSchema>,
) -> Vec<&'static str> {
    let mut texts = Vec::new();
    for &tool in task.kind.tools() {
        let schema = schema(tool);
        if let Some(tool) = definition.tools.tools.get(tool) {
            texts.push(tool.name);
            texts.extend(tool.selection.names());
            texts.extend((tool.selection == ToolSelection::All).then_some("all"));
            texts.extend(tool.needs_approval.then_some("approve"));
            texts.extend((tool.effect == Effect::Once).then_some("once"));
        }
        texts.extend(schema.map(OutputSchema::text));
    }
    texts
}

fn hash_schemas(
    schemas: [Option<&OutputSchema>; 2],
    tools: Vec<&str>,
    task: &TaskDefinition,
    hashes: &mut Hashes,
) {
    let texts = schemas.into_iter().flatten().map(OutputSchema::text);
    let texts = texts.chain(task.kind.reasons().then_some("reasons"));
    let texts = texts.chain(task.kind.reader().map(|_| "reads"));
    let texts: Vec<&str> = texts.chain(tools).collect();
    if !texts.is_empty() {
        hashes.insert(task.about.name.to_owned(), hash_parts(&texts));
    }
}

/// Returns the hashes of the types in a state, by name.
fn state_types<S: DeserializeOwned>() -> Hashes {
    hash_shapes(shapes::<S>(&short_type_name::<S>()))
}

fn hash_shapes(shapes: Shapes) -> Hashes {
    let of_type = |(name, items): (String, BTreeMap<String, String>)| {
        let parts: Vec<&str> = items.iter().flat_map(|(item, shape)| [&**item, shape]).collect();
        (name, hash_parts(&parts))
    };
    shapes.into_iter().map(of_type).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{conflict::Change, difference::changes};

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
            history: crate::values::history::History,
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
            history: crate::values::history::History,
            fields: Vec<Field>,
            kind: Kind,
        }
    }

    #[test]
    fn names_the_types_that_differ() {
        let (old, new) = (state_types::<before::State>(), state_types::<after::State>());
        assert_eq!(old, state_types::<before::State>());
        let difference: Vec<_> = changes(&old, &new).collect();
        assert_eq!(difference, [("Field", Change::Changed), ("Kind", Change::Changed)]);
        assert_eq!(changes(&old, &old).count(), 0);
    }

    #[test]
    fn type_names_have_no_modules() {
        assert_eq!(short_type_name::<Vec<before::State>>(), "Vec<State>");
    }
}
