//! The rows of a process: a task with its functions.

use std::time::Duration;

use cot_engine::{
    About, Effect, Inputs, Scope,
    private::{
        AiDefinition, ArmCode, CallsDefinition, Collect, ConversationCode, EachCode,
        EachDefinition, EachWork, InheritContext, InputsCode, ItemFunction, Join, OnRoutes,
        OutputCode, ParallelDefinition, ReplyFormat, RetryDefinition, SettingsDefinition,
        ShownMedia, TaskCode, TaskDefinition, TaskFunction, TaskInputs, TaskKind, TaskTexts,
        ToolUses, TransitionCode, TransitionDefinition,
    },
};
use serde_json::Value;

use super::{
    functions::{
        Commit, Function, Mock, Read, Schema, Template, each_with, item_text, output, process_of,
        process_of_item, said_by_test, title,
    },
    process::{FIXED, Plain, VOLATILE, about},
};

/// A task with its functions. The builders below start one, and its methods add to it.
pub(crate) struct Row<P: Plain> {
    definition: TaskDefinition,
    code: TaskCode<P>,
}

/// Asks a model with this prompt. Without an output, the task has only transitions.
pub(crate) const fn ai<P: Plain>(prompt: &'static str) -> Row<P> {
    let row = Row::new(prompt, TaskKind::Ai(AI));
    if prompt.is_empty() { row } else { row.prompt(title) }
}

/// Asks a person.
pub(crate) const fn human<P: Plain>(question: &'static str) -> Row<P> {
    Row::new(question, TaskKind::Human).prompt(title)
}

/// Runs a function; the test says what it returns.
pub(crate) const fn code<P: Plain>() -> Row<P> {
    runs(Effect::Repeatable, said_by_test)
}

/// Runs this function.
pub(crate) const fn runs<P: Plain>(effect: Effect, function: Function<P>) -> Row<P> {
    Row::new("", TaskKind::Code(effect)).work(TaskFunction::Run(function, None))
}

/// Runs a process, whose final state is the output.
pub(crate) const fn sub_process<P: Plain, Q: Plain + InheritContext<P::Context>>() -> Row<P> {
    let row = Row::new("", TaskKind::Process(|| Q::DEFINITION)).result();
    row.work(TaskFunction::Process(process_of::<P, Q>()))
}

/// Asks a model for each item.
pub(crate) const fn each_ai<P: Plain>() -> Row<P> {
    Row::new("", TaskKind::Each(items(EachWork::Ai(AI))))
        .prompt(item_text)
        .work(TaskFunction::Each(each_with(ItemFunction::None)))
}

/// Reads and checks each item of a for-each task in another way. The output of one item is a list of it.
pub(crate) const fn each_reading<P: Plain>(read: Read<P>) -> TaskFunction<P> {
    TaskFunction::Each(EachCode { read, ..each_with(ItemFunction::None) })
}

/// An arm of `next` that gives its task these inputs.
pub(crate) const fn inputs<P: Plain>(
    with: fn(&Scope<'_, P>, Option<&Value>) -> Option<Inputs>,
) -> ArmCode<P> {
    ArmCode { with: Some(with), ..ArmCode::NONE }
}

/// The inputs of a task.
pub(crate) fn deliver(value: Value) -> Option<Inputs> {
    Some(TaskInputs::deliver(value))
}

/// Runs a function for each item; the test says what it returns.
pub(crate) const fn each_code<P: Plain>(effect: Effect) -> Row<P> {
    Row::new("", TaskKind::Each(items(EachWork::Code(effect))))
        .result()
        .work(TaskFunction::Each(each_with(ItemFunction::Run(said_by_test, None))))
}

/// Runs a process for each item, which is the state that it starts with.
pub(crate) const fn each_process<P: Plain, Q: Plain + InheritContext<P::Context>>() -> Row<P> {
    Row::new("", TaskKind::Each(items(EachWork::Process(|| Q::DEFINITION))))
        .result()
        .work(TaskFunction::Each(each_with(ItemFunction::Process(process_of_item::<P, Q>()))))
}

/// Performs tool calls of the state.
pub(crate) const fn calls<P: Plain>(calls: CallsDefinition, work: TaskFunction<P>) -> Row<P> {
    Row::new("", TaskKind::Calls(calls)).work(work)
}

/// Runs branches, which start at these tasks and join at `next`.
pub(crate) const fn parallel<P: Plain>(join: Join, branches: &'static [usize]) -> Row<P> {
    Row::new("", TaskKind::Parallel(ParallelDefinition { join, branches }))
}

pub(crate) const fn gateway<P: Plain>() -> Row<P> {
    Row::new("", TaskKind::Gateway)
}

pub(crate) const fn end<P: Plain>() -> Row<P> {
    Row::new("", TaskKind::End)
}

/// Ends the run as failed, with this message.
pub(crate) const fn fail<P: Plain>(message: &'static str) -> Row<P> {
    let row = Row::new(message, TaskKind::Fail);
    Row { code: TaskCode { fail: Some(title), ..row.code }, ..row }
}

/// A transition to a task.
pub(crate) const fn to(target: usize) -> TransitionDefinition {
    TransitionDefinition { target, with_model: false }
}

/// A transition to a task whose inputs the model provides.
pub(crate) const fn with_inputs(target: usize) -> TransitionDefinition {
    TransitionDefinition { target, with_model: true }
}

/// A transition that is visible only if the guard holds.
pub(crate) const fn if_visible<P: Plain>(guard: fn(&Scope<'_, P>) -> bool) -> TransitionCode<P> {
    TransitionCode { guard: Some(guard), ..TransitionCode::NONE }
}

/// A transition with a label.
pub(crate) const fn labelled<P: Plain>(label: Template<P>) -> TransitionCode<P> {
    TransitionCode { label: Some(label), ..TransitionCode::NONE }
}

/// An arm of `next` that is taken only if the guard holds. It receives the output.
pub(crate) const fn only_if<P: Plain>(
    guard: fn(&Scope<'_, P>, Option<&Value>) -> bool,
) -> ArmCode<P> {
    ArmCode { guard: Some(guard), ..ArmCode::NONE }
}

/// The data of a task that asks a model.
pub(crate) const AI: AiDefinition = AiDefinition {
    engines: &[],
    settings: SettingsDefinition::DEFAULT,
    format: ReplyFormat::Json,
    media: ShownMedia::NONE,
    transitions: &[],
    only_chooses: false,
    tools: ToolUses::NONE,
};

/// The data of a for-each task.
const fn items(work: EachWork) -> EachDefinition {
    EachDefinition { work, max_concurrency: None, max_items: None, collect: Collect::All }
}

/// Sets a field of the tables.
macro_rules! settings {
    ($($(#[$attribute:meta])* $name:ident($value:ident: $type:ty) => $field:ident: $set:expr;)*) => {
        impl<P: Plain> Row<P> {
            $(
                $(#[$attribute])*
                pub(crate) const fn $name(self, $value: $type) -> Self {
                    Self { definition: TaskDefinition { $field: $set, ..self.definition }, ..self }
                }
            )*
        }
    };
}

settings! {
    /// The next tasks, one for each arm.
    next(arms: &'static [usize]) => next: arms;
    in_sequence(task: usize) => in_sequence: Some(task);
    on(routes: OnRoutes) => on: routes;
    max_retries(count: u32) => max_retries: Some(count);
    retry(policy: RetryDefinition) => retry: policy;
    wait(duration: Duration) => wait: Some(duration);
    timeout(limit: Duration) => timeout: Some(limit);
    history(is_kept: bool) => history: is_kept;
    mocked(is_mocked: bool) => mock_mode: Some(is_mocked);
    /// The tasks that the commit may choose.
    choices(tasks: &'static [usize]) => choices: tasks;
    texts(facts: TaskTexts) => texts: facts;
    prompt_hash(hash: u64) => prompt_hash: hash;
}

/// Sets a field of the functions.
macro_rules! functions {
    ($($(#[$attribute:meta])* $name:ident($value:ident: $type:ty) => $field:ident: $set:expr;)*) => {
        impl<P: Plain> Row<P> {
            $(
                $(#[$attribute])*
                pub(crate) const fn $name(self, $value: $type) -> Self {
                    Self { code: TaskCode { $field: $set, ..self.code }, ..self }
                }
            )*
        }
    };
}

functions! {
    fail_with(template: Template<P>) => fail: Some(template);
    unwritten(field: fn(&Value) -> Option<&'static str>) => unwritten: Some(field);
    /// The guards and inputs of the arms of `next`.
    arms(arms: &'static [ArmCode<P>]) => next: arms;
    conversation(conversation: ConversationCode<P>) => conversation: conversation;
    work(work: TaskFunction<P>) => work: work;
    output_code(code: OutputCode<P>) => output: Some(code);
}

impl<P: Plain> Row<P> {
    const fn new(title: &'static str, kind: TaskKind) -> Self {
        let definition = TaskDefinition {
            about: About { title, ..about("") },
            kind,
            wait: None,
            timeout: None,
            max_retries: None,
            retry: RetryDefinition::DEFAULT,
            history: true,
            takes_inputs: false,
            has_mock: false,
            mock_mode: None,
            choices: &[],
            next: &[],
            on: OnRoutes::NONE,
            in_sequence: None,
            texts: TaskTexts::NONE,
            prompt_hash: 0,
        };
        let code = TaskCode {
            prompt: None,
            full_prompt: None,
            errors_primer: None,
            fail: None,
            unwritten: None,
            inputs: None,
            transitions: &[],
            next: &[],
            output: None,
            mock: None,
            conversation: ConversationCode::NONE,
            work: TaskFunction::None,
        };
        Self { definition, code }
    }

    /// The row in the tables.
    pub(crate) const fn definition(self, name: &'static str) -> TaskDefinition {
        let About { title, description, .. } = self.definition.about;
        let title = if title.is_empty() { name } else { title };
        let description = if description.is_empty() { name } else { description };
        TaskDefinition { about: About { name, title, description }, ..self.definition }
    }

    /// The row in the functions.
    pub(crate) const fn code(self) -> TaskCode<P> {
        self.code
    }

    pub(crate) const fn prompt(self, template: Template<P>) -> Self {
        let texts = TaskTexts { prompt: Some(FIXED), ..self.definition.texts };
        let code = TaskCode { prompt: Some(template), ..self.code };
        Self { definition: TaskDefinition { texts, ..self.definition }, code }
    }

    /// The labels, guards and inputs of the transitions.
    pub(crate) const fn transitions(self, transitions: &'static [TransitionCode<P>]) -> Self {
        let mut labels = FIXED;
        let mut index = 0;
        while index < transitions.len() {
            if transitions[index].guard.is_some() {
                labels = VOLATILE;
            }
            index += 1;
        }
        let texts = TaskTexts { labels: Some(labels), ..self.definition.texts };
        let code = TaskCode { transitions, ..self.code };
        Self { definition: TaskDefinition { texts, ..self.definition }, code }
    }

    pub(crate) const fn full_prompt(self, template: Template<P>) -> Self {
        let texts = TaskTexts { full_prompt: Some(VOLATILE), ..self.definition.texts };
        let code = TaskCode { full_prompt: Some(template), ..self.code };
        Self { definition: TaskDefinition { texts, ..self.definition }, code }
    }

    pub(crate) const fn errors_primer(self, template: Template<P>) -> Self {
        let texts = TaskTexts { errors_primer: Some(FIXED), ..self.definition.texts };
        let code = TaskCode { errors_primer: Some(template), ..self.code };
        Self { definition: TaskDefinition { texts, ..self.definition }, code }
    }

    /// Describes the task where it is the target of a transition.
    pub(crate) const fn description(self, description: &'static str) -> Self {
        let about = About { description, ..self.definition.about };
        Self { definition: TaskDefinition { about, ..self.definition }, ..self }
    }

    /// The output of the task, which becomes the field of the state with the name of the task.
    pub(crate) const fn output(self, schema: Schema) -> Self {
        self.output_code(OutputCode { schema: Some(schema), ..output() })
    }

    /// The output of a task whose reply has no schema: of a function or a process.
    pub(crate) const fn result(self) -> Self {
        self.output_code(output())
    }

    /// Commits the output in another way.
    pub(crate) const fn commit(self, commit: Commit<P>) -> Self {
        let code = match self.code.output {
            Some(code) => OutputCode { commit, ..code },
            None => OutputCode { commit, ..output() },
        };
        Self { code: TaskCode { output: Some(code), ..self.code }, ..self }
    }

    /// Reads the output in another way, mostly to check it.
    pub(crate) const fn read(self, read: Read<P>) -> Self {
        let code = match self.code.output {
            Some(code) => OutputCode { read, ..code },
            None => OutputCode { read, ..output() },
        };
        Self { code: TaskCode { output: Some(code), ..self.code }, ..self }
    }

    /// Takes inputs, which a model can provide if they have a schema.
    pub(crate) const fn inputs(self, schema: Option<Schema>) -> Self {
        let inputs = InputsCode { schema, read: <Value as TaskInputs>::read };
        Self {
            definition: TaskDefinition { takes_inputs: true, ..self.definition },
            code: TaskCode { inputs: Some(inputs), ..self.code },
        }
    }

    /// Answers with this mock where mocks are on.
    pub(crate) const fn mock(self, mock: Mock<P>) -> Self {
        Self {
            definition: TaskDefinition { has_mock: true, ..self.definition },
            code: TaskCode { mock: Some(mock), ..self.code },
        }
    }

    /// Sets how a for-each task treats its items.
    pub(crate) const fn items(self, max_concurrency: Option<usize>, collect: Collect) -> Self {
        let kind = match self.definition.kind {
            TaskKind::Each(EachDefinition { work, .. }) => {
                TaskKind::Each(EachDefinition { work, max_concurrency, max_items: None, collect })
            }
            kind => kind,
        };
        Self { definition: TaskDefinition { kind, ..self.definition }, ..self }
    }
}

/// Sets a field of a task that asks a model.
macro_rules! model_settings {
    ($($(#[$attribute:meta])* $name:ident($value:ident: $type:ty) => $field:ident;)*) => {
        impl<P: Plain> Row<P> {
            $(
                $(#[$attribute])*
                pub(crate) const fn $name(self, $value: $type) -> Self {
                    let kind = match self.definition.kind {
                        TaskKind::Ai(ai) => TaskKind::Ai(AiDefinition { $field: $value, ..ai }),
                        TaskKind::Each(each) => {
                            let EachDefinition { work, max_concurrency, max_items, collect } = each;
                            let work = match work {
                                EachWork::Ai(ai) => EachWork::Ai(AiDefinition { $field: $value, ..ai }),
                                work => work,
                            };
                            TaskKind::Each(EachDefinition { work, max_concurrency, max_items, collect })
                        }
                        kind => kind,
                    };
                    Self { definition: TaskDefinition { kind, ..self.definition }, ..self }
                }
            )*
        }
    };
}

model_settings! {
    /// The tasks to which the model can go.
    go(transitions: &'static [TransitionDefinition]) => transitions;
    /// Whether the task asks for nothing but a choice.
    only_chooses(only_chooses: bool) => only_chooses;
    engines(engines: &'static [&'static str]) => engines;
    settings(settings: SettingsDefinition) => settings;
    format(format: ReplyFormat) => format;
    tools(tools: ToolUses) => tools;
}
