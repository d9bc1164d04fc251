/// Every kind of task.
/**

```mermaid
flowchart TD
    t0["hub"]
    t1("load")
    t2[/"review"\]
    t3[/"scan"/]
    t4[["sub"]]
    t5["think"]
    t6[["twin"]]
    t7(["failed"])
    t8(["done"])
    start((start)) --> t0
    t0 -->|"Load it if state.ready"| t1
    t0 --> t2
    t0 --> t3
    t0 -.->|"exhausted"| t7
    t0 -.->|"budget"| t7
    t1 ==>|"if !output.text.is_empty()"| t2
    t1 ==> t3
    t2 ==> t1
    t2 ==> t4
    t3 ==>|"if last_output.is_some()"| t4
    t3 ==> t8
    t4 ==> t5
    t5 ==> t6
    t6 ==> t8
```*/
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
pub struct Kinds;
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl Kinds {
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
///The tasks of [`Kinds`].
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
pub enum KindsTask {
    ///The task `hub`.
    Hub,
    ///The task `load`.
    Load,
    ///The task `review`.
    Review,
    ///The task `scan`.
    Scan,
    ///The task `sub`.
    Sub,
    ///The task `think`.
    Think,
    ///The task `twin`.
    Twin,
    ///The task `failed`.
    Failed,
    ///The task `done`.
    Done,
}
#[automatically_derived]
impl ::cot_core::TaskId for KindsTask {
    const ALL: &'static [Self] = &[
        Self::Hub,
        Self::Load,
        Self::Review,
        Self::Scan,
        Self::Sub,
        Self::Think,
        Self::Twin,
        Self::Failed,
        Self::Done,
    ];
    fn name(self) -> &'static ::core::primitive::str {
        match self {
            Self::Hub => "hub",
            Self::Load => "load",
            Self::Review => "review",
            Self::Scan => "scan",
            Self::Sub => "sub",
            Self::Think => "think",
            Self::Twin => "twin",
            Self::Failed => "failed",
            Self::Done => "done",
        }
    }
}
#[automatically_derived]
impl ::core::fmt::Display for KindsTask {
    fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        formatter.write_str(::cot_core::TaskId::name(*self))
    }
}
::cot_core::__private::serde_of_task!(KindsTask);
///The outputs of the tasks of [`Kinds`].
#[derive(::core::clone::Clone)]
pub enum KindsOutput {
    ///The output of the task `load`.
    Load(Page),
    ///The output of the task `review`.
    Review(Verdict),
    ///The output of the task `scan`.
    Scan(::std::vec::Vec<Found>),
    ///The output of the task `sub`.
    Sub(<crate::Other as ::cot_core::ProcessTypes>::State),
    ///The output of the task `think`.
    Think(::cot_core::reasoning::Reasoning),
    ///The output of the task `twin`.
    Twin(<Other as ::cot_core::ProcessTypes>::State),
}
#[automatically_derived]
impl ::core::fmt::Debug for KindsOutput {
    fn fmt(&self, __out: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Self::Load(__value) => __out.debug_tuple("Load").field(__value).finish(),
            Self::Review(__value) => __out.debug_tuple("Review").field(__value).finish(),
            Self::Scan(__value) => __out.debug_tuple("Scan").field(__value).finish(),
            Self::Sub(__value) => {
                __out
                    .debug_tuple("Sub")
                    .field(&::cot_core::__private::json(__value))
                    .finish()
            }
            Self::Think(__value) => __out.debug_tuple("Think").field(__value).finish(),
            Self::Twin(__value) => {
                __out
                    .debug_tuple("Twin")
                    .field(&::cot_core::__private::json(__value))
                    .finish()
            }
        }
    }
}
#[automatically_derived]
impl ::cot_core::__private::serde::Serialize for KindsOutput {
    fn serialize<S: ::cot_core::__private::serde::Serializer>(
        &self,
        __out: S,
    ) -> ::core::result::Result<S::Ok, S::Error> {
        match *self {
            Self::Load(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Review(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Scan(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Sub(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Think(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Twin(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
        }
    }
}
///The outcome of a run of [`Kinds`].
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
pub enum KindsOutcome {
    ///The run ended with the task `failed`.
    Failed(::std::string::String),
    ///The run ended with the task `done`.
    Done,
    /// The run ended after this task, which has no next task and no caller.
    RanOut(KindsTask),
    /// The run halted with an error.
    Halted(::std::boxed::Box<::cot_core::Halt<KindsTask>>),
}
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl KindsOutcome {
    /// Returns why the run halted, if it did.
    pub fn halt(&self) -> ::core::option::Option<&::cot_core::Halt<KindsTask>> {
        match self {
            Self::Halted(halt) => ::core::option::Option::Some(halt),
            _ => ::core::option::Option::None,
        }
    }
    /// Returns why the run failed: the message of the `fail` task, or the task at which it halted and
    /// the reason. `None` if the run has not failed.
    pub fn why(&self) -> ::core::option::Option<::std::string::String> {
        match self {
            Self::Failed(why) => ::core::option::Option::Some(why.clone()),
            Self::Halted(halt) => {
                ::core::option::Option::Some(::std::string::ToString::to_string(halt))
            }
            _ => ::core::option::Option::None,
        }
    }
}
///The choices of `process_output` of the task `review`.
#[derive(::core::clone::Clone)]
pub enum KindsReviewChoice {
    ///Continue with `load`.
    Load(Source),
    ///Continue with `sub`.
    Sub,
}
#[automatically_derived]
impl ::core::fmt::Debug for KindsReviewChoice {
    fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        formatter
            .write_str(
                match self {
                    Self::Load { .. } => "Load",
                    Self::Sub { .. } => "Sub",
                },
            )
    }
}
#[automatically_derived]
impl ::cot_core::__private::Choice for KindsReviewChoice {
    fn chosen(self) -> ::core::option::Option<::cot_core::__private::ChosenTask> {
        ::core::option::Option::Some(
            match self {
                Self::Load(__inputs) => ::cot_core::__private::to_with(1usize, __inputs),
                Self::Sub => ::cot_core::__private::to(4usize),
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
    impl ::cot_core::ProcessTypes for Kinds {
        type State = crate::State;
        type Task = KindsTask;
        type Output = KindsOutput;
        type Context = ();
        type Outcome = KindsOutcome;
    }
    use ::cot_core::__private::InheritContext as __InheritContext;
    impl<C> __InheritContext<C> for Kinds {
        fn inherit_context(_: &::std::sync::Arc<C>) -> ::std::sync::Arc<()> {
            ::std::sync::Arc::new(())
        }
    }
    impl ::cot_core::Process for Kinds {
        const DEFINITION: &'static ::cot_core::__private::Definition = &::cot_core::__private::Definition {
            about: ::cot_core::About {
                name: "Kinds",
                title: "Kinds",
                description: "Every kind of task.",
            },
            place: Self::PLACE,
            version: ::core::option_env!("CARGO_PKG_VERSION"),
            engines: &["large", "small"],
            settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
            max_retries: ::core::option::Option::None,
            max_repeats: ::core::option::Option::None,
            history: ::cot_core::__private::HistoryLimit::Unlimited,
            state_max_items: ::core::option::Option::None,
            start: 0usize,
            default_return: ::core::option::Option::None,
            max_steps: ::core::option::Option::None,
            timeout: ::core::option::Option::None,
            budget: ::cot_core::Budget {
                tokens: ::core::option::Option::Some(1000u64),
                calls: ::core::option::Option::Some(5u64),
                cost: ::core::option::Option::Some(2.5f64),
            },
            bounds: ::cot_core::__private::BoundsDefinition {
                run: ::cot_core::__private::worst_case::<Self>(),
                default_steps: ::core::option::Option::None,
                at_most: ::core::option::Option::None,
                causes: &[
                    "`hub` sets no `max_tokens`",
                    "`scan` sets no `max_items`",
                    "`think` sets no `max_tokens`",
                    "`load` -> `review` -> `load` repeats without a bound",
                ],
            },
            mock_mode: ::core::option::Option::Some(false),
            uses_goal: true,
            uses_last_output: true,
            order: ::core::option::Option::None,
            texts: ::cot_core::__private::ProcessTexts::NONE,
            prompt_hash: 14137106555239426790u64,
            mermaid: "flowchart TD\n    t0[\"hub\"]\n    t1(\"load\")\n    t2[/\"review\"\\]\n    t3[/\"scan\"/]\n    t4[[\"sub\"]]\n    t5[\"think\"]\n    t6[[\"twin\"]]\n    t7([\"failed\"])\n    t8([\"done\"])\n    start((start)) --> t0\n    t0 -->|\"Load it if state.ready\"| t1\n    t0 --> t2\n    t0 --> t3\n    t0 -.->|\"exhausted\"| t7\n    t0 -.->|\"budget\"| t7\n    t1 ==>|\"if !output.text.is_empty()\"| t2\n    t1 ==> t3\n    t2 ==> t1\n    t2 ==> t4\n    t3 ==>|\"if last_output.is_some()\"| t4\n    t3 ==> t8\n    t4 ==> t5\n    t5 ==> t6\n    t6 ==> t8\n",
            tools: ::cot_core::__private::ToolsDefinition::NONE,
            trust: &::cot_core::__private::TrustDefinition::NONE,
            tasks: &[
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "hub",
                        title: "hub",
                        description: "hub",
                    },
                    kind: ::cot_core::__private::TaskKind::Ai(::cot_core::__private::AiDefinition {
                        engines: &[],
                        settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
                        format: ::cot_core::__private::ReplyFormat::Json,
                        media: ::cot_core::__private::ShownMedia::NONE,
                        transitions: &[
                            ::cot_core::__private::TransitionDefinition {
                                target: 1,
                                with_model: false,
                            },
                            ::cot_core::__private::TransitionDefinition {
                                target: 2,
                                with_model: true,
                            },
                            ::cot_core::__private::TransitionDefinition {
                                target: 3,
                                with_model: false,
                            },
                        ],
                        only_chooses: true,
                        tools: ::cot_core::__private::ToolUses::NONE,
                    }),
                    wait: ::core::option::Option::Some(
                        ::core::time::Duration::from_millis(300000u64),
                    ),
                    timeout: ::core::option::Option::None,
                    max_retries: ::core::option::Option::None,
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: false,
                    has_mock: true,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[],
                    on: ::cot_core::__private::OnRoutes {
                        exhausted: ::core::option::Option::Some(7usize),
                        truncated: ::core::option::Option::None,
                        refused: ::core::option::Option::None,
                        timeout: ::core::option::Option::None,
                        unreachable: ::core::option::Option::None,
                        budget: ::core::option::Option::Some(7usize),
                        interrupted: ::core::option::Option::None,
                    },
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts {
                        labels: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                0usize,
                                0usize,
                                [0usize, 0usize, 1usize],
                                0u64,
                            ),
                        ),
                        ..::cot_core::__private::TaskTexts::NONE
                    },
                    prompt_hash: 5681866552454037876u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "load",
                        title: "load",
                        description: "load",
                    },
                    kind: ::cot_core::__private::TaskKind::Code(
                        ::cot_core::__private::Effect::Repeatable,
                    ),
                    wait: ::core::option::Option::None,
                    timeout: ::core::option::Option::None,
                    max_retries: ::core::option::Option::Some(3),
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: true,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[2usize, 3usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 1564033708699601661u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "review",
                        title: "review",
                        description: "review",
                    },
                    kind: ::cot_core::__private::TaskKind::Human,
                    wait: ::core::option::Option::None,
                    timeout: ::core::option::Option::None,
                    max_retries: ::core::option::Option::None,
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: true,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[1usize, 4usize],
                    next: &[],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 16190239474489402117u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "scan",
                        title: "scan",
                        description: "scan",
                    },
                    kind: ::cot_core::__private::TaskKind::Each(::cot_core::__private::EachDefinition {
                        work: ::cot_core::__private::EachWork::Ai(::cot_core::__private::AiDefinition {
                            engines: &[],
                            settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
                            format: ::cot_core::__private::ReplyFormat::Json,
                            media: ::cot_core::__private::ShownMedia::NONE,
                            transitions: &[],
                            only_chooses: false,
                            tools: ::cot_core::__private::ToolUses::NONE,
                        }),
                        max_concurrency: ::core::option::Option::Some(4),
                        max_items: ::core::option::Option::None,
                        collect: ::cot_core::__private::Collect::All,
                    }),
                    wait: ::core::option::Option::None,
                    timeout: ::core::option::Option::None,
                    max_retries: ::core::option::Option::None,
                    retry: ::cot_core::__private::RetryDefinition::DEFAULT,
                    history: true,
                    takes_inputs: false,
                    has_mock: true,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[4usize, 8usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts {
                        prompt: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                9usize,
                                5usize,
                                [0usize, 0usize, 2usize],
                                1945131669172933163u64,
                            ),
                        ),
                        full_prompt: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                1usize,
                                0usize,
                                [1usize, 0usize, 1usize],
                                13755633161039282601u64,
                            ),
                        ),
                        ..::cot_core::__private::TaskTexts::NONE
                    },
                    prompt_hash: 11262210229786846139u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "sub",
                        title: "sub",
                        description: "sub",
                    },
                    kind: ::cot_core::__private::TaskKind::Process(|| {
                        <crate::Other as ::cot_core::Process>::DEFINITION
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
                    next: &[5usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts::NONE,
                    prompt_hash: 1564033708699601661u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "think",
                        title: "think",
                        description: "think",
                    },
                    kind: ::cot_core::__private::TaskKind::Ai(::cot_core::__private::AiDefinition {
                        engines: &[],
                        settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
                        format: ::cot_core::__private::ReplyFormat::Reasoning,
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
                    next: &[6usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts {
                        prompt: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                10usize,
                                3usize,
                                [0usize, 0usize, 1usize],
                                550894832230654830u64,
                            ),
                        ),
                        ..::cot_core::__private::TaskTexts::NONE
                    },
                    prompt_hash: 15030436777033055820u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "twin",
                        title: "twin",
                        description: "twin",
                    },
                    kind: ::cot_core::__private::TaskKind::Process(|| {
                        <Other as ::cot_core::Process>::DEFINITION
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
                    next: &[8usize],
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
                    prompt_hash: 7592071684422009932u64,
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
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[
                            ::cot_core::__private::TransitionCode {
                                label: ::core::option::Option::Some(|__scope, __out| {
                                    ::cot_core::__private::write_text(__out, "Load it")?;
                                    ::core::result::Result::Ok(())
                                }),
                                guard: ::core::option::Option::Some(|__scope| {
                                    let state = &(*__scope.state);
                                    state.ready
                                }),
                                with: ::core::option::Option::Some(|__scope| {
                                    let state = &(*__scope.state);
                                    ::core::option::Option::Some(
                                        <Source as ::cot_core::__private::TaskInputs>::deliver(Source {
                                            path: state.path,
                                        }),
                                    )
                                }),
                            },
                            ::cot_core::__private::TransitionCode {
                                label: ::core::option::Option::None,
                                guard: ::core::option::Option::None,
                                with: ::core::option::Option::None,
                            },
                            ::cot_core::__private::TransitionCode::NONE,
                        ],
                        next: &[],
                        output: ::core::option::Option::None,
                        mock: ::core::option::Option::Some(|__scope| {
                            ::cot_core::__private::encode_mock(
                                ::cot_core::__private::call_mock(
                                    (__scope.state,),
                                    __scope,
                                    ::core::marker::PhantomData::<()>,
                                    mock_hub,
                                ),
                            )
                        }),
                        conversation: ::cot_core::__private::ConversationCode::NONE,
                        work: ::cot_core::__private::TaskFunction::None,
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::Some(::cot_core::__private::InputsCode {
                            schema: ::core::option::Option::None,
                            read: <Source as ::cot_core::__private::TaskInputs>::read,
                        }),
                        transitions: &[],
                        next: &[
                            ::cot_core::__private::ArmCode {
                                guard: ::core::option::Option::Some(|__scope, __output| match __output {
                                    ::core::option::Option::Some(KindsOutput::Load(output)) => {
                                        !output.text.is_empty()
                                    }
                                    _ => false,
                                }),
                                with: ::core::option::Option::Some(|__scope, __output| match __output {
                                    ::core::option::Option::Some(
                                        KindsOutput::Load(__output),
                                    ) => {
                                        let output = ::core::clone::Clone::clone(__output);
                                        ::core::option::Option::Some(
                                            <Note as ::cot_core::__private::TaskInputs>::deliver(Note {
                                                text: output.text,
                                            }),
                                        )
                                    }
                                    _ => ::core::option::Option::None,
                                }),
                            },
                            ::cot_core::__private::ArmCode::NONE,
                        ],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::None,
                            read: |__value, __scope| {
                                let __output: Page = ::cot_core::__private::read(__value)?;
                                ::core::result::Result::Ok(KindsOutput::Load(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value).map(KindsOutput::Load)
                            },
                            commit: |__output, __state, __scope| match __output {
                                KindsOutput::Load(__output) => {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainValue as _;
                                    let value_0;
                                    if false {
                                        value_0 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::appended_type({
                                                let __place = &mut (*__state).pages;
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
                                            ::cot_core::__private::assigned_type(&mut (*__state).path)
                                        };
                                    } else {
                                        value_1 = {
                                            ::cot_core::__private::Assigned({
                                                    let ::core::option::Option::Some(inputs) = ::cot_core::__private::inputs::<
                                                        Source,
                                                    >(__scope.inputs)
                                                        .cloned() else {
                                                        return ::core::result::Result::Err(
                                                            ::cot_core::__private::missing_value_error("inputs"),
                                                        )
                                                    };
                                                    inputs.path
                                                })
                                                .into_field()
                                        };
                                    }
                                    {
                                        let __state = &mut *__state;
                                        ::cot_core::__private::append(
                                            {
                                                let __place = &mut (*__state).pages;
                                                __place
                                            },
                                            value_0,
                                        )
                                    };
                                    {
                                        let __state = &mut *__state;
                                        ::cot_core::__private::assign(&mut (*__state).path, value_1)
                                    };
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                KindsOutput::Load(__output) => {
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
                        work: ::cot_core::__private::TaskFunction::Run(
                            |__owned| ::std::boxed::Box::pin(async move {
                                {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainOutput as _;
                                    ::cot_core::__private::OutputOf::<Page>::require_storable();
                                }
                                let __scope = __owned.cx();
                                let __state: &crate::State = __scope.state;
                                let ::core::option::Option::Some(__value) = ::cot_core::__private::inputs::<
                                    Source,
                                >(__scope.inputs) else {
                                    return ::core::result::Result::Err(
                                        ::cot_core::__private::missing_inputs_error(),
                                    );
                                };
                                ::cot_core::__private::finish_function::<
                                    Page,
                                    _,
                                    _,
                                >(
                                        ::cot_core::__private::start_function(
                                            (__state, __value),
                                            &__scope,
                                            ::core::marker::PhantomData::<Page>,
                                            fetch,
                                        ),
                                    )
                                    .await
                            }),
                            {
                                #[allow(unused_imports)]
                                use ::cot_core::__private::AnyResult as _;
                                ::cot_core::__private::ResultType::<Page>::SCHEMA
                            },
                        ),
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::Some(|__scope, __out| {
                            let ::core::option::Option::Some(inputs) = ::cot_core::__private::inputs::<
                                Note,
                            >(__scope.inputs) else {
                                return ::core::result::Result::Err(::core::fmt::Error)
                            };
                            ::cot_core::__private::write_text(__out, "Is this fine?\n")?;
                            ::cot_core::__private::show::<
                                2usize,
                                1usize,
                                _,
                            >(
                                __out,
                                &[],
                                ::cot_core::__private::Stability::Volatile,
                                &(inputs.text),
                            )?;
                            ::core::result::Result::Ok(())
                        }),
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::Some(::cot_core::__private::InputsCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Note>,
                            ),
                            read: <Note as ::cot_core::__private::TaskInputs>::read,
                        }),
                        transitions: &[],
                        next: &[],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Verdict>,
                            ),
                            read: |__value, __scope| {
                                let __output: Verdict = ::cot_core::__private::read(
                                    __value,
                                )?;
                                let ::core::option::Option::Some(__inputs) = ::cot_core::__private::inputs::<
                                    Note,
                                >(__scope.inputs) else {
                                    return ::core::result::Result::Err(
                                        ::cot_core::__private::missing_value_error("inputs"),
                                    )
                                };
                                ::cot_core::__private::call_check(
                                    (&__output, __scope.state, __inputs),
                                    __scope,
                                    fits,
                                )?;
                                ::core::result::Result::Ok(KindsOutput::Review(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value)
                                    .map(KindsOutput::Review)
                            },
                            commit: |__output, __state, __scope| match __output {
                                KindsOutput::Review(__output) => {
                                    let ::core::option::Option::Some(__inputs) = ::cot_core::__private::inputs::<
                                        Note,
                                    >(__scope.inputs) else {
                                        return ::core::result::Result::Err(
                                            ::cot_core::__private::missing_value_error("inputs"),
                                        )
                                    };
                                    let mut __value = ::core::clone::Clone::clone(&*__state);
                                    let __chosen = {
                                        let __before = &*__state;
                                        let __state = &mut __value;
                                        ::cot_core::__private::call_choosing_process_output(
                                            (__output, &mut *__state, __inputs),
                                            __before,
                                            __scope,
                                            ::core::marker::PhantomData::<KindsReviewChoice>,
                                            judge,
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
                                KindsOutput::Review(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::Some(|__scope, __out| {
                            let state = &(*__scope.state);
                            let ::core::option::Option::Some(page) = ({
                                let state = &(*__scope.state);
                                ::cot_core::__private::nth(&state.pages, __scope.item)
                            }) else {
                                return ::core::result::Result::Err(::core::fmt::Error)
                            };
                            ::cot_core::__private::write_text(__out, "Read ")?;
                            ::cot_core::__private::show::<
                                1usize,
                                6usize,
                                _,
                            >(
                                __out,
                                &[],
                                ::cot_core::__private::Stability::Volatile,
                                &(page.text),
                            )?;
                            ::cot_core::__private::write_text(__out, " of ")?;
                            ::cot_core::__private::show::<
                                1usize,
                                22usize,
                                _,
                            >(
                                __out,
                                &["pages"],
                                ::cot_core::__private::Stability::Volatile,
                                &(state.pages.len()),
                            )?;
                            ::core::result::Result::Ok(())
                        }),
                        full_prompt: ::core::option::Option::Some(|__scope, __out| {
                            ::cot_core::__private::standard_part(
                                __scope,
                                __out,
                                "goal",
                            )?;
                            ::cot_core::__private::write_text(__out, "\n")?;
                            ::cot_core::__private::show::<
                                2usize,
                                1usize,
                                _,
                            >(
                                __out,
                                &[],
                                ::cot_core::__private::Stability::Volatile,
                                &(::cot_core::__private::quoted(
                                    &(::cot_core::__private::part(
                                        __scope,
                                        |__scope, __out| ::cot_core::__private::standard_part(
                                            __scope,
                                            __out,
                                            "prompt",
                                        ),
                                    )),
                                )),
                            )?;
                            ::core::result::Result::Ok(())
                        }),
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[
                            ::cot_core::__private::ArmCode {
                                guard: ::core::option::Option::Some(|__scope, __output| {
                                    let last_output = __scope.last_output;
                                    last_output.is_some()
                                }),
                                with: ::core::option::Option::None,
                            },
                            ::cot_core::__private::ArmCode::NONE,
                        ],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Found>,
                            ),
                            read: |__value, __scope| {
                                let __output: ::std::vec::Vec<Found> = ::cot_core::__private::read(
                                    __value,
                                )?;
                                ::core::result::Result::Ok(KindsOutput::Scan(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value).map(KindsOutput::Scan)
                            },
                            commit: |__output, __state, __scope| match __output {
                                KindsOutput::Scan(__output) => {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainValue as _;
                                    let value_0;
                                    if false {
                                        value_0 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::assigned_type(&mut (*__state).found)
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
                                            &mut (*__state).found,
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
                                KindsOutput::Scan(__output) => {
                                    ::cot_core::__private::to_json(__output)
                                }
                                _ => {
                                    ::core::result::Result::Ok(
                                        ::core::default::Default::default(),
                                    )
                                }
                            },
                        }),
                        mock: ::core::option::Option::Some(|__scope| {
                            let ::core::option::Option::Some(__item) = ({
                                let state = &(*__scope.state);
                                ::cot_core::__private::nth(&state.pages, __scope.item)
                            }) else {
                                return ::core::result::Result::Err(
                                    ::cot_core::__private::mock_error("item"),
                                )
                            };
                            ::cot_core::__private::encode_mock(
                                ::cot_core::__private::call_mock(
                                    (__scope.state, __item),
                                    __scope,
                                    ::core::marker::PhantomData::<Found>,
                                    mock_found,
                                ),
                            )
                        }),
                        conversation: ::cot_core::__private::ConversationCode::NONE,
                        work: ::cot_core::__private::TaskFunction::Each(::cot_core::__private::EachCode {
                            count: |__scope| {
                                let state = &(*__scope.state);
                                ::cot_core::__private::count(&state.pages)
                            },
                            read: |__value, __scope| {
                                let __output: Found = ::cot_core::__private::read(__value)?;
                                let ::core::option::Option::Some(__item) = ({
                                    let state = &(*__scope.state);
                                    ::cot_core::__private::nth(&state.pages, __scope.item)
                                }) else {
                                    return ::core::result::Result::Err(
                                        ::cot_core::__private::missing_value_error("item"),
                                    )
                                };
                                ::cot_core::__private::call_check(
                                    (&__output, __scope.state, __item),
                                    __scope,
                                    found_in,
                                )?;
                                ::core::result::Result::Ok(
                                    KindsOutput::Scan(::std::vec::Vec::from([__output])),
                                )
                            },
                            work: ::cot_core::__private::ItemFunction::None,
                        }),
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[const {
                            ::cot_core::__private::ArmCode::<Kinds>::NONE
                        }; 1usize],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::None,
                            read: |__value, __scope| {
                                let __output: <crate::Other as ::cot_core::ProcessTypes>::State = ::cot_core::__private::read(
                                    __value,
                                )?;
                                ::core::result::Result::Ok(KindsOutput::Sub(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value).map(KindsOutput::Sub)
                            },
                            commit: |__output, __state, __scope| match __output {
                                KindsOutput::Sub(__output) => {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainValue as _;
                                    let value_0;
                                    if false {
                                        value_0 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::assigned_type(&mut (*__state).result)
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
                                            &mut (*__state).result,
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
                                KindsOutput::Sub(__output) => {
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
                        work: ::cot_core::__private::TaskFunction::Process(::cot_core::__private::SubProcess {
                            begin: |__scope| {
                                let goal: &::core::primitive::str = __scope.goal;
                                ::core::option::Option::Some(
                                    ::cot_core::__private::begin::<
                                        crate::Other,
                                        _,
                                    >(Start::of(goal), __scope),
                                )
                            },
                            resume: ::cot_core::__private::resume::<crate::Other, _>,
                            describe: ::cot_core::__private::describe::<crate::Other>,
                            end: |__scope| {
                                ::cot_core::__private::end::<crate::Other>(__scope)
                                    .map(KindsOutput::Sub)
                            },
                        }),
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::Some(|__scope, __out| {
                            let state = &(*__scope.state);
                            ::cot_core::__private::write_text(__out, "Is ")?;
                            ::cot_core::__private::show::<
                                1usize,
                                4usize,
                                _,
                            >(
                                __out,
                                &["path"],
                                ::cot_core::__private::Stability::Volatile,
                                &(state.path),
                            )?;
                            ::cot_core::__private::write_text(__out, " right?")?;
                            ::core::result::Result::Ok(())
                        }),
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[const {
                            ::cot_core::__private::ArmCode::<Kinds>::NONE
                        }; 1usize],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<
                                    ::cot_core::reasoning::Reasoning,
                                >,
                            ),
                            read: |__value, __scope| {
                                let __output: ::cot_core::reasoning::Reasoning = ::cot_core::__private::read(
                                    __value,
                                )?;
                                ::cot_core::__private::call_check(
                                    (&__output, __scope.state),
                                    __scope,
                                    thought,
                                )?;
                                ::core::result::Result::Ok(KindsOutput::Think(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value).map(KindsOutput::Think)
                            },
                            commit: |__output, __state, __scope| match __output {
                                KindsOutput::Think(__output) => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                KindsOutput::Think(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[const {
                            ::cot_core::__private::ArmCode::<Kinds>::NONE
                        }; 1usize],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::None,
                            read: |__value, __scope| {
                                let __output: <Other as ::cot_core::ProcessTypes>::State = ::cot_core::__private::read(
                                    __value,
                                )?;
                                ::core::result::Result::Ok(KindsOutput::Twin(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value).map(KindsOutput::Twin)
                            },
                            commit: |__output, __state, __scope| match __output {
                                KindsOutput::Twin(__output) => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                KindsOutput::Twin(__output) => {
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
                        work: ::cot_core::__private::TaskFunction::Process(::cot_core::__private::SubProcess {
                            begin: |__scope| {
                                ::core::option::Option::Some(
                                    ::cot_core::__private::begin::<
                                        Other,
                                        _,
                                    >(
                                        ::cot_core::__private::start_from::<
                                            Other,
                                            crate::State,
                                        >(__scope.state),
                                        __scope,
                                    ),
                                )
                            },
                            resume: ::cot_core::__private::resume::<Other, _>,
                            describe: ::cot_core::__private::describe::<Other>,
                            end: |__scope| {
                                ::cot_core::__private::end::<Other>(__scope)
                                    .map(KindsOutput::Twin)
                            },
                        }),
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::Some(|__scope, __out| {
                            ::cot_core::__private::write_text(__out, "no")?;
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
                    const TASK: ::cot_core::__private::TaskCode<Kinds> = ::cot_core::__private::TaskCode {
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
        type SubProcesses = (crate::Other, (Other, ()));
        type Bounds<D: ::cot_core::__private::BoundsDepth> = __KindsBounds<D>;
        const PLACE: &'static ::core::primitive::str = ::core::concat!(
            ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!(), ":",
            ::core::stringify!(Kinds),
        );
        fn schemas() -> &'static ::cot_core::__private::SchemaCache {
            static SCHEMAS: ::cot_core::__private::SchemaCache = ::cot_core::__private::SchemaCache::new();
            &SCHEMAS
        }
        fn outcome(
            __ending: ::cot_core::__private::Ending<Self::Task>,
        ) -> Self::Outcome {
            match __ending {
                ::cot_core::__private::Ending::Fail(KindsTask::Failed, __value) => {
                    KindsOutcome::Failed(__value)
                }
                ::cot_core::__private::Ending::End(KindsTask::Done) => KindsOutcome::Done,
                ::cot_core::__private::Ending::End(__value)
                | ::cot_core::__private::Ending::Fail(__value, _)
                | ::cot_core::__private::Ending::RanOut(__value) => {
                    KindsOutcome::RanOut(__value)
                }
                ::cot_core::__private::Ending::Halted(__value) => {
                    KindsOutcome::Halted(::std::boxed::Box::new(__value))
                }
            }
        }
    }
    const _: () = ::cot_core::__private::check_runs_end::<Kinds>();
    pub struct __KindsBounds<D>(::core::marker::PhantomData<D>);
    use ::cot_core::__private::Bounded as __Bounded;
    impl<D: ::cot_core::__private::BoundsDepth> __Bounded for __KindsBounds<D> {
        const RUN: ::cot_core::__private::WorstCase = {
            let node_0 = ::cot_core::__private::WorstCase::NOTHING;
            let node_1 = ::cot_core::__private::WorstCase::NOTHING;
            let node_2 = <D::Bounds<Other> as ::cot_core::__private::Bounded>::RUN
                .times(::cot_core::__private::Bound::at_most(1u64))
                .plus(node_1);
            let node_3 = ::cot_core::__private::WorstCase {
                model_calls: ::cot_core::__private::Bound::at_most(6u64),
                output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
                prompt_bytes: ::cot_core::__private::Bound::at_most(60u64),
                ..::cot_core::__private::WorstCase::NOTHING
            }
                .plus(node_2);
            let node_4 = <D::Bounds<crate::Other> as ::cot_core::__private::Bounded>::RUN
                .times(::cot_core::__private::Bound::at_most(1u64))
                .plus(node_3);
            let node_5 = ::cot_core::__private::WorstCase {
                model_calls: ::cot_core::__private::Bound::UNBOUNDED,
                output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
                prompt_bytes: ::cot_core::__private::Bound::UNBOUNDED,
                ..::cot_core::__private::WorstCase::NOTHING
            }
                .plus(node_1.or(node_4));
            let node_6 = ::cot_core::__private::WorstCase {
                function_calls: ::cot_core::__private::Bound::at_most(4u64),
                ..::cot_core::__private::WorstCase::NOTHING
            };
            let node_7 = ::cot_core::__private::WorstCase {
                questions: ::cot_core::__private::Bound::at_most(1u64),
                ..::cot_core::__private::WorstCase::NOTHING
            };
            let node_8 = ::cot_core::__private::WorstCase::NOTHING
                .plus(node_6.or(node_7))
                .times(::cot_core::__private::Bound::UNBOUNDED)
                .plus(node_4.or(node_5));
            let node_9 = ::cot_core::__private::WorstCase {
                model_calls: ::cot_core::__private::Bound::at_most(6u64),
                output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
                prompt_bytes: ::cot_core::__private::Bound::at_most(42u64),
                ..::cot_core::__private::WorstCase::NOTHING
            }
                .plus(node_0.or(node_5).or(node_8));
            node_9
                .limited(
                    <Self as ::cot_core::__private::Bounded>::STEP,
                    ::cot_core::__private::Limits {
                        steps: ::core::option::Option::None,
                        is_default: false,
                        model_calls: ::core::option::Option::Some(
                            ::cot_core::__private::Bound::at_most(5u64),
                        ),
                    },
                )
        };
        const STEP: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase::NOTHING
            .or(::cot_core::__private::WorstCase {
                model_calls: ::cot_core::__private::Bound::at_most(6u64),
                output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
                prompt_bytes: ::cot_core::__private::Bound::at_most(42u64),
                ..::cot_core::__private::WorstCase::NOTHING
            })
            .or(::cot_core::__private::WorstCase {
                function_calls: ::cot_core::__private::Bound::at_most(4u64),
                ..::cot_core::__private::WorstCase::NOTHING
            })
            .or(::cot_core::__private::WorstCase {
                questions: ::cot_core::__private::Bound::at_most(1u64),
                ..::cot_core::__private::WorstCase::NOTHING
            })
            .or(::cot_core::__private::WorstCase {
                model_calls: ::cot_core::__private::Bound::UNBOUNDED,
                output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
                prompt_bytes: ::cot_core::__private::Bound::UNBOUNDED,
                ..::cot_core::__private::WorstCase::NOTHING
            })
            .or(
                <D::Bounds<crate::Other> as ::cot_core::__private::Bounded>::STEP
                    .times(::cot_core::__private::Bound::at_most(1u64)),
            )
            .or(::cot_core::__private::WorstCase {
                model_calls: ::cot_core::__private::Bound::at_most(6u64),
                output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
                prompt_bytes: ::cot_core::__private::Bound::at_most(60u64),
                ..::cot_core::__private::WorstCase::NOTHING
            })
            .or(
                <D::Bounds<Other> as ::cot_core::__private::Bounded>::STEP
                    .times(::cot_core::__private::Bound::at_most(1u64)),
            )
            .or(::cot_core::__private::WorstCase::NOTHING)
            .or(::cot_core::__private::WorstCase::NOTHING);
    }
};
