/// Adds fields to a data source, one at a time.
/**

```mermaid
flowchart TD
    t0["Decide what to do next"]
    t1["add_field"]
    t2(["done"])
    start((start)) --> t0
    t0 -->|"Add one more field if state.current_ds.fields.len() #lt; 50"| t1
    t0 -->|"The data source serves the goal"| t2
    t1 -.-> t0
```*/
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
pub struct DsBuilder;
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl DsBuilder {
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
///The tasks of [`DsBuilder`].
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
pub enum DsBuilderTask {
    ///The task `decide`.
    Decide,
    ///The task `add_field`.
    AddField,
    ///The task `done`.
    Done,
}
#[automatically_derived]
impl ::cot_core::TaskId for DsBuilderTask {
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
impl ::core::fmt::Display for DsBuilderTask {
    fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        formatter.write_str(::cot_core::TaskId::name(*self))
    }
}
::cot_core::__private::serde_of_task!(DsBuilderTask);
///The outputs of the tasks of [`DsBuilder`].
#[derive(::core::fmt::Debug, ::core::clone::Clone)]
pub enum DsBuilderOutput {
    ///The output of the task `add_field`.
    AddField(FieldDef),
}
#[automatically_derived]
impl ::cot_core::__private::serde::Serialize for DsBuilderOutput {
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
///The outcome of a run of [`DsBuilder`].
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
pub enum DsBuilderOutcome {
    ///The run ended with the task `done`.
    Done,
    /// The run ended after this task, which has no next task and no caller.
    RanOut(DsBuilderTask),
    /// The run halted with an error.
    Halted(::std::boxed::Box<::cot_core::Halt<DsBuilderTask>>),
}
#[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
impl DsBuilderOutcome {
    /// Returns why the run halted, if it did.
    pub fn halt(&self) -> ::core::option::Option<&::cot_core::Halt<DsBuilderTask>> {
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
    #[allow(dead_code)]
    fn __part_field_rules(
        __scope: &::cot_core::Cx<'_, DsBuilder>,
        __out: &mut ::cot_core::__private::PromptWriter,
    ) -> ::core::fmt::Result {
        let state = &(*__scope.state);
        ::cot_core::__private::write_text(__out, "Names in camelCase, as in ")?;
        ::cot_core::__private::show::<
            1usize,
            27usize,
            _,
        >(
            __out,
            &["example"],
            ::cot_core::__private::Stability::PerRun,
            &(::cot_core::__private::quoted(&state.example)),
        )?;
        ::cot_core::__private::write_text(__out, ".")?;
        ::core::result::Result::Ok(())
    }
    impl ::cot_core::ProcessTypes for DsBuilder {
        type State = BuilderState;
        type Task = DsBuilderTask;
        type Output = DsBuilderOutput;
        type Context = ();
        type Outcome = DsBuilderOutcome;
    }
    use ::cot_core::__private::InheritContext as __InheritContext;
    impl<C> __InheritContext<C> for DsBuilder {
        fn inherit_context(_: &::std::sync::Arc<C>) -> ::std::sync::Arc<()> {
            ::std::sync::Arc::new(())
        }
    }
    impl ::cot_core::Process for DsBuilder {
        const DEFINITION: &'static ::cot_core::__private::Definition = &::cot_core::__private::Definition {
            about: ::cot_core::About {
                name: "DsBuilder",
                title: "DsBuilder",
                description: "Adds fields to a data source, one at a time.",
            },
            place: Self::PLACE,
            version: ::core::option_env!("CARGO_PKG_VERSION"),
            engines: &[],
            settings: ::cot_core::__private::SettingsDefinition::DEFAULT,
            max_retries: ::core::option::Option::Some(2),
            max_repeats: ::core::option::Option::None,
            history: ::cot_core::__private::HistoryLimit::Last(20usize),
            state_max_items: ::core::option::Option::None,
            start: 0usize,
            default_return: ::core::option::Option::Some(0usize),
            max_steps: ::core::option::Option::None,
            timeout: ::core::option::Option::None,
            budget: ::cot_core::Budget::NONE,
            bounds: ::cot_core::__private::BoundsDefinition {
                run: ::cot_core::__private::worst_case::<Self>(),
                default_steps: ::core::option::Option::Some(200u64),
                at_most: ::core::option::Option::None,
                causes: &[
                    "`decide` sets no `max_tokens`",
                    "`add_field` sets no `max_tokens`",
                ],
            },
            mock_mode: ::core::option::Option::None,
            uses_goal: false,
            uses_last_output: false,
            order: ::core::option::Option::None,
            texts: ::cot_core::__private::ProcessTexts {
                intro: ::core::option::Option::Some(
                    ::cot_core::__private::TextFacts::new(
                        38usize,
                        38usize,
                        [0usize, 0usize, 1usize],
                        8241201079879910725u64,
                    ),
                ),
                ..::cot_core::__private::ProcessTexts::NONE
            },
            prompt_hash: 7657538458373008596u64,
            mermaid: "flowchart TD\n    t0[\"Decide what to do next\"]\n    t1[\"add_field\"]\n    t2([\"done\"])\n    start((start)) --> t0\n    t0 -->|\"Add one more field if state.current_ds.fields.len() #lt; 50\"| t1\n    t0 -->|\"The data source serves the goal\"| t2\n    t1 -.-> t0\n",
            tools: ::cot_core::__private::ToolsDefinition::NONE,
            trust: &::cot_core::__private::TrustDefinition::NONE,
            tasks: &[
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "decide",
                        title: "Decide what to do next",
                        description: "Decide what to do next",
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
                    texts: ::cot_core::__private::TaskTexts {
                        labels: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                31usize,
                                0usize,
                                [0usize, 0usize, 1usize],
                                2353874944726645360u64,
                            ),
                        ),
                        ..::cot_core::__private::TaskTexts::NONE
                    },
                    prompt_hash: 8707404196989706079u64,
                },
                ::cot_core::__private::TaskDefinition {
                    about: ::cot_core::About {
                        name: "add_field",
                        title: "add_field",
                        description: "Makes one field.",
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
                    next: &[],
                    on: ::cot_core::__private::OnRoutes::NONE,
                    in_sequence: ::core::option::Option::None,
                    texts: ::cot_core::__private::TaskTexts {
                        prompt: ::core::option::Option::Some(
                            ::cot_core::__private::TextFacts::new(
                                58usize,
                                57usize,
                                [1usize, 0usize, 0usize],
                                12587490361084719769u64,
                            ),
                        ),
                        ..::cot_core::__private::TaskTexts::NONE
                    },
                    prompt_hash: 16991838817248889095u64,
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
            goal: ::core::option::Option::Some(|__scope, __out| {
                ::cot_core::__private::write_text(
                    __out,
                    "Add the fields needed for a date-range order search",
                )?;
                ::core::result::Result::Ok(())
            }),
            intro: ::core::option::Option::Some(|__scope, __out| {
                let state = &(*__scope.state);
                ::cot_core::__private::write_text(
                    __out,
                    "You assist in building a data source:\n",
                )?;
                ::cot_core::__private::show_json::<
                    2usize,
                    1usize,
                    _,
                >(
                    __out,
                    &["current_ds"],
                    ::cot_core::__private::Stability::Volatile,
                    &(state.current_ds),
                )?;
                ::core::result::Result::Ok(())
            }),
            system: ::core::option::Option::None,
            primers: &[],
            part_names: &["field_rules"],
            parts: &[__part_field_rules],
            mirror: ::core::option::Option::None,
            mock: ::core::option::Option::None,
            tools: &[],
            tasks: &[
                {
                    const TASK: ::cot_core::__private::TaskCode<DsBuilder> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::None,
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[
                            ::cot_core::__private::TransitionCode {
                                label: ::core::option::Option::Some(|__scope, __out| {
                                    ::cot_core::__private::write_text(
                                        __out,
                                        "Add one more field",
                                    )?;
                                    ::core::result::Result::Ok(())
                                }),
                                guard: ::core::option::Option::Some(|__scope| {
                                    let state = &(*__scope.state);
                                    state.current_ds.fields.len() < 50
                                }),
                                with: ::core::option::Option::None,
                            },
                            ::cot_core::__private::TransitionCode {
                                label: ::core::option::Option::Some(|__scope, __out| {
                                    ::cot_core::__private::write_text(
                                        __out,
                                        "The data source serves the goal",
                                    )?;
                                    ::core::result::Result::Ok(())
                                }),
                                guard: ::core::option::Option::None,
                                with: ::core::option::Option::None,
                            },
                        ],
                        next: &[],
                        output: ::core::option::Option::None,
                        mock: ::core::option::Option::None,
                        conversation: ::cot_core::__private::ConversationCode::NONE,
                        work: ::cot_core::__private::TaskFunction::None,
                    };
                    TASK
                },
                {
                    const TASK: ::cot_core::__private::TaskCode<DsBuilder> = ::cot_core::__private::TaskCode {
                        prompt: ::core::option::Option::Some(|__scope, __out| {
                            ::cot_core::__private::write_text(
                                __out,
                                "Generate one field definition.\n",
                            )?;
                            ::cot_core::__private::own_part(
                                __scope,
                                __out,
                                "field_rules",
                                __part_field_rules,
                            )?;
                            ::core::result::Result::Ok(())
                        }),
                        full_prompt: ::core::option::Option::None,
                        errors_primer: ::core::option::Option::None,
                        fail: ::core::option::Option::None,
                        unwritten: ::core::option::Option::None,
                        inputs: ::core::option::Option::None,
                        transitions: &[],
                        next: &[],
                        output: ::core::option::Option::Some(::cot_core::__private::OutputCode {
                            schema: ::core::option::Option::Some(
                                ::cot_core::__private::schema_of::<FieldDef>,
                            ),
                            read: |__value, __scope| {
                                let __output: FieldDef = ::cot_core::__private::read(
                                    __value,
                                )?;
                                ::cot_core::__private::call_check(
                                    (&__output, __scope.state),
                                    __scope,
                                    no_duplicate_name,
                                )?;
                                ::core::result::Result::Ok(
                                    DsBuilderOutput::AddField(__output),
                                )
                            },
                            check: ::core::option::Option::None,
                            restore: |__value| {
                                ::cot_core::__private::read(__value)
                                    .map(DsBuilderOutput::AddField)
                            },
                            commit: |__output, __state, __scope| match __output {
                                DsBuilderOutput::AddField(__output) => {
                                    #[allow(unused_imports)]
                                    use ::cot_core::__private::PlainValue as _;
                                    let value_0;
                                    if false {
                                        value_0 = {
                                            let __state = &mut *__state;
                                            ::cot_core::__private::appended_type({
                                                let __place = &mut (*__state).current_ds.fields;
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
                                            ::cot_core::__private::assigned_type(
                                                &mut (*__state).last_created,
                                            )
                                        };
                                    } else {
                                        value_1 = {
                                            let output = ::core::clone::Clone::clone(__output);
                                            Some(Created {
                                                from_task: "add_field".into(),
                                                name: output.name,
                                            })
                                        };
                                    }
                                    {
                                        let __state = &mut *__state;
                                        ::cot_core::__private::append(
                                            {
                                                let __place = &mut (*__state).current_ds.fields;
                                                __place
                                            },
                                            value_0,
                                        )
                                    };
                                    {
                                        let __state = &mut *__state;
                                        ::cot_core::__private::assign(
                                            &mut (*__state).last_created,
                                            value_1,
                                        )
                                    };
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                                _ => {
                                    ::core::result::Result::Ok(::core::option::Option::None)
                                }
                            },
                            to_json: |__output| match __output {
                                DsBuilderOutput::AddField(__output) => {
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
                    const TASK: ::cot_core::__private::TaskCode<DsBuilder> = ::cot_core::__private::TaskCode {
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
        type Bounds<D: ::cot_core::__private::BoundsDepth> = __DsBuilderBounds<D>;
        const PLACE: &'static ::core::primitive::str = ::core::concat!(
            ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!(), ":",
            ::core::stringify!(DsBuilder),
        );
        fn schemas() -> &'static ::cot_core::__private::SchemaCache {
            static SCHEMAS: ::cot_core::__private::SchemaCache = ::cot_core::__private::SchemaCache::new();
            &SCHEMAS
        }
        fn outcome(
            __ending: ::cot_core::__private::Ending<Self::Task>,
        ) -> Self::Outcome {
            match __ending {
                ::cot_core::__private::Ending::End(DsBuilderTask::Done) => {
                    DsBuilderOutcome::Done
                }
                ::cot_core::__private::Ending::End(__value)
                | ::cot_core::__private::Ending::Fail(__value, _)
                | ::cot_core::__private::Ending::RanOut(__value) => {
                    DsBuilderOutcome::RanOut(__value)
                }
                ::cot_core::__private::Ending::Halted(__value) => {
                    DsBuilderOutcome::Halted(::std::boxed::Box::new(__value))
                }
            }
        }
    }
    pub struct __DsBuilderBounds<D>(::core::marker::PhantomData<D>);
    use ::cot_core::__private::Bounded as __Bounded;
    impl<D: ::cot_core::__private::BoundsDepth> __Bounded for __DsBuilderBounds<D> {
        const RUN: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase {
            model_calls: ::cot_core::__private::Bound::at_most(600u64),
            output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
            prompt_bytes: ::cot_core::__private::Bound::at_most(57600u64),
            ..::cot_core::__private::WorstCase::NOTHING
        };
        const STEP: ::cot_core::__private::WorstCase = ::cot_core::__private::WorstCase {
            model_calls: ::cot_core::__private::Bound::at_most(3u64),
            output_tokens: ::cot_core::__private::Bound::UNBOUNDED,
            prompt_bytes: ::cot_core::__private::Bound::at_most(288u64),
            ..::cot_core::__private::WorstCase::NOTHING
        };
    }
};
