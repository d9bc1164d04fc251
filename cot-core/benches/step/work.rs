//! The measured work: by the machine, by the runner, and by a loop without the library.

use std::{
    collections::VecDeque,
    future::ready,
    hint::black_box,
    io::Write,
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
pub(crate) const FIELDS: usize = 50;
pub(crate) const CALLS: usize = 2 * FIELDS + 1;
/// The number of fields and of history entries in a prompt.
const SHOWN: usize = 20;

/// The replies of the model, in order.
pub(crate) fn replies() -> Arc<[String]> {
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

// Shared by all contenders.

/// A field of a data source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct FieldDef {
    /// Name in camelCase.
    #[schemars(regex(pattern = r"^[a-z][A-Za-z0-9]*$"), length(max = 40))]
    pub(crate) name: String,
    /// What people read above the field.
    pub(crate) title: Option<String>,
    /// What the field holds.
    pub(crate) kind: FieldKind,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FieldKind {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// A day.
    Date,
}

/// A table and its fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DataSource {
    /// What a row has.
    pub(crate) fields: Vec<FieldDef>,
}

/// The field that was added last, and by which task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Created {
    /// The task that added it.
    pub(crate) from_task: String,
    /// The name of the field.
    pub(crate) name: String,
}

/// What the tasks share.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BuilderState {
    /// The data source as built so far.
    pub(crate) current_ds: DataSource,
    /// The newest field.
    pub(crate) last_created: Option<Created>,
}

fn newest(fields: &[FieldDef]) -> &[FieldDef] {
    &fields[fields.len().saturating_sub(SHOWN)..]
}

fn no_duplicate_name(field: &FieldDef, state: &BuilderState) -> Result<(), Issues> {
    match state.current_ds.fields.iter().find(|other| other.name == field.name) {
        Some(other) => Err(Issues::at("name", format!("`{}` is taken", other.name))),
        None => Ok(()),
    }
}

// With the library.

cot_process! {
    /// Adds fields to a data source, one at a time, until it serves the goal.
    pub(crate) process DsBuilder {
        state: BuilderState,
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

/// The machine, with recorded events.
pub(crate) fn on_machine(replies: &[String]) -> (BuilderState, usize) {
    let mut replies = replies.iter();
    let mut machine = DsBuilder::machine();
    machine.record(true);
    machine.start(BuilderState::default()).expect("it starts");
    let mut prompts = 0;
    loop {
        let MachinePoll::Waiting([call]) = machine.poll() else {
            break;
        };
        let (id, asked) = (call.id, call.as_model_call().expect("it only asks models"));
        prompts += size(&asked.request);
        take_events(&mut machine);
        let reply = ModelReply::new(replies.next().expect("a reply for each call").as_str());
        machine.handle(Event::Replied { id, reply, elapsed: Duration::ZERO });
        take_events(&mut machine);
    }
    (machine.into_state().expect("it was started"), prompts)
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
pub(crate) struct OnRunner {
    runtime: Runtime,
    runner: Runner<DsBuilder>,
    prompts: Arc<AtomicUsize>,
}

impl OnRunner {
    pub(crate) fn new(replies: &Arc<[String]>) -> Self {
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

    pub(crate) fn run(&mut self) -> (BuilderState, usize) {
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

// Without the library.

const SYSTEM: &str = "\
You carry out one step of a larger process, and you remember nothing of the other steps: all you \
know is in the prompt. Do exactly what the step asks. Reply with one JSON value and nothing else.";

const GOAL: &str = "\
The goal of the whole process:\nAdd the fields needed for a date-range order search\n\n";

const HISTORY: &str = "\
What has been done so far, as JSON, the latest last. An entry with \"output\" is a result that was \
accepted. An entry with \"goTo\" is a choice that was made: \"intent\" says what it was for, and \
\"stepAfter\" what was planned to come next. Go on from there, and don't repeat what is done:\n";

const CHOICE: &str = "\
Choose what to do next. Reply with a JSON object of three members: \"intent\", a sentence on \
what you mean to achieve; \"goTo\", the name of one task from the list; and \"stepAfter\", what \
you mean to do after that task. The tasks:\n";

const FIELD: &str = "\
Generate one field definition.\n\
Its name is in camelCase and not taken, its title is shown above it.\n\n\
Reply with the output of this step as one JSON value, without any text around it. It must fit this \
JSON schema:\n";

/// Formats the history of a prompt.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Entry {
    Choice { task: &'static str, go_to: Target, intent: String, step_after: String },
    Output { task: &'static str, output: FieldDef },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Choice {
    intent: String,
    go_to: Target,
    step_after: String,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Target {
    AddField,
    Done,
}

/// The same as a loop, without the library.
pub(crate) fn by_hand(replies: &[String]) -> (BuilderState, usize) {
    let mut replies = replies.iter();
    let mut state = BuilderState::default();
    let mut history = VecDeque::new();
    let mut prompts = 0;
    let mut ask = |prompt: &str| {
        prompts += SYSTEM.len() + black_box(prompt).len();
        replies.next().expect("a reply for each call").clone()
    };
    loop {
        let reply = ask(&decide_prompt(&state, &history));
        let choice: Choice = serde_json::from_str(&reply).expect("a choice");
        let Choice { intent, go_to, step_after } = choice;
        remember(&mut history, Entry::Choice { task: "decide", go_to, intent, step_after });
        if go_to == Target::Done {
            return (state, prompts);
        }
        let reply = ask(&field_prompt(&state, &history));
        let field: FieldDef = serde_json::from_str(&reply).expect("a field");
        assert!(is_name(&field.name) && no_duplicate_name(&field, &state).is_ok());
        remember(&mut history, Entry::Output { task: "add_field", output: field.clone() });
        state.last_created =
            Some(Created { from_task: "add_field".to_owned(), name: field.name.clone() });
        state.current_ds.fields.push(field);
    }
}

fn remember(history: &mut VecDeque<Entry>, entry: Entry) {
    if history.len() == SHOWN {
        history.pop_front();
    }
    history.push_back(entry);
}

fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|char| char.is_ascii_alphanumeric())
}

fn decide_prompt(state: &BuilderState, history: &VecDeque<Entry>) -> String {
    let mut prompt = prompt(state, history);
    prompt.extend_from_slice(CHOICE.as_bytes());
    if state.current_ds.fields.len() < FIELDS {
        prompt.extend_from_slice(b"- \"add_field\": Add one more field\n");
    }
    prompt.extend_from_slice(b"- \"done\": The data source serves the goal\n\n");
    prompt.extend_from_slice(b"Reply with that JSON object alone, without any text around it.");
    String::from_utf8(prompt).expect("text")
}

fn field_prompt(state: &BuilderState, history: &VecDeque<Entry>) -> String {
    let mut prompt = prompt(state, history);
    prompt.extend_from_slice(FIELD.as_bytes());
    prompt.extend_from_slice(FieldDef::output_schema().text().as_bytes());
    String::from_utf8(prompt).expect("text")
}

fn prompt(state: &BuilderState, history: &VecDeque<Entry>) -> Vec<u8> {
    let mut prompt = Vec::with_capacity(8192);
    prompt.extend_from_slice(b"A data source is built. Newest fields:\n");
    serde_json::to_writer(&mut prompt, newest(&state.current_ds.fields)).expect("JSON");
    let _ = write!(prompt, "\n\n{GOAL}");
    if !history.is_empty() {
        prompt.extend_from_slice(HISTORY.as_bytes());
        serde_json::to_writer(&mut prompt, history).expect("JSON");
        prompt.extend_from_slice(b"\n\n");
    }
    prompt
}
