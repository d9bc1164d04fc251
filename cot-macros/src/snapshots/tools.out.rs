///The process `Desk`.
/**

```mermaid
flowchart TD
    t0["answer"]
    t1("call")
    t2(["done"])
    start((start)) --> t0
    t0 ==> t1
    t0 -.->|"interrupted"| t2
    t1 ==> t2
```*/
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
struct Desk;
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl Desk {
    /// Creates a runner of this process, without a model.
    ///
    /// Its functions receive the context.
    fn runner(context: impl ::cot_core::IntoContext<App>) -> ::cot_core::Runner<Self> {
        ::cot_core::Runner::with_context(context)
    }
    /// Checks that models can run this process, without calling them.
    ///
    /// # Errors
    ///
    /// Returns an error that lists all missing models and all schemas that an engine does not
    /// support.
    fn preflight(
        models: &::cot_core::Models,
    ) -> ::core::result::Result<(), ::cot_core::PreflightError> {
        <Self as ::cot_core::Preflight>::preflight(models)
    }
    /// Creates a machine of this process, for a driver of your own.
    ///
    /// Its functions receive the context.
    fn machine(context: impl ::cot_core::IntoContext<App>) -> ::cot_core::Machine<Self> {
        ::cot_core::Machine::with_context(context)
    }
    /// Describes this process without running it.
    fn describe() -> ::cot_core::Description {
        ::cot_core::Description::new::<Self>()
    }
}
///The tasks of [`Desk`].
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
enum DeskTask {
    ///The task `answer`.
    Answer,
    ///The task `call`.
    Call,
    ///The task `done`.
    Done,
}
#[automatically_derived]
impl ::cot_core::TaskId for DeskTask {
    const ALL: &'static [Self] = &[Self::Answer, Self::Call, Self::Done];
    fn name(self) -> &'static ::core::primitive::str {
        match self {
            Self::Answer => "answer",
            Self::Call => "call",
            Self::Done => "done",
        }
    }
}
#[automatically_derived]
impl ::core::fmt::Display for DeskTask {
    fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        formatter.write_str(::cot_core::TaskId::name(*self))
    }
}
::cot_core::__private::serde_of_task!(DeskTask);
///The outputs of the tasks of [`Desk`].
#[derive(::core::fmt::Debug, ::core::clone::Clone)]
enum DeskOutput {
    ///The output of the task `answer`.
    Answer(Answer),
    ///The output of the task `call`.
    Call(ToolRound),
}
#[automatically_derived]
impl ::cot_core::__private::serde::Serialize for DeskOutput {
    fn serialize<S: ::cot_core::__private::serde::Serializer>(
        &self,
        __out: S,
    ) -> ::core::result::Result<S::Ok, S::Error> {
        match *self {
            Self::Answer(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Call(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
        }
    }
}
///The outcome of a run of [`Desk`].
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
enum DeskOutcome {
    ///The run ended with the task `done`.
    Done,
    /// The run ended after this task, which has no next task and no caller.
    RanOut(DeskTask),
    /// The run halted with an error.
    Halted(::std::boxed::Box<::cot_core::Halt<DeskTask>>),
}
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl DeskOutcome {
    /// Returns why the run halted, if it did.
    fn halt(&self) -> ::core::option::Option<&::cot_core::Halt<DeskTask>> {
        match self {
            Self::Halted(halt) => ::core::option::Option::Some(halt),
            _ => ::core::option::Option::None,
        }
    }
    /// Returns why the run failed: the message of the `fail` task, or the task at which it halted and
    /// the reason. `None` if the run has not failed.
    fn why(&self) -> ::core::option::Option<::std::string::String> {
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
    impl ::cot_core::ProcessTypes for Desk {
        type State = Shop;
        type Task = DeskTask;
        type Output = DeskOutput;
        type Context = App;
        type Outcome = DeskOutcome;
    }
    impl ::cot_core::HasContext for Desk {
        type App = App;
    }
    impl ::cot_core::__private::InheritContext<App> for Desk {
        fn inherit_context(__value: &::std::sync::Arc<App>) -> ::std::sync::Arc<App> {
            ::std::sync::Arc::clone(__value)
        }
    }
    impl ::cot_core::__private::InheritContext<::cot_core::__private::NoContext>
    for Desk {
        fn inherit_context(
            __value: &::std::sync::Arc<::cot_core::__private::NoContext>,
        ) -> ::std::sync::Arc<App> {
            match **__value {}
        }
    }
    impl ::cot_core::Process for Desk {
        const DEFINITION: &'static ::cot_core::__private::Definition = &::cot_core::__private::Definition {
            about: ::cot_core::About {
                name: "Desk",
                title: "Desk",
                description: "Desk",
            },
            place: Self::PLACE,
            version: ::core::option_env!("CARGO_PKG_VERSION"),
            engines: &[],
            settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
            max_retries: ::core::option::Option::None,
            max_repeats: ::core::option::Option::None,
            history: ::cot_core::__private::HistoryLimit::Last(9usize),
            state_max_items: ::core::option::Option::None,
            start: 0usize,
            default_return: ::core::option::Option::None,
            max_steps: ::core::option::Option::None,
            timeout: ::core::option::Option::None,
            budget: ::cot_core::Budget::NONE,
            bounds: ::cot_core::__private::BoundsDefinition {
                run: ::cot_core::__private::worst_case::<Self>(),
                default_steps: ::core::option::Option::None,
                at_most: ::core::option::Option::None,
                causes: &["`answer` sets no `max_tokens`"],
            },
            mock_mode: ::core::option::Option::None,
            uses_goal: false,
            uses_last_output: false,
            order: ::core::option::Option::None,
            texts: ::cot_core::__private::ProcessTexts::NONE,
            prompt_hash: 9917229437337708472u64,
            mermaid: "flowchart TD\n    t0[\"answer\"]\n    t1(\"call\")\n    t2([\"done\"])\n    start((start)) --> t0\n    t0 ==> t1\n    t0 -.->|\"interrupted\"| t2\n    t1 ==> t2\n",
            tools: ::cot_core::__private::ToolsDefinition {
                tools: &[
                    ::cot_core::__private::ToolDefinition {
                        name: "search",
                        description: "Searches the catalogue",
                        effect: ::cot_core::__private::Effect::Repeatable,
                        max_retries: 0u32,
                        retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                        timeout: ::core::option::Option::None,
                        needs_approval: false,
                        has_mock: false,
                        selection: ::cot_core::__private::ToolSelection::Function,
                    },
                    ::cot_core::__private::ToolDefinition {
                        name: "pay",
                        description: "Charges the card",
                        effect: ::cot_core::__private::Effect::Once,
                        max_retries: 3u32,
                        retry: ::cot_core::__private::RetryDefinition {
                            calls: ::core::option::Option::Some(3),
                            backoff: ::cot_core::__private::RetryDefinition::DEFAULT
                                .backoff,
                            timeouts: false,
                        },
                        timeout: ::core::option::Option::Some(
                            ::core::time::Duration::from_millis(30000u64),
                        ),
                        needs_approval: true,
                        has_mock: true,
                        selection: ::cot_core::__private::ToolSelection::Function,
                    },
                    ::cot_core::__private::ToolDefinition {
                        name: "own",
                        description: "",
                        effect: ::cot_core::__private::Effect::Repeatable,
                        max_retries: 0u32,
                        retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                        timeout: ::core::option::Option::None,
                        needs_approval: false,
                        has_mock: false,
                        selection: ::cot_core::__private::ToolSelection::All,
                    },
                    ::cot_core::__private::ToolDefinition {
                        name: "files",
                        description: "",
                        effect: ::cot_core::__private::Effect::Repeatable,
                        max_retries: 0u32,
                        retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                        timeout: ::core::option::Option::None,
                        needs_approval: false,
                        has_mock: false,
                        selection: ::cot_core::__private::ToolSelection::Named(
                            &["read_text_file", "list-directory"],
                        ),
                    },
                ],
                max_calls: ::core::option::Option::Some(9),
                history: ::cot_core::__private::ToolHistory::All,
            },
            trust: &::cot_core::__private::TrustDefinition::NONE,
            tasks: &[
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "answer",
                        title: "answer",
                        description: "answer",
                    },
                    kind: ::cot_core::__private::TaskKind::Ai(::cot_core::__private::AiDefinition {
                        engines: &[],
                        settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
                        format: ::cot_core::__private::ReplyFormat::Json,
                        media: ::cot_core::__private::ShownMedia::NONE,
                        transitions: &[],
                        only_chooses: false,
                        tools: ::cot_core::__private::ToolUses {
                            tools: &[0usize, 3usize, 1usize],
                            max_calls: ::core::option::Option::Some(5),
                        },
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
                    next: &[1usize],
                    on: ::cot_core::__private::OnRoutes {
                        exhausted: ::core::option::Option::None,
                        truncated: ::core::option::Option::None,
                        refused: ::core::option::Option::None,
                        timeout: ::core::option::Option::None,
                        unreachable: ::core::option::Option::None,
                        budget: ::core::option::Option::None,
                        interrupted: ::core::option::Option::Some(2usize),
                    },
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 8259103067621525617u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "call",
                        title: "call",
                        description: "call",
                    },
                    kind: ::cot_core::__private::TaskKind::Calls(::cot_core::__private::CallsDefinition {
                        tools: ::cot_core::__private::ToolUses {
                            tools: &[0usize, 2usize, 1usize],
                            max_calls: ::core::option::Option::None,
                        },
                        max_concurrency: ::core::option::Option::Some(4),
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
                    next: &[2usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 13572501753980638956u64,
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
                    prompt_hash: 1564033708699601661u64,
                },
            ],
        };
        const CODE: &'static ::cot_core::__private::ProcessCode<Self> = &::cot_core::__private::ProcessCode {
            goal: ::core::option::Option::None,
            intro: ::core::option::Option::None,
            system: ::core::option::Option::None,
            primers: &[],
            part_names: &[],
            parts: &[],
            mirror: ::core::option::Option::None,
            mock: ::core::option::Option::None,
            tools: &[
                ::cot_core::__private::ToolCode {
                    guard: ::core::option::Option::None,
                    work: ::cot_core::__private::ToolWork::Function(::cot_core::__private::ToolFunctionCode {
                        schema: || ::cot_core::__private::tool_schema(
                            ::core::marker::PhantomData::<Desk>,
                            catalogue::search,
                        ),
                        check: |__value, _| ::cot_core::__private::check_tool_arguments(
                            __value,
                            ::core::marker::PhantomData::<Desk>,
                            catalogue::search,
                        ),
                        start: |__value, __owned| ::std::boxed::Box::pin(async move {
                            let __inputs = ::cot_core::__private::tool_arguments(
                                    &__value,
                                    ::core::marker::PhantomData::<Desk>,
                                    catalogue::search,
                                )
                                .map_err(::cot_core::__private::unusable_arguments)?;
                            let __scope = __owned.cx();
                            ::cot_core::__private::finish_tool(
                                    ::cot_core::__private::call_tool(
                                        &__inputs,
                                        &__scope,
                                        catalogue::search,
                                    ),
                                )
                                .await
                        }),
                        mock: ::core::option::Option::None,
                    }),
                },
                ::cot_core::__private::ToolCode {
                    guard: ::core::option::Option::Some(|__scope| {
                        let state = &(*__scope.state);
                        state.is_confirmed
                    }),
                    work: ::cot_core::__private::ToolWork::Function(::cot_core::__private::ToolFunctionCode {
                        schema: || ::cot_core::__private::tool_schema(
                            ::core::marker::PhantomData::<Desk>,
                            charge,
                        ),
                        check: |__value, _| ::cot_core::__private::check_tool_arguments(
                            __value,
                            ::core::marker::PhantomData::<Desk>,
                            charge,
                        ),
                        start: |__value, __owned| ::std::boxed::Box::pin(async move {
                            let __inputs = ::cot_core::__private::tool_arguments(
                                    &__value,
                                    ::core::marker::PhantomData::<Desk>,
                                    charge,
                                )
                                .map_err(::cot_core::__private::unusable_arguments)?;
                            let __scope = __owned.cx();
                            ::cot_core::__private::finish_tool(
                                    ::cot_core::__private::call_tool(
                                        &__inputs,
                                        &__scope,
                                        charge,
                                    ),
                                )
                                .await
                        }),
                        mock: ::core::option::Option::Some(|__value, __scope| {
                            let __inputs = ::cot_core::__private::tool_arguments(
                                    __value,
                                    ::core::marker::PhantomData::<Desk>,
                                    charge,
                                )
                                .map_err(::cot_core::__private::unusable_mock_arguments)?;
                            ::cot_core::__private::call_tool_mock(
                                &__inputs,
                                __scope,
                                charge,
                                fake_charge,
                            )
                        }),
                    }),
                },
                ::cot_core::__private::ToolCode {
                    guard: ::core::option::Option::None,
                    work: ::cot_core::__private::ToolWork::Source(|__scope| {
                        let app: &App = __scope;
                        &app.own
                    }),
                },
                ::cot_core::__private::ToolCode {
                    guard: ::core::option::Option::None,
                    work: ::cot_core::__private::ToolWork::Source(|__scope| {
                        let app: &App = __scope;
                        &app.files
                    }),
                },
            ],
            tasks: &[
                {
                    const TASK: ::cot_core::__private::TaskCode<Desk> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[const {
                            ::cot_core::__private::ArmCode::<Desk>::NONE
                        }; 1usize],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Answer>,
                            ),
                            read: |__value, __scope| {
                                let __output: Answer = ::cot_core::__private::read(
                                    __value,
                                )?;
                                ::core::result::Result::Ok(DeskOutput::Answer(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value).map(DeskOutput::Answer)
                            },
                            commit: |__output, __state, __scope| match __output {
                                DeskOutput::Answer(__output) => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                DeskOutput::Answer(__output) => {
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
                        conversation: ::cot_core::__private::ConversationCode {
                            turns: ::core::option::Option::None,
                            examples: ::core::option::Option::None,
                            tool_guards: &[
                                ::core::option::Option::None,
                                ::core::option::Option::None,
                                ::core::option::Option::Some(|__scope| {
                                    let state = &(*__scope.state);
                                    state.total > 0
                                }),
                            ],
                            reply: ::core::option::Option::None,
                        },
                        work: ::cot_core::__private::TaskFunction::None,
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Desk> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[const {
                            ::cot_core::__private::ArmCode::<Desk>::NONE
                        }; 1usize],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::None,
                            read: |__value, __scope| {
                                let __output: ToolRound = ::cot_core::__private::read(
                                    __value,
                                )?;
                                ::core::result::Result::Ok(DeskOutput::Call(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value).map(DeskOutput::Call)
                            },
                            commit: |__output, __state, __scope| match __output {
                                DeskOutput::Call(__output) => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                DeskOutput::Call(__output) => {
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
                        conversation: ::cot_core::__private::ConversationCode {
                            turns: ::core::option::Option::None,
                            examples: ::core::option::Option::None,
                            tool_guards: &[
                                ::core::option::Option::None,
                                ::core::option::Option::None,
                                ::core::option::Option::Some(|__scope| {
                                    let state = &(*__scope.state);
                                    state.total > 0
                                }),
                            ],
                            reply: ::core::option::Option::None,
                        },
                        work: ::cot_core::__private::TaskFunction::Calls(|__scope| {
                            ::cot_core::__private::require_tool_round::<ToolRound>();
                            let state = &(*__scope.state);
                            ::cot_core::__private::tool_calls(&state.calls)
                        }),
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Desk> = ::cot_core::__private::TaskCode {
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
        type Bounds<D: ::cot_core::__private::BoundsDepth> = __DeskBounds<D>;
        const PLACE: &'static ::core::primitive::str = ::core::concat!(
            ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!(), ":",
            ::core::stringify!(Desk),
        );
        fn schemas() -> &'static ::cot_core::__private::SchemaCache {
            static SCHEMAS: ::cot_core::__private::SchemaCache = ::cot_core::__private::SchemaCache::new();
            &SCHEMAS
        }
        fn outcome(
            __ending: ::cot_core::__private::Ending<Self::Task>,
        ) -> Self::Outcome {
            match __ending {
                ::cot_core::__private::Ending::End(DeskTask::Done) => DeskOutcome::Done,
                ::cot_core::__private::Ending::End(__value)
                | ::cot_core::__private::Ending::Fail(__value, _)
                | ::cot_core::__private::Ending::RanOut(__value) => {
                    DeskOutcome::RanOut(__value)
                }
                ::cot_core::__private::Ending::Halted(__value) => {
                    DeskOutcome::Halted(::std::boxed::Box::new(__value))
                }
            }
        }
    }
    pub struct __DeskBounds<D>(::core::marker::PhantomData<D>);
    use ::cot_core::__private::Bounded as __Bounded;
    impl<D: ::cot_core::__private::BoundsDepth> __Bounded for __DeskBounds<D> {
        const RUN: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase {
            model_calls: ::cot_core::__private::Bound::at_most(8u64),
            function_calls: ::cot_core::__private::Bound::at_most(56u64),
            questions: ::cot_core::__private::Bound::at_most(14u64),
            output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
            ..::cot_core::__private::WorstCase::NOTHING
        };
        const STEP: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase {
            model_calls: ::cot_core::__private::Bound::at_most(8u64),
            function_calls: ::cot_core::__private::Bound::at_most(36u64),
            questions: ::cot_core::__private::Bound::at_most(9u64),
            output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
            ..::cot_core::__private::WorstCase::NOTHING
        };
    }
};
const _: () = {
    #[deprecated(
        note = "the run halts if it is not known whether a call of task `call` took effect: write `on: { interrupted => task }`, or `#[allow(deprecated)]` on the process if that is intended [COT0239]"
    )]
    #[allow(non_upper_case_globals)]
    const interruption_without_route: () = ();
    let _ = interruption_without_route;
};
