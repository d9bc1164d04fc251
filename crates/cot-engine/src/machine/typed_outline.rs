//! Implements the outline of a process by its typed tables.

use std::{any::TypeId, marker::PhantomData};

use cot_schema::OutputSchema;

use crate::{
    process::{
        code::{ArmCode, TransitionCode},
        examples::{examples::examples, task_examples::TaskExamples},
        outline::{EdgeOutline, ProcessOutline, TaskOutline},
        process::Process,
        schemas::cache::SchemaCache,
        tables::{Definition, TaskIndex},
        tool::definition::ToolIndex,
    },
    snapshot::{
        compute::process_fingerprint,
        fingerprint::{Fingerprint, short_type_name},
    },
};

/// Returns the outline of a process.
pub const fn outline_of<P: Process>() -> &'static dyn ProcessOutline {
    &TypedOutline::<P>(PhantomData)
}

struct TypedOutline<P>(PhantomData<fn() -> P>);

impl<P: Process> ProcessOutline for TypedOutline<P> {
    fn id(&self) -> TypeId {
        TypeId::of::<P>()
    }

    fn definition(&self) -> &'static Definition {
        P::DEFINITION
    }

    fn state_name(&self) -> String {
        short_type_name::<P::State>()
    }

    fn has_goal(&self) -> bool {
        P::CODE.goal.is_some()
    }

    fn part_names(&self) -> &'static [&'static str] {
        P::CODE.part_names
    }

    fn task(&self, task: TaskIndex) -> Option<TaskOutline> {
        let code = P::CODE.tasks.get(task)?;
        let (mut transitions, mut arms) = (Vec::new(), Vec::new());
        // Loops, since `collect` would be compiled for each process.
        for code in code.transitions {
            transitions.push(transition(code));
        }
        for code in code.next {
            arms.push(arm(code));
        }
        Some(TaskOutline {
            transitions,
            arms,
            has_output: code.output.is_some(),
            output: code.output_schema(),
            inputs: code.inputs_schema(),
            connection: code.work.connection(),
            process: code.work.process().map(|process| (process.describe)()),
        })
    }

    fn tool_schema(&self, tool: ToolIndex) -> Option<&'static OutputSchema> {
        P::CODE.tool_schema(tool)
    }

    fn schemas(&self) -> &'static SchemaCache {
        P::schemas()
    }

    fn examples(&self) -> &'static [TaskExamples] {
        examples::<P>()
    }

    fn fingerprint(&self) -> &'static Fingerprint {
        process_fingerprint::<P>()
    }
}

fn transition<P: Process>(code: &TransitionCode<P>) -> EdgeOutline {
    let TransitionCode { label, guard, with } = code;
    EdgeOutline {
        has_label: label.is_some(),
        has_guard: guard.is_some(),
        has_inputs: with.is_some(),
    }
}

fn arm<P: Process>(code: &ArmCode<P>) -> EdgeOutline {
    let ArmCode { guard, with } = code;
    EdgeOutline { has_label: false, has_guard: guard.is_some(), has_inputs: with.is_some() }
}
