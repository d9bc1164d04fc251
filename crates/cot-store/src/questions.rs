//! The questions of the processes that this program knows.
//!
//! A stored question has a JSON schema. The rules of its type that no schema can express, such as
//! `#[cot(when = …, required)]`, are code, so only a program with the type can apply them.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError},
};

use cot_engine::{
    CallKey,
    internal::{ProcessOutline, VisitKey},
};
use cot_reader::internal::{check_answer, coerce_output};
use cot_schema::{Issues, OutputSchema};
use serde_json::Value;

/// Finds the type of the answer to a question of a process.
type FindType = Box<dyn Fn(&CallKey) -> Option<&'static OutputSchema> + Send>;

/// The known processes, by name.
static KNOWN: Mutex<BTreeMap<String, FindType>> = Mutex::new(BTreeMap::new());

/// Makes the types of a process known, so that answers to its questions are checked by their rules.
pub fn know_process(process: &'static dyn ProcessOutline) {
    let name = process.definition().about.name;
    if !known().contains_key(name) {
        know_questions(name, move |key| answer_type(process, key));
    }
}

/// Makes the types of the answers to the questions of a process known.
pub fn know_questions(
    process: &str,
    find: impl Fn(&CallKey) -> Option<&'static OutputSchema> + Send + 'static,
) {
    known().insert(process.to_owned(), Box::new(find));
}

/// Checks an answer as the run does: by the rules of its type if this program knows it, otherwise by the schema of
/// the question alone.
pub(crate) fn check(
    process: &str,
    key: &CallKey,
    schema: &Value,
    answer: &Value,
) -> Result<(), Issues> {
    let found = known().get(process).and_then(|find| find(key));
    // Another version of the process may have asked.
    let found = found.filter(|known| known.json() == schema);
    // A rule that panics halts the run that applies the answer, not the program that stores it.
    let by_rules = found.and_then(|known| {
        catch_unwind(AssertUnwindSafe(|| coerce_output(known, answer.clone()))).ok()
    });
    by_rules.map_or_else(|| check_answer(schema, answer), |checked| checked.map(drop))
}

/// Returns the type of the output of the task that asks, perhaps in a sub-process.
fn answer_type(
    process: &'static dyn ProcessOutline,
    key: &CallKey,
) -> Option<&'static OutputSchema> {
    let mut process = Some(process);
    let mut output = None;
    for VisitKey { task: name, .. } in key.visits() {
        let tasks = process?.definition().tasks;
        let task = tasks.iter().position(|task| task.about.name == name)?;
        let outline = process?.task(task)?;
        (process, output) = (outline.process, outline.output);
    }
    output
}

fn known() -> MutexGuard<'static, BTreeMap<String, FindType>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}
