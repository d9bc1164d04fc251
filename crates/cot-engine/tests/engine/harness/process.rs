//! Processes without types: tables and functions over [`Value`].

use std::{fmt, time::Duration};

use cot_engine::{
    About, Budget, Process, TaskId,
    private::{
        BoundsDefinition, Definition, HistoryLimit, Primer, ProcessCode, ProcessTexts,
        ProcessTypes, SettingsDefinition, TextFacts, ToolsDefinition, TrustDefinition,
    },
};
use serde_json::Value;

/// A task of any process, by its number. All processes share the type, and with it most of the code that depends
/// on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Task(pub(crate) usize);

impl TaskId for Task {
    const ALL: &'static [Self] = &{
        let mut tasks = [Self(0); 32];
        let mut index = 0;
        while index < tasks.len() {
            tasks[index] = Self(index);
            index += 1;
        }
        tasks
    };

    /// The names are in the tables; [`Run`](super::run::Run) shows them.
    fn name(self) -> &'static str {
        "task"
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task {}", self.0)
    }
}

/// A process whose state and outputs are JSON.
pub(crate) trait Plain:
    Process<State = Value, Output = Value, Task = Task, Outcome = ()>
{
}

impl<P: Process<State = Value, Output = Value, Task = Task, Outcome = ()>> Plain for P {}

/// The tables of a process that declares nothing but its tasks.
pub(crate) const PROCESS: Definition = Definition {
    about: about(""),
    place: "",
    version: None,
    engines: &[],
    settings: SettingsDefinition::DEFAULT,
    max_retries: None,
    history: HistoryLimit::Unlimited,
    state_max_items: None,
    start: 0,
    default_return: None,
    max_steps: None,
    max_repeats: None,
    timeout: None,
    budget: Budget::NONE,
    bounds: BoundsDefinition::NONE,
    mock_mode: None,
    uses_goal: false,
    uses_last_output: false,
    order: None,
    texts: ProcessTexts::NONE,
    prompt_hash: 0,
    mermaid: "",
    tools: ToolsDefinition::NONE,
    trust: &TrustDefinition::NONE,
    tasks: &[],
};

/// The functions of a process that declares nothing but its tasks.
pub(crate) const fn functions<P: ProcessTypes>() -> ProcessCode<P> {
    ProcessCode {
        goal: None,
        intro: None,
        system: None,
        primers: &[],
        part_names: &[],
        parts: &[],
        mirror: None,
        mock: None,
        tools: &[],
        tasks: &[],
    }
}

/// Returns the facts of the texts of a process: those that its tables give, and otherwise those of texts of which only the
/// intro shows the state.
pub(crate) const fn texts<P: ProcessTypes>(
    code: &ProcessCode<P>,
    given: ProcessTexts,
) -> ProcessTexts {
    const fn or(given: Option<TextFacts>, exists: bool, facts: TextFacts) -> Option<TextFacts> {
        if given.is_none() && exists { Some(facts) } else { given }
    }
    ProcessTexts {
        system: or(given.system, code.system.is_some(), FIXED),
        intro: or(given.intro, code.intro.is_some(), VOLATILE),
        primers: if code.primers.is_empty() { given.primers } else { GOAL },
    }
}

/// The facts of a primer. Those of the others are the same as without one.
const GOAL: &[(Primer, TextFacts)] = &[(Primer::Goal, FIXED)];

/// A text without values.
pub(crate) const FIXED: TextFacts = TextFacts::new(1, 1, [0, 0, 0], 0);
/// A text with a value that changes.
pub(crate) const VOLATILE: TextFacts = TextFacts::new(1, 0, [0, 0, 1], 0);

pub(crate) const fn about(name: &'static str) -> About {
    About { name, title: name, description: name }
}

pub(crate) const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Declares a process: its tasks as rows, and, where they are not the defaults, its tables, functions and
/// context. The number of a task is a constant of the process with its name.
macro_rules! process {
    (
        $(#[$attribute:meta])*
        $name:ident { $(
            $task:ident: $kind:ident $(::<$inner:ty>)? ($($argument:expr),* $(,)?)
                $(.$method:ident($($setting:expr),* $(,)?))*
        ),* $(,)? }
        $(definition: $definition:expr;)?
        $(functions: $functions:expr;)?
        $(context: $context:ty;)?
    ) => {
        $(#[$attribute])*
        #[derive(Debug)]
        pub(crate) struct $name;

        const _: () = {
            #[expect(non_camel_case_types, reason = "named like the tasks")]
            enum Numbers { $($task),* }

            #[allow(dead_code, non_upper_case_globals, reason = "named like the tasks; few are used")]
            impl $name {
                $(pub(crate) const $task: usize = Numbers::$task as usize;)*
                const GIVEN: cot_engine::private::Definition =
                    $crate::harness::process!(@or $crate::harness::PROCESS, $($definition)?);
            }
        };

        impl cot_engine::ProcessTypes for $name {
            type State = serde_json::Value;
            type Task = $crate::harness::Task;
            type Output = serde_json::Value;
            type Context = $crate::harness::process!(@context $($context)?);
            type Outcome = ();
        }

        $crate::harness::process!(@inherit $name $($context)?);

        impl cot_engine::Process for $name {
            const DEFINITION: &'static cot_engine::private::Definition = &cot_engine::private::Definition {
                about: $crate::harness::about(stringify!($name)),
                place: Self::PLACE,
                texts: $crate::harness::texts(Self::CODE, Self::GIVEN.texts),
                tasks: &[$(
                    $kind::<Self $(, $inner)?>($($argument),*)
                        $(.$method($($setting),*))*
                        .definition(stringify!($task))
                ),*],
                ..Self::GIVEN
            };
            const CODE: &'static cot_engine::private::ProcessCode<Self> = &cot_engine::private::ProcessCode {
                tasks: &[$(
                    $kind::<Self $(, $inner)?>($($argument),*)$(.$method($($setting),*))*.code()
                ),*],
                ..$crate::harness::process!(@or $crate::harness::functions(), $($functions)?)
            };
            type SubProcesses = ();
            type Bounds<D: cot_engine::private::BoundsDepth> = ();
            const PLACE: &'static str = concat!(module_path!(), "::", stringify!($name));

            fn schemas() -> &'static cot_engine::private::SchemaCache {
                static SCHEMAS: cot_engine::private::SchemaCache =
                    cot_engine::private::SchemaCache::new();
                &SCHEMAS
            }

            fn outcome(_: cot_engine::private::Ending<Self::Task>) {}
        }
    };
    (@inherit $name:ident) => {
        impl<C> cot_engine::private::InheritContext<C> for $name {
            fn inherit_context(_: &std::sync::Arc<C>) -> std::sync::Arc<()> {
                std::sync::Arc::new(())
            }
        }
    };
    (@inherit $name:ident $context:ty) => {
        impl cot_engine::HasContext for $name {
            type App = $context;
        }

        impl cot_engine::private::InheritContext<$context> for $name {
            fn inherit_context(context: &std::sync::Arc<$context>) -> std::sync::Arc<$context> {
                std::sync::Arc::clone(context)
            }
        }
    };
    (@context) => { () };
    (@context $context:ty) => { $context };
    (@or $default:expr,) => { $default };
    (@or $default:expr, $given:expr) => { $given };
}

pub(crate) use process;
