///The process `Routes`.
/**

```mermaid
flowchart TD
    t0["first"]
    t1["second"]
    t2["fix"]
    t3["third"]
    t4{{"gate"}}
    t5(["failed"])
    t6(["done"])
    start((start)) --> t0
    t0 ==> t1
    t1 ==> t2
    t1 ==> t3
    t2 ==>|"if output.text.len() #gt; 3"| t1
    t2 ==> t4
    t3 ==> t4
    t4 ==>|"if state.notes.is_empty()"| t5
    t4 ==> t6
```*/
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
struct Routes;
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl Routes {
    /// Creates a runner of this process, without a model.
    fn runner() -> ::cot_core::Runner<Self> {
        ::cot_core::Runner::new()
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
    fn machine() -> ::cot_core::Machine<Self> {
        ::cot_core::Machine::new()
    }
    /// Describes this process without running it.
    fn describe() -> ::cot_core::Description {
        ::cot_core::Description::new::<Self>()
    }
}
///The tasks of [`Routes`].
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
enum RoutesTask {
    ///The task `first`.
    First,
    ///The task `second`.
    Second,
    ///The task `fix`.
    Fix,
    ///The task `third`.
    Third,
    ///The task `gate`.
    Gate,
    ///The task `failed`.
    Failed,
    ///The task `done`.
    Done,
}
#[automatically_derived]
impl ::cot_core::TaskId for RoutesTask {
    const ALL: &'static [Self] = &[
        Self::First,
        Self::Second,
        Self::Fix,
        Self::Third,
        Self::Gate,
        Self::Failed,
        Self::Done,
    ];
    fn name(self) -> &'static ::core::primitive::str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Fix => "fix",
            Self::Third => "third",
            Self::Gate => "gate",
            Self::Failed => "failed",
            Self::Done => "done",
        }
    }
}
#[automatically_derived]
impl ::core::fmt::Display for RoutesTask {
    fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        formatter.write_str(::cot_core::TaskId::name(*self))
    }
}
::cot_core::__private::serde_of_task!(RoutesTask);
///The outputs of the tasks of [`Routes`].
#[derive(::core::fmt::Debug, ::core::clone::Clone)]
enum RoutesOutput {
    ///The output of the task `first`.
    First(Draft),
    ///The output of the task `second`.
    Second(Review),
    ///The output of the task `fix`.
    Fix(Draft),
    ///The output of the task `third`.
    Third(Draft),
}
#[automatically_derived]
impl ::cot_core::__private::serde::Serialize for RoutesOutput {
    fn serialize<S: ::cot_core::__private::serde::Serializer>(
        &self,
        __out: S,
    ) -> ::core::result::Result<S::Ok, S::Error> {
        match *self {
            Self::First(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Second(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Fix(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Third(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
        }
    }
}
///The outcome of a run of [`Routes`].
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
enum RoutesOutcome {
    ///The run ended with the task `failed`.
    Failed(::std::string::String),
    ///The run ended with the task `done`.
    Done,
    /// The run ended after this task, which has no next task and no caller.
    RanOut(RoutesTask),
    /// The run halted with an error.
    Halted(::std::boxed::Box<::cot_core::Halt<RoutesTask>>),
}
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl RoutesOutcome {
    /// Returns why the run halted, if it did.
    fn halt(&self) -> ::core::option::Option<&::cot_core::Halt<RoutesTask>> {
        match self {
            Self::Halted(halt) => ::core::option::Option::Some(halt),
            _ => ::core::option::Option::None,
        }
    }
    /// Returns why the run failed: the message of the `fail` task, or the task at which it halted and
    /// the reason. `None` if the run has not failed.
    fn why(&self) -> ::core::option::Option<::std::string::String> {
        match self {
            Self::Failed(why) => ::core::option::Option::Some(why.clone()),
            Self::Halted(halt) => {
                ::core::option::Option::Some(::std::string::ToString::to_string(halt))
            }
            _ => ::core::option::Option::None,
        }
    }
}
///The choices of `process_output` of the task `second`.
#[derive(
    ::core::fmt::Debug,
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq,
)]
enum RoutesSecondChoice {
    ///Continue with `fix`.
    Fix,
    ///Continue with `third`.
    Third,
}
#[automatically_derived]
impl ::cot_core::__private::Choice for RoutesSecondChoice {
    fn chosen(self) -> ::core::option::Option<::cot_core::__private::ChosenTask> {
        ::core::option::Option::Some(
            match self {
                Self::Fix => ::cot_core::__private::to(2usize),
                Self::Third => ::cot_core::__private::to(3usize),
            },
        )
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
    impl ::cot_core::ProcessTypes for Routes {
        type State = crate::State;
        type Task = RoutesTask;
        type Output = RoutesOutput;
        type Context = ();
        type Outcome = RoutesOutcome;
    }
    use ::cot_core::__private::InheritContext as __InheritContext;
    impl<C> __InheritContext<C> for Routes {
        fn inherit_context(_: &::std::sync::Arc<C>) -> ::std::sync::Arc<()> {
            ::std::sync::Arc::new(())
        }
    }
    impl ::cot_core::Process for Routes {
        const DEFINITION: &'static ::cot_core::__private::Definition = &::cot_core::__private::Definition {
            about: ::cot_core::About {
                name: "Routes",
                title: "Routes",
                description: "Routes",
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
            max_steps: ::core::option::Option::Some(30),
            timeout: ::core::option::Option::Some(
                ::core::time::Duration::from_millis(600000u64),
            ),
            budget: ::cot_core::Budget::NONE,
            bounds: ::cot_core::__private::BoundsDefinition {
                run: ::cot_core::__private::worst_case::<Self>(),
                default_steps: ::core::option::Option::None,
                at_most: ::core::option::Option::None,
                causes: &[
                    "`first` sets no `max_tokens`",
                    "`second` sets no `max_tokens`",
                    "`fix` sets no `max_tokens`",
                    "`third` sets no `max_tokens`",
                ],
            },
            mock_mode: ::core::option::Option::None,
            uses_goal: false,
            uses_last_output: true,
            order: ::core::option::Option::None,
            texts: ::cot_core::__private::ProcessTexts::NONE,
            prompt_hash: 3652948220760054349u64,
            mermaid: "flowchart TD\n    t0[\"first\"]\n    t1[\"second\"]\n    t2[\"fix\"]\n    t3[\"third\"]\n    t4{{\"gate\"}}\n    t5([\"failed\"])\n    t6([\"done\"])\n    start((start)) --> t0\n    t0 ==> t1\n    t1 ==> t2\n    t1 ==> t3\n    t2 ==>|\"if output.text.len() #gt; 3\"| t1\n    t2 ==> t4\n    t3 ==> t4\n    t4 ==>|\"if state.notes.is_empty()\"| t5\n    t4 ==> t6\n",
            tools: ::cot_core::__private::ToolsDefinition::NONE,
            trust: &::cot_core::__private::TrustDefinition::NONE,
            tasks: &[
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "first",
                        title: "first",
                        description: "first",
                    },
                    kind: ::cot_core::__private::TaskKind::Ai(::cot_core::__private::AiDefinition {
                        engines: &[],
                        settings: ::cot_core::__private::SettingsDefinition {
                            temperature: ::core::option::Option::Some(0.5f64),
                            ..::cot_core::__private::SettingsDefinition::DEFAULT
                        },
                        format: ::cot_core::__private::ReplyFormat::Json,
                        media: ::cot_core::__private::ShownMedia::NONE,
                        transitions: &[],
                        only_chooses: false,
                        tools: ::cot_core::__private::ToolUses::NONE,
                    }),
                    wait: ::core::option::Option::None,
                    timeout: ::core::option::Option::Some(
                        ::core::time::Duration::from_millis(30000u64),
                    ),
                    max_retries: ::core::option::Option::None,
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: false,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::Some(1usize),
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 1564033708699601661u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "second",
                        title: "second",
                        description: "second",
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
                    history: false,
                    takes_inputs: false,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[2usize, 3usize],
                    next: &[],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts {
                        full_prompt: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                0usize,
                                0usize,
                                [0usize, 0usize, 1usize],
                                15160217174669601008u64,
                            ),
                        ),
                        ..::cot_core::__private::TaskTexts::NONE
                    },
                    prompt_hash: 13159877608731625032u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "fix",
                        title: "fix",
                        description: "fix",
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
                    next: &[1usize, 4usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 1564033708699601661u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "third",
                        title: "third",
                        description: "third",
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
                    next: &[4usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 1564033708699601661u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "gate",
                        title: "gate",
                        description: "gate",
                    },
                    kind: ::cot_core::__private::TaskKind::Gateway,
                    wait: ::core::option::Option::None,
                    timeout: ::core::option::Option::None,
                    max_retries: ::core::option::Option::None,
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: false,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[5usize, 6usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 1564033708699601661u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "failed",
                        title: "failed",
                        description: "failed",
                    },
                    kind: ::cot_core::__private::TaskKind::Fail,
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
                    prompt_hash: 16997971902679370033u64,
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
            tools: &[],
            tasks: &[
                {
                    const TASK: ::cot_core::__private::TaskCode<Routes> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Draft>,
                            ),
                            read: |__value, __scope| {
                                let __output: Draft = ::cot_core::__private::read(__value)?;
                                ::core::result::Result::Ok(RoutesOutput::First(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value)
                                    .map(RoutesOutput::First)
                            },
                            commit: |__output, __state, __scope| match __output {
                                RoutesOutput::First(__output) => {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainValue as _;
                                    let value_0;
                                    if false {
                                        value_0 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::assigned_type(
                                                &mut (*::cot_core::__private::value_or_default(
                                                    &mut (*__state).draft,
                                                ))
                                                    .text,
                                            )
                                        };
                                    } else {
                                        value_0 = {
                                            ::cot_core::__private::Assigned(
                                                    ::core::clone::Clone::clone(__output),
                                                )
                                                .into_field()
                                        };
                                    }
                                    {
                                        let __state = &mut *__state;
                                        ::cot_core::__private::assign(
                                            &mut (*::cot_core::__private::value_or_default(
                                                &mut (*__state).draft,
                                            ))
                                                .text,
                                            value_0,
                                        )
                                    };
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                RoutesOutput::First(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<Routes> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::Some(|__scope, __out| {
                            ::cot_core::__private::write_source(
                                prompts::review,
                                __scope,
                                __out,
                            )
                        }),
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Review>,
                            ),
                            read: |__value, __scope| {
                                let __output: Review = ::cot_core::__private::read(
                                    __value,
                                )?;
                                ::core::result::Result::Ok(RoutesOutput::Second(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value)
                                    .map(RoutesOutput::Second)
                            },
                            commit: |__output, __state, __scope| match __output {
                                RoutesOutput::Second(__output) => {
                                    let mut __value = ::core::clone::Clone::clone(&*__state);
                                    let __chosen = {
                                        let __before = &*__state;
                                        let __state = &mut __value;
                                        #[allow(unused_imports)]
                                        use ::cot_core::__private::PlainValue as _;
                                        let key_0_0;
                                        if false {
                                            key_0_0 = {
                                                let __state = &mut *__state;
                                                ::cot_core::__private::inserted_key_type({
                                                    let __place = &mut (*__state).reviews;
                                                    __place
                                                })
                                            };
                                        } else {
                                            key_0_0 = ::core::convert::Into::into({ "last" });
                                        }
                                        let value_0;
                                        if false {
                                            value_0 = {
                                                let __state = &mut *__state;
                                                ::cot_core::__private::inserted_type({
                                                    let __place = &mut (*__state).reviews;
                                                    __place
                                                })
                                            };
                                        } else {
                                            value_0 = {
                                                ::cot_core::__private::Assigned({
                                                        let output = ::core::clone::Clone::clone(__output);
                                                        output
                                                    })
                                                    .into_field()
                                            };
                                        }
                                        let value_1;
                                        if false {
                                            value_1 = {
                                                let __state = &mut *__state;
                                                ::cot_core::__private::appended_type({
                                                    let __place = &mut (*__state).notes;
                                                    __place
                                                })
                                            };
                                        } else {
                                            value_1 = {
                                                ::cot_core::__private::Assigned({
                                                        let output = ::core::clone::Clone::clone(__output);
                                                        output.note
                                                    })
                                                    .into_field()
                                            };
                                        }
                                        {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::insert(
                                                {
                                                    let __place = &mut (*__state).reviews;
                                                    __place
                                                },
                                                key_0_0,
                                                value_0,
                                            )
                                        };
                                        {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::append(
                                                {
                                                    let __place = &mut (*__state).notes;
                                                    __place
                                                },
                                                value_1,
                                            )
                                        };
                                        ::cot_core::__private::call_choosing_process_output(
                                            (__output, &mut *__state),
                                            __before,
                                            __scope,
                                            ::core::marker::PhantomData::<RoutesSecondChoice>,
                                            apply,
                                        )?
                                    };
                                    *__state = __value;
                                    ::core::result::Result::Ok(__chosen)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                RoutesOutput::Second(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<Routes> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[
                            ::cot_core::__private::ArmCode {
                                guard: ::core::option::Option::Some(|__scope, __output| match __output {
                                    ::core::option::Option::Some(RoutesOutput::Fix(output)) => {
                                        output.text.len() > 3
                                    }
                                    _ => false,
                                }),
                                with: ::core::option::Option::None,
                            },
                            ::cot_core::__private::ArmCode::NONE,
                        ],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Draft>,
                            ),
                            read: |__value, __scope| {
                                let __output: Draft = ::cot_core::__private::read(__value)?;
                                ::core::result::Result::Ok(RoutesOutput::Fix(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value).map(RoutesOutput::Fix)
                            },
                            commit: |__output, __state, __scope| match __output {
                                RoutesOutput::Fix(__output) => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                RoutesOutput::Fix(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<Routes> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[const {
                            ::cot_core::__private::ArmCode::<Routes>::NONE
                        }; 1usize],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Draft>,
                            ),
                            read: |__value, __scope| {
                                let __output: Draft = ::cot_core::__private::read(__value)?;
                                ::core::result::Result::Ok(RoutesOutput::Third(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value)
                                    .map(RoutesOutput::Third)
                            },
                            commit: |__output, __state, __scope| match __output {
                                RoutesOutput::Third(__output) => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                RoutesOutput::Third(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<Routes> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[
                            ::cot_core::__private::ArmCode {
                                guard: ::core::option::Option::Some(|__scope, __output| {
                                    let state = &(*__scope.state);
                                    state.notes.is_empty()
                                }),
                                with: ::core::option::Option::None,
                            },
                            ::cot_core::__private::ArmCode::NONE,
                        ],
                        output: ::core::option::Option::None,
                        mock: ::core::option::Option::None,
                        conversation: ::cot_core::__private::ConversationCode::NONE,
                        work: ::cot_core::__private::TaskFunction::None,
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Routes> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::Some(|__scope, __out| {
                            let state = &(*__scope.state);
                            ::cot_core::__private::write_text(__out, "no notes after ")?;
                            ::cot_core::__private::show::<
                                1usize,
                                16usize,
                                _,
                            >(
                                __out,
                                &["draft"],
                                ::cot_core::__private::Stability::Volatile,
                                &(state.draft.len()),
                            )?;
                            ::cot_core::__private::write_text(__out, " drafts")?;
                            ::core::result::Result::Ok(())
                        }),
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
                {
                    const TASK: ::cot_core::__private::TaskCode<Routes> = ::cot_core::__private::TaskCode {
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
        type Bounds<D: ::cot_core::__private::BoundsDepth> = __RoutesBounds<D>;
        const PLACE: &'static ::core::primitive::str = ::core::concat!(
            ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!(), ":",
            ::core::stringify!(Routes),
        );
        fn schemas() -> &'static ::cot_core::__private::SchemaCache {
            static SCHEMAS: ::cot_core::__private::SchemaCache = ::cot_core::__private::SchemaCache::new();
            &SCHEMAS
        }
        fn outcome(
            __ending: ::cot_core::__private::Ending<Self::Task>,
        ) -> Self::Outcome {
            match __ending {
                ::cot_core::__private::Ending::Fail(RoutesTask::Failed, __value) => {
                    RoutesOutcome::Failed(__value)
                }
                ::cot_core::__private::Ending::End(RoutesTask::Done) => {
                    RoutesOutcome::Done
                }
                ::cot_core::__private::Ending::End(__value)
                | ::cot_core::__private::Ending::Fail(__value, _)
                | ::cot_core::__private::Ending::RanOut(__value) => {
                    RoutesOutcome::RanOut(__value)
                }
                ::cot_core::__private::Ending::Halted(__value) => {
                    RoutesOutcome::Halted(::std::boxed::Box::new(__value))
                }
            }
        }
    }
    pub struct __RoutesBounds<D>(::core::marker::PhantomData<D>);
    use ::cot_core::__private::Bounded as __Bounded;
    impl<D: ::cot_core::__private::BoundsDepth> __Bounded for __RoutesBounds<D> {
        const RUN: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase {
            model_calls: ::cot_core::__private::Bound::at_most(90u64),
            output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
            ..::cot_core::__private::WorstCase::NOTHING
        };
        const STEP: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase {
            model_calls: ::cot_core::__private::Bound::at_most(3u64),
            output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
            ..::cot_core::__private::WorstCase::NOTHING
        };
    }
};
