//! The examples of a task as turns, and the check of their outputs.

use cot_model::Turn;
use cot_reader::Reasoning;
use cot_schema::{Issues, OutputSchema};
use serde_json::Value;

use super::example::ExampleData;
use crate::process::{
    mock::Mocked,
    reading::format::ReplyFormat,
    tables::{Definition, TaskIndex},
};
use crate::values::{catch::catch_panic, panicked::describe_panic};

/// The error for examples of a task that can't be used: the output of one is not a valid reply, or they can't be
/// computed.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} of task `{task}` of `{process}`: {issues}", described(.index))]
#[non_exhaustive]
pub struct InvalidExampleError {
    /// The process.
    pub process: &'static str,
    /// The task.
    pub task: &'static str,
    /// The index of the example, from 0; `None` if the function of the examples panicked.
    pub index: Option<usize>,
    /// The issues of its output.
    pub issues: Issues,
}

fn described(index: &Option<usize>) -> String {
    index.map_or_else(|| "the examples".to_owned(), |index| format!("`examples[{index}]`"))
}

/// The examples of a task.
#[derive(Debug)]
pub struct TaskExamples {
    pub task: TaskIndex,
    /// A message of the user and a reply for each valid example.
    pub turns: Vec<Turn>,
    pub(crate) invalid: Vec<InvalidExampleError>,
}

impl TaskExamples {
    /// Computes the examples of a task and checks their outputs.
    pub(crate) fn compute(
        definition: &Definition,
        task: TaskIndex,
        examples: fn() -> Vec<ExampleData>,
        schema: Option<&OutputSchema>,
    ) -> Self {
        let mut computed = Self { task, turns: Vec::new(), invalid: Vec::new() };
        let error = |index, issues| {
            let (process, task) = (definition.about.name, definition.task(task).about.name);
            InvalidExampleError { process, task, index, issues }
        };
        let examples = match catch_panic(examples) {
            Ok(examples) => examples,
            Err(payload) => {
                let issues = Issues::at("$", describe_panic(&*payload));
                computed.invalid.push(error(None, issues));
                return computed;
            }
        };
        let format = definition.task(task).kind.ai().map(|ai| ai.format);
        for (index, example) in examples.into_iter().enumerate() {
            match turns(example, schema, format) {
                Ok(turns) => computed.turns.extend(turns),
                Err(issues) => computed.invalid.push(error(Some(index), issues)),
            }
        }
        computed
    }
}

/// Returns the messages of an example.
///
/// # Errors
///
/// The issues of its output.
fn turns(
    example: ExampleData,
    schema: Option<&OutputSchema>,
    format: Option<ReplyFormat>,
) -> Result<[Turn; 2], Issues> {
    let ExampleData { input, output } = example;
    let input = input.map_err(|error| unwritable("input", error))?;
    let output = output.map_err(|error| unwritable("output", error))?;
    let reasons = format.is_some_and(ReplyFormat::is_reasoning);
    let reply = Mocked::Output(output).into_answer(schema, format);
    let reply = match reply.map_err(|error| unwritable("output", error))? {
        Value::String(text) if reasons && Reasoning::parse(&text) == Reasoning::default() => {
            return Err(Issues::at("$", "there are no steps in it, and no conclusion"));
        }
        Value::String(text) if reasons => text,
        reply => {
            schema.map_or(Ok(()), |schema| check(schema, &reply))?;
            reply.to_string()
        }
    };
    Ok([Turn::user(input), Turn::assistant(reply)])
}

/// Checks a reply against the schema and the rules of its type.
fn check(schema: &OutputSchema, reply: &Value) -> Result<(), Issues> {
    let mut issues = schema.validate(reply).err().unwrap_or_default();
    let broken = schema.check_rules(reply, &issues);
    issues.extend(broken);
    if issues.is_empty() { Ok(()) } else { Err(issues) }
}

fn unwritable(what: &str, error: impl std::fmt::Display) -> Issues {
    Issues::at("$", format!("the {what} can't be written as JSON: {error}"))
}
