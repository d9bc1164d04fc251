///The process `Wrong`.
/**

```mermaid
flowchart TD
    t0["decide"]
    t1["add_field"]
    t2(["done"])
    start((start)) --> t0
    t0 --> t1
    t0 --> t2
    t1 ==> t0
```*/
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
pub struct Wrong;
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl Wrong {
    /// Creates a runner of this process, without a model.
    pub fn runner() -> ::cot_core::Runner<Self> {
        ::cot_core::Runner::new()
    }
    /// Checks that models can run this process, without calling them.
    ///
    /// # Errors
    ///
    /// Returns an error that lists all missing models and all schemas that an engine does not
    /// support.
    pub fn preflight(
        models: &::cot_core::Models,
    ) -> ::core::result::Result<(), ::cot_core::PreflightError> {
        <Self as ::cot_core::Preflight>::preflight(models)
    }
    /// Creates a machine of this process, for a driver of your own.
    pub fn machine() -> ::cot_core::Machine<Self> {
        ::cot_core::Machine::new()
    }
    /// Describes this process without running it.
    pub fn describe() -> ::cot_core::Description {
        ::cot_core::Description::new::<Self>()
    }
}
///The tasks of [`Wrong`].
#[derive(
    ::core::fmt::Debug,
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq,
    ::core::cmp::PartialOrd,
    ::core::cmp::Ord,
    ::core::hash::Hash,
)]
pub enum WrongTask {
    ///The task `decide`.
    Decide,
    ///The task `add_field`.
    AddField,
    ///The task `done`.
    Done,
}
#[automatically_derived]
impl ::cot_core::TaskId for WrongTask {
    const ALL: &'static [Self] = &[Self::Decide, Self::AddField, Self::Done];
    fn name(self) -> &'static ::core::primitive::str {
        match self {
            Self::Decide => "decide",
            Self::AddField => "add_field",
            Self::Done => "done",
        }
    }
}
#[automatically_derived]
impl ::core::fmt::Display for WrongTask {
    fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        formatter.write_str(::cot_core::TaskId::name(*self))
    }
}
::cot_core::__private::serde_of_task!(WrongTask);
///The outputs of the tasks of [`Wrong`].
#[derive(::core::fmt::Debug, ::core::clone::Clone)]
pub enum WrongOutput {
    ///The output of the task `add_field`.
    AddField(Field),
}
#[automatically_derived]
impl ::cot_core::__private::serde::Serialize for WrongOutput {
    fn serialize<S: ::cot_core::__private::serde::Serializer>(
        &self,
        __out: S,
    ) -> ::core::result::Result<S::Ok, S::Error> {
        match *self {
            Self::AddField(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
        }
    }
}
///The outcome of a run of [`Wrong`].
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
pub enum WrongOutcome {
    ///The run ended with the task `done`.
    Done,
    /// The run ended after this task, which has no next task and no caller.
    RanOut(WrongTask),
    /// The run halted with an error.
    Halted(::std::boxed::Box<::cot_core::Halt<WrongTask>>),
}
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl WrongOutcome {
    /// Returns why the run halted, if it did.
    pub fn halt(&self) -> ::core::option::Option<&::cot_core::Halt<WrongTask>> {
        match self {
            Self::Halted(halt) => ::core::option::Option::Some(halt),
            _ => ::core::option::Option::None,
        }
    }
    /// Returns why the run failed: the message of the `fail` task, or the task at which it halted and
    /// the reason. `None` if the run has not failed.
    pub fn why(&self) -> ::core::option::Option<::std::string::String> {
        match self {
            Self::Halted(halt) => {
                ::core::option::Option::Some(::std::string::ToString::to_string(halt))
            }
            _ => ::core::option::Option::None,
        }
    }
}
#[automatically_derived]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    clippy::nursery,
    deprecated,
    unreachable_patterns,
    unused_variables,
    unused_mut,
    unused_parens,
    unused_braces,
    unreachable_code,
    unused_qualifications
)]
const _: () = {
    impl ::cot_core::ProcessTypes for Wrong {
        type State = State;
        type Task = WrongTask;
        type Output = WrongOutput;
        type Context = ();
        type Outcome = WrongOutcome;
    }
    use ::cot_core::__private::InheritContext as __InheritContext;
    impl<C> __InheritContext<C> for Wrong {
        fn inherit_context(_: &::std::sync::Arc<C>) -> ::std::sync::Arc<()> {
            ::std::sync::Arc::new(())
        }
    }
    impl ::cot_core::Process for Wrong {
        const DEFINITION: &'static ::cot_core::__private::Definition = &::cot_core::__private::Definition {
            about: ::cot_core::About {
                name: "Wrong",
                title: "Wrong",
                description: "Wrong",
            },
            place: Self::PLACE,
            version: ::core::option_env!("CARGO_PKG_VERSION"),
            engines: &[],
            settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
            max_retries: ::core::option::Option::None,
            max_repeats: ::core::option::Option::None,
            history: ::cot_core::__private::HistoryLimit::Unlimited,
            state_max_items: ::core::option::Option::None,
            start: 0usize,
            default_return: ::core::option::Option::None,
            max_steps: ::core::option::Option::None,
            timeout: ::core::option::Option::None,
            budget: ::cot_core::Budget::NONE,
            bounds: ::cot_core::__private::BoundsDefinition::NONE,
            mock_mode: ::core::option::Option::None,
            uses_goal: false,
            uses_last_output: false,
            order: ::core::option::Option::None,
            texts: ::cot_core::__private::ProcessTexts {
                intro: ::core::option::Option::Some(
                    ::cot_core::__private::TextFacts::new(
                        0usize,
                        0usize,
                        [0usize, 0usize, 0usize],
                        7194741736147935528u64,
                    ),
                ),
                ..::cot_core::__private::ProcessTexts::NONE
            },
            prompt_hash: 12595410138034038467u64,
            mermaid: "flowchart TD\n    t0[\"decide\"]\n    t1[\"add_field\"]\n    t2([\"done\"])\n    start((start)) --> t0\n    t0 --> t1\n    t0 --> t2\n    t1 ==> t0\n",
            tools: ::cot_core::__private::ToolsDefinition::NONE,
            trust: &::cot_core::__private::TrustDefinition::NONE,
            tasks: &[
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "decide",
                        title: "decide",
                        description: "decide",
                    },
                    kind: ::cot_core::__private::TaskKind::Ai(::cot_core::__private::AiDefinition {
                        engines: &[],
                        settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
                        format: ::cot_core::__private::ReplyFormat::Json,
                        media: ::cot_core::__private::ShownMedia::NONE,
                        transitions: const {
                            &::cot_core::__private::transitions([1, 2])
                        },
                        only_chooses: true,
                        tools: ::cot_core::__private::ToolUses::NONE,
                    }),
                    wait: ::core::option::Option::None,
                    timeout: ::core::option::Option::None,
                    max_retries: ::core::option::Option::None,
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: false,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 1564033708699601661u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "add_field",
                        title: "add_field",
                        description: "add_field",
                    },
                    kind: ::cot_core::__private::TaskKind::Ai(::cot_core::__private::AiDefinition {
                        engines: &[],
                        settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
                        format: ::cot_core::__private::ReplyFormat::Json,
                        media: ::cot_core::__private::ShownMedia::NONE,
                        transitions: &[],
                        only_chooses: false,
                        tools: ::cot_core::__private::ToolUses::NONE,
                    }),
                    wait: ::core::option::Option::None,
                    timeout: ::core::option::Option::None,
                    max_retries: ::core::option::Option::None,
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: false,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[0usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 1564033708699601661u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "done",
                        title: "done",
                        description: "done",
                    },
                    kind: ::cot_core::__private::TaskKind::End,
                    wait: ::core::option::Option::None,
                    timeout: ::core::option::Option::None,
                    max_retries: ::core::option::Option::None,
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: false,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 14898075602361692390u64,
                },
            ],
        };
        const CODE: &'static ::cot_core::__private::ProcessCode<Self> = &::cot_core::__private::ProcessCode {
            goal: ::core::option::Option::None,
            intro: ::core::option::Option::Some(|__scope, __out| {
                ::core::result::Result::Ok(())
            }),
            system: ::core::option::Option::None,
            primers: &[],
            part_names: &[],
            parts: &[],
            mirror: ::core::option::Option::None,
            mock: ::core::option::Option::None,
            tools: &[],
            tasks: &[
                {
                    const TASK: ::cot_core::__private::TaskCode<Wrong> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[const {
                            ::cot_core::__private::TransitionCode::<Wrong>::NONE
                        }; 2usize],
                        next: &[],
                        output: ::core::option::Option::None,
                        mock: ::core::option::Option::None,
                        conversation: ::cot_core::__private::ConversationCode::NONE,
                        work: ::cot_core::__private::TaskFunction::None,
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Wrong> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[const {
                            ::cot_core::__private::ArmCode::<Wrong>::NONE
                        }; 1usize],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Field>,
                            ),
                            read: |__value, __scope| {
                                let __output: Field = ::cot_core::__private::read(__value)?;
                                ::core::result::Result::Ok(WrongOutput::AddField(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value)
                                    .map(WrongOutput::AddField)
                            },
                            commit: |__output, __state, __scope| match __output {
                                WrongOutput::AddField(__output) => {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainValue as _;
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                WrongOutput::AddField(__output) => {
                                    ::cot_core::__private::to_json(__output)
                                }
                                _ => {
                                    ::core::result::Result::Ok(
                                        ::core::default::Default::default(),
                                    )
                                }
                            },
                        }),
                        mock: ::core::option::Option::None,
                        conversation: ::cot_core::__private::ConversationCode::NONE,
                        work: ::cot_core::__private::TaskFunction::None,
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Wrong> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[],
                        output: ::core::option::Option::None,
                        mock: ::core::option::Option::None,
                        conversation: ::cot_core::__private::ConversationCode::NONE,
                        work: ::cot_core::__private::TaskFunction::None,
                    };
                    TASK
                },
            ],
        };
        type SubProcesses = ();
        type Bounds<D: ::cot_core::__private::BoundsDepth> = ();
        const PLACE: &'static ::core::primitive::str = ::core::concat!(
            ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!(), ":",
            ::core::stringify!(Wrong),
        );
        fn schemas() -> &'static ::cot_core::__private::SchemaCache {
            static SCHEMAS: ::cot_core::__private::SchemaCache = ::cot_core::__private::SchemaCache::new();
            &SCHEMAS
        }
        fn outcome(
            __ending: ::cot_core::__private::Ending<Self::Task>,
        ) -> Self::Outcome {
            match __ending {
                ::cot_core::__private::Ending::End(WrongTask::Done) => WrongOutcome::Done,
                ::cot_core::__private::Ending::End(__value)
                | ::cot_core::__private::Ending::Fail(__value, _)
                | ::cot_core::__private::Ending::RanOut(__value) => {
                    WrongOutcome::RanOut(__value)
                }
                ::cot_core::__private::Ending::Halted(__value) => {
                    WrongOutcome::Halted(::std::boxed::Box::new(__value))
                }
            }
        }
    }
};
::core::compile_error! {
    "no task `add_feild` in this process [COT0001]\n\n  = help: did you mean `add_field`?"
}
::core::compile_error! {
    "task `done` can't have both `end` and `prompt` [COT0035]\n\n  = help: `end` makes it a terminal that succeeds, `prompt` an AI task: keep one of the two"
}
::core::compile_error! {
    "unknown variable `sate` [COT0077]\n\n  = note: in `${sate.x}`, line 1, column 1 of the template\n  = help: did you mean `state`? (for an item of your own write `self::sate`)"
}
::core::compile_error! {
    "`item` is not available here [COT0079]\n\n  = help: the names that can be used here are `output`, `state`, `goal` and `last_output`"
}
