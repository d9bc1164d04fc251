//! A process of 101 model calls, which builds a data source field by field.

use std::{
    future::ready,
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    Event, Machine, MachinePoll,
    model::{BoxFuture, ModelError, ModelReply, ModelRequest},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::runtime::{self, Runtime};

/// The number of fields that a run adds: two calls for each, and one to end.
pub const FIELDS: usize = 50;
/// The number of model calls of a run.
pub const CALLS: usize = 2 * FIELDS + 1;
/// The number of fields that a prompt shows, and the maximum number of history entries.
pub(crate) const SHOWN: usize = 20;

/// Returns the replies of the model, in order.
#[must_use]
pub fn replies() -> Arc<[String]> {
    let add = |field| {
        let intent = format!("add what search {field} needs");
        [choice("add_field", &intent, "see what is missing"), field_reply(field)]
    };
    let end = choice("done", "end here, as every order can be found", "nothing");
    (0..FIELDS).flat_map(add).chain([end]).collect()
}

fn choice(go_to: &str, intent: &str, step_after: &str) -> String {
    format!(r#"{{"intent":"{intent}","goTo":"{go_to}","stepAfter":"{step_after}"}}"#)
}

fn field_reply(field: usize) -> String {
    let kind = ["text", "integer", "date"][field % 3];
    format!(r#"{{"name":"orderField{field}","title":"Field {field} of an order","kind":"{kind}"}}"#)
}

/// A field of a data source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct FieldDef {
    /// Name in camelCase.
    #[schemars(regex(pattern = r"^[a-z][A-Za-z0-9]*$"), length(max = 40))]
    pub name: String,
    /// What people read above the field.
    pub title: Option<String>,
    /// What the field holds.
    pub kind: FieldKind,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// A day.
    Date,
}

/// A table and its fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DataSource {
    /// What a row has.
    pub fields: Vec<FieldDef>,
}

/// The field that was added last, and by which task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Created {
    /// The task that added it.
    pub from_task: String,
    /// The name of the field.
    pub name: String,
}

/// What the tasks share.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BuilderState {
    /// The data source as built so far.
    pub current_ds: DataSource,
    /// The newest field.
    pub last_created: Option<Created>,
}

pub(crate) fn newest(fields: &[FieldDef]) -> &[FieldDef] {
    &fields[fields.len().saturating_sub(SHOWN)..]
}

pub(crate) fn no_duplicate_name(field: &FieldDef, state: &BuilderState) -> Result<(), Issues> {
    match state.current_ds.fields.iter().find(|other| other.name == field.name) {
        Some(other) => Err(Issues::at("name", format!("`{}` is taken", other.name))),
        None => Ok(()),
    }
}

cot_process! {
    /// Adds fields to a data source, one at a time, until it serves the goal.
    pub process DsBuilder {
        state: BuilderState,
        max_steps: 1000000,
        goal: "Add the fields needed for a date-range order search",
        intro: "A data source is built. Newest fields:\n${json(newest(&state.current_ds.fields))}",
        prompts: {
            field_rules: "Its name is in camelCase and not taken, its title is shown above it.",
        },
        max_retries: 2,
        history: { max_items: 20 },
        start: decide,
        default_return: decide,

        task decide {
            title: "Decide what to do next",
            transitions: {
                add_field: "Add one more field" if state.current_ds.fields.len() < FIELDS,
                done: "The data source serves the goal",
            },
            // As the loop by hand does, also where it can only end.
            always_ask,
        }

        task add_field -> FieldDef {
            title: "Add a field",
            prompt: "Generate one field definition.\n${part(field_rules)}",
            check: no_duplicate_name,
            update: {
                current_ds.fields[] = output,
                last_created = Some(Created { from_task: "add_field".into(), name: output.name }),
            },
        }

        task done { end }
    }
}

/// Runs the process on the machine with recorded events. Returns its state and the size of its prompts.
///
/// # Panics
///
/// If the process asks for anything but a model's reply, or for more replies than there are.
#[must_use]
pub fn on_machine(replies: &[String]) -> (BuilderState, usize) {
    let mut size = 0;
    let state = with_prompts(replies, |request| size += self::size(request));
    (state, size)
}

/// Runs the process on the machine with recorded events, and passes each request to a function.
///
/// # Panics
///
/// As [`on_machine`].
pub fn with_prompts(replies: &[String], mut seen: impl FnMut(&ModelRequest)) -> BuilderState {
    let mut replies = replies.iter();
    let mut machine = DsBuilder::machine();
    machine.record(true);
    machine.start(BuilderState::default()).expect("it starts");
    loop {
        let MachinePoll::Waiting([call]) = machine.poll() else {
            break;
        };
        let (id, asked) = (call.id, call.as_model_call().expect("it only asks models"));
        seen(&asked.request);
        take_events(&mut machine);
        let reply = ModelReply::new(replies.next().expect("a reply for each call").as_str());
        machine.handle(Event::Replied { id, reply, elapsed: Duration::ZERO });
        take_events(&mut machine);
    }
    machine.into_state().expect("it was started")
}

fn take_events(machine: &mut Machine<DsBuilder>) {
    for event in machine.drain_events() {
        black_box(event);
    }
}

fn size(request: &ModelRequest) -> usize {
    request.system().map_or(0, str::len) + request.prompt().len()
}

/// The runner with an observer, on a single-threaded runtime.
#[derive(Debug)]
pub struct OnRunner {
    runtime: Runtime,
    runner: Runner<DsBuilder>,
    prompts: Arc<AtomicUsize>,
}

impl OnRunner {
    /// Creates a runner whose model gives these replies.
    ///
    /// # Panics
    ///
    /// If the runtime can't be created.
    #[must_use]
    pub fn new(replies: &Arc<[String]>) -> Self {
        let prompts = Arc::new(AtomicUsize::new(0));
        let observed = Arc::clone(&prompts);
        let runner = DsBuilder::runner().model(Prepared::new(replies)).observe(move |event, _| {
            if let RunEvent::Prompt { request, .. } = black_box(event) {
                observed.fetch_add(size(request), Ordering::Relaxed);
            }
        });
        let runtime = runtime::Builder::new_current_thread().enable_time().build();
        Self { runtime: runtime.expect("a runtime"), runner, prompts }
    }

    /// Runs the process. Returns its state and the size of its prompts.
    ///
    /// # Panics
    ///
    /// If the run fails.
    pub fn run(&mut self) -> (BuilderState, usize) {
        let run = self.runtime.block_on(self.runner.run(BuilderState::default()));
        (run.expect("it runs").state, self.prompts.swap(0, Ordering::Relaxed))
    }
}

/// A model without delay, which returns prepared replies in order.
struct Prepared {
    replies: Arc<[String]>,
    calls: AtomicUsize,
}

impl Prepared {
    fn new(replies: &Arc<[String]>) -> Self {
        Self { replies: Arc::clone(replies), calls: AtomicUsize::new(0) }
    }
}

impl LanguageModel for Prepared {
    fn reply<'a>(
        &'a self,
        _request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed) % CALLS;
        Box::pin(ready(Ok(ModelReply::new(self.replies[call].as_str()))))
    }
}
