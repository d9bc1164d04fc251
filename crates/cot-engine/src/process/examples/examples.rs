//! The examples of a process.

use super::task_examples::TaskExamples;
use crate::process::{process::Process, tables::TaskIndex};

/// Returns the examples of the tasks that have some, computed on first use.
pub(crate) fn examples<P: Process>() -> &'static [TaskExamples] {
    P::schemas().examples(|| {
        let tasks = P::CODE.tasks.iter().enumerate();
        let examples = tasks.filter_map(|(task, code)| {
            let examples = code.conversation.examples?;
            Some(TaskExamples::compute(P::DEFINITION, task, examples, code.output_schema()))
        });
        examples.collect()
    })
}

/// Returns the examples of a task, if it has some.
pub(crate) fn task_examples<P: Process>(task: TaskIndex) -> Option<&'static TaskExamples> {
    P::CODE.tasks.get(task)?.conversation.examples?;
    examples::<P>().iter().find(|examples| examples.task == task)
}
