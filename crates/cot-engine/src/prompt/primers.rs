//! The default texts around the standard parts of a prompt.

/// The default system message. The same for all tasks, so that they share it in a prompt cache.
pub const SYSTEM: &str = "\
Do exactly what this step asks.";

/// The text before the goal.
pub const GOAL: &str = "The goal of the whole process:";

/// The text before the history.
pub const HISTORY: &str = "\
What has been done so far, as JSON, the latest last. An entry with \"output\" is a result that was \
accepted. An entry with \"goTo\" is a choice that was made: \"intent\" says what it was for, and \
\"stepAfter\" what was planned to come next. Go on from there, and don't repeat what is done:";

/// The text before the issues of the last reply.
pub const ERRORS: &str = "Your last reply was not accepted:";

/// The text after the issues. An instruction ends the prompt, since small models copy a list that ends it.
pub const AFTER_ERRORS: &str = "Write the whole reply again, with all of this put right.";

/// The text before the transitions of a task without an output.
pub const CHOICE: &str = "Choose one of the tasks to do next.";

/// The text before the transitions of a task with an output.
pub const CHOICE_INSTEAD: &str =
    "Instead of giving the output of this step, you may choose one of the tasks to do first.";

/// The line before the list of transitions.
pub const TASKS: &str = "The tasks:";

/// The text before the type of the output.
pub const OUTPUT: &str = "\
Reply with one JSON value of this type, and nothing else:";

/// The text before the type of a choice, for a task that has only transitions.
pub const ONLY_CHOICE: &str = "Reply with one JSON object of this type, and nothing else:";

/// The text before the type of a choice, after the type of the output.
pub const OR_CHOICE: &str =
    "Or, to choose a task instead, reply with one JSON object of this type alone:";

/// What the type of a choice says of `goTo`.
pub const GO_TO: &str = "The name of the task.";

/// Returns what the type of a choice says of the inputs of a task.
#[must_use]
pub const fn inputs(task: &str) -> [&str; 3] {
    ["For \"", task, "\"."]
}

/// What the type of a choice says of `inputs` for the tasks that take none.
pub const NO_INPUTS: &str = "Otherwise null.";

/// What the type of a choice says of `intent`.
pub const INTENT: &str = "What you mean to achieve, in a sentence.";

/// What the type of a choice says of `stepAfter`.
pub const STEP_AFTER: &str = "What you mean to do after that task.";

/// Returns the default instructions for numbered reasoning: the system message of a question without one, and
/// the end of the prompt of a task with `reason`.
#[must_use]
pub const fn default_system_prompt() -> &'static str {
    "Think step by step.

Take the problem apart into small steps that follow from each other. Write each step on lines of its
own that begin with its number (Step 1:, Step 2:, and so on), and say in it what you do and why. After
the last step, write the final answer on a line that begins with \"Conclusion:\"."
}
