///The process `Declared`.
/**

```mermaid
flowchart TD
    t0["make"]
    t1["work"]
    t2(["done"])
    start((start)) --> t0
    t0 ==>|"if state.plan.ready"| t1
    t0 ==> t0
    t1 ==> t2
```*/
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
pub(crate) struct Declared;
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl Declared {
    /// Creates a runner of this process, without a model.
    pub(crate) fn runner() -> ::cot_core::Runner<Self> {
        ::cot_core::Runner::new()
    }
    /// Checks that models can run this process, without calling them.
    ///
    /// # Errors
    ///
    /// Returns an error that lists all missing models and all schemas that an engine does not
    /// support.
    pub(crate) fn preflight(
        models: &::cot_core::Models,
    ) -> ::core::result::Result<(), ::cot_core::PreflightError> {
        <Self as ::cot_core::Preflight>::preflight(models)
    }
    /// Creates a machine of this process, for a driver of your own.
    pub(crate) fn machine() -> ::cot_core::Machine<Self> {
        ::cot_core::Machine::new()
    }
    /// Describes this process without running it.
    pub(crate) fn describe() -> ::cot_core::Description {
        ::cot_core::Description::new::<Self>()
    }
}
///The tasks of [`Declared`].
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
pub(crate) enum DeclaredTask {
    ///The task `make`.
    Make,
    ///The task `work`.
    Work,
    ///The task `done`.
    Done,
}
#[automatically_derived]
impl ::cot_core::TaskId for DeclaredTask {
    const ALL: &'static [Self] = &[Self::Make, Self::Work, Self::Done];
    fn name(self) -> &'static ::core::primitive::str {
        match self {
            Self::Make => "make",
            Self::Work => "work",
            Self::Done => "done",
        }
    }
}
#[automatically_derived]
impl ::core::fmt::Display for DeclaredTask {
    fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        formatter.write_str(::cot_core::TaskId::name(*self))
    }
}
::cot_core::__private::serde_of_task!(DeclaredTask);
///The outputs of the tasks of [`Declared`].
#[derive(::core::fmt::Debug, ::core::clone::Clone)]
pub(crate) enum DeclaredOutput {
    ///The output of the task `make`.
    Make(Plan),
    ///The output of the task `work`.
    Work(Note),
}
#[automatically_derived]
impl ::cot_core::__private::serde::Serialize for DeclaredOutput {
    fn serialize<S: ::cot_core::__private::serde::Serializer>(
        &self,
        __out: S,
    ) -> ::core::result::Result<S::Ok, S::Error> {
        match *self {
            Self::Make(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
            Self::Work(ref __value) => {
                ::cot_core::__private::serde::Serialize::serialize(__value, __out)
            }
        }
    }
}
///The outcome of a run of [`Declared`].
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
pub(crate) enum DeclaredOutcome {
    ///The run ended with the task `done`.
    Done,
    /// The run ended after this task, which has no next task and no caller.
    RanOut(DeclaredTask),
    /// The run halted with an error.
    Halted(::std::boxed::Box<::cot_core::Halt<DeclaredTask>>),
}
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl DeclaredOutcome {
    /// Returns why the run halted, if it did.
    pub(crate) fn halt(
        &self,
    ) -> ::core::option::Option<&::cot_core::Halt<DeclaredTask>> {
        match self {
            Self::Halted(halt) => ::core::option::Option::Some(halt),
            _ => ::core::option::Option::None,
        }
    }
    /// Returns why the run failed: the message of the `fail` task, or the task at which it halted and
    /// the reason. `None` if the run has not failed.
    pub(crate) fn why(&self) -> ::core::option::Option<::std::string::String> {
        match self {
            Self::Halted(halt) => {
                ::core::option::Option::Some(::std::string::ToString::to_string(halt))
            }
            _ => ::core::option::Option::None,
        }
    }
}
///The state of [`Declared`].
#[derive(
    ::core::fmt::Debug,
    ::core::clone::Clone,
    ::cot_core::__private::serde::Serialize,
    ::cot_core::__private::serde::Deserialize,
)]
#[serde(crate = "::cot_core::__private::serde")]
pub(crate) struct DeclaredState {
    /// What is wanted.
    #[serde(
        serialize_with = "::cot_core::__private::Field::write",
        deserialize_with = "::cot_core::__private::Field::read"
    )]
    pub(crate) request: String,
    ///The field `notes`.
    #[serde(
        serialize_with = "::cot_core::__private::Field::write",
        deserialize_with = "::cot_core::__private::Field::read"
    )]
    pub(crate) notes: Vec<String>,
    #[serde(default)]
    ///The field `plan`.
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    pub(crate) plan: ::core::option::Option<Plan>,
    ///The field `log`.
    #[serde(default)]
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    #[serde(
        serialize_with = "::cot_core::__private::Field::write_option",
        deserialize_with = "::cot_core::__private::Field::read_option"
    )]
    pub(crate) log: ::core::option::Option<Vec<String>>,
}
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl DeclaredState {
    /// Creates the state at the start of a run.
    #[must_use]
    pub(crate) fn new(request: String) -> Self {
        Self {
            request: request,
            notes: vec![],
            plan: ::core::option::Option::None,
            log: ::core::option::Option::None,
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
    #[allow(dead_code)]
    fn __part_planned(
        __scope: &::cot_core::Cx<'_, Declared>,
        __out: &mut ::cot_core::__private::PromptWriter,
    ) -> ::core::fmt::Result {
        let state = &(*__scope.state);
        let ::core::option::Option::Some(__field_plan) = &(*__scope.state).plan else {
            return ::core::result::Result::Err(::core::fmt::Error)
        };
        ::cot_core::__private::show::<
            1usize,
            1usize,
            _,
        >(
            __out,
            &["plan"],
            ::cot_core::__private::Stability::Volatile,
            &((*__field_plan).title),
        )?;
        ::core::result::Result::Ok(())
    }
    impl ::cot_core::ProcessTypes for Declared {
        type State = DeclaredState;
        type Task = DeclaredTask;
        type Output = DeclaredOutput;
        type Context = ();
        type Outcome = DeclaredOutcome;
    }
    use ::cot_core::__private::InheritContext as __InheritContext;
    impl<C> __InheritContext<C> for Declared {
        fn inherit_context(_: &::std::sync::Arc<C>) -> ::std::sync::Arc<()> {
            ::std::sync::Arc::new(())
        }
    }
    impl ::cot_core::Process for Declared {
        const DEFINITION: &'static ::cot_core::__private::Definition = &::cot_core::__private::Definition {
            about: ::cot_core::About {
                name: "Declared",
                title: "Declared",
                description: "Declared",
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
            bounds: ::cot_core::__private::BoundsDefinition {
                run: ::cot_core::__private::worst_case::<Self>(),
                default_steps: ::core::option::Option::Some(200u64),
                at_most: ::core::option::Option::None,
                causes: &["`make` sets no `max_tokens`", "`work` sets no `max_tokens`"],
            },
            mock_mode: ::core::option::Option::None,
            uses_goal: false,
            uses_last_output: false,
            order: ::core::option::Option::None,
            texts: ::cot_core::__private::ProcessTexts {
                intro: ::core::option::Option::Some(
                    ::cot_core::__private::TextFacts::new(
                        1usize,
                        0usize,
                        [1usize, 0usize, 1usize],
                        3808808377474212047u64,
                    ),
                ),
                ..::cot_core::__private::ProcessTexts::NONE
            },
            prompt_hash: 14100875039515324163u64,
            mermaid: "flowchart TD\n    t0[\"make\"]\n    t1[\"work\"]\n    t2([\"done\"])\n    start((start)) --> t0\n    t0 ==>|\"if state.plan.ready\"| t1\n    t0 ==> t0\n    t1 ==> t2\n",
            tools: ::cot_core::__private::ToolsDefinition::NONE,
            trust: &::cot_core::__private::TrustDefinition::NONE,
            tasks: &[
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "make",
                        title: "make",
                        description: "make",
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
                    next: &[1usize, 0usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts {
                        prompt: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                8usize,
                                8usize,
                                [0usize, 0usize, 1usize],
                                8060706102593435254u64,
                            ),
                        ),
                        ..::cot_core::__private::TaskTexts::NONE
                    },
                    prompt_hash: 2269713850971057414u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "work",
                        title: "work",
                        description: "work",
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
                    takes_inputs: true,
                    has_mock: false,
                    mock_mode: ::core::option::Option::None,
                    choices: &[],
                    next: &[2usize],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts {
                        prompt: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                2usize,
                                0usize,
                                [0usize, 0usize, 3usize],
                                10775698261842876295u64,
                            ),
                        ),
                        ..::cot_core::__private::TaskTexts::NONE
                    },
                    prompt_hash: 3117271335043450059u64,
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
            intro: ::core::option::Option::Some(|__scope, __out| {
                let state = &(*__scope.state);
                ::cot_core::__private::show::<
                    1usize,
                    1usize,
                    _,
                >(
                    __out,
                    &["request"],
                    ::cot_core::__private::Stability::PerRun,
                    &(state.request),
                )?;
                ::cot_core::__private::write_text(__out, " ")?;
                ::cot_core::__private::show_json::<
                    1usize,
                    18usize,
                    _,
                >(__out, &[""], ::cot_core::__private::Stability::Volatile, &(state))?;
                ::core::result::Result::Ok(())
            }),
            system: ::core::option::Option::None,
            primers: &[],
            part_names: &["planned"],
            parts: &[__part_planned],
            mirror: ::core::option::Option::None,
            mock: ::core::option::Option::None,
            tools: &[],
            tasks: &[
                {
                    const TASK: ::cot_core::__private::TaskCode<Declared> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::Some(|__scope, __out| {
                            let state = &(*__scope.state);
                            ::cot_core::__private::write_text(__out, "So far: ")?;
                            ::cot_core::__private::show_json::<
                                1usize,
                                9usize,
                                _,
                            >(
                                __out,
                                &["plan"],
                                ::cot_core::__private::Stability::Volatile,
                                &(state.plan),
                            )?;
                            ::core::result::Result::Ok(())
                        }),
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
                                    let ::core::option::Option::Some(__field_plan) = &(*__scope
                                        .state)
                                        .plan else { return false };
                                    (*__field_plan).ready
                                }),
                                with: ::core::option::Option::Some(|__scope, __output| {
                                    let state = &(*__scope.state);
                                    let ::core::option::Option::Some(__field_plan) = &(*__scope
                                        .state)
                                        .plan else { return ::core::option::Option::None };
                                    ::core::option::Option::Some(
                                        <Plan as ::cot_core::__private::TaskInputs>::deliver(
                                            ((*__field_plan)).clone(),
                                        ),
                                    )
                                }),
                            },
                            ::cot_core::__private::ArmCode::NONE,
                        ],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Plan>,
                            ),
                            read: |__value, __scope| {
                                let __output: Plan = ::cot_core::__private::read(__value)?;
                                ::core::result::Result::Ok(DeclaredOutput::Make(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value)
                                    .map(DeclaredOutput::Make)
                            },
                            commit: |__output, __state, __scope| match __output {
                                DeclaredOutput::Make(__output) => {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainValue as _;
                                    let value_0;
                                    if false {
                                        value_0 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::value_type(&mut (*__state).plan)
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
                                            ::cot_core::__private::assigned_type(
                                                &mut (*::cot_core::__private::value_slot(
                                                    &mut (*__state).plan,
                                                ))
                                                    .title,
                                            )
                                        };
                                    } else {
                                        value_1 = {
                                            ::cot_core::__private::Assigned({
                                                    let state = &(*__state);
                                                    (state.request).clone()
                                                })
                                                .into_field()
                                        };
                                    }
                                    let value_2;
                                    if false {
                                        value_2 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::value_type(&mut (*__state).log)
                                        };
                                    } else {
                                        value_2 = { vec![] };
                                    }
                                    {
                                        let __state = &mut *__state;
                                        ::cot_core::__private::assign(
                                            &mut (*__state).plan,
                                            ::core::option::Option::Some(value_0),
                                        )
                                    };
                                    {
                                        let __state = &mut *__state;
                                        if let ::core::option::Option::Some(__field_plan) = &mut __state
                                            .plan
                                        {
                                            ::cot_core::__private::assign(
                                                &mut (*__field_plan).title,
                                                value_1,
                                            );
                                        }
                                    };
                                    {
                                        let __state = &mut *__state;
                                        ::cot_core::__private::assign(
                                            &mut (*__state).log,
                                            ::core::option::Option::Some(value_2),
                                        )
                                    };
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                DeclaredOutput::Make(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<Declared> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::Some(|__scope, __out| {
                            let state = &(*__scope.state);
                            let ::core::option::Option::Some(inputs) = ::cot_core::__private::inputs::<
                                Plan,
                            >(__scope.inputs) else {
                                return ::core::result::Result::Err(::core::fmt::Error)
                            };
                            let ::core::option::Option::Some(__field_plan) = &(*__scope
                                .state)
                                .plan else {
                                return ::core::result::Result::Err(::core::fmt::Error)
                            };
                            ::cot_core::__private::own_part(
                                __scope,
                                __out,
                                "planned",
                                __part_planned,
                            )?;
                            ::cot_core::__private::write_text(__out, " ")?;
                            ::cot_core::__private::show::<
                                1usize,
                                18usize,
                                _,
                            >(
                                __out,
                                &[],
                                ::cot_core::__private::Stability::Volatile,
                                &(inputs.title),
                            )?;
                            ::cot_core::__private::write_text(__out, " ")?;
                            ::cot_core::__private::show::<
                                1usize,
                                34usize,
                                _,
                            >(
                                __out,
                                &["plan"],
                                ::cot_core::__private::Stability::Volatile,
                                &(format!("{}", (* __field_plan).title)),
                            )?;
                            ::core::result::Result::Ok(())
                        }),
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::Some(|__state| ::cot_core::__private::first_unwritten(
                            &[
                                ("plan", ::core::option::Option::is_some(&__state.plan)),
                                ("log", ::core::option::Option::is_some(&__state.log)),
                            ],
                        )),
                        inputs: ::core::option::Option::Some(::cot_core::__private::InputsCode {
                            schema: ::core::option::Option::None,
                            read: <Plan as ::cot_core::__private::TaskInputs>::read,
                        }),
                        transitions: &[],
                        next: &[const {
                            ::cot_core::__private::ArmCode::<Declared>::NONE
                        }; 1usize],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<Note>,
                            ),
                            read: |__value, __scope| {
                                let __output: Note = ::cot_core::__private::read(__value)?;
                                ::core::result::Result::Ok(DeclaredOutput::Work(__output))
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value)
                                    .map(DeclaredOutput::Work)
                            },
                            commit: |__output, __state, __scope| match __output {
                                DeclaredOutput::Work(__output) => {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainValue as _;
                                    let value_0;
                                    if false {
                                        value_0 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::appended_type({
                                                let __place = &mut (*::cot_core::__private::value_slot(
                                                    &mut (*__state).log,
                                                ));
                                                __place
                                            })
                                        };
                                    } else {
                                        value_0 = {
                                            ::cot_core::__private::Assigned({
                                                    let output = ::core::clone::Clone::clone(__output);
                                                    output.text
                                                })
                                                .into_field()
                                        };
                                    }
                                    let key_0_1;
                                    if false {
                                        key_0_1 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::inserted_key_type({
                                                let __place = &mut (*::cot_core::__private::value_slot(
                                                    &mut (*__state).plan,
                                                ))
                                                    .notes;
                                                __place
                                            })
                                        };
                                    } else {
                                        key_0_1 = ::core::convert::Into::into({ "last" });
                                    }
                                    let value_1;
                                    if false {
                                        value_1 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::inserted_type({
                                                let __place = &mut (*::cot_core::__private::value_slot(
                                                    &mut (*__state).plan,
                                                ))
                                                    .notes;
                                                __place
                                            })
                                        };
                                    } else {
                                        value_1 = {
                                            let state = &(*__state);
                                            let ::core::option::Option::Some(__field_plan) = &(*__state)
                                                .plan else {
                                                return ::core::result::Result::Err(
                                                    ::cot_core::__private::missing_value_error("plan"),
                                                )
                                            };
                                            format!("{}", (* __field_plan).title)
                                        };
                                    }
                                    let mut copy_0 = if true {
                                        ::core::option::Option::Some(
                                            ::core::clone::Clone::clone(&*__state),
                                        )
                                    } else {
                                        ::core::option::Option::None
                                    };
                                    {
                                        let __state = match &mut copy_0 {
                                            ::core::option::Option::Some(copy_0) => copy_0,
                                            ::core::option::Option::None => &mut *__state,
                                        };
                                        ::cot_core::__private::require_set(&__state.log, "log")?;
                                        ::cot_core::__private::require_set(&__state.plan, "plan")?;
                                        {
                                            let __state = &mut *__state;
                                            if let ::core::option::Option::Some(__field_log) = &mut __state
                                                .log
                                            {
                                                ::cot_core::__private::append(
                                                    {
                                                        let __place = &mut (*__field_log);
                                                        __place
                                                    },
                                                    value_0,
                                                );
                                            }
                                        };
                                        {
                                            let __state = &mut *__state;
                                            if let ::core::option::Option::Some(__field_plan) = &mut __state
                                                .plan
                                            {
                                                ::cot_core::__private::insert(
                                                    {
                                                        let __place = &mut (*__field_plan).notes;
                                                        __place
                                                    },
                                                    key_0_1,
                                                    value_1,
                                                );
                                            }
                                        };
                                    }
                                    if let ::core::option::Option::Some(copy_0) = copy_0 {
                                        ::cot_core::__private::assign(__state, copy_0);
                                    }
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                DeclaredOutput::Work(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<Declared> = ::cot_core::__private::TaskCode {
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
        type Bounds<D: ::cot_core::__private::BoundsDepth> = __DeclaredBounds<D>;
        const PLACE: &'static ::core::primitive::str = ::core::concat!(
            ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!(), ":",
            ::core::stringify!(Declared),
        );
        fn schemas() -> &'static ::cot_core::__private::SchemaCache {
            static SCHEMAS: ::cot_core::__private::SchemaCache = ::cot_core::__private::SchemaCache::new();
            &SCHEMAS
        }
        fn outcome(
            __ending: ::cot_core::__private::Ending<Self::Task>,
        ) -> Self::Outcome {
            match __ending {
                ::cot_core::__private::Ending::End(DeclaredTask::Done) => {
                    DeclaredOutcome::Done
                }
                ::cot_core::__private::Ending::End(__value)
                | ::cot_core::__private::Ending::Fail(__value, _)
                | ::cot_core::__private::Ending::RanOut(__value) => {
                    DeclaredOutcome::RanOut(__value)
                }
                ::cot_core::__private::Ending::Halted(__value) => {
                    DeclaredOutcome::Halted(::std::boxed::Box::new(__value))
                }
            }
        }
    }
    pub struct __DeclaredBounds<D>(::core::marker::PhantomData<D>);
    use ::cot_core::__private::Bounded as __Bounded;
    impl<D: ::cot_core::__private::BoundsDepth> __Bounded for __DeclaredBounds<D> {
        const RUN: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase {
            model_calls: ::cot_core::__private::Bound::at_most(600u64),
            output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
            prompt_bytes: ::cot_core::__private::Bound::at_most(5400u64),
            ..::cot_core::__private::WorstCase::NOTHING
        };
        const STEP: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase {
            model_calls: ::cot_core::__private::Bound::at_most(3u64),
            output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
            prompt_bytes: ::cot_core::__private::Bound::at_most(27u64),
            ..::cot_core::__private::WorstCase::NOTHING
        };
    }
};
