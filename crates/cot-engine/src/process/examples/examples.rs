//! The examples of a process.

use super::task_examples::TaskExamples;
use crate::process::{process::Process, tables::TaskIndex};

/// Returns the examples of the tasks that have some, computed on first use.
pub(crate) fn examples<P: Process>() -> &'static [TaskExamples] {
    P::schemas().examples(|| {
        let mut computed = Vec::new();
        let mut task = 0;
        // A loop, since `collect` would be compiled for each process.
        while let Some(code) = P::CODE.tasks.get(task) {
            if let Some(examples) = code.conversation.examples {
                let schema = code.output_schema();
                computed.push(TaskExamples::compute(P::DEFINITION, task, examples, schema));
            }
            task += 1;
        }
        computed
    })
}

/// Returns the examples of a task, if it has some.
pub(crate) fn task_examples<P: Process>(task: TaskIndex) -> Option<&'static TaskExamples> {
    P::CODE.tasks.get(task)?.conversation.examples?;
    examples::<P>().iter().find(|examples| examples.task == task)
}
