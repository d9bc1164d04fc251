//! Lookup of the typed functions of a process.

use std::mem;

use cot_schema::{OutputSchema, internal::UntypedOutput};
use serde_json::{Value, value::RawValue};

use crate::process::{
    code::{OutputCode, TaskCode, Template},
    host::TemplateId,
    process::Process,
    tables::TaskIndex,
    texts::Primer,
};

/// Returns the template of a text of the declaration.
pub(super) fn template<P: Process>(piece: TemplateId) -> Option<Template<P>> {
    let code = P::CODE;
    match piece {
        TemplateId::Goal => code.goal,
        TemplateId::Intro => code.intro,
        TemplateId::System => code.system,
        TemplateId::Primer(primer) => {
            // A loop, since `find` would be compiled for each process.
            for (own, template) in code.primers {
                if *own == primer {
                    return Some(*template);
                }
            }
            None
        }
        TemplateId::ErrorsPrimer(task) => task_code::<P>(task)?
            .errors_primer
            .or_else(|| template::<P>(TemplateId::Primer(Primer::Errors))),
        TemplateId::Prompt(task) => task_code::<P>(task)?.prompt,
        TemplateId::FullPrompt(task) => task_code::<P>(task)?.full_prompt,
        TemplateId::Fail(task) => task_code::<P>(task)?.fail,
        TemplateId::Label(task, index) => task_code::<P>(task)?.transitions.get(index)?.label,
        TemplateId::Part(index) => code.parts.get(index).copied(),
    }
}

/// Returns the schema of a task's output.
pub(super) fn output_schema<P: Process>(task: TaskIndex) -> Option<&'static OutputSchema> {
    output_code::<P>(task)?.schema.map(|schema| schema())
}

/// Returns the schema of the inputs that a model provides for a task.
pub(super) fn inputs_schema<P: Process>(task: TaskIndex) -> Option<&'static OutputSchema> {
    task_code::<P>(task)?.inputs.as_ref()?.schema.map(|schema| schema())
}

pub(super) fn task_code<P: Process>(task: TaskIndex) -> Option<&'static TaskCode<P>> {
    P::CODE.tasks.get(task)
}

pub(super) fn output_code<P: Process>(task: TaskIndex) -> Option<&'static OutputCode<P>> {
    task_code::<P>(task)?.output.as_ref()
}

/// Returns an output as JSON, or `None` if it is the output of another task.
pub(super) fn own_json<P: Process>(
    task: TaskIndex,
    output: &P::Output,
) -> Option<serde_json::Result<Box<RawValue>>> {
    let code = output_code::<P>(task)?;
    let json = (code.to_json)(output);
    // The output of another task serializes to `null`, as some types of this task do too.
    let is_null = json.as_ref().is_ok_and(|json| json.get() == "null");
    let is_own = |null: P::Output| mem::discriminant(&null) == mem::discriminant(output);
    let is_own = !is_null || (code.restore)(UntypedOutput::Value(Value::Null)).is_ok_and(is_own);
    is_own.then_some(json)
}
