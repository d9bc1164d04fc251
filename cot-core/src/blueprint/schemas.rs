//! The JSON schema of one step's reply, and the cache of those of a process.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use serde_json::{Value, json};

use super::{AiDefinition, Definition, TaskIndex};
use crate::{OutputSchema, machine::Fingerprint, model::ReplySchema};

/// What is computed once for a process: reply schemas by task and visible transitions, and the
/// fingerprint.
#[derive(Debug, Default)]
pub struct SchemaCache {
    schemas: RwLock<Vec<Cached>>,
    fingerprint: OnceLock<Fingerprint>,
}

#[derive(Debug)]
struct Cached {
    task: TaskIndex,
    visible: Box<[usize]>,
    schema: Arc<ReplySchema>,
}

/// Most schemas that are kept of one process; others are built anew each time.
const MAX_CACHED: usize = 64;
/// Longest name of a schema that vendors accept.
const MAX_NAME: usize = 64;

impl SchemaCache {
    /// An empty cache.
    #[must_use]
    pub const fn new() -> Self {
        Self { schemas: RwLock::new(Vec::new()), fingerprint: OnceLock::new() }
    }

    /// The schema of a task's reply; `None` when the task neither chooses nor has an output.
    pub(crate) fn reply(
        &self,
        definition: &Definition,
        ai: &AiDefinition,
        task: TaskIndex,
        visible: &[usize],
        output: Option<&OutputSchema>,
    ) -> Option<Arc<ReplySchema>> {
        if let Some(schema) = self.find(task, visible) {
            return Some(schema);
        }
        let targets = visible.iter().filter_map(|i| ai.transitions.get(*i));
        let targets = targets.map(|target| definition.task(*target).about.name).collect();
        let name = schema_name(definition.task(task).about.name);
        let schema = Arc::new(ReplySchema { name, json: reply_schema(targets, output)? });
        self.keep(Cached { task, visible: visible.into(), schema: Arc::clone(&schema) });
        Some(schema)
    }

    /// The fingerprint of the process.
    pub(crate) fn fingerprint(&self, compute: impl FnOnce() -> Fingerprint) -> &Fingerprint {
        self.fingerprint.get_or_init(compute)
    }

    fn find(&self, task: TaskIndex, visible: &[usize]) -> Option<Arc<ReplySchema>> {
        let schemas = self.schemas.read().unwrap_or_else(PoisonError::into_inner);
        let mut cached = schemas.iter();
        let hit = cached.find(|cached| cached.task == task && *cached.visible == *visible)?;
        Some(Arc::clone(&hit.schema))
    }

    fn keep(&self, cached: Cached) {
        let mut schemas = self.schemas.write().unwrap_or_else(PoisonError::into_inner);
        if schemas.len() < MAX_CACHED {
            schemas.push(cached);
        }
    }
}

fn reply_schema(targets: Vec<&str>, output: Option<&OutputSchema>) -> Option<Value> {
    Some(match (targets.is_empty(), output) {
        (true, None) => return None,
        (true, Some(output)) => output.json().clone(),
        (false, None) => transition_schema(&targets),
        (false, Some(output)) => json!({
            "$defs": output.definitions(),
            "anyOf": [transition_schema(&targets), output.reference()],
        }),
    })
}

/// `intent` stands before `goTo`: models reason better when they say why before they choose.
fn transition_schema(targets: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": {
            "intent": {
                "type": "string",
                "description": "What you mean to achieve with this choice.",
            },
            "goTo": {
                "type": "string",
                "enum": targets,
                "description": "The task to go to.",
            },
            "stepAfter": {
                "type": "string",
                "description": "What you mean to do after that.",
            },
        },
        "required": ["intent", "goTo", "stepAfter"],
        "additionalProperties": false,
    })
}

/// A name of letters, digits and underscores.
fn schema_name(task: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    task.trim_start_matches("r#").chars().map(plain).take(MAX_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert_eq!(schema_name("r#type"), "type");
        assert_eq!(schema_name("größe_2"), "gr__e_2");
    }

    #[test]
    fn nothing_to_reply_has_no_schema() {
        assert_eq!(reply_schema(Vec::new(), None), None);
        let choice = reply_schema(vec!["a", "b"], None).unwrap();
        assert_eq!(choice["properties"]["goTo"]["enum"], json!(["a", "b"]));
        let keys: Vec<_> = choice["properties"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["intent", "goTo", "stepAfter"]);
    }
}
